/* thin_set_body.h: the inner loops of thin_set.h for one instruction set. Included once by a source
 * for each, with these defined:
 *
 *   SET(name), TARGET               a name for this set; a function attribute
 *   VECTOR, LANES, UNIT             the type of a vector of f32; its f32; vectors of THIN_LANES f32
 *   LOAD(from), STORE(to, vector), SPREAD(number), TOTAL(vector)
 *   FMA(a, b, c)                    a * b + c
 *   UNITS_OF_ROW, UNITS_OF_ROWS     of columns whose sums are registers: for one row, or for ROWS
 *   COLUMNS_OF_ROW, COLUMNS_OF_ROWS the same of columns whose terms are adjacent
 *   PAIRS(X)                        X(name, DTYPE) for each type of 4 bits whose low and high bits
 *                                   have such functions, name_low and name_high
 *   CODES(X)                        X(name, type of an element, field, DTYPE) for each type with a
 *                                   function SET(load_name)(from, to), which sets UNIT vectors
 *   TABLES(X)                       X(name, type of an element, field) for each field of indices
 *                                   of 4 bits with a function SET(load_name)(from, table, to)
 *   LOOK_UP(indices, table)         the numbers of a table of 16 f32; may be absent
 *   PICK(from, indices)             from[indices[i]] for each lane i, of LANES f32
 *   ZIP_LOW(a, b), ZIP_HIGH(a, b)   a[0], b[0], a[1], ...: the first LANES of these, the others */

#ifndef GANTRY_DEVICES_HOST_THIN_THIN_SET_BODY_H
#define GANTRY_DEVICES_HOST_THIN_THIN_SET_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "devices/host/thin/thin_set.h"

enum { MOST_ROWS = THIN_FEW_ROWS, MOST_VECTORS = 8, MOST_COLUMNS = 8, LINE = 64 };

/* How numbers are computed: number, number - zero, number * scale, (number - zero) * scale, or
 * (number - zero) * scale + offset. */
enum arithmetic { PLAIN, DIFFERENCE, SCALED, SHIFTED, AFFINE };

static inline bool has_zero(enum arithmetic a)
{
    return a == DIFFERENCE || a >= SHIFTED;
}

/* The part of it that is left to numbers where sums of their products are scaled. */
static inline enum arithmetic unscaled(enum arithmetic a)
{
    return a == SHIFTED ? DIFFERENCE : PLAIN;
}

/* Writes zeros behind the last number of a row. */
static inline void end_row(const struct thin_run *r, float *to)
{
    const int64_t end = (r->count + THIN_LANES - 1) / THIN_LANES * THIN_LANES;
    for (int64_t i = r->count; i < end; i++)
        to[i] = 0;
}

#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif
#define EACH(i, count) UNROLLED for (int i = 0; i < (count); i++)

#define INLINE TARGET static inline __attribute__((always_inline))

INLINE VECTOR SET(computed)(const enum arithmetic arithmetic, VECTOR number, VECTOR zero,
                            VECTOR scale, VECTOR offset)
{
    switch (arithmetic) {
    case PLAIN: return number;
    case DIFFERENCE: return number - zero;
    case SCALED: return number * scale;
    case SHIFTED: return (number - zero) * scale;
    default: return FMA(number - zero, scale, offset);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */
/* read_NAME: THIN_LANES adjacent numbers of a field of elements, of words from bit `shift` on; of
 * pairs, half 0 or 1. */
#define READ(NAME, TYPE, ...)                                                                      \
    INLINE void SET(read_##NAME)(const int half, const struct thin_form *form, const TYPE *from,   \
                                 VECTOR *to)                                                       \
    {                                                                                              \
        (void)half, (void)form;                                                                    \
        SET(load_##NAME)(from, to);                                                                \
    }
CODES(READ)

#define READ_WORD(NAME, TYPE, FIELD, DTYPE, BITS, NUMBER)                                          \
    INLINE void SET(read_##NAME)(const int half, const struct thin_form *form, const TYPE *from,   \
                                 VECTOR *to)                                                       \
    {                                                                                              \
        typedef TYPE words __attribute__((vector_size(sizeof(VECTOR))));                           \
        typedef NUMBER numbers __attribute__((vector_size(sizeof(VECTOR))));                       \
        typedef int32_t integers __attribute__((vector_size(sizeof(VECTOR))));                     \
        (void)half;                                                                                \
        EACH(v, UNIT)                                                                              \
        {                                                                                          \
            words loaded;                                                                          \
            memcpy(&loaded, from + v * LANES, sizeof loaded);                                      \
            const numbers field = (numbers)(loaded << (32 - BITS - form->shift)) >> (32 - BITS);   \
            to[v] = __builtin_convertvector((integers)field, VECTOR);                              \
        }                                                                                          \
    }
WORDS(READ_WORD)

#define READ_PAIR(NAME, DTYPE)                                                                     \
    INLINE void SET(read_##NAME##_pair)(const int half, const struct thin_form *form,              \
                                        const uint8_t *from, VECTOR *to)                           \
    {                                                                                              \
        (void)form;                                                                                \
        if (half)                                                                                  \
            SET(load_##NAME##_high)(from, to);                                                     \
        else                                                                                       \
            SET(load_##NAME##_low)(from, to);                                                      \
    }
PAIRS(READ_PAIR)

#define READ_TABLE(NAME, TYPE, ...)                                                                \
    INLINE void SET(read_##NAME)(const int half, const struct thin_form *form, const TYPE *from,   \
                                 VECTOR *to)                                                       \
    {                                                                                              \
        (void)half;                                                                                \
        SET(load_##NAME)(from, form->table, to);                                                   \
    }
TABLES(READ_TABLE)

/* ---- decoding -------------------------------------------------------------------------------- */
INLINE VECTOR SET(parameter)(const float *from, const bool is_each, int64_t number, int64_t group)
{
    return is_each ? LOAD(from + number) : SPREAD(from[group]);
}

/* Numbers [i, i + THIN_LANES). Parameters are those of each number, or of a group. */
INLINE void SET(decode_unit)(const struct thin_run *r, const enum arithmetic a, const bool is_each,
                             const VECTOR *numbers, int64_t i, int64_t group, float *to)
{
    EACH(v, UNIT)
    {
        const VECTOR none = SPREAD(0);
        const int64_t at = i + v * LANES;
        STORE(to + at,
              SET(computed)(a, numbers[v],
                            has_zero(a) ? SET(parameter)(r->zero, is_each, at, group) : none,
                            a >= SCALED ? SET(parameter)(r->scale, is_each, at, group) : none,
                            a == AFFINE ? SET(parameter)(r->offset, is_each, at, group) : none));
    }
}

/* The parameters of the next row. */
static inline void next_row(struct thin_run *r)
{
    r->scale = r->scale ? r->scale + r->parameter_row : NULL;
    r->zero = r->zero ? r->zero + r->parameter_row : NULL;
    r->offset = r->offset ? r->offset + r->parameter_row : NULL;
}

#define DECODE(NAME, TYPE, ...)                                                                    \
    INLINE void SET(decode_row_##NAME)(const struct thin_run *r, const enum arithmetic a,          \
                                       const bool is_each, const TYPE *from, float *to)            \
    {                                                                                              \
        VECTOR numbers[UNIT];                                                                      \
        TYPE last[THIN_LANES] = {0};                                                               \
        const int64_t whole = r->count / THIN_LANES * THIN_LANES, step = r->to_panel - r->panel;   \
        int64_t i = 0, g = 0, next = r->panel ? r->panel : INT64_MAX;                              \
        for (int64_t end; i < whole; g++)                                                          \
            for (end = is_each || whole - i < r->group ? whole : i + r->group; i < end;            \
                 i += THIN_LANES) {                                                                \
                if (i == next)                                                                     \
                    to += step, next += r->panel;                                                  \
                SET(read_##NAME)(0, &r->form, from + i, numbers);                                  \
                SET(decode_unit)(r, a, is_each, numbers, i, g, to);                                \
            }                                                                                      \
        if (i == r->count)                                                                         \
            return;                                                                                \
        if (i == next)                                                                             \
            to += step;                                                                            \
        memcpy(last, from + i, (size_t)(r->count - i) * sizeof *last);                             \
        SET(read_##NAME)(0, &r->form, last, numbers);                                              \
        SET(decode_unit)(r, a, is_each, numbers, i, i / r->group, to);                             \
        end_row(r, to);                                                                            \
    }                                                                                              \
    TARGET static void SET(decode_##NAME)(const struct thin_run *run)                              \
    {                                                                                              \
        struct thin_run row = *run, *r = &row;                                                     \
        const char *at = r->from;                                                                  \
        float *to = r->to;                                                                         \
        for (int64_t i = 0; i < run->rows; i++, at += r->from_row, to += r->to_row) {              \
            const TYPE *from = (const TYPE *)(const void *)at;                                     \
            if (!r->scale)                                                                         \
                SET(decode_row_##NAME)(r, PLAIN, true, from, to);                                  \
            else if (!r->zero && r->group == 1)                                                    \
                SET(decode_row_##NAME)(r, SCALED, true, from, to);                                 \
            else if (!r->zero)                                                                     \
                SET(decode_row_##NAME)(r, SCALED, false, from, to);                                \
            else if (r->group == 1)                                                                \
                SET(decode_row_##NAME)(r, AFFINE, true, from, to);                                 \
            else                                                                                   \
                SET(decode_row_##NAME)(r, AFFINE, false, from, to);                                \
            next_row(r);                                                                           \
        }                                                                                          \
    }
CODES(DECODE)
WORDS(DECODE)

#ifdef LOOK_UP
TARGET static void SET(look_up)(float *numbers, int64_t count, const float *table)
{
    for (int64_t i = 0; i < count; i += LANES)
        STORE(numbers + i, LOOK_UP(LOAD(numbers + i), table));
}
#else
static thin_look_up *const SET(look_up) = NULL;
#endif

/* ---- sizes ----------------------------------------------------------------------------------- */
TARGET static bool SET(exceeds)(const float *numbers, int64_t count, float limit)
{
    typedef int32_t integers __attribute__((vector_size(sizeof(VECTOR))));
    integers within = (integers){0} - 1;
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const VECTOR number = LOAD(numbers + i);
        within &= (number <= SPREAD(limit)) & (number >= SPREAD(-limit));
    }
    bool exceeds = false;
    for (int lane = 0; lane < LANES; lane++)
        exceeds |= !within[lane];
    for (; i < count; i++)
        exceeds |= !(numbers[i] <= limit && numbers[i] >= -limit);
    return exceeds;
}

/* ---- products with adjacent columns ---------------------------------------------------------- */
/* How far ahead of a tile of columns, which ends at byte `end` of its rows, rows are fetched: so
 * far in a row, behind whose end the rows of the next block begin. */
static inline int64_t SET(ahead)(const struct thin_block *b, int64_t end)
{
    return end + b->ahead <= b->row_bytes ? b->ahead : b->ahead - b->row_bytes + b->next;
}

/* `rows` rows with the columns of `units` units from the c-th on, of each half. */
#define ROWS_TILE(NAME, TYPE, HALVES)                                                              \
    INLINE void SET(rows_tile_##NAME)(const struct thin_block *b, const enum arithmetic a,         \
                                      int64_t c, const int rows, const int units)                  \
    {                                                                                              \
        VECTOR sums[HALVES][MOST_ROWS][MOST_VECTORS], zero[HALVES][MOST_VECTORS];                  \
        const int64_t ahead = SET(ahead)(b, (c + units * THIN_LANES) * (int64_t)sizeof(TYPE));     \
        const int64_t step = rows == 1 ? b->left_step : 1;                                         \
        const char *right = (const char *)b->right + c * (int64_t)sizeof(TYPE);                    \
        EACH(h, HALVES) EACH(v, units *UNIT)                                                       \
        {                                                                                          \
            zero[h][v] = has_zero(a) ? LOAD(b[h].zero + c + v * LANES) : SPREAD(0);                \
            EACH(r, rows) sums[h][r][v] = SPREAD(0);                                               \
        }                                                                                          \
        for (int64_t k = 0; k < b->k; k++, right += b->right_row) {                                \
            VECTOR left[HALVES][MOST_ROWS];                                                        \
            EACH(h, HALVES)                                                                        \
            EACH(r, rows) left[h][r] = SPREAD(b[h].left[r * b->left_row + k * step]);              \
            EACH(i, (units * THIN_LANES * (int)sizeof(TYPE) + LINE - 1) / LINE)                    \
            __builtin_prefetch(right + ahead + i * LINE);                                          \
            EACH(u, units) EACH(h, HALVES)                                                         \
            {                                                                                      \
                VECTOR numbers[UNIT];                                                              \
                const TYPE *unit = (const TYPE *)(const void *)right + u * THIN_LANES;             \
                SET(read_##NAME)(h, &b->form, unit, numbers);                                      \
                EACH(i, UNIT)                                                                      \
                {                                                                                  \
                    const int v = u * UNIT + i;                                                    \
                    const VECTOR zeros = zero[h][v],                                               \
                                 number =                                                          \
                                     SET(computed)(unscaled(a), numbers[i], zeros, zeros, zeros);  \
                    EACH(r, rows) sums[h][r][v] = FMA(left[h][r], number, sums[h][r][v]);          \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        EACH(h, HALVES) EACH(v, units *UNIT) EACH(r, rows)                                         \
        {                                                                                          \
            float *out = b[h].out + r * b->out_row + c + v * LANES;                                \
            STORE(out, FMA(sums[h][r][v], LOAD(b[h].scale + c + v * LANES), LOAD(out)));           \
        }                                                                                          \
    }                                                                                              \
    INLINE void SET(rows_tiles_##NAME)(const struct thin_block *b, const enum arithmetic a,        \
                                       const int rows, const int units)                            \
    {                                                                                              \
        int64_t c = 0;                                                                             \
        for (; c + units * THIN_LANES <= b->columns; c += units * THIN_LANES)                      \
            SET(rows_tile_##NAME)(b, a, c, rows, units);                                           \
        for (; units > 1 && c < b->columns; c += THIN_LANES)                                       \
            SET(rows_tile_##NAME)(b, a, c, rows, 1);                                               \
    }

/* ---- products with adjacent terms ------------------------------------------------------------ */
/* Columns from the c-th on; the last one is repeated. One row has sums of groups, which are scaled;
 * where there are more, numbers are, before they are used several times. */
#define COLUMNS_TILE(NAME, TYPE, HALVES)                                                           \
    INLINE void SET(columns_tile_##NAME)(const struct thin_block *b, const enum arithmetic a,      \
                                         int64_t c, const int rows, const int columns)             \
    {                                                                                              \
        VECTOR sums[HALVES][MOST_ROWS][MOST_COLUMNS];                                              \
        const TYPE *right[MOST_COLUMNS];                                                           \
        int64_t p[MOST_COLUMNS];                                                                   \
        EACH(i, columns)                                                                           \
        {                                                                                          \
            const int64_t column = c + i < b->columns ? c + i : b->columns - 1;                    \
            right[i] = (const void *)((const char *)b->right + column * b->right_row);             \
            p[i] = column * b->parameter_row;                                                      \
        }                                                                                          \
        EACH(h, HALVES) EACH(r, rows) EACH(i, columns) sums[h][r][i] = SPREAD(0);                  \
        for (int64_t k = 0, g = 0, end; k < b->k; k = end, g++) {                                  \
            VECTOR group[HALVES][MOST_COLUMNS];                                                    \
            end = b->group < b->k - k ? k + b->group : b->k;                                       \
            EACH(h, HALVES) EACH(i, columns) group[h][i] = SPREAD(0);                              \
            for (int64_t at = k; at < end; at += THIN_LANES)                                       \
                EACH(i, columns)                                                                   \
                {                                                                                  \
                    __builtin_prefetch((const char *)(right[i] + at) + b->ahead);                  \
                    EACH(h, HALVES)                                                                \
                    {                                                                              \
                        VECTOR numbers[UNIT];                                                      \
                        SET(read_##NAME)(h, &b->form, right[i] + at, numbers);                     \
                        EACH(v, UNIT)                                                              \
                        {                                                                          \
                            const float *left = b[h].left + at + v * LANES;                        \
                            const VECTOR number =                                                  \
                                SET(computed)(rows == 1 ? unscaled(a) : a, numbers[v],             \
                                              SPREAD(has_zero(a) ? b[h].zero[p[i] + g] : 0),       \
                                              SPREAD(b[h].scale[p[i] + g]), SPREAD(0));            \
                            if (rows == 1)                                                         \
                                group[h][i] = FMA(LOAD(left), number, group[h][i]);                \
                            else                                                                   \
                                EACH(r, rows)                                                      \
                            sums[h][r][i] =                                                        \
                                FMA(LOAD(left + r * b->left_row), number, sums[h][r][i]);          \
                        }                                                                          \
                    }                                                                              \
                }                                                                                  \
            if (rows == 1)                                                                         \
                EACH(h, HALVES)                                                                    \
            EACH(i, columns)                                                                       \
            sums[h][0][i] = FMA(group[h][i], SPREAD(b[h].scale[p[i] + g]), sums[h][0][i]);         \
        }                                                                                          \
        EACH(h, HALVES)                                                                            \
        EACH(r, rows) EACH(i, columns) b[h].out[r * b->out_row + c + i] += TOTAL(sums[h][r][i]);   \
    }                                                                                              \
    INLINE void SET(columns_tiles_##NAME)(const struct thin_block *b, const enum arithmetic a,     \
                                          const int rows, const int columns)                       \
    {                                                                                              \
        for (int64_t c = 0; c < b->columns; c += columns)                                          \
            SET(columns_tile_##NAME)(b, a, c, rows, columns);                                      \
    }

#include "devices/host/thin/thin_words_body.h"

/* ---- both ------------------------------------------------------------------------------------ */
#define SOME_ROWS(FUNCTION, TILES, ROWS, SIZE)                                                     \
    TARGET static void SET(FUNCTION)(const struct thin_block *b)                                   \
    {                                                                                              \
        if (b->zero)                                                                               \
            SET(TILES)(b, SHIFTED, ROWS, SIZE);                                                    \
        else                                                                                       \
            SET(TILES)(b, SCALED, ROWS, SIZE);                                                     \
    }

/* Two rows have sums of twice as many columns as four. */
#define EACH_ROWS(FUNCTION, TILES, OF_ROW, OF_ROWS)                                                \
    SOME_ROWS(one_##FUNCTION, TILES, 1, OF_ROW)                                                    \
    SOME_ROWS(two_##FUNCTION, TILES, 2, 2 * OF_ROWS)                                               \
    SOME_ROWS(most_##FUNCTION, TILES, MOST_ROWS, OF_ROWS)                                          \
    TARGET static void SET(FUNCTION)(const struct thin_block *block)                               \
    {                                                                                              \
        struct thin_block b = *block;                                                              \
        for (; b.rows >= MOST_ROWS; b.rows -= MOST_ROWS) {                                         \
            SET(most_##FUNCTION)(&b);                                                              \
            b.left += MOST_ROWS * b.left_row, b.out += MOST_ROWS * b.out_row;                      \
        }                                                                                          \
        if (b.rows == 2)                                                                           \
            SET(two_##FUNCTION)(&b);                                                               \
        else if (b.rows)                                                                           \
            SET(one_##FUNCTION)(&b);                                                               \
    }

#define PRODUCTS(NAME, TYPE, ...)                                                                  \
    ROWS_TILE(NAME, TYPE, 1)                                                                       \
    EACH_ROWS(by_rows_##NAME, rows_tiles_##NAME, UNITS_OF_ROW, UNITS_OF_ROWS)                      \
    COLUMNS_TILE(NAME, TYPE, 1)                                                                    \
    EACH_ROWS(by_columns_##NAME, columns_tiles_##NAME, COLUMNS_OF_ROW, COLUMNS_OF_ROWS)
CODES(PRODUCTS)
WORDS(PRODUCTS)
TABLES(PRODUCTS)

#define PRODUCTS_OF_PAIRS(NAME, DTYPE)                                                             \
    ROWS_TILE(NAME##_pair, uint8_t, 2)                                                             \
    SOME_ROWS(by_rows_##NAME##_pair, rows_tiles_##NAME##_pair, 1, UNITS_OF_ROW / 2)                \
    COLUMNS_TILE(NAME##_pair, uint8_t, 2)                                                          \
    SOME_ROWS(by_columns_##NAME##_pair, columns_tiles_##NAME##_pair, 1, COLUMNS_OF_ROW / 2)
PAIRS(PRODUCTS_OF_PAIRS)

#define OF_CODE(NAME) {SET(decode_##NAME), SET(by_rows_##NAME), SET(by_columns_##NAME)}
#define ENTRY(NAME, TYPE, FIELD, DTYPE, ...) [FIELD][DTYPE] = OF_CODE(NAME),
#define ENTRY_OF_PAIRS(NAME, DTYPE)                                                                \
    [THIN_PAIR][DTYPE] = {NULL, SET(by_rows_##NAME##_pair), SET(by_columns_##NAME##_pair)},
#define ENTRY_OF_TABLES(NAME, TYPE, FIELD)                                                         \
    [FIELD] = {NULL, SET(by_rows_##NAME), SET(by_columns_##NAME)},
const struct thin_set SET(thin_set) = {
    {CODES(ENTRY) WORDS(ENTRY) PAIRS(ENTRY_OF_PAIRS) /* bytes of their own: */
         [THIN_WHOLE][DTYPE_S4] = OF_CODE(s8),
     [THIN_WHOLE][DTYPE_U4] = OF_CODE(u8), [THIN_WHOLE][DTYPE_S2] = OF_CODE(s8),
     [THIN_WHOLE][DTYPE_U2] = OF_CODE(u8)},
    {TABLES(ENTRY_OF_TABLES)},
    SET(look_up),
    {{SET(words_by_rows_1), SET(words_end_1)},
     {SET(words_by_rows_4), SET(words_end_4)},
     {SET(words_by_rows_8), SET(words_end_8)}},
    SET(words_by_columns),
    LANES,
    SET(exceeds),
    TIMES_OF_HALVES};

#endif
