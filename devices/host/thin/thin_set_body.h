/* thin_set_body.h: the code of thin_set.c for one instruction set; included once for each, with
 * these defined, whose definitions it ends. No include guard.
 *
 *   SET(name), TARGET               a name for this set; a function attribute
 *   VECTOR, LANES                   the type of a vector of f32; its f32
 *   LOAD(from), STORE(to, vector), SPREAD(number), TOTAL(vector)
 *   FMA(a, b, c)                    a * b + c
 *   CODES(X)                        X(name, type of an element, field, DTYPE) for each type with a
 *                                   function SET(load_name)(from), which gives LANES numbers */

/* How the numbers are computed of what is loaded. */
#ifndef THIN_ARITHMETIC
#define THIN_ARITHMETIC
enum arithmetic { PLAIN, SCALED, AFFINE };
#endif

TARGET static inline __attribute__((always_inline)) VECTOR SET(computed)(
    const enum arithmetic arithmetic, VECTOR number, VECTOR zero, VECTOR scale, VECTOR offset)
{
    if (arithmetic == PLAIN)
        return number;
    if (arithmetic == SCALED)
        return number * scale;
    return FMA(number - zero, scale, offset);
}

/* Each number has parameters of its own. */
#define DECODE_EACH(NAME, TYPE, ARITHMETIC)                                                        \
    for (; i + LANES <= count; i += LANES)                                                         \
        STORE(to + i, SET(computed)(ARITHMETIC, SET(load_##NAME)(from + i),                        \
                                    ARITHMETIC == AFFINE ? LOAD(zeros + i) : SPREAD(0),            \
                                    ARITHMETIC != PLAIN ? LOAD(scales + i) : SPREAD(0),            \
                                    ARITHMETIC == AFFINE ? LOAD(offsets + i) : SPREAD(0)));

/* Groups of numbers share them. */
#define DECODE_GROUPS(NAME, TYPE, ARITHMETIC)                                                      \
    for (int64_t g = 0; i + LANES <= count; g++) {                                                 \
        const VECTOR zero = SPREAD(ARITHMETIC == AFFINE ? zeros[g] : 0),                           \
                     scale = SPREAD(scales[g]),                                                    \
                     offset = SPREAD(ARITHMETIC == AFFINE ? offsets[g] : 0);                       \
        const int64_t end = (g + 1) * group < count ? (g + 1) * group : count;                     \
        for (; i + LANES <= end; i += LANES)                                                       \
            STORE(to + i,                                                                          \
                  SET(computed)(ARITHMETIC, SET(load_##NAME)(from + i), zero, scale, offset));     \
    }

#define DECODE(NAME, TYPE, FIELD, DTYPE)                                                           \
    TARGET static inline __attribute__((always_inline)) int64_t SET(decode_whole_##NAME)(          \
        const struct thin_run *r, const TYPE *from, float *to)                                     \
    {                                                                                              \
        const float *const zeros = r->zero, *const scales = r->scale, *const offsets = r->offset;  \
        const int64_t count = r->count, group = r->group;                                          \
        int64_t i = 0;                                                                             \
        if (!scales)                                                                               \
            DECODE_EACH(NAME, TYPE, PLAIN)                                                         \
        else if (group == 1 && !zeros)                                                             \
            DECODE_EACH(NAME, TYPE, SCALED)                                                        \
        else if (group == 1)                                                                       \
            DECODE_EACH(NAME, TYPE, AFFINE)                                                        \
        else if (!zeros)                                                                           \
            DECODE_GROUPS(NAME, TYPE, SCALED)                                                      \
        else                                                                                       \
            DECODE_GROUPS(NAME, TYPE, AFFINE)                                                      \
        return i;                                                                                  \
    }                                                                                              \
    TARGET static void SET(decode_##NAME)(const struct thin_run *r)                                \
    {                                                                                              \
        const char *at = r->from;                                                                  \
        float *to = r->to;                                                                         \
        for (int64_t row = 0; row < r->rows; row++, at += r->from_row, to += r->to_row) {          \
            const TYPE *from = (const TYPE *)(const void *)at;                                     \
            const int64_t i = SET(decode_whole_##NAME)(r, from, to), left = r->count - i;          \
            TYPE last[LANES] = {0};                                                                \
            if (left > 0 && left < LANES) {                                                        \
                memcpy(last, from + i, (size_t)left * sizeof *last);                               \
                STORE(to + i, SET(load_##NAME)(last));                                             \
            }                                                                                      \
            if (r->count % THIN_LANES)                                                             \
                thin_compute_last(r, to, i);                                                       \
        }                                                                                          \
    }
CODES(DECODE)

/* ---- products -------------------------------------------------------------------------------- */
/* `rows` rows with some vectors of columns, whose sums are registers. */
TARGET static inline __attribute__((always_inline)) void
SET(rows_block)(const struct thin_block *b, const float *left, const float *right, float *out,
                const int rows, const int vectors)
{
    VECTOR sums[MOST_ROWS][MOST_VECTORS];
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int v = 0; v < vectors; v++) sums[r][v] =
        LOAD(out + r * b->out_row + v * LANES);
    for (int64_t k = 0; k < b->k; k++, right += b->right_row) {
        VECTOR column[MOST_VECTORS];
        UNROLLED for (int v = 0; v < vectors; v++) column[v] = LOAD(right + v * LANES);
        UNROLLED for (int r = 0; r < rows; r++)
        {
            const VECTOR number = SPREAD(left[r * b->left_row + k]);
            UNROLLED for (int v = 0; v < vectors; v++) sums[r][v] =
                FMA(number, column[v], sums[r][v]);
        }
    }
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int v = 0; v < vectors; v++)
        STORE(out + r * b->out_row + v * LANES, sums[r][v]);
}

#define EACH_BLOCK(ROWS, VECTORS)                                                                  \
    for (; c + VECTORS * LANES <= b->columns; c += VECTORS * LANES)                                \
        SET(rows_block)(b, left, b->right + c, out + c, ROWS, VECTORS);

TARGET static void SET(by_rows)(const struct thin_block *b)
{
    const float *left = b->left;
    float *out = b->out;
    int64_t r = 0;
    for (; r + 4 <= b->rows; r += 4, left += 4 * b->left_row, out += 4 * b->out_row) {
        int64_t c = 0;
        EACH_BLOCK(4, 2)
        EACH_BLOCK(4, 1)
    }
    for (; r + 2 <= b->rows; r += 2, left += 2 * b->left_row, out += 2 * b->out_row) {
        int64_t c = 0;
        EACH_BLOCK(2, 4)
        EACH_BLOCK(2, 1)
    }
    for (; r < b->rows; r++, left += b->left_row, out += b->out_row) {
        int64_t c = 0;
        EACH_BLOCK(1, 8)
        EACH_BLOCK(1, 1)
    }
}

/* `rows` rows with `columns` columns, whose sums of lanes are registers. */
TARGET static inline __attribute__((always_inline)) void
SET(columns_block)(const struct thin_block *b, const float *left, const float *right, float *out,
                   const int rows, const int columns)
{
    VECTOR sums[2][MOST_VECTORS];
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int c = 0; c < columns; c++) sums[r][c] =
        SPREAD(0);
    for (int64_t k = 0; k < b->k; k += LANES) {
        VECTOR row[2];
        UNROLLED for (int r = 0; r < rows; r++) row[r] = LOAD(left + r * b->left_row + k);
        UNROLLED for (int c = 0; c < columns; c++)
        {
            const VECTOR column = LOAD(right + c * b->right_row + k);
            UNROLLED for (int r = 0; r < rows; r++) sums[r][c] = FMA(row[r], column, sums[r][c]);
        }
    }
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int c = 0; c < columns; c++)
        out[r * b->out_row + c] += TOTAL(sums[r][c]);
}

#define EACH_COLUMN(ROWS, COLUMNS)                                                                 \
    for (; c + COLUMNS <= b->columns; c += COLUMNS)                                                \
        SET(columns_block)(b, left, b->right + c * b->right_row, out + c, ROWS, COLUMNS);

TARGET static void SET(by_columns)(const struct thin_block *b)
{
    const float *left = b->left;
    float *out = b->out;
    int64_t r = 0;
    for (; r + 2 <= b->rows; r += 2, left += 2 * b->left_row, out += 2 * b->out_row) {
        int64_t c = 0;
        EACH_COLUMN(2, 4)
        EACH_COLUMN(2, 1)
    }
    for (; r < b->rows; r++, left += b->left_row, out += b->out_row) {
        int64_t c = 0;
        EACH_COLUMN(1, 8)
        EACH_COLUMN(1, 1)
    }
}

#define ENTRY(NAME, TYPE, FIELD, DTYPE) [FIELD][DTYPE] = SET(decode_##NAME),
static const struct thin_set SET(functions) = {SET(by_rows), SET(by_columns), {CODES(ENTRY)}};

#undef SET
#undef TARGET
#undef VECTOR
#undef LANES
#undef LOAD
#undef STORE
#undef SPREAD
#undef TOTAL
#undef FMA
#undef CODES
#undef DECODE_EACH
#undef DECODE_GROUPS
#undef DECODE
#undef EACH_BLOCK
#undef EACH_COLUMN
#undef ENTRY
