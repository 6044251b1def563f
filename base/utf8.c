#include "base/utf8.h"

#include <stdbool.h>

/* The first bytes of characters, and the range of their second byte, which excludes what is longer
 * than needed, surrogates, and what is beyond U+10FFFF. */
static const struct sequence {
    unsigned char first, last, size, low, high;
} sequences[] = {
    {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f}};

static bool continues(const unsigned char *at, size_t left, const struct sequence *sequence)
{
    if (left < sequence->size)
        return false;
    for (size_t i = 1; i < sequence->size; i++) {
        int low = i == 1 ? sequence->low : 0x80, high = i == 1 ? sequence->high : 0xbf;
        if (at[i] < low || at[i] > high)
            return false;
    }
    return true;
}

size_t utf8_character(const char *text, size_t left)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (at[0] >= sequences[i].first && at[0] <= sequences[i].last)
            return continues(at, left, &sequences[i]) ? sequences[i].size : 0;
    return 0;
}

void utf8_repair(char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t character = utf8_character(text + i, size - i);
        if (!character)
            text[i] = '?';
        i += character ? character : 1;
    }
}
