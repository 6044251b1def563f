/* Products of f32 with AVX-512, and of bf16 where the processor multiplies pairs of them in
 * vectors, but not whole tiles (AMX): with tiles of our own (tile_product.h), which are closer to
 * its peak than oneDNN's. Sums are f32, in the order of k, and rounded once. Loops cut a product so
 * that what the inner ones read stays in caches:
 *
 *   rows, MOST_ROWS at a time: a left side whose rows are contiguous in memory is packed
 *   columns, a group at a time; k, `depth` at a time; columns again, a panel at a time: this part
 *   of the right side is packed
 *   rows again, TILE_ROWS at a time: one tile, which is stored when its sums are complete
 *
 * A right side that is not large is kept packed, if there are several groups of rows. Where its
 * rows are contiguous, the first tile of a panel packs it on the way. Tiles have the caches fetch
 * what comes next: the left side, what is written, and the next panel. */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/tiles/tile_product.h"
#include "devices/host/tiles/tile_sizes.h"

enum {
    MOST_ROWS = 170 * TILE_ROWS,
    PANEL_BYTES = 384 << 10,    /* of a panel at a time, which is in the second cache then */
    WHOLE_BYTES = 4 << 20,      /* of a right side that is packed as a whole */
    MOST_SUMS_BYTES = 2 << 20,  /* of a group of columns */
    AHEAD_BYTES = 384 << 10,    /* of a left side that are read while a panel is fetched */
    MOST_LEFT_BYTES = 32 << 20, /* of a packed left side */
    MOST_ROWS_K = 1 << 18,      /* of the copied last rows; bounds scratch */
    LAST_ROWS = TILE_ROWS + TILE_FEW_ROWS, /* that the last tiles read, at most */
    MIN_ROWS = 64,            /* that share a packed right side, for which packing it pays */
    MIN_ROWS_F32 = 96,        /* the same of f32, if rows of the right side are contiguous */
    FEW_ROWS = 16,            /* of bf16 that are enough for long sums */
    LONG_SUM = 256,           /* terms */
    MIN_RIGHT = 1 << 14,      /* numbers of a right side; oneDNN is faster with smaller ones */
    MIN_RIGHT_F32 = 1 << 12,  /* the same of f32, as are those below */
    MIN_RESULT_F32 = 1 << 14, /* numbers of a result */
    MIN_SHARED_F32 = 3 << 17, /* the same where the left side is packed, too, */
    MIN_COLUMNS_F32 = 768,    /* and that share it */
    MIN_SIDE = 64,            /* columns, and numbers along k */
    LINE = 64
};

struct panels_tile {
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
    const struct panels_tile *t;
    const char *lhs, *rhs;
    char *out, *scratch;
};

/* ---- sides ----------------------------------------------------------------------------------- */
/* Some rows of the left side as the tiles read them (struct tile). */
struct left {
    const char *at;
    int64_t stride, k_stride;             /* in numbers, as is tile_stride */
    int64_t tile_rows, tile_stride, rows; /* tile_rows: of a tile, but maybe the last one */
};

static int64_t bytes_of(const struct pass *p)
{
    return p->t->product->bytes;
}

/* Rows [row, row + rows): in place, or packed. */
static struct left place_left(const struct pass *p, int64_t row, int64_t rows)
{
    const struct panels_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const char *from = p->lhs + row * s->lhs_m_stride * bytes_of(p);
    if (!t->packs_left)
        return (struct left){from, s->lhs_m_stride, 1, TILE_ROWS, TILE_ROWS * s->lhs_m_stride,
                             rows};
    char *packed = p->scratch + t->left_at;
    tile_product_pack_left(t->product, from, s->lhs_k_stride, s->k, rows, packed);
    return (struct left){
        packed, t->product->depth, TILE_ROWS, TILE_ROWS, tile_product_packed_left(t->product, s->k),
        rows};
}

/* The rows behind the last whole tile, copied, since a tile in place would read behind the end. If
 * there is no whole one, the first of these computes TILE_ROWS (place_right): all are its own. */
static struct left copy_last(const struct pass *p, const struct left *left, int64_t whole)
{
    const int64_t k = p->t->base.spec.k, bytes = bytes_of(p), rows = left->rows - whole,
                  step = !whole || (rows > TILE_FEW_ROWS && rows < TILE_ROWS) ? TILE_ROWS
                                                                              : TILE_FEW_ROWS;
    char *to = p->scratch + p->t->last_at;
    for (int64_t r = 0; r < rows; r++)
        memcpy(to + r * k * bytes, left->at + (whole + r) * left->stride * bytes,
               (size_t)(k * bytes));
    return (struct left){to, k, 1, step, step * k, rows};
}

/* Rows [first, first + k) along k of the columns from `column` on. */
static const char *right_at(const struct pass *p, int64_t first, int64_t column)
{
    const struct dot_spec *s = &p->t->base.spec;
    return p->rhs + (first * s->rhs_k_stride + column * s->rhs_n_stride) * bytes_of(p);
}

/* Whether panels are packed for the group of rows that begins with `row`. */
static bool packs_right(const struct pass *p, int64_t row)
{
    return p->t->packs_parts || !row;
}

/* What is multiplied next: of a group of columns, of whose sums there is an array if k is in parts,
 * these parts of its panels. A part of the left side is read again while it is in a cache. */
struct place {
    int64_t group, first, column;
};

/* ---- reading ahead --------------------------------------------------------------------------- */
/* How often a tile fetches. */
static int64_t fetches(const struct pass *p, int64_t k)
{
    return tile_divide_up(k, TILE_FETCH_STEPS * p->t->product->depth);
}

/* Of `tiles` tiles, the last ones, which fetch what is packed after them: those that read so little
 * of the left side that it does not evict what they fetched. */
static int64_t last_tiles(const struct pass *p, int64_t tiles, int64_t k)
{
    return tile_least(tiles, tile_divide_up(AHEAD_BYTES, TILE_ROWS * k * bytes_of(p)));
}

/* What is packed at a place of the right side, after `tiles` tiles whose sums have `k` terms. */
static struct tile_ahead right_ahead(const struct pass *p, struct place at, int64_t tiles,
                                     int64_t k)
{
    const struct dot_spec *s = &p->t->base.spec;
    const int64_t columns = tile_least(p->t->product->width, s->n - at.column),
                  rows = tile_least(p->t->depth, s->k - at.first), bytes = bytes_of(p);
    const bool has_rows = s->rhs_n_stride == 1;
    struct tile_ahead ahead = {.at = right_at(p, at.first, at.column),
                               .piece = (has_rows ? columns : rows) * bytes,
                               .stride = (has_rows ? s->rhs_k_stride : s->rhs_n_stride) * bytes,
                               .pieces = columns > 0 ? (has_rows ? rows : columns) : 0};
    const int64_t last = last_tiles(p, tiles, k);
    ahead.lines =
        tile_divide_up(ahead.pieces * tile_divide_up(ahead.piece, LINE), last * fetches(p, k));
    ahead.wait = (tiles - last) * fetches(p, k);
    return ahead;
}

/* ---- panels ---------------------------------------------------------------------------------- */
/* What is computed with one panel of the right side. */
struct panel {
    char *right; /* packed, from the first row along k that is multiplied */
    int64_t row, column, columns;
    float *sums;      /* [rows, width] */
    const char *rows; /* if not NULL, what the first tile packs to `right` */
    struct tile_ahead ahead;
};

static char *out_at(const struct pass *p, const struct panel *panel, int64_t row)
{
    const struct dot_spec *s = &p->t->base.spec;
    return p->out + ((panel->row + row) * s->out_m_stride + panel->column) * dtype_bytes(s->out);
}

/* Of rows from `row` on. */
static void store_f32(const struct pass *p, const struct panel *panel, const struct tile *tile,
                      int64_t row)
{
    for (int64_t r = 0; r < tile->rows; r++)
        memcpy(out_at(p, panel, row + r), tile->out + r * tile->out_stride,
               (size_t)panel->columns * sizeof(float));
}

static int64_t computed_rows(const struct tile *tile)
{
    return tile->has_few_rows ? TILE_FEW_ROWS : TILE_ROWS;
}

/* Where a tile's sums are added up: in the result if it has room for all of them. */
static void place_sums(const struct pass *p, const struct panel *panel, int64_t row,
                       struct tile *tile)
{
    const struct panels_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const int64_t width = t->product->width;
    if (s->out == DTYPE_F32 && tile->rows == computed_rows(tile) && panel->columns == width) {
        tile->out = (float *)(void *)out_at(p, panel, row);
        tile->out_stride = s->out_m_stride;
        return;
    }
    tile->out = panel->sums + (t->depth < s->k ? row * width : 0);
    tile->out_stride = width;
}

/* The first tile packs the panel for the others, if it can; it computes all rows. */
static void place_right(const struct pass *p, struct panel *panel, struct tile *tile)
{
    tile->rhs = panel->rows ? panel->rows : panel->right;
    tile->packed = panel->rows ? panel->right : NULL;
    tile->rhs_stride = p->t->base.spec.rhs_k_stride;
    tile->has_few_rows = !panel->rows && tile->rows <= TILE_FEW_ROWS;
    panel->rows = NULL;
}

/* What all tiles of some rows of the left side have in common. */
static struct tile tile_of(const struct pass *p, const struct left *left, struct panel *panel,
                           int64_t first)
{
    const struct panels_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    return (struct tile){.lhs_stride = left->stride,
                         .lhs_k_stride = left->k_stride,
                         .k = tile_least(t->depth, s->k - first),
                         .vectors = (int)tile_divide_up(panel->columns, t->product->lanes),
                         .adds = first > 0,
                         .rounded_stride = s->out_m_stride,
                         .columns = panel->columns,
                         .fetches_out = true,
                         .ahead = &panel->ahead};
}

/* Rows from `row` on. */
static void multiply(const struct pass *p, const struct left *left, struct panel *panel,
                     int64_t row, int64_t first)
{
    const struct dot_spec *s = &p->t->base.spec;
    const int64_t end = row + left->rows, step = left->tile_stride * bytes_of(p);
    const char *start = left->at + first * left->k_stride * bytes_of(p), *lhs = start;
    const bool is_f32 = s->out == DTYPE_F32;
    struct tile tile = tile_of(p, left, panel, first);
    const bool is_last = first + tile.k == s->k;
    for (; row < end; row += left->tile_rows, lhs += step) {
        tile.lhs = lhs;
        tile.rows = tile_least(left->tile_rows, end - row);
        place_right(p, panel, &tile);
        place_sums(p, panel, row, &tile);
        if (is_last && !is_f32)
            tile.rounded = (uint16_t *)(void *)out_at(p, panel, row);
        if (left->k_stride == 1)
            tile.next_lhs = row + left->tile_rows < end ? lhs + step : start;
        p->t->product->multiply(&tile);
        if (is_last && is_f32 && (char *)tile.out != out_at(p, panel, row))
            store_f32(p, panel, &tile, row);
    }
}

static struct place next_place(const struct panels_tile *t, struct place at)
{
    const struct dot_spec *s = &t->base.spec;
    const int64_t end = tile_least(at.group + t->group, s->n);
    at.column += t->product->width;
    if (at.column < end)
        return at;
    at.column = at.group, at.first += t->depth;
    return at.first < s->k ? at : (struct place){end, 0, end};
}

/* Packs a panel, or has its first tile do it on the way. */
static void pack_panel(const struct pass *p, struct place at, struct panel *panel)
{
    const struct panels_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const int64_t k = tile_least(t->depth, s->k - at.first);
    const char *from = right_at(p, at.first, at.column);
    if (t->product->packs && s->rhs_n_stride == 1 && panel->columns == t->product->width &&
        k % t->product->depth == 0)
        panel->rows = from;
    else
        tile_product_pack(t->product, from, s->rhs_k_stride, s->rhs_n_stride, k, panel->columns,
                          panel->right);
}

static struct panel place_panel(const struct pass *p, struct place at, int64_t row, int64_t rows)
{
    const struct panels_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    const int64_t tiles = tile_divide_up(rows, TILE_ROWS),
                  k = tile_least(t->depth, s->k - at.first);
    char *right = p->scratch;
    if (!t->packs_parts)
        right = tile_product_at(t->product, p->scratch, s->k, at.first, at.column);
    struct panel panel = {.right = right,
                          .row = row,
                          .column = at.column,
                          .columns = tile_least(t->product->width, s->n - at.column),
                          .sums = (float *)(void *)(p->scratch + t->sums_at) +
                                  (at.column - at.group) * tiles * TILE_ROWS};
    if (packs_right(p, row)) {
        panel.ahead = right_ahead(p, next_place(t, at), tiles, k);
        pack_panel(p, at, &panel);
    }
    return panel;
}

/* Rows of whole tiles. If one or two are left, the last tile is not whole, either, but shares its
 * rows with a second one. */
static int64_t whole_rows(int64_t rows)
{
    const int64_t left = rows % TILE_ROWS;
    return tile_most(rows - left - (left == 1 || left == 2 ? TILE_ROWS : 0), 0);
}

/* All rows: `whole` tiles of them, and those behind the last one. */
static void run_rows(const struct pass *p, int64_t row, int64_t rows)
{
    const struct panels_tile *t = p->t;
    const struct dot_spec *s = &t->base.spec;
    struct left whole = place_left(p, row, rows), last = {0};
    if (!t->packs_left) {
        last = copy_last(p, &whole, whole_rows(rows));
        whole.rows -= last.rows;
    }
    for (struct place at = {0}; at.column < s->n; at = next_place(t, at)) {
        struct panel panel = place_panel(p, at, row, rows);
        multiply(p, &whole, &panel, 0, at.first);
        multiply(p, &last, &panel, whole.rows, at.first);
    }
}

/* Groups of rows that are about equal; of whole tiles, if there are several. */
static int64_t rows_at_once(const struct dot_spec *s)
{
    const int64_t rows = tile_divide_up(s->m, tile_divide_up(s->m, MOST_ROWS));
    return tile_round_up(rows, TILE_ROWS);
}

static struct error *run(const struct dot_tile *base, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct dot_spec *s = &base->spec;
    for (int64_t b = 0; b < s->batch; b++) {
        const struct pass p = {(const struct panels_tile *)base,
                               (const char *)lhs + b * s->lhs_batch_stride * dtype_bytes(s->lhs),
                               (const char *)rhs + b * s->rhs_batch_stride * dtype_bytes(s->rhs),
                               (char *)out + b * s->out_batch_stride * dtype_bytes(s->out),
                               scratch};
        const int64_t rows = rows_at_once(s);
        for (int64_t row = 0; row < s->m; row += rows)
            run_rows(&p, row, tile_least(rows, s->m - row));
    }
    return NULL;
}

/* ---- the library ----------------------------------------------------------------------------- */
static bool packs_left(const struct dot_spec *s)
{
    return s->k > 1 && s->lhs_k_stride != 1;
}

static bool has_types(const struct dot_spec *s)
{
    const struct cpu_features *features = cpu_features();
    if (!features->avx512 || s->lhs != s->rhs)
        return false;
    if (s->lhs == DTYPE_F32)
        return s->out == DTYPE_F32;
    return features->avx512_bf16 && !features->amx_bf16 && s->lhs == DTYPE_BF16 &&
           (s->out == DTYPE_BF16 || s->out == DTYPE_F32);
}

/* Whether other libraries take longer: packing pays where enough is multiplied with it. */
static bool is_faster_f32(const struct dot_spec *s)
{
    if (s->n < MIN_RIGHT_F32 / s->k)
        return false;
    if (packs_left(s))
        return s->n >= MIN_COLUMNS_F32 && s->m >= MIN_SHARED_F32 / s->n;
    return s->m >= (s->rhs_n_stride == 1 ? MIN_ROWS_F32 : MIN_ROWS) &&
           s->m >= MIN_RESULT_F32 / s->n;
}

static bool is_faster_bf16(const struct dot_spec *s)
{
    return s->n >= MIN_RIGHT / s->k && (s->m >= MIN_ROWS || (s->m >= FEW_ROWS && s->k >= LONG_SUM));
}

static bool applies(const struct dot_spec *s)
{
    return has_types(s) && s->n >= MIN_SIDE && s->k >= MIN_SIDE && s->k <= MOST_ROWS_K &&
           (s->lhs == DTYPE_F32 ? is_faster_f32(s) : is_faster_bf16(s)) &&
           (!packs_left(s) || s->k <= MOST_LEFT_BYTES / dtype_bytes(s->lhs) / rows_at_once(s));
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

static int64_t choose_group(const struct panels_tile *t, int64_t rows)
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

static void plan(struct panels_tile *t)
{
    const struct dot_spec *s = &t->base.spec;
    const struct tile_product *product = t->product;
    const int64_t rows = rows_at_once(s), most_k = PANEL_BYTES / (product->width * product->bytes);
    const size_t bytes = (size_t)product->bytes;
    t->depth = tile_round_up(tile_divide_up(s->k, tile_divide_up(s->k, most_k)), product->depth);
    t->packs_left = packs_left(s);
    t->group = choose_group(t, rows);
    t->packs_parts = packs_parts(s, product);
    reserve(&t->base,
            t->packs_parts ? tile_product_packed(product, t->depth, product->width)
                           : tile_product_packed(product, s->k, s->n),
            bytes);
    t->sums_at = reserve(&t->base, rows * t->group, sizeof(float));
    if (t->packs_left)
        t->left_at =
            reserve(&t->base, rows / TILE_ROWS * tile_product_packed_left(product, s->k), bytes);
    else
        t->last_at = reserve(&t->base, LAST_ROWS * s->k, bytes);
}

static struct error *create(const struct dot_spec *spec, struct dot_tile **out)
{
    struct panels_tile *t;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *t, &t));
    t->base = (struct dot_tile){.spec = *spec, .run = run, .destroy = destroy};
    t->product = spec->lhs == DTYPE_F32 ? tile_product() : tile_product_bf16();
    plan(t);
    *out = &t->base;
    return NULL;
}

const struct dot_library dot_tiles = {"tiles", applies, has_types, create};
