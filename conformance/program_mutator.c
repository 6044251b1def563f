/* program_mutator.c: see program_mutator.h. The text is treated as a sequence of words, without
 * parsing. */
#include "conformance/program_mutator.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 16, MAX_PLACES = 512, MAX_WORD = 80, MAX_CHANGES = 4 };

/* Operations that are interchangeable. */
static const char *const unary[] = {"abs",
                                    "negate",
                                    "sine",
                                    "cosine",
                                    "tan",
                                    "tanh",
                                    "exponential",
                                    "log",
                                    "sqrt",
                                    "rsqrt",
                                    "cbrt",
                                    "floor",
                                    "ceil",
                                    "sign",
                                    "logistic",
                                    "not",
                                    "popcnt",
                                    "exponential_minus_one",
                                    "log_plus_one",
                                    "round_nearest_even",
                                    "optimization_barrier"};
static const char *const binary[] = {
    "add",   "subtract", "multiply", "divide", "maximum", "minimum",    "remainder",
    "power", "atan2",    "and",      "or",     "xor",     "shift_left", "shift_right_logical"};
static const char *const dtypes[] = {
    "f32",  "f64", "bf16",     "f16",    "i1",           "i8",           "i32", "i64",     "ui8",
    "ui32", "i4",  "f8E4M3FN", "f8E5M2", "complex<f32>", "complex<f64>", "i2",  "f4E2M1FN"};
static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
static const long sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 64, 100, 1000, 4097, 100000};
static const long numbers[] = {-1,  0,    1,       2,        3,          4,  7,    8,          16,
                               100, 1000, 1 << 20, 1L << 31, (1L << 40), -2, -100, -(1L << 40)};
/* Dimensions of shardings over the axes of most programs. */
static const char *const dim_shardings[] = {"{}",
                                            "{?}",
                                            "{\"x\"}",
                                            "{\"y\"}",
                                            "{\"x\", \"y\"}",
                                            "{\"y\", \"x\", ?}p2",
                                            "{\"x\":(1)2}",
                                            "{\"y\":(2)2}",
                                            "{\"y\":(1)2, ?}p1",
                                            "{}, {}",
                                            "{\"z\"}"};
/* Shardings as text. */
static const char *const gspmd_shardings[] = {
    "{replicated}",
    "{manual}",
    "{maximal device=7}",
    "{devices=[8]<=[8]}",
    "{devices=[2,4]<=[8]}",
    "{devices=[4,2]<=[2,4]T(1,0)}",
    "{devices=[2,2,2]<=[8]}",
    "{devices=[8,1]<=[8]}",
    "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
    "{devices=[1,1,8]<=[8] last_tile_dims={manual}}",
    "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
    "{devices=[1,2,2,2]0,4,2,6,1,5,3,7 last_tile_dims={unreduced, replicated}}"};
#define COUNT(table) (sizeof(table) / sizeof *(table))

struct mutation {
    char text[MAX_TEXT];
    size_t size, limit;
    uint64_t random;
};

static size_t choose(struct mutation *m, size_t count)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return count ? (size_t)(m->random >> 33) % count : 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '<' || c == '>';
}

/* Replaces `length` bytes by `word`; false, without a change, if the text would become too
 * large. */
static bool replace(struct mutation *m, size_t at, size_t length, const char *word)
{
    size_t added = strlen(word);
    if (m->size - length + added > m->limit)
        return false;
    memmove(m->text + at + added, m->text + at + length, m->size - at - length + 1);
    memcpy(m->text + at, word, added);
    m->size += added - length;
    return true;
}

/* Finds `word` as a whole word (`x4x` contains the word `4`). */
static size_t find_word(const struct mutation *m, const char *word, size_t *places)
{
    size_t count = 0, length = strlen(word);
    for (const char *at = m->text; (at = strstr(at, word)) && count < MAX_PLACES; at += length) {
        bool begins = at == m->text || !is_word(at[-1]) || strchr("<x", at[-1]);
        bool ends = !is_word(at[length]) || strchr(">x", at[length]);
        if (begins && ends)
            places[count++] = (size_t)(at - m->text);
    }
    return count;
}

static void replace_all(struct mutation *m, const char *from, const char *to)
{
    static size_t places[MAX_PLACES];
    for (size_t i = find_word(m, from, places); i-- > 0;)
        if (!replace(m, places[i], strlen(from), to))
            return;
}

/* Replaces one or all occurrences of a word of the table by another word of the table. */
static void swap_words(struct mutation *m, const char *const *table, size_t count, bool all)
{
    static size_t places[MAX_PLACES];
    for (int tries = 0; tries < 20; tries++) {
        const char *from = table[choose(m, count)], *to = table[choose(m, count)];
        size_t found = find_word(m, from, places);
        if (!found || from == to)
            continue;
        if (all)
            replace_all(m, from, to);
        else
            replace(m, places[choose(m, found)], strlen(from), to);
        return;
    }
}

/* Changes numbers that are dimensions of tensors (`inside`), or all other numbers. */
static size_t find_numbers(const struct mutation *m, bool inside, size_t *places)
{
    size_t count = 0;
    bool tensor = false;
    for (size_t i = 0; i < m->size && count < MAX_PLACES; i++) {
        if (!strncmp(m->text + i, "tensor<", 7))
            tensor = true;
        else if (m->text[i] == '>')
            tensor = false;
        bool begins = isdigit((unsigned char)m->text[i]) &&
                      (i == 0 || strchr(tensor ? "<x" : " [,=:-", m->text[i - 1]));
        if (begins && tensor == inside)
            places[count++] = i;
    }
    return count;
}

static void change_size(struct mutation *m)
{
    static size_t places[MAX_PLACES];
    char from[24], to[24];
    size_t count = find_numbers(m, true, places);
    if (!count)
        return;
    snprintf(from, sizeof from, "%ld", strtol(m->text + places[choose(m, count)], NULL, 10));
    snprintf(to, sizeof to, "%ld", sizes[choose(m, COUNT(sizes))]);
    replace_all(m, from, to);
}

static void change_number(struct mutation *m)
{
    static size_t places[MAX_PLACES];
    char to[24], *end;
    size_t count = find_numbers(m, choose(m, 8) == 0, places);
    if (!count)
        return;
    size_t at = places[choose(m, count)];
    strtol(m->text + at, &end, 10);
    snprintf(to, sizeof to, "%ld", numbers[choose(m, COUNT(numbers))]);
    replace(m, at, (size_t)(end - m->text) - at, to);
}

/* Finds the type at the end of a line, "tensor<...>"; false if there is none. */
static bool result_type(const char *line, size_t length, char *out)
{
    size_t at = length;
    while (at > 0 && line[at - 1] != ' ')
        at--;
    size_t size = length - at;
    if (size >= MAX_WORD || strncmp(line + at, "tensor<", 7) || line[length - 1] != '>')
        return false;
    snprintf(out, MAX_WORD, "%.*s", (int)size, line + at);
    return true;
}

static bool begins_line(const struct mutation *m, size_t at)
{
    while (at > 0 && m->text[at - 1] == ' ')
        at--;
    return at == 0 || m->text[at - 1] == '\n';
}

/* Inserts, after an operation "%x = ... tensor<T>", an operation on its result, and lets the users
 * of %x use that. */
static void insert_operation(struct mutation *m)
{
    static size_t places[MAX_PLACES];
    char name[MAX_WORD], fresh[MAX_WORD], type[MAX_WORD], line[6 * MAX_WORD];
    size_t count = 0;
    for (size_t i = 0; i + 1 < m->size && count < MAX_PLACES; i++)
        if (m->text[i] == '%' && begins_line(m, i))
            places[count++] = i;
    if (!count)
        return;
    size_t at = places[choose(m, count)], length = strcspn(m->text + at, "\n");
    size_t named = strcspn(m->text + at, " :,)\n");
    if (named >= MAX_WORD - 8 || strncmp(m->text + at + named, " = ", 3) ||
        !result_type(m->text + at, length, type))
        return;
    snprintf(name, sizeof name, "%.*s", (int)named, m->text + at);
    snprintf(fresh, sizeof fresh, "%%f%zu", choose(m, 100000));
    replace_all(m, name, fresh); /* then restore the name in the definition */
    size_t defined = strcspn(m->text + at, " ");
    if (!replace(m, at, defined, name))
        return;
    at += strcspn(m->text + at, "\n");
    if (choose(m, 2))
        snprintf(line, sizeof line, "\n    %s = stablehlo.%s %s : %s", fresh,
                 unary[choose(m, COUNT(unary))], name, type);
    else
        snprintf(line, sizeof line, "\n    %s = stablehlo.%s %s, %s : %s", fresh,
                 binary[choose(m, COUNT(binary))], name, name, type);
    replace(m, at, 0, line);
}

/* Places of '{' that begin an element of a list in brackets, as those of a sharding. */
static size_t find_dim_shardings(const struct mutation *m, size_t *places)
{
    size_t count = 0;
    for (size_t i = 2; i < m->size && count < MAX_PLACES; i++)
        if (m->text[i] == '{' &&
            (m->text[i - 1] == '[' || (m->text[i - 1] == ' ' && m->text[i - 2] == ',')))
            places[count++] = i;
    return count;
}

/* Places of '{' that begin a text in quotes. */
static size_t find_quoted(const struct mutation *m, size_t *places)
{
    size_t count = 0;
    for (size_t i = 1; i < m->size && count < MAX_PLACES; i++)
        if (m->text[i] == '{' && m->text[i - 1] == '"')
            places[count++] = i;
    return count;
}

/* Changes, repeats or removes a dimension of a sharding, or changes a sharding that is text. */
static void change_sharding(struct mutation *m)
{
    static size_t places[MAX_PLACES];
    size_t count = find_dim_shardings(m, places), quoted;
    if (count && choose(m, 8)) {
        size_t at = places[choose(m, count)], length = strcspn(m->text + at, "}\n") + 1;
        if (at + length <= m->size)
            replace(m, at, length, dim_shardings[choose(m, COUNT(dim_shardings))]);
    } else if ((quoted = find_quoted(m, places))) {
        size_t at = places[choose(m, quoted)];
        replace(m, at, strcspn(m->text + at, "\"\n"),
                gspmd_shardings[choose(m, COUNT(gspmd_shardings))]);
    }
}

static bool has_shardings(const struct mutation *m)
{
    return strstr(m->text, "sharding") != NULL;
}

static void change(struct mutation *m)
{
    if (has_shardings(m) && choose(m, 3) == 0) {
        change_sharding(m);
        return;
    }
    switch (choose(m, 8)) {
    case 0: swap_words(m, unary, COUNT(unary), false); break;
    case 1: swap_words(m, binary, COUNT(binary), false); break;
    case 2: swap_words(m, dtypes, COUNT(dtypes), true); break;
    case 3: swap_words(m, directions, COUNT(directions), false); break;
    case 4: change_size(m); break;
    case 5: change_number(m); break;
    default: insert_operation(m); break;
    }
}

size_t program_mutate(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    static struct mutation m;
    if (size >= MAX_TEXT)
        return size;
    memcpy(m.text, bytes, size);
    m.text[size] = '\0';
    m.size = strlen(m.text);
    m.limit = max_size < MAX_TEXT ? max_size : MAX_TEXT - 1;
    m.random = seed;
    for (size_t left = 1 + choose(&m, MAX_CHANGES); left > 0; left--)
        change(&m);
    if (m.size > m.limit)
        return size;
    memcpy(bytes, m.text, m.size);
    return m.size;
}
