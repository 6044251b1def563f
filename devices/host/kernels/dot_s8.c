/* Matrix products of s8 with sums of s32, exact, on processors with AVX2 but without VNNI. Elements
 * are converted to 16 bits while they are packed, in pairs along k; one instruction multiplies
 * pairs and adds the two products of each in 32 bits. Loops cut a tile like those of dot_direct.c:
 *
 *   columns, COLUMNS at a time, and of those DEPTH of k at a time: panels of the right side
 *   rows, ROWS at a time: the left side
 *   a panel at a time; rows again, BLOCK_ROWS at a time: sums stay in registers
 *
 * Few columns are computed as few rows of the transposed product; where few rows have long sums and
 * the right side's columns are contiguous, only the rows are packed (dot_s8_few.h). */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_s8_few.h"
#include "devices/host/kernels/dot_s8_pack.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/kernels/vector_targets.h"

enum {
    DEPTH = 256, /* a multiple of 2 */
    PAIRS = DEPTH / 2,
    WIDTH = S8_WIDTH,
    COLUMNS = 768,
    ROWS = 96,
    BLOCK_ROWS = 6,
    LEAST_ROWS = 4, /* fewer do not pay for packing the right side, unless sums are long */
    LEAST_COLUMNS = 8,
    LONG_SUM = 64,             /* terms */
    MANY = 32,                 /* columns beside few rows */
    PANEL = PAIRS * WIDTH * 2, /* elements */
    RHS_ELEMENTS = COLUMNS / WIDTH * PANEL,
    LHS_ELEMENTS = ROWS * DEPTH,
    LANES = 16,
    FEW_DEPTH = 4096 /* of k at a time, where one side has few vectors; a multiple of LANES */
};

struct product {
    struct s8_matrix lhs, rhs;
    int32_t *out;
    int64_t rows, columns, k, out_row, out_column; /* strides in elements */
};

struct block { /* of rows with one panel */
    const int16_t *lhs, *rhs;
    int32_t *out;
    int64_t out_row, out_column, pairs; /* strides in elements */
    bool adds;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
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
    const bool adds = b->adds;
    const int64_t out_row = b->out_row;
    int32_t *out = b->out;
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
    UNROLLED for (int r = 0; r < rows; r++, out += out_row)
    {
        __m256i *to = (__m256i *)out;
        if (adds) {
            sums[r][0] = _mm256_add_epi32(_mm256_loadu_si256(to), sums[r][0]);
            sums[r][1] = _mm256_add_epi32(_mm256_loadu_si256(to + 1), sums[r][1]);
        }
        _mm256_storeu_si256(to, sums[r][0]), _mm256_storeu_si256(to + 1, sums[r][1]);
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

/* Rows with a panel of fewer columns, or whose columns are apart: through a block of whole ones. */
static void multiply_some(struct block b, int64_t rows, int64_t columns)
{
    int32_t whole[BLOCK_ROWS * WIDTH], *out = b.out;
    int64_t out_row = b.out_row;
    bool adds = b.adds;
    b.out = whole, b.out_row = WIDTH, b.adds = false;
    multiply_rows(&b, rows);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) {
            int32_t *to = out + r * out_row + c * b.out_column;
            *to = (int32_t)((adds ? (uint32_t)*to : 0) + (uint32_t)whole[r * WIDTH + c]);
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
            b.lhs = lhs + i * DEPTH, b.out = out + i * b.out_row + j * b.out_column;
            if (columns - j < WIDTH || b.out_column != 1)
                multiply_some(b, count, least(WIDTH, columns - j));
            else
                multiply_rows(&b, count);
        }
}

/* A side from the k-th term of the sums and its own index-th row or column. */
static struct s8_matrix side_at(const struct s8_matrix *side, int64_t k, int64_t index)
{
    struct s8_matrix at = *side;
    at.elements += k * side->k_stride + index * side->other_stride;
    return at;
}

static void run_panels(const struct product *p, int16_t *scratch)
{
    int16_t *rows_at = scratch + RHS_ELEMENTS;
    for (int64_t j = 0; j < p->columns; j += COLUMNS)
        for (int64_t k = 0; k < p->k; k += DEPTH) {
            int64_t columns = least(COLUMNS, p->columns - j), depth = least(DEPTH, p->k - k);
            struct s8_matrix right = side_at(&p->rhs, k, j);
            s8_pack_panels(&right, columns, depth, PANEL, scratch);
            for (int64_t i = 0; i < p->rows; i += ROWS) {
                int64_t rows = least(ROWS, p->rows - i);
                struct s8_matrix left = side_at(&p->lhs, k, i);
                s8_pack_rows(&left, rows, depth, DEPTH, rows_at);
                multiply_panels((struct block){rows_at, scratch,
                                               p->out + i * p->out_row + j * p->out_column,
                                               p->out_row, p->out_column, (depth + 1) / 2, k > 0},
                                rows, columns);
            }
        }
}

/* The rows of the left side are vectors, at a stride that does not map all to one set of the cache.
 */
static void pack_vectors(const struct s8_matrix *from, struct s8_few *few, int16_t *to)
{
    few->vectors = to, few->vector = few->k / LANES * LANES + 2 * LANES;
    s8_pack_rows(from, few->vector_count, few->k, few->vector, to);
    for (int i = 0; i < few->vector_count; i++, to += few->vector)
        memset(to + few->k, 0, (size_t)(few->vector - few->k) * sizeof *to);
}

static void run_few_rows(const struct product *p, int16_t *scratch)
{
    struct s8_few few = {.out = p->out,
                         .row = p->rhs.other_stride,
                         .out_row = p->out_column,
                         .out_vector = p->out_row,
                         .row_count = p->columns,
                         .vector_count = (int)p->rows};
    for (int64_t k = 0; k < p->k; k += FEW_DEPTH) {
        struct s8_matrix vectors = side_at(&p->lhs, k, 0);
        few.rows = p->rhs.elements + k, few.adds = k > 0, few.k = least(FEW_DEPTH, p->k - k);
        pack_vectors(&vectors, &few, scratch);
        s8_few_run(&few);
    }
}

static bool is_few(int64_t count, int64_t others, int64_t k)
{
    return count <= S8_FEW && others >= MANY && k >= LONG_SUM;
}

static struct product transposed(const struct product *p)
{
    return (struct product){p->rhs,  p->lhs, p->out,        p->columns,
                            p->rows, p->k,   p->out_column, p->out_row};
}

static void run_product(struct product p, int16_t *scratch)
{
    if (is_few(p.columns, p.rows, p.k))
        p = transposed(&p);
    if (is_few(p.rows, p.columns, p.k) && p.rhs.k_stride == 1)
        run_few_rows(&p, scratch);
    else
        run_panels(&p, scratch);
}

/* ---- the library ----------------------------------------------------------------------------- */
static struct error *run(const struct dot_tile *tile, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct dot_spec *s = &tile->spec;
    for (int64_t b = 0; b < s->batch; b++)
        run_product(
            (struct product){
                {(const int8_t *)lhs + b * s->lhs_batch_stride, s->lhs_k_stride, s->lhs_m_stride},
                {(const int8_t *)rhs + b * s->rhs_batch_stride, s->rhs_k_stride, s->rhs_n_stride},
                (int32_t *)out + b * s->out_batch_stride,
                s->m,
                s->n,
                s->k,
                s->out_m_stride,
                1},
            scratch);
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
    return has_types(s) && s->m > 1 && s->n > 1 &&
           ((s->m >= LEAST_ROWS && s->n >= LEAST_COLUMNS) || is_few(s->n, s->m, s->k) ||
            is_few(s->m, s->n, s->k));
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
