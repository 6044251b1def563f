/* winograd.c: see winograd.h. A part is a block of tiles with a range of the panels of output
 * features: its transformed tiles, and one panel's products at a time, stay in the second-level
 * cache. */
#include "devices/host/kernels/winograd.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_block.h"
#include "devices/host/kernels/transpose_block.h"
#include "devices/host/kernels/winograd_tiles.h"

enum {
    PAD = 16,          /* elements; spreads what is read together over the sets of caches */
    CACHE_SHARE = 2,   /* a block's transformed tiles have this part of the second-level cache */
    MOST_TILES = 96,   /* of a block; a multiple of DOT_BLOCK_ROWS */
    MOST_INS = 1 << 12 /* input features; bounds scratch to about 12 MiB */
};

/* The kernel is prepared for so many input features, and a panel's output features, at a time. */
enum { CHUNK = 16, MOST_WIDTH = 64, WINDOW = WINOGRAD_WINDOW * WINOGRAD_WINDOW };

struct winograd {
    struct plan base;
    struct convolution_spec spec;
    const struct winograd_blocks *blocks;
    const struct dot_blocks *dots;
    struct winograd_image input;
    struct winograd_tiles tiles;
    int64_t width, panels; /* output features of a panel, at most MOST_WIDTH; number of panels */
    int64_t block, ranges; /* tiles of a block; ranges of panels */
    int64_t tile, point;   /* strides of transformed tiles and their points */
    int64_t product_point; /* stride of products between points; between tiles it is `width` */
    /* Where these begin in scratch; the transformed tiles do at 0. */
    int64_t products, copy, kernel, unused;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t quotient(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Output features of a panel. */
static int64_t columns_of(const struct winograd *p, int64_t panel)
{
    return least(p->width, p->spec.out_features - panel * p->width);
}

/* The same, with those that fill the last vector. */
static int64_t padded_columns_of(const struct winograd *p, int64_t panel)
{
    return quotient(columns_of(p, panel), p->dots->lanes) * p->dots->lanes;
}

/* ---- the kernel ------------------------------------------------------------------------------ */
/* The window for an input feature and the first output feature of a panel. */
static struct winograd_plane window_of(const struct winograd *p, const float *rhs, int64_t panel,
                                       int64_t feature)
{
    const struct convolution_spec *s = &p->spec;
    struct winograd_plane plane = {rhs + feature * s->rhs_in_stride +
                                       panel * p->width * s->rhs_out_stride,
                                   s->rhs_stride[0], s->rhs_stride[1]};
    if (s->reverse[0])
        plane.from += (WINOGRAD_WINDOW - 1) * plane.row_stride, plane.row_stride *= -1;
    if (s->reverse[1])
        plane.from += (WINOGRAD_WINDOW - 1) * plane.column_stride, plane.column_stride *= -1;
    return plane;
}

static const float *element_of(const struct winograd_plane *plane, int window)
{
    return plane->from + window / WINOGRAD_WINDOW * plane->row_stride +
           window % WINOGRAD_WINDOW * plane->column_stride;
}

/* Copies a panel's windows for some input features, as [window][input feature][MOST_WIDTH]. What is
 * far apart in memory is requested one element of the window ahead. */
static void copy_windows(const struct winograd *p, const float *rhs, int64_t panel, int64_t feature,
                         int64_t features, float *to)
{
    const struct convolution_spec *s = &p->spec;
    struct winograd_plane plane = window_of(p, rhs, panel, feature);
    int64_t columns = columns_of(p, panel);
    for (int w = 0; w < WINDOW; w++, to += features * MOST_WIDTH) {
        const float *next = element_of(&plane, (w + 1) % WINDOW);
        for (int64_t o = 0; o < columns; o++)
            __builtin_prefetch(next + o * s->rhs_out_stride);
        transpose_block_gather_f32(element_of(&plane, w), s->rhs_in_stride, s->rhs_out_stride,
                                   features, columns, to, MOST_WIDTH);
    }
}

static void prepare_panel(const struct winograd *p, const float *rhs, int64_t panel,
                          int64_t feature, int64_t features, float *to)
{
    float copy[WINDOW * CHUNK * MOST_WIDTH];
    int64_t columns = columns_of(p, panel), padded = padded_columns_of(p, panel);
    int64_t point = p->spec.in_features * padded;
    bool is_adjacent = p->spec.rhs_out_stride == 1;
    if (!is_adjacent)
        copy_windows(p, rhs, panel, feature, features, copy);
    to += panel * p->width * WINOGRAD_POINTS * p->spec.in_features + feature * padded;
    for (int64_t i = 0; i < features; i++, to += padded) {
        struct winograd_plane plane = {
            copy + i * MOST_WIDTH, WINOGRAD_WINDOW * features * MOST_WIDTH, features * MOST_WIDTH};
        if (is_adjacent)
            plane = window_of(p, rhs, panel, feature + i);
        p->blocks->kernel(&plane, columns, to, point);
        for (int k = 0; k < WINOGRAD_POINTS && columns < padded; k++)
            memset(to + k * point + columns, 0, (size_t)(padded - columns) * sizeof *to);
    }
}

/* Transforms the kernel, as [panel][point][input feature][column]. */
static struct error *prepare(const struct plan *base, void *const *buffers, int64_t begin,
                             int64_t end)
{
    const struct winograd *p = (const struct winograd *)base;
    for (int64_t feature = begin * CHUNK; feature < least(end * CHUNK, p->spec.in_features);
         feature += CHUNK)
        for (int64_t panel = 0; panel < p->panels; panel++)
            prepare_panel(p, buffers[PLAN_RHS], panel, feature,
                          least(CHUNK, p->spec.in_features - feature), buffers[PLAN_SHARED]);
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */
/* The result at a tile's position 0 to 3, for a panel; NULL: there is none. */
static float *out_of(const struct winograd *p, float *out, const struct winograd_place *at,
                     int64_t panel, int position)
{
    const struct convolution_spec *s = &p->spec;
    int64_t row = at->row + position / WINOGRAD_OUT, column = at->column + position % WINOGRAD_OUT;
    if (row >= s->out_size[0] || column >= s->out_size[1])
        return NULL;
    return out + at->image * s->out_batch_stride + row * s->out_stride[0] +
           column * s->out_stride[1] + panel * p->width;
}

/* The result at a position as a sum of products, with a panel of the kernel in scratch. */
static void run_direct(const struct winograd *p, const float *lhs, float *scratch, int64_t row,
                       int64_t column, int64_t columns, float *out)
{
    int64_t vectors = quotient(columns, p->dots->lanes), features = p->spec.in_features;
    struct dot_block block = {.out = out,
                              .lhs_k = 1,
                              .rhs_k = MOST_WIDTH,
                              .k = features,
                              .columns_of_last = (int)(columns - (vectors - 1) * p->dots->lanes),
                              .adds = true};
    memset(out, 0, (size_t)columns * sizeof *out);
    for (int w = 0; w < WINDOW; w++) {
        block.lhs = winograd_tiles_at(&p->input, lhs, row + w / WINOGRAD_WINDOW,
                                      column + w % WINOGRAD_WINDOW);
        block.rhs = scratch + p->kernel + w * features * MOST_WIDTH;
        if (block.lhs)
            p->dots->run[0][vectors - 1][0](&block);
    }
}

static void run_tile_direct(const struct winograd *p, void *const *buffers, float *scratch,
                            const struct winograd_place *at, int64_t panel)
{
    const struct convolution_spec *s = &p->spec;
    const float *lhs = (const float *)buffers[PLAN_LHS] + at->image * s->lhs_batch_stride;
    for (int i = 0; i < WINOGRAD_OUT * WINOGRAD_OUT; i++) {
        float *out = out_of(p, buffers[PLAN_OUT], at, panel, i);
        if (out)
            run_direct(p, lhs, scratch, at->row - s->pad_low[0] + i / WINOGRAD_OUT,
                       at->column - s->pad_low[1] + i % WINOGRAD_OUT, columns_of(p, panel), out);
    }
}

/* From products to the result. */
static void finish_panel(const struct winograd *p, void *const *buffers, float *scratch,
                         int64_t begin, int64_t tiles, int64_t panel)
{
    float *outs[WINOGRAD_OUT * WINOGRAD_OUT];
    bool has_kernel = false;
    for (int64_t t = 0; t < tiles; t++) {
        struct winograd_place at = winograd_tiles_place(&p->tiles, begin + t);
        for (int i = 0; i < WINOGRAD_OUT * WINOGRAD_OUT; i++) {
            outs[i] = out_of(p, buffers[PLAN_OUT], &at, panel, i);
            outs[i] = outs[i] ? outs[i] : scratch + p->unused;
        }
        if (p->blocks->output(scratch + p->products + t * p->width, p->product_point,
                              columns_of(p, panel), outs))
            continue;
        if (!has_kernel)
            copy_windows(p, buffers[PLAN_RHS], panel, 0, p->spec.in_features, scratch + p->kernel);
        has_kernel = true;
        run_tile_direct(p, buffers, scratch, &at, panel);
    }
}

/* A panel of a block's products at one point. */
static void multiply(const struct winograd *p, const float *lhs, const float *rhs, float *out,
                     int64_t tiles, int64_t padded)
{
    struct dot_block block = {.rhs = rhs,
                              .lhs_row = p->tile,
                              .lhs_k = 1,
                              .rhs_k = padded,
                              .out_row = p->width,
                              .k = p->spec.in_features,
                              .columns_of_last = p->dots->lanes};
    int64_t vectors = padded / p->dots->lanes;
    for (int64_t i = 0; i < tiles; i += DOT_BLOCK_ROWS) {
        block.lhs = lhs + i * p->tile;
        block.out = out + i * p->width;
        p->dots->run[least(DOT_BLOCK_ROWS, tiles - i) - 1][vectors - 1][1](&block);
    }
}

static void run_panel(const struct winograd *p, void *const *buffers, float *scratch, int64_t begin,
                      int64_t tiles, int64_t panel)
{
    int64_t padded = padded_columns_of(p, panel), features = p->spec.in_features;
    const float *kernel =
        (const float *)buffers[PLAN_SHARED] + panel * p->width * WINOGRAD_POINTS * features;
    for (int i = 0; i < WINOGRAD_POINTS; i++)
        multiply(p, scratch + i * p->point, kernel + i * features * padded,
                 scratch + p->products + i * p->product_point, tiles, padded);
    finish_panel(p, buffers, scratch, begin, tiles, panel);
}

static void run_part(const struct winograd *p, void *const *buffers, float *scratch, int64_t part)
{
    const struct convolution_spec *s = &p->spec;
    int64_t begin = part / p->ranges * p->block, tiles = least(p->block, p->tiles.count - begin);
    int64_t range = part % p->ranges, panel = range * p->panels / p->ranges;
    for (int64_t t = 0; t < tiles; t++) {
        struct winograd_place at = winograd_tiles_place(&p->tiles, begin + t);
        const float *lhs = (const float *)buffers[PLAN_LHS] + at.image * s->lhs_batch_stride;
        struct winograd_plane plane =
            winograd_tiles_read(&p->input, lhs, at.row - s->pad_low[0], at.column - s->pad_low[1],
                                WINOGRAD_TILE, s->in_features, scratch + p->copy);
        p->blocks->input(&plane, s->in_features, scratch + t * p->tile, p->point);
    }
    for (; panel < (range + 1) * p->panels / p->ranges; panel++)
        run_panel(p, buffers, scratch, begin, tiles, panel);
}

static struct error *run(const struct plan *base, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end)
{
    for (int64_t part = begin; part < end; part++)
        run_part((const struct winograd *)base, buffers, scratch, part);
    return NULL;
}

static void destroy(struct plan *base)
{
    alloc_free(base);
}

/* ---- planning -------------------------------------------------------------------------------- */
static bool has_window(const struct convolution_spec *s)
{
    for (int i = 0; i < 2; i++)
        if (s->kernel[i] != WINOGRAD_WINDOW || s->stride[i] != 1 || s->lhs_dilation[i] != 1 ||
            s->rhs_dilation[i] != 1 || s->in[i] < 1 || s->out_size[i] < 1)
            return false;
    return true;
}

bool winograd_applies(const struct convolution_spec *s)
{
    return winograd_tiles_apply(s) && s->batch > 0 && s->lhs_feature_stride == 1 &&
           s->in_features >= WINOGRAD_LEAST_FEATURES && s->in_features <= MOST_INS &&
           s->out_features >= WINOGRAD_LEAST_FEATURES && has_window(s) &&
           winograd_tiles_pay(s->batch, s->out_size, s->in_features, s->out_features);
}

/* Blocks that fit in the cache, equally many for each thread; of few tiles, ranges of panels. */
static void choose_parts(struct winograd *p, int threads)
{
    int64_t bytes = WINOGRAD_POINTS * p->tile * (int64_t)sizeof(float);
    int64_t most = least((int64_t)cpu_cache_bytes(2) / CACHE_SHARE / bytes, MOST_TILES);
    most = most < DOT_BLOCK_ROWS ? DOT_BLOCK_ROWS : most / DOT_BLOCK_ROWS * DOT_BLOCK_ROWS;
    int64_t blocks = quotient(quotient(p->tiles.count, most), threads) * threads;
    p->block = quotient(quotient(p->tiles.count, blocks), DOT_BLOCK_ROWS) * DOT_BLOCK_ROWS;
    blocks = quotient(p->tiles.count, p->block);
    p->ranges = least(p->panels, quotient(threads, blocks));
    p->base.work = blocks * p->ranges;
}

static void place_scratch(struct winograd *p)
{
    int64_t features = p->spec.in_features;
    p->point = p->block * p->tile + PAD;
    p->product_point = p->block * p->width + PAD;
    p->products = WINOGRAD_POINTS * p->point;
    p->copy = p->products + WINOGRAD_POINTS * p->product_point;
    p->kernel = p->copy + WINOGRAD_POINTS * features;
    p->unused = p->kernel + WINDOW * features * MOST_WIDTH;
    p->base.scratch_bytes = (uint64_t)(p->unused + p->width) * sizeof(float);
}

struct error *winograd_plan(const struct convolution_spec *spec, int threads, struct plan **out)
{
    struct winograd *p;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *p, &p));
    p->base = (struct plan){.prepared = PLAN_RHS,
                            .prepare_work = quotient(spec->in_features, CHUNK),
                            .prepare = prepare,
                            .run = run,
                            .destroy = destroy};
    p->spec = *spec;
    p->blocks = winograd_blocks();
    p->dots = dot_blocks_of(DTYPE_F32);
    p->input = (struct winograd_image){{spec->in[0], spec->in[1]},
                                       {spec->lhs_stride[0], spec->lhs_stride[1]}};
    p->tiles = winograd_tiles_of(spec->batch, spec->out_size);
    p->width = (int64_t)p->dots->lanes * p->dots->vectors;
    p->panels = quotient(spec->out_features, p->width);
    p->tile = quotient(spec->in_features, PAD) * PAD + PAD;
    choose_parts(p, threads);
    place_scratch(p);
    p->base.shared_bytes =
        (uint64_t)(p->panels * p->width * WINOGRAD_POINTS * spec->in_features) * sizeof(float);
    *out = &p->base;
    return NULL;
}
