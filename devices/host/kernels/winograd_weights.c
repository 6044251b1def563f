/* winograd_weights.c: see winograd_weights.h. A part is a range of input features with a panel of
 * output features, for all tiles, CHUNK at a time: their transforms and the sums stay in the
 * second-level cache. */
#include "devices/host/kernels/winograd_weights.h"

#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/dot_block.h"
#include "devices/host/kernels/winograd_tiles.h"

enum {
    PAD = 16,       /* elements; spreads what is read together over the sets of caches */
    CHUNK = 48,     /* tiles whose products are added up in registers */
    MOST_INS = 128, /* input features of a part; a power of two times DIRECT_INS */
    DIRECT_INS = 4, /* computed again together: parts of all sizes are cut in the same places */
    WINDOW = WINOGRAD_WINDOW * WINOGRAD_WINDOW
};

struct weights {
    struct plan base;
    struct convolution_spec spec;
    const struct winograd_blocks *blocks;
    const struct dot_blocks *dots;
    struct winograd_image input, gradient;
    struct winograd_tiles tiles;
    int64_t ins, width, panels; /* of a part; panels of all output features */
    /* Strides between points: of transformed tiles of the input, `ins` apart, and of the gradient,
     * `width` apart; of sums, whose input features are `width` apart. */
    int64_t input_point, gradient_point, sum_point;
    int64_t gradients, sums, copy; /* where they begin in scratch; tiles of the input do at 0 */
};

struct part { /* ranges of features */
    int64_t in, ins, out, outs;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t quotient(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static struct part part_of(const struct weights *p, int64_t number)
{
    struct part part = {.in = number / p->panels * p->ins, .out = number % p->panels * p->width};
    part.ins = least(p->ins, p->spec.batch - part.in);
    part.outs = least(p->width, p->spec.out_features - part.out);
    return part;
}

/* ---- running --------------------------------------------------------------------------------- */
static const float *input_of(const struct weights *p, const struct part *part, void *const *buffers,
                             int64_t image)
{
    return (const float *)buffers[PLAN_LHS] + image * p->spec.lhs_feature_stride + part->in;
}

static const float *gradient_of(const struct weights *p, const struct part *part,
                                void *const *buffers, int64_t image)
{
    return (const float *)buffers[PLAN_RHS] + image * p->spec.rhs_in_stride + part->out;
}

/* Transforms tile number `tile`, which becomes number `at` of its chunk. */
static void transform_tile(const struct weights *p, const struct part *part, void *const *buffers,
                           float *scratch, int64_t tile, int64_t at)
{
    const struct convolution_spec *s = &p->spec;
    struct winograd_place place = winograd_tiles_place(&p->tiles, tile);
    struct winograd_plane plane = winograd_tiles_read(
        &p->input, input_of(p, part, buffers, place.image), place.row - s->pad_low[0],
        place.column - s->pad_low[1], WINOGRAD_TILE, part->ins, scratch + p->copy);
    p->blocks->input(&plane, part->ins, scratch + at * p->ins, p->input_point);
    plane = winograd_tiles_read(&p->gradient, gradient_of(p, part, buffers, place.image), place.row,
                                place.column, WINOGRAD_OUT, part->outs, scratch + p->copy);
    p->blocks->gradient(&plane, part->outs, scratch + p->gradients + at * p->width,
                        p->gradient_point);
}

/* `block` for the part's output features. */
static void run_block(const struct weights *p, const struct part *part, struct dot_block *block,
                      int64_t rows)
{
    int64_t vectors = quotient(part->outs, p->dots->lanes);
    block->columns_of_last = (int)(part->outs - (vectors - 1) * p->dots->lanes);
    p->dots->run[rows - 1][vectors - 1][block->columns_of_last == p->dots->lanes](block);
}

static void multiply(const struct weights *p, const struct part *part, float *scratch,
                     int64_t tiles, bool adds)
{
    struct dot_block block = {.lhs_row = 1,
                              .lhs_k = p->ins,
                              .rhs_k = p->width,
                              .out_row = p->width,
                              .k = tiles,
                              .adds = adds};
    for (int point = 0; point < WINOGRAD_POINTS; point++)
        for (int64_t i = 0; i < part->ins; i += DOT_BLOCK_ROWS) {
            block.lhs = scratch + point * p->input_point + i;
            block.rhs = scratch + p->gradients + point * p->gradient_point;
            block.out = scratch + p->sums + point * p->sum_point + i * p->width;
            run_block(p, part, &block, least(DOT_BLOCK_ROWS, part->ins - i));
        }
}

static float *out_of(const struct weights *p, const struct part *part, float *out, int64_t in,
                     int window)
{
    const struct convolution_spec *s = &p->spec;
    return out + (part->in + in) * s->out_batch_stride +
           window / WINOGRAD_WINDOW * s->out_stride[0] +
           window % WINOGRAD_WINDOW * s->out_stride[1] + part->out;
}

/* Adds the products of a row of the gradient for `ins` input features and a position of the window.
 */
static void add_row(const struct weights *p, const struct part *part, const float *input,
                    const float *gradient, int64_t row, int window, struct dot_block *block,
                    int64_t ins)
{
    const struct convolution_spec *s = &p->spec;
    int64_t from = window % WINOGRAD_WINDOW - s->pad_low[1]; /* the column that column 0 meets */
    int64_t begin = from < 0 ? -from : 0, end = least(s->kernel[1], s->in[1] - from);
    if (begin >= end)
        return;
    block->lhs = winograd_tiles_at(&p->input, input, row + window / WINOGRAD_WINDOW - s->pad_low[0],
                                   from + begin);
    block->rhs = winograd_tiles_at(&p->gradient, gradient, row, begin);
    block->k = end - begin;
    if (block->lhs)
        run_block(p, part, block, ins);
}

/* Sums of products for the part's input features from `in` on. */
static void run_direct(const struct weights *p, const struct part *part, void *const *buffers,
                       int64_t in, int64_t ins)
{
    const struct convolution_spec *s = &p->spec;
    struct dot_block block = {.lhs_row = 1,
                              .lhs_k = s->lhs_stride[1],
                              .rhs_k = s->rhs_stride[1],
                              .out_row = s->out_batch_stride,
                              .adds = true};
    for (int w = 0; w < WINDOW; w++) {
        for (int64_t i = 0; i < ins; i++)
            memset(out_of(p, part, buffers[PLAN_OUT], in + i, w), 0,
                   (size_t)part->outs * sizeof(float));
        block.out = out_of(p, part, buffers[PLAN_OUT], in, w);
        for (int64_t image = 0; image < s->in_features; image++)
            for (int64_t row = 0; row < s->kernel[0]; row++)
                add_row(p, part, input_of(p, part, buffers, image) + in,
                        gradient_of(p, part, buffers, image), row, w, &block, ins);
    }
}

/* From sums to the result. */
static void finish(const struct weights *p, const struct part *part, void *const *buffers,
                   float *scratch)
{
    for (int64_t in = 0; in < part->ins; in += DIRECT_INS) {
        int64_t ins = least(DIRECT_INS, part->ins - in);
        bool finite = true;
        for (int64_t i = in; i < in + ins; i++) {
            float *outs[WINDOW];
            for (int w = 0; w < WINDOW; w++)
                outs[w] = out_of(p, part, buffers[PLAN_OUT], i, w);
            finite &= p->blocks->weights(scratch + p->sums + i * p->width, p->sum_point, part->outs,
                                         outs);
        }
        if (!finite)
            run_direct(p, part, buffers, in, ins);
    }
}

static struct error *run(const struct plan *base, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end)
{
    const struct weights *p = (const struct weights *)base;
    for (int64_t number = begin; number < end; number++) {
        struct part part = part_of(p, number);
        for (int64_t tile = 0; tile < p->tiles.count; tile += CHUNK) {
            int64_t count = least(CHUNK, p->tiles.count - tile);
            for (int64_t i = 0; i < count; i++)
                transform_tile(p, &part, buffers, scratch, tile + i, i);
            multiply(p, &part, scratch, count, tile > 0);
        }
        finish(p, &part, buffers, scratch);
    }
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
        if (s->out_size[i] != WINOGRAD_WINDOW || s->stride[i] != 1 || s->lhs_dilation[i] != 1 ||
            s->rhs_dilation[i] != 1 || s->in[i] < 1 || s->kernel[i] < 1 || s->reverse[i])
            return false;
    return true;
}

bool winograd_weights_applies(const struct convolution_spec *s)
{
    return winograd_tiles_apply(s) && s->in_features > 0 && s->lhs_batch_stride == 1 &&
           s->rhs_out_stride == 1 && s->batch >= WINOGRAD_LEAST_FEATURES &&
           s->out_features >= WINOGRAD_LEAST_FEATURES && has_window(s) &&
           winograd_tiles_pay(s->in_features, s->kernel, s->batch, s->out_features);
}

static void choose_parts(struct weights *p, int threads)
{
    p->panels = quotient(p->spec.out_features, p->width);
    p->ins = MOST_INS;
    while (p->ins > WINOGRAD_LEAST_FEATURES &&
           (p->ins >= 2 * p->spec.batch || quotient(p->spec.batch, p->ins) * p->panels < threads))
        p->ins /= 2;
    p->base.work = quotient(p->spec.batch, p->ins) * p->panels;
}

static void place_scratch(struct weights *p)
{
    p->input_point = CHUNK * p->ins + PAD;
    p->gradient_point = CHUNK * p->width + PAD;
    p->sum_point = p->ins * p->width + PAD;
    p->gradients = WINOGRAD_POINTS * p->input_point;
    p->sums = p->gradients + WINOGRAD_POINTS * p->gradient_point;
    p->copy = p->sums + WINOGRAD_POINTS * p->sum_point;
    int64_t end = p->copy + WINOGRAD_POINTS * most(p->ins, p->width);
    p->base.scratch_bytes = (uint64_t)end * sizeof(float);
}

struct error *winograd_weights_plan(const struct convolution_spec *spec, int threads,
                                    struct plan **out)
{
    struct weights *p;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *p, &p));
    p->base = (struct plan){.run = run, .destroy = destroy};
    p->spec = *spec;
    p->blocks = winograd_blocks();
    p->dots = dot_blocks_of(DTYPE_F32);
    p->input = (struct winograd_image){{spec->in[0], spec->in[1]},
                                       {spec->lhs_stride[0], spec->lhs_stride[1]}};
    p->gradient = (struct winograd_image){{spec->kernel[0], spec->kernel[1]},
                                          {spec->rhs_stride[0], spec->rhs_stride[1]}};
    p->tiles = winograd_tiles_of(spec->in_features, spec->kernel);
    p->width = (int64_t)p->dots->lanes * p->dots->vectors;
    choose_parts(p, threads);
    place_scratch(p);
    *out = &p->base;
    return NULL;
}
