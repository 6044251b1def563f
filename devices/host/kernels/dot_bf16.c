/* Products of bf16 where the processor multiplies pairs of them in vectors, but not whole tiles
 * (AMX): with tiles of our own (tile_product.h), which are closer to its peak than oneDNN's. Sums
 * are f32, in the order of k, and rounded once. Loops cut a product so that what the inner ones
 * read stays in caches:
 *
 *   rows, MOST_ROWS at a time: a left side whose rows are contiguous in memory is packed
 *   columns, a group at a time; k, `depth` at a time; columns again, a panel at a time: this part
 *   of the right side is packed
 *   rows again, TILE_ROWS at a time: one tile, which is stored when its sums are complete
 *
 * A right side that is not large is packed as a whole, if there are several groups of rows. */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/tiles/tile_product.h"
#include "devices/host/tiles/tile_sizes.h"

enum {
    MOST_ROWS = 170 * TILE_ROWS,
    MOST_K = 3072,              /* of a panel at a time, which is in the second cache then */
    WHOLE_BYTES = 4 << 20,      /* of a right side that is packed as a whole */
    MOST_SUMS_BYTES = 2 << 20,  /* of a group of columns */
    MOST_LEFT_BYTES = 32 << 20, /* of a packed left side */
    MOST_ROWS_K = 1 << 18,      /* of the copied last rows; bounds scratch */
    MIN_ROWS = 64,              /* that share a packed right side, for which packing it pays */
    MIN_RIGHT = 1 << 19,        /* numbers of a right side; oneDNN is faster with smaller ones */
    MIN_SIDE = 64,              /* columns, and numbers along k */
    LINE = 64
};

struct pairs_tile {
    struct dot_tile base;
    const struct tile_product *product;
    int64_t depth;    /* of k at a time */
    int64_t group;    /* columns whose sums are kept while k is multiplied in parts */
    bool packs_parts; /* of a panel, `depth` along k at a time; or the right side as a whole */
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
/* Some rows of the left side as the tiles read them (struct tile). */
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

/* Rows [first, first + k) along k of the columns from `column` on. */
static const uint16_t *right_at(const struct pass *p, int64_t first, int64_t column)
{
    const struct dot_spec *s = &p->t->base.spec;
    return p->rhs + first * s->rhs_k_stride + column * s->rhs_n_stride;
}

static void pack_right(const struct pass *p, int64_t first, int64_t k, int64_t column,
                       int64_t columns)
{
    const struct dot_spec *s = &p->t->base.spec;
    tile_product_pack(p->t->product, right_at(p, first, column), s->rhs_k_stride, s->rhs_n_stride,
                      k, columns, p->scratch);
}

/* ---- reading ahead --------------------------------------------------------------------------- */
/* Memory that is packed next: the caches fetch it while the tiles before it are multiplied, a few
 * lines with each. */
struct ahead {
    const char *at;
    int64_t piece, stride, pieces; /* bytes of a piece, and between pieces */
    int64_t next, in_piece;        /* the piece, and the byte in it, that is fetched next */
    int64_t lines;                 /* with each tile */
};

/* Rows from `first` on along k, as many as are multiplied at a time, of a panel. */
static struct ahead read_ahead(const struct pass *p, int64_t first, int64_t column, int64_t tiles)
{
    const struct dot_spec *s = &p->t->base.spec;
    const int64_t columns = tile_least(p->t->product->width, s->n - column),
                  k = tile_least(p->t->depth, s->k - first);
    struct ahead ahead = {.at = (const char *)right_at(p, first, column)};
    if (columns <= 0)
        return ahead;
    bool has_rows = s->rhs_n_stride == 1;
    ahead.pieces = has_rows ? k : columns;
    ahead.piece = (has_rows ? columns : k) * 2;
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
    const void *right; /* packed, from the first row along k that is multiplied */
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

/* Of rows from `row` on. */
static void store_f32(const struct pass *p, const struct panel *panel, const struct tile *tile,
                      int64_t row)
{
    for (int64_t r = 0; r < tile->rows; r++)
        memcpy(out_at(p, panel, row + r), tile->out + r * tile->out_stride,
               (size_t)panel->columns * sizeof(float));
}

/* Rows from `row` on. */
static void multiply(const struct pass *p, const struct left *left, struct panel *panel,
                     int64_t row, int64_t first)
{
    const struct pairs_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const int64_t width = t->product->width, end = row + left->rows;
    struct tile tile = {.lhs = left->at + first * left->k_stride,
                        .lhs_stride = left->stride,
                        .lhs_k_stride = left->k_stride,
                        .rhs = panel->right,
                        .out_stride = width,
                        .rounded_stride = s->out_m_stride,
                        .columns = panel->columns,
                        .adds = first > 0};
    tile.k = tile_least(t->depth, s->k - first);
    tile.vectors = (int)tile_divide_up(panel->columns, t->product->lanes);
    const bool is_last = first + tile.k == s->k, is_f32 = s->out == DTYPE_F32;
    for (; row < end; row += TILE_ROWS) {
        tile.rows = tile_least(TILE_ROWS, end - row);
        tile.out = panel->sums + (t->depth < s->k ? row * width : 0);
        if (is_last && !is_f32)
            tile.rounded = (uint16_t *)(void *)out_at(p, panel, row);
        fetch_out(p, panel, row, end);
        t->product->multiply(&tile);
        fetch(&panel->ahead);
        if (is_last && is_f32)
            store_f32(p, panel, &tile, row);
        tile.lhs = (const uint16_t *)tile.lhs + left->tile_stride;
    }
}

/* What is multiplied next: of a group of columns, of whose sums there is an array if k is in parts,
 * these parts of its panels. A part of the left side is read again while it is in a cache. */
struct place {
    int64_t group, first, column;
};

static struct place next_place(const struct pairs_tile *t, struct place at)
{
    const struct dot_spec *s = &t->base.spec;
    const int64_t end = tile_least(at.group + t->group, s->n);
    at.column += t->product->width;
    if (at.column < end)
        return at;
    at.column = at.group, at.first += t->depth;
    return at.first < s->k ? at : (struct place){end, 0, end};
}

static struct panel place_panel(const struct pass *p, struct place at, int64_t row, int64_t rows)
{
    const struct pairs_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const struct place next = next_place(t, at);
    const int64_t tiles = tile_divide_up(rows, TILE_ROWS);
    const void *right = p->scratch;
    if (!t->packs_parts)
        right = tile_product_at(t->product, p->scratch, s->k, at.first, at.column);
    return (struct panel){.right = right,
                          .row = row,
                          .column = at.column,
                          .columns = tile_least(t->product->width, s->n - at.column),
                          .sums = (float *)(void *)(p->scratch + t->sums_at) +
                                  (at.column - at.group) * tiles * TILE_ROWS,
                          .ahead = read_ahead(p, next.first, next.column, tiles)};
}

/* All rows: `whole` tiles of them, and those behind the last one. */
static void run_rows(const struct pass *p, int64_t row, int64_t rows)
{
    const struct pairs_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    struct left whole = place_left(p, row, rows), last = {0};
    if (!t->packs_left) {
        last = copy_last(p, &whole, rows / TILE_ROWS * TILE_ROWS);
        whole.rows -= last.rows;
    }
    if (!t->packs_parts && !row)
        pack_right(p, 0, s->k, 0, s->n);
    for (struct place at = {0}; at.column < s->n; at = next_place(t, at)) {
        struct panel panel = place_panel(p, at, row, rows);
        if (t->packs_parts)
            pack_right(p, at.first, tile_least(t->depth, s->k - at.first), at.column,
                       panel.columns);
        multiply(p, &whole, &panel, 0, at.first);
        multiply(p, &last, &panel, whole.rows, at.first);
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
           s->n >= MIN_RIGHT / s->k && s->k <= MOST_ROWS_K &&
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

static int64_t choose_group(const struct pairs_tile *t, int64_t rows)
{
    const int64_t width = t->product->width,
                  panels = MOST_SUMS_BYTES / (rows * width * (int64_t)sizeof(float));
    if (t->depth >= t->base.spec.k)
        return width;
    return tile_least(tile_most(panels, 1) * width, tile_round_up(t->base.spec.n, width));
}

/* A right side that is small and read several times is packed once. */
static bool packs_parts(const struct dot_spec *s, const struct tile_product *product)
{
    return s->m <= MOST_ROWS || s->n > WHOLE_BYTES / product->bytes / s->k;
}

static void plan(struct pairs_tile *t)
{
    const struct dot_spec *s = &t->base.spec;
    const int64_t rows = tile_round_up(tile_least(s->m, MOST_ROWS), TILE_ROWS);
    int64_t parts = tile_divide_up(s->k, MOST_K);
    t->depth = tile_round_up(tile_divide_up(s->k, parts), t->product->depth);
    t->packs_left = packs_left(s);
    t->group = choose_group(t, rows);
    t->packs_parts = packs_parts(s, t->product);
    reserve(&t->base,
            t->packs_parts ? tile_product_packed(t->product, t->depth, t->product->width)
                           : tile_product_packed(t->product, s->k, s->n),
            sizeof(uint16_t));
    t->sums_at = reserve(&t->base, rows * t->group, sizeof(float));
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
