/* Matrix products with the blocks of dot_block.h, for those of which a library's calls take long
 * (small ones of f32, and ones of f64), and for integers of 32 and 64 bits, which no library
 * multiplies. Three loops cut a tile so that what the innermost reads stays in caches:
 *
 *   columns, COLUMNS at a time, and of those K of k at a time: the right side is packed
 *   rows, ROWS at a time: the left side is packed
 *   columns again, a vector block at a time; rows again, DOT_BLOCK_ROWS at a time: one block
 *
 * A side is packed only where it is not read well in place: the right side becomes panels of as
 * many columns as a block has, the left side, if its rows are contiguous, columns of ROWS. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/dot_block.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/kernels/matrix_copy.h"

enum {
    MOST_K = 256,       /* a panel is at most 64 KiB */
    MOST_ROWS = 96,     /* a multiple of DOT_BLOCK_ROWS */
    PACKED_ROWS = 112,  /* elements between columns: spreads them over sets of caches */
    MOST_COLUMNS = 768, /* a multiple of all widths of panels */
    MOST_F32 = 1 << 21, /* multiply-adds of a product of f32; from there on oneDNN is as fast */
    IN_PLACE_BYTES = 128 << 10, /* a side over which so many bytes are spread is read in place */
    REUSES = 48,                /* rows that share a right side, for which packing it pays */
    LINES = 8,                  /* that may be in one set of the first-level cache */
    SMALL_SIDE = 1 << 13,       /* elements */
    SMALL_PRODUCT = 1 << 12,    /* multiply-adds */
    CONFLICT_BYTES = 1024       /* rows so far apart share few sets of it */
};

struct direct_tile {
    struct dot_tile base;
    const struct dot_blocks *blocks;
    int64_t depth; /* of k at a time */
    int64_t width; /* columns of a panel */
    int64_t bytes; /* of an element */
    bool packs_lhs, packs_rhs;
    uint64_t lhs_at; /* where the left side is packed in scratch: after the right side */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t round_up(int64_t number, int64_t step)
{
    return (number + step - 1) / step * step;
}

/* The size of the parts that `count` is cut into, so that the last is not much smaller: a block of
 * few rows or vectors waits for its own sums. */
static int64_t even_part(int64_t count, int64_t most)
{
    int64_t parts = (count + most - 1) / most;
    return (count + parts - 1) / parts;
}

/* ---- running --------------------------------------------------------------------------------- */
/* A part of a tile: what one pass of the two outer loops computes. */
struct pass {
    const char *lhs, *rhs; /* where the part's rows and columns begin, at its first k */
    char *out;
    int64_t m, n, k;
    bool adds;
};

/* The right side's columns, panel by panel. */
static const char *place_rhs(const struct direct_tile *t, const struct pass *p, char *scratch)
{
    const struct dot_spec *s = &t->base.spec;
    if (!t->packs_rhs)
        return p->rhs;
    for (int64_t j = 0; j < p->n; j += t->width)
        matrix_copy(t->bytes, p->rhs + j * s->rhs_n_stride * t->bytes, s->rhs_k_stride,
                    s->rhs_n_stride, p->k, least(t->width, p->n - j), scratch + j * p->k * t->bytes,
                    t->width);
    return scratch;
}

static void run_panel(const struct direct_tile *t, struct dot_block *block, int64_t rows,
                      int64_t columns)
{
    int lanes = t->blocks->lanes, vectors = (int)((columns + lanes - 1) / lanes);
    const char *lhs = block->lhs;
    char *out = block->out;
    block->columns_of_last = (int)(columns - (int64_t)(vectors - 1) * lanes);
    bool whole = block->columns_of_last == lanes;
    int64_t step = even_part(rows, DOT_BLOCK_ROWS);
    for (int64_t i = 0; i < rows; i += step) {
        block->lhs = lhs + i * block->lhs_row * t->bytes;
        block->out = out + i * block->out_row * t->bytes;
        t->blocks->run[least(step, rows - i) - 1][vectors - 1][whole](block);
    }
}

/* Rows of a pass, of which `rhs` are the columns as place_rhs() returned them. */
static void run_rows(const struct direct_tile *t, const struct pass *p, const char *rhs,
                     int64_t row, int64_t rows, char *scratch)
{
    const struct dot_spec *s = &t->base.spec;
    const char *lhs = p->lhs + row * s->lhs_m_stride * t->bytes;
    struct dot_block block = {.lhs_row = s->lhs_m_stride,
                              .lhs_k = s->lhs_k_stride,
                              .rhs_k = t->packs_rhs ? t->width : s->rhs_k_stride,
                              .out_row = s->out_m_stride,
                              .k = p->k,
                              .adds = p->adds};
    if (t->packs_lhs) {
        char *packed = scratch + t->lhs_at;
        block.lhs_row = 1, block.lhs_k = PACKED_ROWS;
        matrix_copy(t->bytes, lhs, s->lhs_k_stride, s->lhs_m_stride, p->k, rows, packed,
                    PACKED_ROWS);
        lhs = packed;
    }
    for (int64_t j = 0; j < p->n; j += t->width) {
        block.lhs = lhs;
        block.rhs = rhs + j * (t->packs_rhs ? p->k : 1) * t->bytes;
        block.out = p->out + (row * s->out_m_stride + j) * t->bytes;
        run_panel(t, &block, rows, least(t->width, p->n - j));
    }
}

static void run_product(const struct direct_tile *t, const char *lhs, const char *rhs, char *out,
                        char *scratch)
{
    const struct dot_spec *s = &t->base.spec;
    for (int64_t j = 0; j < s->n; j += MOST_COLUMNS)
        for (int64_t k = 0; k < s->k; k += t->depth) {
            struct pass p = {.lhs = lhs + k * s->lhs_k_stride * t->bytes,
                             .rhs = rhs + (k * s->rhs_k_stride + j * s->rhs_n_stride) * t->bytes,
                             .out = out + j * t->bytes,
                             .m = s->m,
                             .n = least(MOST_COLUMNS, s->n - j),
                             .k = least(t->depth, s->k - k),
                             .adds = k > 0};
            const char *placed = place_rhs(t, &p, scratch);
            for (int64_t i = 0; i < s->m; i += MOST_ROWS)
                run_rows(t, &p, placed, i, least(MOST_ROWS, s->m - i), scratch);
        }
}

static struct error *run(const struct dot_tile *base, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct direct_tile *t = (const struct direct_tile *)base;
    const struct dot_spec *s = &base->spec;
    for (int64_t b = 0; b < s->batch; b++)
        run_product(t, (const char *)lhs + b * s->lhs_batch_stride * t->bytes,
                    (const char *)rhs + b * s->rhs_batch_stride * t->bytes,
                    (char *)out + b * s->out_batch_stride * t->bytes, scratch);
    return NULL;
}

/* ---- the library ----------------------------------------------------------------------------- */
static bool has_types(const struct dot_spec *s)
{
    return s->lhs == s->rhs && s->lhs == s->out && dot_blocks_of(s->lhs) != NULL;
}

/* Packing the columns of a right side takes as long as multiplying it with tens of rows. For fewer,
 * it pays where the others are slow as well: oneDNN with small sides, OpenBLAS with large ones. */
static bool pays_packing(const struct dot_spec *s)
{
    bool is_small = (double)s->n * (double)s->k <= SMALL_SIDE;
    return s->rhs_n_stride == 1 || s->m >= REUSES || is_small == (s->lhs == DTYPE_F32);
}

/* Few rows read a right side in place, a few times; libraries copy it first, or parts of it. With
 * few columns they copy the left side. */
static bool is_thin(const struct dot_spec *s)
{
    int lanes = dot_blocks_of(s->lhs)->lanes;
    return s->n <= 2 * lanes || (s->m < 3 * lanes && s->rhs_n_stride == 1);
}

/* Whether other libraries take longer. A small product they take as long to begin as to compute. */
static bool is_faster(const struct dot_spec *s)
{
    double multiply_adds = (double)s->m * (double)s->n * (double)s->k;
    return multiply_adds <= SMALL_PRODUCT ||
           (s->n >= dot_blocks_of(s->lhs)->lanes && pays_packing(s) &&
            (s->lhs == DTYPE_F64 || is_thin(s) || multiply_adds <= MOST_F32));
}

static bool applies(const struct dot_spec *s)
{
    return has_types(s) && (dtype_is_integer(s->lhs) || is_faster(s));
}

static void destroy(struct dot_tile *tile)
{
    alloc_free(tile);
}

static void choose_packing(struct direct_tile *t)
{
    const struct dot_spec *s = &t->base.spec;
    int64_t passes = (s->k + MOST_K - 1) / MOST_K, rhs_row = s->rhs_k_stride * t->bytes;
    t->depth = (s->k + passes - 1) / passes;
    t->width = t->blocks->lanes *
               even_part((s->n + t->blocks->lanes - 1) / t->blocks->lanes, t->blocks->vectors);
    bool is_large = rhs_row * s->k > IN_PLACE_BYTES && s->n > t->width;
    t->packs_rhs =
        (s->n > 1 && s->rhs_n_stride != 1) ||
        (s->m >= REUSES && (is_large || (s->k > LINES && rhs_row % CONFLICT_BYTES == 0)));
    t->packs_lhs = s->k > 1 && s->lhs_k_stride != 1 && s->n > t->width &&
                   s->lhs_k_stride * t->bytes * s->k > IN_PLACE_BYTES;
    t->lhs_at = 0;
    if (t->packs_rhs)
        t->lhs_at = (uint64_t)(round_up(least(s->n, MOST_COLUMNS), t->width) * t->depth * t->bytes);
    t->base.scratch_bytes = t->lhs_at;
    if (t->packs_lhs)
        t->base.scratch_bytes += (uint64_t)(PACKED_ROWS * t->depth * t->bytes);
}

static struct error *create(const struct dot_spec *spec, struct dot_tile **out)
{
    struct direct_tile *t;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *t, &t));
    t->base = (struct dot_tile){.spec = *spec, .run = run, .destroy = destroy};
    t->blocks = dot_blocks_of(spec->lhs);
    t->bytes = dtype_bytes(spec->lhs);
    choose_packing(t);
    *out = &t->base;
    return NULL;
}

const struct dot_library dot_direct = {"direct", applies, has_types, create};
