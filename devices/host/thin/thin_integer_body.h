/* thin_integer_body.h: the inner loops of thin_integer_code.h for one instruction set. Included
 * once by a source for each, with these defined:
 *
 *   SET(name), TARGET        a name for this set; a function attribute
 *   LANES                    8 or 16: 32-bit integers of a vector
 *   FMA(a, b, c)             a * b + c, of floats
 *   ADD_PRODUCTS(sum, a, b)  sum + a[2i] * b[2i] + a[2i + 1] * b[2i + 1], of 16 bits each
 *   KEEP(vector)             optional: where registers are narrower than vectors, nothing */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_INTEGER_BODY_H
#define GANTRY_DEVICES_HOST_THIN_THIN_INTEGER_BODY_H

#include <string.h>

#include "devices/host/thin/thin_integer_code.h"

enum {
    VECTOR_BYTES = 4 * LANES,
    LINE = 64,
    BYTE_FIELDS = 2, /* of a word */
    HALF_FIELDS = 4,
    MOST_FIELDS = 4,
    UNITS_OF_BYTES = 2, /* vectors of a tile's row, which have TILE_SUMS */
    UNITS_OF_HALVES = 1,
    TILE_SUMS = 8
};

#define VECTOR_OF(type) __attribute__((vector_size(VECTOR_BYTES))) type
typedef VECTOR_OF(int32_t) integers;
typedef VECTOR_OF(uint32_t) words;
typedef VECTOR_OF(int16_t) halves;
typedef VECTOR_OF(float) floats;
typedef uint16_t bf16s __attribute__((vector_size(VECTOR_BYTES / 2)));
#undef VECTOR_OF

#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#define EACH(i, count) UNROLLED for (int i = 0; i < (count); i++)
#define INLINE TARGET static inline __attribute__((always_inline))

/* ---- numbers of two vectors, whose parts are 128 bits ---------------------------------------- */
#define PARTS (LANES / 4)
#define SHUFFLED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#if PARTS == 2
#define EACH_PART(NUMBERS) NUMBERS(0), NUMBERS(1)
#else
#define EACH_PART(NUMBERS) NUMBERS(0), NUMBERS(1), NUMBERS(2), NUMBERS(3)
#endif
/* Part p of both, of 4 numbers each. */
#define PART(p) 4 * (p), 4 * (p) + 1, 4 * (p) + 2, 4 * (p) + 3
/* Of part p, numbers from the i-th on that alternate; or two of the first and two of the second. */
#define ZIPPED(i) (i), LANES + (i), (i) + 1, LANES + (i) + 1
#define FIRST_ZIPPED(p) ZIPPED(4 * (p))
#define LAST_ZIPPED(p) ZIPPED(4 * (p) + 2)
#define JOINED(i) (i), (i) + 1, LANES + (i), LANES + (i) + 1
#define FIRST_JOINED(p) JOINED(4 * (p))
#define LAST_JOINED(p) JOINED(4 * (p) + 2)
/* Of 8 words of 16 bits. */
#define WORDS(i)                                                                                   \
    (i), 2 * LANES + (i), (i) + 1, 2 * LANES + (i) + 1, (i) + 2, 2 * LANES + (i) + 2, (i) + 3,     \
        2 * LANES + (i) + 3
#define FIRST_WORDS(p) WORDS(8 * (p))
#define LAST_WORDS(p) WORDS(8 * (p) + 4)

/* Keeps the compiler from computing many products before it adds them, for which there are too few
 * registers. */
#ifndef KEEP
#define KEEP(vector) __asm__ volatile("" : "+x"(vector))
#endif

INLINE halves SET(load)(const char *from, words flip)
{
    words loaded;
    memcpy(&loaded, from, sizeof loaded);
    return (halves)(loaded ^ flip);
}

INLINE integers SET(spread)(int32_t number)
{
    return (integers){0} + number;
}

INLINE floats SET(spread_float)(float number)
{
    return (floats){0} + number;
}

/* ---- sums ------------------------------------------------------------------------------------ */
/* Adds products of words with `fields` columns: of the word, of its high byte; and, of 4 fields, of
 * the lowest of either byte. */
INLINE void SET(add_word)(integers *sum, integers word, integers left, const int fields)
{
    const integers high = (integers)((halves)word >> 8), low = SET(spread)(0x000f000f);
    sum[0] = ADD_PRODUCTS(sum[0], word, left);
    KEEP(sum[0]);
    sum[1] = ADD_PRODUCTS(sum[1], high, left);
    KEEP(sum[1]);
    if (fields == BYTE_FIELDS)
        return;
    sum[2] = ADD_PRODUCTS(sum[2], word & low, left);
    KEEP(sum[2]);
    sum[3] = ADD_PRODUCTS(sum[3], high & low, left);
    KEEP(sum[3]);
}

/* a - b, modulo 2^32. */
INLINE integers SET(subtract)(integers a, integers b)
{
    return (integers)((words)a - (words)b);
}

/* Adds the sum of a pass of the i-th column of words. */
INLINE void SET(add_sum)(const struct thin_integer_block *b, const struct thin_integer_pass *pass,
                         integers sum, const int i, floats *to)
{
    const integers unbiased = SET(subtract)(sum, SET(spread)(pass->total * b->bias[i]));
    *to = FMA(__builtin_convertvector(unbiased, floats), SET(spread_float)(pass->unit), *to);
}

/* Adds the sums of a pass: those of columns, from those of add_word(). */
INLINE void SET(add_sums)(const struct thin_integer_block *b, const struct thin_integer_pass *pass,
                          const integers *sum, const int fields, floats *to)
{
    const integers low = SET(subtract)(sum[0], (integers)((words)sum[1] << 8));
    if (fields == BYTE_FIELDS) {
        SET(add_sum)(b, pass, low, 0, to);
        SET(add_sum)(b, pass, sum[1], 1, to + 1);
        return;
    }
    SET(add_sum)(b, pass, sum[2], 0, to);
    SET(add_sum)(b, pass, SET(subtract)(low, sum[2]) >> 4, 1, to + 1);
    SET(add_sum)(b, pass, sum[3], 2, to + 2);
    SET(add_sum)(b, pass, SET(subtract)(sum[1], sum[3]) >> 4, 3, to + 3);
}

/* Of vectors with one column of words each: parts of adjacent columns. */
INLINE void SET(zip)(const struct thin_integer_block *b, floats *v, const int fields)
{
    if (fields == HALF_FIELDS && b->high_first) {
        const floats first = v[0], third = v[2];
        v[0] = v[1], v[1] = first, v[2] = v[3], v[3] = third;
    }
    const floats a = SHUFFLED(v[0], v[1], EACH_PART(FIRST_ZIPPED)),
                 c = SHUFFLED(v[0], v[1], EACH_PART(LAST_ZIPPED));
    if (fields == BYTE_FIELDS) {
        v[0] = a, v[1] = c;
        return;
    }
    const floats d = SHUFFLED(v[2], v[3], EACH_PART(FIRST_ZIPPED)),
                 e = SHUFFLED(v[2], v[3], EACH_PART(LAST_ZIPPED));
    v[0] = SHUFFLED(a, d, EACH_PART(FIRST_JOINED)), v[1] = SHUFFLED(a, d, EACH_PART(LAST_JOINED));
    v[2] = SHUFFLED(c, e, EACH_PART(FIRST_JOINED)), v[3] = SHUFFLED(c, e, EACH_PART(LAST_JOINED));
}

/* As many vectors as they have parts: the i-th parts of all are columns that follow each other, and
 * become vectors of columns, `step` apart. */
INLINE void SET(join)(const floats *v, const int step, floats *to)
{
#if PARTS == 2
    to[0] = SHUFFLED(v[0], v[1], PART(0), PART(2));
    to[step] = SHUFFLED(v[0], v[1], PART(1), PART(3));
#else
    const floats a = SHUFFLED(v[0], v[1], PART(0), PART(4), PART(1), PART(5)),
                 b = SHUFFLED(v[2], v[3], PART(0), PART(4), PART(1), PART(5)),
                 c = SHUFFLED(v[0], v[1], PART(2), PART(6), PART(3), PART(7)),
                 d = SHUFFLED(v[2], v[3], PART(2), PART(6), PART(3), PART(7));
    to[0] = SHUFFLED(a, b, PART(0), PART(1), PART(4), PART(5));
    to[step] = SHUFFLED(a, b, PART(2), PART(3), PART(6), PART(7));
    to[2 * step] = SHUFFLED(c, d, PART(0), PART(1), PART(4), PART(5));
    to[3 * step] = SHUFFLED(c, d, PART(2), PART(3), PART(6), PART(7));
#endif
}

/* ---- the result ------------------------------------------------------------------------------ */
/* Scales from column c on; which of them exceed the limit is added to `exceed`. */
INLINE floats SET(scale)(const struct thin_integer_block *b, const bool is_bf16, int64_t c,
                         integers *exceed)
{
    floats scale;
    bf16s loaded;
    if (is_bf16) {
        memcpy(&loaded, b->scale_bf16 + c, sizeof loaded);
        scale = (floats)(__builtin_convertvector(loaded, words) << 16);
    } else {
        memcpy(&scale, b->scale + c, sizeof scale);
    }
    const integers magnitude = (integers)((words)scale & 0x7fffffff);
    *exceed |= magnitude > (integers)SET(spread_float)(b->limit);
    return scale;
}

/* Adds sums of columns from c on. */
INLINE void SET(add_columns)(const struct thin_integer_block *b, floats sum, int64_t c,
                             integers *exceed)
{
    floats out, zero;
    if (b->zero) {
        memcpy(&zero, b->zero + c, sizeof zero);
        sum = FMA(SET(spread_float)(-b->total), zero, sum);
    }
    memcpy(&out, b->out + c, sizeof out);
    if (b->scale_bf16)
        out = FMA(sum, SET(scale)(b, true, c, exceed), out);
    else if (b->scale)
        out = FMA(sum, SET(scale)(b, false, c, exceed), out);
    else
        out += sum;
    memcpy(b->out + c, &out, sizeof out);
}

/* Adds numbers of a vector of a row, whose first column is c: sums of columns of the words of low
 * halves of parts, and of high ones. */
INLINE void SET(end)(const struct thin_integer_block *b, floats *number, int64_t c,
                     const int fields, integers *exceed)
{
    const int count = 2 * fields / PARTS;
    floats joined[2 * MOST_FIELDS];
    SET(zip)(b, number, fields);
    SET(zip)(b, number + fields, fields);
    EACH(i, count) SET(join)(number + i * PARTS, count, joined + i);
    EACH(i, 2 * fields) SET(add_columns)(b, joined[i], c + i * LANES, exceed);
}

/* ---- tiles ----------------------------------------------------------------------------------- */
struct SET(fetch) { /* where lines are fetched: row by row */
    const char *row;
    int64_t column;
};

INLINE void SET(fetch_lines)(const struct thin_integer_block *b, struct SET(fetch) * at,
                             const int lines)
{
    EACH(i, lines)
    {
        __builtin_prefetch(at->row + at->column, 0, 2);
        at->column += LINE;
        const bool is_end = at->column >= b->bytes;
        at->column = is_end ? 0 : at->column;
        at->row += is_end ? b->right_row : 0;
    }
}

/* Adds the products of two terms and a vector of columns. */
INLINE void SET(add_pair)(integers *sum, const char *first, const char *second, words flip,
                          integers left, const int fields)
{
    const halves x = SET(load)(first, flip), y = SET(load)(second, flip);
    SET(add_word)(sum, (integers)SHUFFLED(x, y, EACH_PART(FIRST_WORDS)), left, fields);
    SET(add_word)(sum + fields, (integers)SHUFFLED(x, y, EACH_PART(LAST_WORDS)), left, fields);
}

/* Adds a pass over `units` vectors of each row to numbers, and fetches as many lines. No loop has
 * another one within it that is unrolled, as gcc would keep sums in memory. */
INLINE void SET(add_pass)(const struct thin_integer_block *b, const struct thin_integer_pass *pass,
                          const char *right, const int units, const int fields,
                          struct SET(fetch) * at, floats *to)
{
    const words flip = (words){0} + b->flip;
    integers sum[TILE_SUMS] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
    for (int64_t p = 0; p < pass->count; p++) {
        const struct thin_integer_pair *pair = pass->pairs + p;
        const char *first = right + pair->row[0] * b->right_row,
                   *second = right + pair->row[1] * b->right_row;
        int32_t both;
        memcpy(&both, pair->left, sizeof both);
        const integers left = SET(spread)(both);
        SET(fetch_lines)(b, at, units * VECTOR_BYTES * 2 / LINE);
        SET(add_pair)(sum, first, second, flip, left, fields);
        if (units > 1)
            SET(add_pair)(sum + 2 * fields, first + VECTOR_BYTES, second + VECTOR_BYTES, flip, left,
                          fields);
    }
    SET(add_sums)(b, pass, sum, fields, to);
    SET(add_sums)(b, pass, sum + fields, fields, to + fields);
    if (units == 1)
        return;
    SET(add_sums)(b, pass, sum + 2 * fields, fields, to + 2 * fields);
    SET(add_sums)(b, pass, sum + 3 * fields, fields, to + 3 * fields);
}

/* `units` vectors of each row from byte c on. */
INLINE void SET(tile)(const struct thin_integer_block *b, int64_t c, const int units,
                      const int fields, struct SET(fetch) * at, integers *exceed)
{
    floats number[TILE_SUMS] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
    for (int i = 0; i < b->count; i++)
        SET(add_pass)(b, b->passes + i, (const char *)b->right + c, units, fields, at, number);
    SET(end)(b, number, c * fields / 2, fields, exceed);
    if (units > 1)
        SET(end)(b, number + 2 * fields, (c + VECTOR_BYTES) * fields / 2, fields, exceed);
}

INLINE void SET(multiply)(const struct thin_integer_block *b, const int units, const int fields)
{
    integers exceed = {0};
    struct SET(fetch) at = {b->ahead ? b->ahead : b->right, 0};
    for (int64_t c = 0; c < b->bytes; c += units * VECTOR_BYTES)
        SET(tile)(b, c, units, fields, &at, &exceed);
    for (int lane = 0; lane < LANES; lane++)
        *b->exceeds |= exceed[lane] != 0;
}

TARGET static void SET(bytes)(const struct thin_integer_block *b)
{
    SET(multiply)(b, UNITS_OF_BYTES, BYTE_FIELDS);
}

TARGET static void SET(halves)(const struct thin_integer_block *b)
{
    SET(multiply)(b, UNITS_OF_HALVES, HALF_FIELDS);
}

const struct thin_integer_code SET(thin_integer) = {
    SET(bytes), SET(halves), UNITS_OF_BYTES *VECTOR_BYTES, UNITS_OF_HALVES *VECTOR_BYTES};
#endif
