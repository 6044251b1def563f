/* dot_s8_pack.c: see dot_s8_pack.h. */
#include "devices/host/kernels/dot_s8_pack.h"

#include <stdbool.h>
#include <string.h>

#include "devices/host/kernels/vector_targets.h"

enum {
    LANES = 16, /* elements of 16 bits in a vector */
    PAIRS = LANES / 2,
    LINE_PANELS = 4 /* whose columns share a cache line of a right side */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t round_up(int64_t k)
{
    return (k + 1) / 2 * 2;
}

AVX2 static inline __m256i widen(const int8_t *from)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)from));
}

AVX2 static inline void store(int16_t *to, __m256i vector)
{
    _mm256_storeu_si256((__m256i *)to, vector);
}

AVX2 static void widen_row(const int8_t *from, int64_t k, int16_t *to)
{
    int64_t i = 0;
    for (; i + LANES <= k; i += LANES)
        store(to + i, widen(from + i));
    for (; i < k; i++)
        to[i] = from[i];
    if (k % 2)
        to[k] = 0;
}

/* An 8 x 8 matrix of pairs. */
AVX2 static inline void transpose_pairs(__m256i v[8])
{
    __m256i t[8], u[8];
    UNROLLED for (int i = 0; i < 8; i += 2)
    {
        t[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLLED for (int i = 0; i < 8; i += 4) UNROLLED for (int half = 0; half < 2; half++)
    {
        u[i + 2 * half] = _mm256_unpacklo_epi64(t[i + half], t[i + 2 + half]);
        u[i + 2 * half + 1] = _mm256_unpackhi_epi64(t[i + half], t[i + 2 + half]);
    }
    UNROLLED for (int i = 0; i < 4; i++)
    {
        v[i] = _mm256_permute2x128_si256(u[i], u[i + 4], 0x20);
        v[i + 4] = _mm256_permute2x128_si256(u[i], u[i + 4], 0x31);
    }
}

/* Eight pairs of k of eight contiguous columns, which become half the columns of a panel. */
AVX2 static void pack_square(const int8_t *from, int64_t column, int16_t *to)
{
    __m256i v[8];
    UNROLLED for (int c = 0; c < 8; c++) v[c] = widen(from + c * column);
    transpose_pairs(v);
    UNROLLED for (int p = 0; p < PAIRS; p++) store(to + p * 2 * S8_WIDTH, v[p]);
}

/* The pairs of 16 neighbours in two rows. */
AVX2 static inline void load_pairs(const int8_t *first, const int8_t *second, __m256i *low,
                                   __m256i *high)
{
    __m128i a = _mm_loadu_si128((const __m128i *)first),
            b = _mm_loadu_si128((const __m128i *)second);
    *low = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(a, b));
    *high = _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(a, b));
}

/* Two rows of a panel, whose columns are neighbours. */
AVX2 static inline void pack_pair(const int8_t *first, const int8_t *second, int16_t *to)
{
    __m256i low, high;
    load_pairs(first, second, &low, &high);
    store(to, low);
    store(to + S8_WIDTH, high);
}

/* Columns of a panel, from the begin-th of k. */
static void pack_single(const struct s8_matrix *from, int64_t columns, int64_t begin, int64_t k,
                        int16_t *to)
{
    for (int64_t c = 0; c < columns; c++)
        for (int64_t i = begin; i < k; i++)
            to[i / 2 * 2 * S8_WIDTH + 2 * c + i % 2] =
                from->elements[i * from->k_stride + c * from->other_stride];
}

static struct s8_matrix at_column(const struct s8_matrix *from, int64_t column)
{
    struct s8_matrix at = *from;
    at.elements += column * from->other_stride;
    return at;
}

/* Whole panels, whose columns are neighbours: a line at a time. */
AVX2 static void pack_line(const struct s8_matrix *from, int64_t panels, int64_t k, int64_t panel,
                           int16_t *to)
{
    static const int8_t zeros[LINE_PANELS * S8_WIDTH];
    const int8_t *row = from->elements;
    for (int64_t i = 0; i < k; i += 2, row += 2 * from->k_stride) {
        const int8_t *next = i + 1 < k ? row + from->k_stride : zeros;
        for (int64_t p = 0; p < panels; p++)
            pack_pair(row + p * S8_WIDTH, next + p * S8_WIDTH, to + p * panel + i * S8_WIDTH);
    }
}

/* A panel, whose columns are contiguous. */
static void pack_columns(const struct s8_matrix *from, int64_t columns, int64_t k, int16_t *to)
{
    int64_t squares = columns / 8 * 8, whole = k / LANES * LANES;
    for (int64_t c = 0; c < squares; c += 8)
        for (int64_t i = 0; i < whole; i += LANES)
            pack_square(from->elements + c * from->other_stride + i, from->other_stride,
                        to + i * S8_WIDTH + 2 * c);
    pack_single(from, squares, whole, k, to);
    struct s8_matrix rest = at_column(from, squares);
    pack_single(&rest, columns - squares, 0, k, to + 2 * squares);
}

static void pack_panel(const struct s8_matrix *from, int64_t columns, int64_t k, int16_t *to)
{
    if (columns < S8_WIDTH || k % 2)
        memset(to, 0, (size_t)round_up(k) * S8_WIDTH * sizeof *to);
    if (from->k_stride == 1)
        pack_columns(from, columns, k, to);
    else
        pack_single(from, columns, 0, k, to);
}

void s8_pack_panels(const struct s8_matrix *from, int64_t columns, int64_t k, int64_t panel,
                    int16_t *to)
{
    int64_t whole = from->other_stride == 1 ? columns / S8_WIDTH * S8_WIDTH : 0;
    for (int64_t c = 0; c < columns;) {
        struct s8_matrix at = at_column(from, c);
        int64_t count = least(c < whole ? whole - c : columns - c,
                              c < whole ? LINE_PANELS * S8_WIDTH : S8_WIDTH);
        if (c < whole)
            pack_line(&at, count / S8_WIDTH, k, panel, to);
        else
            pack_panel(&at, count, k, to);
        c += count, to += (count + S8_WIDTH - 1) / S8_WIDTH * panel;
    }
}

/* 16 rows that are neighbours, 16 elements of each. */
AVX2 static void pack_block(const int8_t *from, int64_t k_stride, int64_t row, int16_t *to)
{
    __m256i low[PAIRS], high[PAIRS];
    UNROLLED for (int p = 0; p < PAIRS; p++)
        load_pairs(from + 2 * p * k_stride, from + (2 * p + 1) * k_stride, &low[p], &high[p]);
    transpose_pairs(low);
    UNROLLED for (int r = 0; r < 8; r++) store(to + r * row, low[r]);
    transpose_pairs(high);
    UNROLLED for (int r = 0; r < 8; r++) store(to + (r + 8) * row, high[r]);
}

/* Rows that are neighbours. */
static void pack_blocks(const struct s8_matrix *from, int64_t k, int64_t row, int16_t *to)
{
    for (int64_t i = 0; i < k; i += LANES)
        pack_block(from->elements + i * from->k_stride, from->k_stride, row, to + i);
}

/* Rows from the begin-th element. */
AVX2 static void pack_strided(const struct s8_matrix *from, int64_t rows, int64_t begin, int64_t k,
                              int64_t row, int16_t *to)
{
    for (int64_t r = 0; r < rows; r++, to += row) {
        const int8_t *elements = from->elements + r * from->other_stride;
        if (from->k_stride == 1) {
            widen_row(elements, k, to);
            continue;
        }
        for (int64_t i = begin; i < k; i++)
            to[i] = elements[i * from->k_stride];
        if (k % 2)
            to[k] = 0;
    }
}

void s8_pack_rows(const struct s8_matrix *from, int64_t rows, int64_t k, int64_t row, int16_t *to)
{
    bool are_neighbours = from->other_stride == 1 && from->k_stride != 1;
    int64_t whole = are_neighbours ? k / LANES * LANES : 0, r = 0;
    for (; are_neighbours && r + LANES <= rows; r += LANES, to += LANES * row) {
        struct s8_matrix at = at_column(from, r);
        pack_blocks(&at, whole, row, to);
        pack_strided(&at, LANES, whole, k, row, to);
    }
    struct s8_matrix at = at_column(from, r);
    pack_strided(&at, rows - r, 0, k, row, to);
}
