/* Matrix products of s8 with sums of s32, exact, on processors with AVX2 but without VNNI. Elements
 * are converted to 16 bits while they are packed, in pairs along k; one instruction multiplies
 * pairs and adds the two products of each in 32 bits. Loops cut a tile like those of dot_direct.c:
 *
 *   columns, COLUMNS at a time, and of those DEPTH of k at a time: panels of the right side
 *   rows, ROWS at a time: the left side
 *   a panel at a time; rows again, BLOCK_ROWS at a time: sums stay in registers */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/kernels/vector_targets.h"

enum {
    DEPTH = 256, /* a multiple of 2 */
    PAIRS = DEPTH / 2,
    WIDTH = 16, /* columns of a panel: two vectors of sums */
    COLUMNS = 768,
    ROWS = 96,
    BLOCK_ROWS = 6,
    LEAST_ROWS = 4, /* fewer do not pay for packing the right side */
    LEAST_COLUMNS = 8,
    PANEL = PAIRS * WIDTH * 2, /* elements */
    RHS_ELEMENTS = COLUMNS / WIDTH * PANEL,
    LHS_ELEMENTS = ROWS * DEPTH
};

struct block { /* of rows with one panel */
    const int16_t *lhs, *rhs;
    int32_t *out;
    int64_t out_row, pairs;
    bool adds;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- packing --------------------------------------------------------------------------------- */
/* Rows of DEPTH elements; the second half of a last pair is zero. */
AVX2 static void pack_lhs(const int8_t *from, int64_t row, int64_t step, int64_t rows, int64_t k,
                          int16_t *to)
{
    for (int64_t r = 0; r < rows; r++, to += DEPTH, from += row) {
        if (step == 1)
            for (int64_t i = 0; i < k; i++)
                to[i] = from[i];
        else
            for (int64_t i = 0; i < k; i++)
                to[i] = from[i * step];
        if (k % 2)
            to[k] = 0;
    }
}

/* Two rows of a panel, whose columns are contiguous. */
AVX2 static void pack_rows(const int8_t *first, const int8_t *second, int16_t *to)
{
    __m128i a = _mm_loadu_si128((const __m128i *)first),
            b = _mm_loadu_si128((const __m128i *)second);
    _mm256_storeu_si256((__m256i *)to, _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(a, b)));
    _mm256_storeu_si256((__m256i *)(to + WIDTH), _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(a, b)));
}

/* A panel: of each pair of rows, the pairs of its columns. What is missing is zero. */
AVX2 static void pack_panel(const int8_t *from, int64_t row, int64_t column, int64_t k,
                            int64_t columns, int16_t *to)
{
    int64_t whole = columns == WIDTH && column == 1 ? k / 2 : 0;
    for (int64_t p = 0; p < whole; p++)
        pack_rows(from + 2 * p * row, from + (2 * p + 1) * row, to + p * 2 * WIDTH);
    if (2 * whole < k)
        memset(to + whole * 2 * WIDTH, 0, (size_t)((k + 1) / 2 - whole) * 2 * WIDTH * sizeof *to);
    for (int64_t c = 0; c < columns; c++)
        for (int64_t i = 2 * whole; i < k; i++)
            to[i / 2 * 2 * WIDTH + 2 * c + i % 2] = from[i * row + c * column];
}

/* ---- multiplying ----------------------------------------------------------------------------- */
AVX2 static inline __m256i spread_pair(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return _mm256_set1_epi32(both);
}

AVX2 static inline __attribute__((always_inline)) void multiply(const struct block *b,
                                                                const int rows)
{
    __m256i sums[BLOCK_ROWS][2];
    UNROLLED for (int r = 0; r < rows; r++) sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    for (int64_t p = 0; p < b->pairs; p++) {
        const __m256i *right = (const __m256i *)(b->rhs + p * 2 * WIDTH);
        const __m256i low = _mm256_loadu_si256(right), high = _mm256_loadu_si256(right + 1);
        UNROLLED for (int r = 0; r < rows; r++)
        {
            const __m256i left = spread_pair(b->lhs + r * DEPTH + 2 * p);
            sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(left, low));
            sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(left, high));
        }
    }
    UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int v = 0; v < 2; v++)
    {
        __m256i *to = (__m256i *)(b->out + r * b->out_row + v * WIDTH / 2);
        _mm256_storeu_si256(to, b->adds ? _mm256_add_epi32(_mm256_loadu_si256(to), sums[r][v])
                                        : sums[r][v]);
    }
}

AVX2 static void multiply_rows(const struct block *b, int64_t rows)
{
    switch (rows) {
    case 1: multiply(b, 1); break;
    case 2: multiply(b, 2); break;
    case 3: multiply(b, 3); break;
    case 4: multiply(b, 4); break;
    case 5: multiply(b, 5); break;
    default: multiply(b, BLOCK_ROWS); break;
    }
}

/* Rows with a panel of fewer columns: through a block of whole ones. */
static void multiply_some(struct block b, int64_t rows, int64_t columns)
{
    int32_t whole[BLOCK_ROWS * WIDTH], *out = b.out;
    int64_t out_row = b.out_row;
    bool adds = b.adds;
    b.out = whole, b.out_row = WIDTH, b.adds = false;
    multiply_rows(&b, rows);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) {
            uint32_t before = adds ? (uint32_t)out[r * out_row + c] : 0;
            out[r * out_row + c] = (int32_t)(before + (uint32_t)whole[r * WIDTH + c]);
        }
}

/* `rows` packed rows with `columns` packed columns. */
static void multiply_panels(struct block b, int64_t rows, int64_t columns)
{
    const int16_t *lhs = b.lhs;
    int32_t *out = b.out;
    for (int64_t j = 0; j < columns; j += WIDTH, b.rhs += PANEL)
        for (int64_t i = 0; i < rows; i += BLOCK_ROWS) {
            int64_t count = least(BLOCK_ROWS, rows - i);
            b.lhs = lhs + i * DEPTH, b.out = out + i * b.out_row + j;
            if (columns - j < WIDTH)
                multiply_some(b, count, columns - j);
            else
                multiply_rows(&b, count);
        }
}

static void run_product(const struct dot_spec *s, const int8_t *lhs, const int8_t *rhs,
                        int32_t *out, int16_t *scratch)
{
    int16_t *rows_at = scratch + RHS_ELEMENTS;
    for (int64_t j = 0; j < s->n; j += COLUMNS)
        for (int64_t k = 0; k < s->k; k += DEPTH) {
            int64_t columns = least(COLUMNS, s->n - j), depth = least(DEPTH, s->k - k);
            for (int64_t c = 0; c < columns; c += WIDTH)
                pack_panel(rhs + k * s->rhs_k_stride + (j + c) * s->rhs_n_stride, s->rhs_k_stride,
                           s->rhs_n_stride, depth, least(WIDTH, columns - c),
                           scratch + c / WIDTH * PANEL);
            for (int64_t i = 0; i < s->m; i += ROWS) {
                int64_t rows = least(ROWS, s->m - i);
                pack_lhs(lhs + i * s->lhs_m_stride + k * s->lhs_k_stride, s->lhs_m_stride,
                         s->lhs_k_stride, rows, depth, rows_at);
                multiply_panels((struct block){rows_at, scratch, out + i * s->out_m_stride + j,
                                               s->out_m_stride, (depth + 1) / 2, k > 0},
                                rows, columns);
            }
        }
}

/* ---- the library ----------------------------------------------------------------------------- */
static struct error *run(const struct dot_tile *tile, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct dot_spec *s = &tile->spec;
    for (int64_t b = 0; b < s->batch; b++)
        run_product(s, (const int8_t *)lhs + b * s->lhs_batch_stride,
                    (const int8_t *)rhs + b * s->rhs_batch_stride,
                    (int32_t *)out + b * s->out_batch_stride, scratch);
    return NULL;
}

static bool has_types(const struct dot_spec *s)
{
    const struct cpu_features *features = cpu_features();
    return s->lhs == DTYPE_S8 && s->rhs == DTYPE_S8 && s->out == DTYPE_S32 && features->avx2 &&
           !features->avx512_vnni;
}

static bool applies(const struct dot_spec *s)
{
    return has_types(s) && s->m >= LEAST_ROWS && s->n >= LEAST_COLUMNS;
}

static void destroy(struct dot_tile *tile)
{
    alloc_free(tile);
}

static struct error *create(const struct dot_spec *spec, struct dot_tile **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    **out = (struct dot_tile){.spec = *spec, .run = run, .destroy = destroy};
    (*out)->scratch_bytes = (RHS_ELEMENTS + LHS_ELEMENTS) * sizeof(int16_t);
    return NULL;
}

const struct dot_library dot_s8 = {"s8", applies, has_types, create};
