/* suggest.c: see suggest.h. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LETTERS = 63 };

static int min(int x, int y)
{
    return x < y ? x : y;
}

static bool same(char x, char y)
{
    return tolower((unsigned char)x) == tolower((unsigned char)y);
}

/* The optimal string alignment distance: row i of the table is for the first i letters of `x`. */
static int distance(const char *x, size_t x_size, const char *y, size_t y_size)
{
    int rows[LETTERS + 1][LETTERS + 1];
    for (size_t j = 0; j <= y_size; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= x_size; i++) {
        rows[i][0] = (int)i;
        for (size_t j = 1; j <= y_size; j++) {
            int best = rows[i - 1][j - 1] + !same(x[i - 1], y[j - 1]);
            best = min(best, min(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same(x[i - 1], y[j - 2]) && same(x[i - 2], y[j - 1]))
                best = min(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    }
    return rows[x_size][y_size];
}

const char *suggest(const char *word, const char *const *words, size_t count)
{
    const char *best = NULL;
    size_t size = strlen(word);
    int nearest = (int)(size / 3) + 1;
    for (size_t i = 0; i < count && size <= LETTERS; i++) {
        size_t other = strlen(words[i]);
        int far = other > LETTERS ? nearest : distance(word, size, words[i], other);
        if (far >= nearest)
            continue;
        nearest = far;
        best = words[i];
    }
    return best;
}
