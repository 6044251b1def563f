/* Products of bf16 where the processor multiplies pairs of them in vectors, but not whole tiles
 * (AMX): with tiles of our own (tile_product.h), which are closer to its peak than oneDNN's. Sums
 * are f32, in the order of k, and rounded once. Four loops cut a product so that what the inner
 * ones read stays in caches:
 *
 *   rows, MOST_ROWS at a time: a left side whose rows are contiguous in memory is packed
 *   columns, a panel at a time: the right side is packed
 *   k, `depth` at a time; rows again, TILE_ROWS at a time: one tile, which is stored when its sums
 *   are complete
 *
 * A right side that is not large is packed as a whole, if there are several groups of rows. */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/tiles/tile_matrix.h"
#include "devices/host/tiles/tile_sizes.h"

enum {
    MOST_ROWS = 170 * TILE_ROWS,
    MOST_K = 3072,              /* of a panel at a time, which is in the second cache then */
    WHOLE_BYTES = 4 << 20,      /* of a right side that is packed as a whole */
    MOST_LEFT_BYTES = 32 << 20, /* of a packed left side */
    MOST_PANEL_K = 1 << 18,     /* of a panel that is packed, for all of k; bounds scratch */
    MIN_ROWS = 64,              /* that share a packed right side, for which packing it pays */
    MIN_RIGHT = 1 << 19,        /* numbers of a right side; oneDNN is faster with smaller ones */
    MIN_SIDE = 64,              /* columns, and numbers along k */
    LINE = 64
};

struct pairs_tile {
    struct dot_tile base;
    const struct tile_product *product;
    int64_t depth; /* of k at a time */
    int64_t group; /* columns that are packed at a time: of a panel, or of all panels */
    bool packs_left;
    uint64_t left_at, last_at, sums_at; /* in scratch, after the packed right side */
};

/* One run of a tile, of one batch. */
struct pass {
    const struct pairs_tile *t;
    const uint16_t *lhs, *rhs;
    char *out, *scratch;
};

/* ---- sides ----------------------------------------------------------------------------------- */
/* Some rows of the left side as the tiles read them (struct tile_matrix). */
struct left {
    const uint16_t *at;
    int64_t stride, k_stride, tile_stride, rows;
};

/* Rows [row, row + rows): in place, or packed. */
static struct left place_left(const struct pass *p, int64_t row, int64_t rows)
{
    const struct pairs_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const uint16_t *from = p->lhs + row * s->lhs_m_stride;
    if (!t->packs_left)
        return (struct left){from, s->lhs_m_stride, 1, TILE_ROWS * s->lhs_m_stride, rows};
    uint16_t *packed = (uint16_t *)(void *)(p->scratch + t->left_at);
    tile_product_pack_left(from, s->lhs_k_stride, s->k, rows, packed);
    return (struct left){packed, t->product->depth, TILE_ROWS, tile_product_packed_left(s->k),
                         rows};
}

/* The rows behind the last whole tile, copied, since a tile in place would read behind the end. */
static struct left copy_last(const struct pass *p, const struct left *left, int64_t whole)
{
    int64_t k = p->t->base.spec.k;
    uint16_t *to = (uint16_t *)(void *)(p->scratch + p->t->last_at);
    for (int64_t r = 0; r < left->rows - whole; r++)
        memcpy(to + r * k, left->at + (whole + r) * left->stride, (size_t)k * sizeof *to);
    return (struct left){to, k, 1, 0, left->rows - whole};
}

static void pack_right(const struct pass *p, int64_t column, int64_t columns)
{
    const struct dot_spec *s = &p->t->base.spec;
    tile_product_pack(p->t->product, p->rhs + column * s->rhs_n_stride, s->rhs_k_stride,
                      s->rhs_n_stride, s->k, columns, p->scratch);
}

/* ---- reading ahead --------------------------------------------------------------------------- */
/* Memory that the next panel is packed from: the caches fetch it while the tiles of this one are
 * multiplied, a few lines with each. */
struct ahead {
    const char *at;
    int64_t piece, stride, pieces; /* bytes of a piece, and between pieces */
    int64_t next, in_piece;        /* the piece, and the byte in it, that is fetched next */
    int64_t lines;                 /* with each tile */
};

static struct ahead read_ahead(const struct pass *p, int64_t column, int64_t tiles)
{
    const struct dot_spec *s = &p->t->base.spec;
    const int64_t columns = tile_least(p->t->product->width, s->n - column);
    struct ahead ahead = {.at = (const char *)(p->rhs + column * s->rhs_n_stride)};
    if (columns <= 0)
        return ahead;
    bool has_rows = s->rhs_n_stride == 1;
    ahead.pieces = has_rows ? s->k : columns;
    ahead.piece = (has_rows ? columns : s->k) * 2;
    ahead.stride = (has_rows ? s->rhs_k_stride : s->rhs_n_stride) * 2;
    ahead.lines = tile_divide_up(ahead.pieces * tile_divide_up(ahead.piece, LINE), tiles);
    return ahead;
}

static void fetch(struct ahead *ahead)
{
    for (int64_t i = 0; i < ahead->lines && ahead->next < ahead->pieces; i++) {
        __builtin_prefetch(ahead->at + ahead->next * ahead->stride + ahead->in_piece, 0, 2);
        ahead->in_piece += LINE;
        if (ahead->in_piece >= ahead->piece)
            ahead->in_piece = 0, ahead->next++;
    }
}

/* ---- panels ---------------------------------------------------------------------------------- */
/* What is computed with one panel of the right side. */
struct panel {
    void *right; /* packed */
    int64_t row, column, columns;
    float *sums; /* [rows, width] */
    struct ahead ahead;
};

static char *out_at(const struct pass *p, const struct panel *panel, int64_t row)
{
    const struct dot_spec *s = &p->t->base.spec;
    return p->out + ((panel->row + row) * s->out_m_stride + panel->column) * dtype_bytes(s->out);
}

/* Fetches what the next tile will be stored to. */
static void fetch_out(const struct pass *p, const struct panel *panel, int64_t row, int64_t rows)
{
    const int64_t bytes = panel->columns * dtype_bytes(p->t->base.spec.out);
    for (int64_t r = row; r < rows && r < row + TILE_ROWS; r++)
        for (int64_t i = 0; i < bytes; i += LINE)
            __builtin_prefetch(out_at(p, panel, r) + i, 1, 3);
}

/* Rows [row, row + rows). */
static void store(const struct pass *p, const struct panel *panel, const float *sums, int64_t row,
                  int64_t rows)
{
    for (int64_t r = 0; r < rows; r++, sums += p->t->product->width)
        if (p->t->base.spec.out == DTYPE_F32)
            memcpy(out_at(p, panel, row + r), sums, (size_t)panel->columns * sizeof *sums);
        else
            p->t->product->narrow(sums, panel->columns,
                                  (uint16_t *)(void *)out_at(p, panel, row + r));
}

/* Rows from `row` on. */
static void multiply(const struct pass *p, const struct left *left, struct panel *panel,
                     int64_t row, int64_t first)
{
    const struct pairs_tile *t = p->t;
    const int64_t k = t->base.spec.k, width = t->product->width, end = row + left->rows;
    struct tile_matrix m = {.left = left->at + first * left->k_stride,
                            .left_stride = left->stride,
                            .left_k_stride = left->k_stride,
                            .right = tile_product_at(t->product, panel->right, k, first, 0),
                            .right_k = k,
                            .out_stride = width,
                            .rows = TILE_ROWS,
                            .columns = panel->columns,
                            .adds = first > 0};
    m.k = m.part = tile_least(t->depth, k - first);
    for (; row < end; row += TILE_ROWS) {
        const int64_t rows = tile_least(TILE_ROWS, end - row);
        m.out = panel->sums + (t->depth < k ? row * width : 0);
        fetch_out(p, panel, row, end);
        tile_matrix_multiply(t->product, &m);
        fetch(&panel->ahead);
        if (first + m.k == k)
            store(p, panel, m.out, row, rows);
        m.left = (const uint16_t *)m.left + left->tile_stride;
    }
}

/* All rows: those behind the last whole tile in a copy, if they are in place. */
static void run_panel(const struct pass *p, const struct left *left, struct panel *panel)
{
    const struct pairs_tile *t = p->t;
    struct left whole = *left, last = {0};
    if (!t->packs_left) {
        whole.rows = left->rows / TILE_ROWS * TILE_ROWS;
        last = copy_last(p, left, whole.rows);
    }
    for (int64_t first = 0; first < t->base.spec.k; first += t->depth) {
        multiply(p, &whole, panel, 0, first);
        multiply(p, &last, panel, whole.rows, first);
    }
}

static void run_rows(const struct pass *p, int64_t row, int64_t rows)
{
    const struct pairs_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const struct left left = place_left(p, row, rows);
    const int64_t width = t->product->width;
    for (int64_t column = 0; column < s->n; column += width) {
        int64_t in_group = column % t->group;
        if (!in_group && (t->group < s->n || !row))
            pack_right(p, column, tile_least(t->group, s->n - column));
        struct panel panel = {.right = tile_product_at(t->product, p->scratch, s->k, 0, in_group),
                              .row = row,
                              .column = column,
                              .columns = tile_least(width, s->n - column),
                              .sums = (float *)(void *)(p->scratch + t->sums_at),
                              .ahead =
                                  read_ahead(p, column + width, tile_divide_up(rows, TILE_ROWS))};
        run_panel(p, &left, &panel);
    }
}

static struct error *run(const struct dot_tile *base, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct dot_spec *s = &base->spec;
    for (int64_t b = 0; b < s->batch; b++) {
        const struct pass p = {
            (const struct pairs_tile *)base, (const uint16_t *)lhs + b * s->lhs_batch_stride,
            (const uint16_t *)rhs + b * s->rhs_batch_stride,
            (char *)out + b * s->out_batch_stride * dtype_bytes(s->out), scratch};
        for (int64_t row = 0; row < s->m; row += MOST_ROWS)
            run_rows(&p, row, tile_least(MOST_ROWS, s->m - row));
    }
    return NULL;
}

/* ---- the library ----------------------------------------------------------------------------- */
static bool has_types(const struct dot_spec *s)
{
    const struct cpu_features *features = cpu_features();
    return features->avx512 && features->avx512_bf16 && !features->amx_bf16 &&
           s->lhs == DTYPE_BF16 && s->rhs == DTYPE_BF16 &&
           (s->out == DTYPE_BF16 || s->out == DTYPE_F32);
}

static bool packs_left(const struct dot_spec *s)
{
    return s->k > 1 && s->lhs_k_stride != 1;
}

static bool applies(const struct dot_spec *s)
{
    int64_t rows = tile_least(s->m, MOST_ROWS);
    return has_types(s) && s->m >= MIN_ROWS && s->n >= MIN_SIDE && s->k >= MIN_SIDE &&
           s->n >= MIN_RIGHT / s->k && s->k <= MOST_PANEL_K &&
           (!packs_left(s) || s->k <= MOST_LEFT_BYTES / 2 / rows);
}

static void destroy(struct dot_tile *tile)
{
    alloc_free(tile);
}

static uint64_t reserve(struct dot_tile *tile, int64_t numbers, size_t bytes)
{
    uint64_t at = tile->scratch_bytes;
    tile->scratch_bytes += (uint64_t)tile_round_up(numbers * (int64_t)bytes, 64);
    return at;
}

/* One panel, which is read soon, or all. */
static void choose_group(struct pairs_tile *t)
{
    const struct dot_spec *s = &t->base.spec;
    bool is_small = s->n <= WHOLE_BYTES / t->product->bytes / s->k;
    t->group = t->product->width;
    if (s->m > MOST_ROWS && is_small)
        t->group = tile_round_up(s->n, t->group);
}

static void plan(struct pairs_tile *t)
{
    const struct dot_spec *s = &t->base.spec;
    const int64_t rows = tile_round_up(tile_least(s->m, MOST_ROWS), TILE_ROWS);
    int64_t parts = tile_divide_up(s->k, MOST_K);
    t->depth = tile_round_up(tile_divide_up(s->k, parts), t->product->depth);
    t->packs_left = packs_left(s);
    choose_group(t);
    reserve(&t->base, tile_product_packed(t->product, s->k, tile_least(t->group, s->n)),
            sizeof(uint16_t));
    t->sums_at = reserve(&t->base, rows * t->product->width, sizeof(float));
    if (t->packs_left)
        t->left_at =
            reserve(&t->base, rows / TILE_ROWS * tile_product_packed_left(s->k), sizeof(uint16_t));
    else
        t->last_at = reserve(&t->base, TILE_ROWS * s->k, sizeof(uint16_t));
}

static struct error *create(const struct dot_spec *spec, struct dot_tile **out)
{
    struct pairs_tile *t;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *t, &t));
    t->base = (struct dot_tile){.spec = *spec, .run = run, .destroy = destroy};
    t->product = tile_product_bf16();
    plan(t);
    *out = &t->base;
    return NULL;
}

const struct dot_library dot_bf16 = {"bf16", applies, has_types, create};
