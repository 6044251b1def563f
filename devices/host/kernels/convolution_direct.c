/* convolution_direct.c: see convolution_direct.h. Along one dimension, position t of the window
 * meets element x of the input for position o of the result where
 *
 *   o * stride + t * rhs_dilation - pad_low = x * lhs_dilation
 *
 * Positions of the result that are a period apart have the same phase: they meet the same positions
 * of the window, but at the borders. Those positions of the window are `window_step` apart and meet
 * elements that are `lhs_step` apart. The kernel is packed so that they are adjacent: what a row of
 * the window adds to an element of the result is often one product of two contiguous runs. A part
 * is a range of rows: of positions of the batch and of all spatial dimensions but the last. */
#include "devices/host/kernels/convolution_direct.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/gcd.h"
#include "devices/host/kernels/convolution_direct_block.h"

enum {
    LEAST_INPUTS = 4,      /* input features, of which half a vector would be empty */
    TOTAL_COST = 5,        /* of the sum of the lanes of a vector, in products of vectors */
    PART_COST = 1 << 19,   /* parts with fewer multiply-adds are not split further */
    MOST_PHASES = 1 << 10, /* of a dimension */
    MOST_STEPS = 1 << 10,  /* stride, dilation of the window */
    MOST_PACKED = 1 << 24, /* elements of the kernel */
    FIRST_CACHE = 6 << 10, /* elements that stay in the first-level cache */
    SSE2_LANES = 4
};

struct direct_phase {
    int64_t taps;     /* positions of the window that its positions of the result meet */
    int64_t tap;      /* the first of them, in the packed window */
    int64_t element;  /* of the input, that it meets for the first position of the phase */
    int64_t inner[2]; /* the range of the phase's positions for which all taps meet elements */
};

/* A spatial dimension. */
struct direct_axis {
    int64_t period, element_next; /* positions of a phase are so far apart, and what they meet */
    int64_t window_step, lhs_step;
    int64_t rhs_stride;          /* between positions of the packed window, in elements */
    struct direct_phase *phases; /* `period` of them, in the plan */
};

struct direct_plan {
    struct plan base;
    struct convolution_spec spec;
    const struct direct_functions *functions;
    struct direct_axis axes[CONVOLUTION_MAX_SPATIAL];
    int64_t rhs_feature; /* between output features of the packed kernel */
    int64_t rows, part;  /* all rows; those of a part */
    struct direct_phase phases[];
};

/* The elements of the input that a position of the result meets along one dimension: the first,
 * the position of the packed window that meets it, their number. */
struct direct_reach {
    int64_t element, tap, count;
};

static int64_t round_up_quotient(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- packing --------------------------------------------------------------------------------- */
/* Where position t of the window is in the packed one: first those that are multiples of the step,
 * then those that are by 1 larger, and so on. */
static int64_t packed_position(int64_t t, int64_t size, int64_t step)
{
    int64_t residue = t % step;
    return residue * (size / step) + least(residue, size % step) + t / step;
}

static int64_t window_of(const struct convolution_spec *s)
{
    int64_t product = 1;
    for (int i = 0; i < s->spatial; i++)
        product *= s->kernel[i];
    return product;
}

/* Packs the kernel as [output feature][packed window position][input feature]. */
static struct error *prepare(const struct plan *base, void *const *buffers, int64_t begin,
                             int64_t end)
{
    (void)begin, (void)end; /* one part */
    const struct direct_plan *p = (const struct direct_plan *)base;
    const struct convolution_spec *s = &p->spec;
    for (int64_t w = 0, window = window_of(s); w < window; w++) {
        const float *from = buffers[PLAN_RHS];
        float *to = buffers[PLAN_SHARED];
        int64_t rest = w;
        for (int i = s->spatial - 1; i >= 0; rest /= s->kernel[i--]) {
            int64_t t = rest % s->kernel[i];
            from += (s->reverse[i] ? s->kernel[i] - 1 - t : t) * s->rhs_stride[i];
            to += packed_position(t, s->kernel[i], p->axes[i].window_step) * p->axes[i].rhs_stride;
        }
        for (int64_t i = 0; i < s->in_features; i++)
            for (int64_t o = 0; o < s->out_features; o++)
                to[o * p->rhs_feature + i] = from[i * s->rhs_in_stride + o * s->rhs_out_stride];
    }
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */
/* What the position number `index` of a phase meets. */
static struct direct_reach reach_of(const struct direct_plan *p, int i, int64_t phase,
                                    int64_t index)
{
    const struct direct_axis *axis = &p->axes[i];
    const struct direct_phase *at = &axis->phases[phase];
    int64_t element = at->element + index * axis->element_next, in = p->spec.in[i];
    int64_t first = element < 0 ? round_up_quotient(-element, axis->lhs_step) : 0;
    int64_t end = element < in ? round_up_quotient(in - element, axis->lhs_step) : 0;
    int64_t count = least(end, at->taps) - first;
    return (struct direct_reach){element + first * axis->lhs_step, at->tap + first,
                                 count > 0 ? count : 0};
}

/* Lists the rows of the input that a row of the result meets, from dimension i on; returns their
 * number. */
static int64_t find_pairs(const struct direct_plan *p, int i, const int64_t *at,
                          struct direct_pair first, struct direct_pair *pairs)
{
    const struct direct_axis *axis = &p->axes[i];
    int64_t count = 0;
    if (i == p->spec.spatial - 1) {
        *pairs = first;
        return 1;
    }
    struct direct_reach reach = reach_of(p, i, at[i] % axis->period, at[i] / axis->period);
    for (int64_t k = 0; k < reach.count; k++) {
        int64_t element = reach.element + k * axis->lhs_step, tap = reach.tap + k;
        struct direct_pair next = {first.lhs + element * p->spec.lhs_stride[i],
                                   first.rhs + tap * axis->rhs_stride};
        count += find_pairs(p, i + 1, at, next, pairs + count);
    }
    return count;
}

/* Completes and runs `block` at a position of the result: a wide one if `wide`. */
static void run_block(const struct direct_plan *p, struct direct_block *block, int64_t phase,
                      int64_t index, bool wide)
{
    int last = p->spec.spatial - 1;
    struct direct_reach reach = reach_of(p, last, phase, index);
    bool adjacent = block->lhs_step == block->rhs_step;
    block->lhs = reach.element * p->spec.lhs_stride[last];
    block->rhs = reach.tap * block->rhs_step;
    block->runs = adjacent ? reach.count > 0 : reach.count;
    block->run = adjacent ? reach.count * block->rhs_step : block->rhs_step;
    (wide ? p->functions->wide : p->functions->one)(block);
}

/* `block` has what all blocks of the row have in common; `out` is where the row begins. The last
 * wide block of a phase ends where all taps still meet elements: it may overlap the one before. */
static void run_row(const struct direct_plan *p, struct direct_block *block, float *out)
{
    int last = p->spec.spatial - 1, positions = p->functions->positions;
    const struct direct_axis *axis = &p->axes[last];
    int64_t size = p->spec.out_size[last];
    for (int64_t f = 0; f < least(axis->period, size); f++) {
        int64_t count = round_up_quotient(size - f, axis->period), index = 0;
        int64_t begin = axis->phases[f].inner[0], end = least(axis->phases[f].inner[1], count);
        while (index < count) {
            bool wide = index >= begin && index < end && end - begin >= positions;
            index = wide ? least(index, end - positions) : index;
            block->out = out + (f + index * axis->period) * p->spec.out_stride[last];
            run_block(p, block, f, index, wide);
            index += wide ? positions : 1;
        }
    }
}

static void run_row_number(const struct direct_plan *p, int64_t number, void *const *buffers,
                           struct direct_pair *pairs)
{
    const struct convolution_spec *s = &p->spec;
    int last = s->spatial - 1;
    int64_t at[CONVOLUTION_MAX_SPATIAL];
    float *out = buffers[PLAN_OUT];
    for (int i = last - 1; i >= 0; number /= s->out_size[i--]) {
        at[i] = number % s->out_size[i];
        out += at[i] * s->out_stride[i];
    }
    struct direct_pair first = {(const float *)buffers[PLAN_LHS] + number * s->lhs_batch_stride,
                                buffers[PLAN_SHARED]};
    struct direct_block block = {.pairs = pairs,
                                 .pair_count = find_pairs(p, 0, at, first, pairs),
                                 .lhs_step = p->axes[last].lhs_step * s->lhs_stride[last],
                                 .rhs_step = s->in_features,
                                 .lhs_next = p->axes[last].element_next * s->lhs_stride[last],
                                 .out_next = p->axes[last].period * s->out_stride[last],
                                 .rhs_feature = p->rhs_feature,
                                 .out_feature = s->out_feature_stride};
    run_row(p, &block, out + number * s->out_batch_stride);
}

static struct error *run(const struct plan *base, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end)
{
    const struct direct_plan *p = (const struct direct_plan *)base;
    int64_t last = least(end * p->part, p->rows);
    for (int64_t row = begin * p->part; row < last; row++)
        run_row_number(p, row, buffers, scratch);
    return NULL;
}

static void destroy(struct plan *base)
{
    alloc_free(base);
}

/* ---- planning -------------------------------------------------------------------------------- */
/* The positions of a phase that meet an element with their first tap and with their last. */
static void find_inner(struct direct_phase *phase, const struct direct_axis *axis, int64_t in)
{
    int64_t room = in - phase->element - (phase->taps - 1) * axis->lhs_step;
    phase->inner[0] =
        phase->element < 0 ? round_up_quotient(-phase->element, axis->element_next) : 0;
    phase->inner[1] = room > 0 ? round_up_quotient(room, axis->element_next) : 0;
}

static struct direct_phase phase_of(const struct convolution_spec *s, int i, int64_t number,
                                    const struct direct_axis *axis)
{
    struct direct_phase phase = {0};
    int64_t size = s->kernel[i], dilation = s->lhs_dilation[i];
    for (int64_t t = 0; t < axis->window_step && t < size; t++) {
        int64_t at = number * s->stride[i] + t * s->rhs_dilation[i] - s->pad_low[i];
        if (at % dilation)
            continue;
        phase.taps = round_up_quotient(size - t, axis->window_step);
        phase.tap = packed_position(t, size, axis->window_step);
        phase.element = at / dilation;
        break;
    }
    find_inner(&phase, axis, s->in[i]);
    return phase;
}

static int64_t period_of(const struct convolution_spec *s, int i)
{
    return s->lhs_dilation[i] / gcd_of(s->lhs_dilation[i], s->stride[i]);
}

static void fill_axis(struct direct_axis *axis, const struct convolution_spec *s, int i,
                      int64_t rhs_stride, struct direct_phase *phases)
{
    int64_t dilation = s->lhs_dilation[i];
    axis->phases = phases;
    axis->period = period_of(s, i);
    axis->element_next = axis->period * s->stride[i] / dilation;
    axis->window_step = dilation / gcd_of(dilation, s->rhs_dilation[i]);
    axis->lhs_step = axis->window_step * s->rhs_dilation[i] / dilation;
    axis->rhs_stride = rhs_stride;
    for (int64_t k = 0; k < axis->period; k++)
        axis->phases[k] = phase_of(s, i, k, axis);
}

static void choose_parts(struct direct_plan *p, int threads)
{
    const struct convolution_spec *s = &p->spec;
    int64_t parts = 1;
    p->rows = s->batch;
    for (int i = 0; i < s->spatial - 1; i++)
        p->rows *= s->out_size[i];
    double cost = (double)p->rows * (double)s->out_size[s->spatial - 1] * (double)p->rhs_feature *
                  (double)s->out_features;
    for (int i = 0; i < s->spatial; i++)
        cost /= (double)s->lhs_dilation[i];
    while (parts < threads && parts * 2 <= p->rows && cost / (double)parts >= 2.0 * PART_COST)
        parts *= 2;
    p->part = round_up_quotient(p->rows, parts);
    p->base.work = round_up_quotient(p->rows, p->part);
}

/* Whether there is something to compute, and numbers are small enough for plans. */
static bool has_moderate_sizes(const struct convolution_spec *s)
{
    int64_t packed = s->in_features * s->out_features;
    bool answer = s->batch > 0 && s->out_features > 0 && s->out_features <= DIRECT_MOST_FEATURES &&
                  s->in_features >= LEAST_INPUTS;
    for (int i = 0; i < s->spatial && answer; i++) {
        answer = s->in[i] > 0 && s->out_size[i] > 0 && s->kernel[i] > 0 &&
                 s->kernel[i] <= MOST_PACKED && packed <= MOST_PACKED &&
                 s->lhs_dilation[i] <= MOST_PHASES && s->stride[i] <= MOST_STEPS &&
                 s->rhs_dilation[i] <= MOST_STEPS;
        packed *= s->kernel[i];
    }
    return answer && packed <= MOST_PACKED;
}

static bool is_dilated_and_strided(const struct convolution_spec *s)
{
    bool dilated = false, strided = false;
    for (int i = 0; i < s->spatial; i++)
        dilated |= s->lhs_dilation[i] > 1, strided |= s->stride[i] > 1;
    return dilated && strided;
}

/* oneDNN multiplies one vector of output features for each product, and takes long for dilated
 * inputs, unless the kernel is read from the second-level cache for few positions at a time; it has
 * none that are strided as well. Measured on all instruction sets, a product here takes 1.6 times
 * as long as one of oneDNN. */
static bool is_faster(const struct convolution_spec *s)
{
    int64_t products = s->in_features * window_of(s);
    int lanes = direct_functions_of(s->out_features)->lanes;
    for (int i = 0; i < s->spatial; i++)
        if (s->lhs_dilation[i] > 1)
            return lanes > SSE2_LANES || products * s->out_features <= FIRST_CACHE ||
                   is_dilated_and_strided(s);
    double vectors = (double)products / lanes + TOTAL_COST;
    return 1.6 * (double)s->out_features * vectors <= (double)products;
}

bool convolution_direct_applies(const struct convolution_spec *s)
{
    return s->lhs == DTYPE_F32 && s->rhs == DTYPE_F32 && s->out == DTYPE_F32 &&
           s->feature_groups == 1 && s->batch_groups == 1 && s->lhs_feature_stride == 1 &&
           has_moderate_sizes(s) && is_faster(s);
}

struct error *convolution_direct_plan(const struct convolution_spec *spec, int threads,
                                      struct plan **out)
{
    struct direct_plan *p;
    int64_t phases = 0;
    *out = NULL;
    for (int i = 0; i < spec->spatial; i++)
        phases += period_of(spec, i);
    TRY(alloc_zeroed(sizeof *p + (size_t)phases * sizeof *p->phases, &p));
    p->base = (struct plan){.prepare_work = 1, .prepare = prepare, .run = run, .destroy = destroy};
    p->spec = *spec;
    p->functions = direct_functions_of(spec->out_features);
    p->rhs_feature = spec->in_features;
    for (int i = spec->spatial - 1; i >= 0; p->rhs_feature *= spec->kernel[i--]) {
        phases -= period_of(spec, i);
        fill_axis(&p->axes[i], spec, i, p->rhs_feature, p->phases + phases);
    }
    int64_t window = window_of(spec);
    p->base.prepared = PLAN_RHS;
    p->base.shared_bytes =
        (uint64_t)(window * spec->in_features * spec->out_features) * sizeof(float);
    p->base.scratch_bytes =
        (uint64_t)(window / spec->kernel[spec->spatial - 1]) * sizeof(struct direct_pair);
    choose_parts(p, threads);
    *out = &p->base;
    return NULL;
}
