/* Convolution plans: of convolution_direct.h where that applies, else with oneDNN. Frameworks use
 * StableHLO's single convolution operation for three purposes, and oneDNN has a fast primitive for
 * each:
 *
 *   forward    no lhs dilation                          -> convolution forward
 *   data       lhs dilation (gradient of the input)     -> deconvolution with the kernel reversed
 *   weights    the window is large and the result small (gradient of the kernel)
 *                                                       -> convolution backward weights
 *
 * Activations keep the client's layout unless oneDNN has only reference loops for it. Parts are
 * ranges of the batch (forward, data) or of the kernel's output features (weights), so all parts
 * read one whole operand: the kernel (forward, data), whose window is reversed where needed, or the
 * input (weights). It is reordered to the layout chosen by oneDNN once per run. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/convolution_direct.h"
#include "devices/host/kernels/kernels.h"
#include "devices/host/kernels/onednn.h"

#define PART_COST (1 << 19) /* parts with fewer multiply-adds are not split further */
#define FEATURE_GRAIN 16    /* features of parts in the weights form */
#define MAX_DIMS DNNL_MAX_NDIMS

enum form { FORM_FORWARD, FORM_DATA, FORM_WEIGHTS };

struct convolution_plan {
    struct plan base;
    struct convolution_spec spec;
    enum form form;
    int64_t part, parts;                /* size of a part along the split axis; number of parts */
    struct onednn_primitive kernels[2]; /* full and last part */
    bool reverse;                       /* the window of the kernel must be reversed */
    /* The operand that all parts read, PLAN_LHS or PLAN_RHS. In the memory that they share: the
     * reversed window, then the operand as the full and as the last part read it. */
    int shared;
    uint64_t shared_at[2];
    bool reads_same; /* both parts read the same */
};

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 63) & ~(uint64_t)63;
}

static bool any_above_one(const int64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] > 1)
            return true;
    return false;
}

static int64_t product(const int64_t *values, int count)
{
    int64_t result = 1;
    for (int i = 0; i < count; i++)
        result *= values[i];
    return result;
}

/* Whether the window must be reversed for a form that expects it reversed, or not. */
static bool is_reversed(const struct convolution_spec *s, bool wanted)
{
    for (int i = 0; i < s->spatial; i++)
        if (s->kernel[i] > 1 && s->reverse[i] != wanted)
            return true;
    return false;
}

/* High padding in the weights form. */
static int64_t high_of_weights(const struct convolution_spec *s, int i)
{
    return (s->kernel[i] - 1) * s->rhs_dilation[i] + (s->out_size[i] - 1) * s->stride[i] + 1 -
           s->in[i] - s->pad_low[i];
}

/* oneDNN can ignore less than one stride at the end of the input, and supports gradients only for
 * floating-point types. */
static bool can_be_weights(const struct convolution_spec *s)
{
    for (int i = 0; i < s->spatial; i++)
        if (high_of_weights(s, i) + s->rhs_dilation[i] <= 0)
            return false;
    return s->lhs != DTYPE_S8 && s->feature_groups == 1 && !is_reversed(s, false);
}

static enum form form_of(const struct convolution_spec *s)
{
    if (any_above_one(s->lhs_dilation, s->spatial))
        return FORM_DATA;
    bool small_result = product(s->out_size, s->spatial) * 4 <= product(s->kernel, s->spatial);
    return small_result && can_be_weights(s) ? FORM_WEIGHTS : FORM_FORWARD;
}

/* Strides of a dense array with the dimensions in `order`, outermost first. */
static void dense_order(int count, const int64_t *dims, const int *order, int64_t *strides)
{
    int64_t step = 1;
    for (int i = count - 1; i >= 0; i--) {
        strides[order[i]] = step;
        step *= dims[order[i]];
    }
}

static bool same_strides(int count, const int64_t *dims, const int64_t *a, const int64_t *b)
{
    for (int i = 0; i < count; i++)
        if (dims[i] > 1 && a[i] != b[i])
            return false;
    return true;
}

/* oneDNN matches layouts by all strides, including those of dimensions of size 1. For these, use
 * the strides of channels last or channels first if the array has one of these layouts, else a
 * large stride. */
static void complete_strides(int count, const int64_t *dims, const int64_t *strides, int64_t *out)
{
    int last[DNNL_MAX_NDIMS], first[DNNL_MAX_NDIMS];
    for (int i = 0; i < count; i++)
        last[i] = i == 0 ? 0 : i == count - 1 ? 1 : i + 1, first[i] = i;
    dense_order(count, dims, last, out);
    if (same_strides(count, dims, strides, out))
        return;
    dense_order(count, dims, first, out);
    if (same_strides(count, dims, strides, out))
        return;
    int64_t largest = 1;
    for (int i = 0; i < count; i++)
        if (dims[i] > 1 && dims[i] * strides[i] > largest)
            largest = dims[i] * strides[i];
    for (int i = 0; i < count; i++)
        out[i] = dims[i] > 1 ? strides[i] : largest;
}

struct array { /* one operand or result: with the client's layout, and with any layout */
    dnnl_memory_desc_t plain, any;
};

static struct error *describe(struct array *out, enum dtype dtype, int count, const int64_t *dims,
                              const int64_t *strides)
{
    dnnl_dims_t d, s;
    memcpy(d, dims, (size_t)count * sizeof *d);
    complete_strides(count, dims, strides, s);
    ONEDNN_TRY(dnnl_memory_desc_create_with_strides(&out->plain, count, d, onednn_type(dtype), s));
    ONEDNN_TRY(dnnl_memory_desc_create_with_tag(&out->any, count, d, onednn_type(dtype),
                                                dnnl_format_tag_any));
    return NULL;
}

struct window {
    dnnl_dims_t strides, dilations, low, high;
};

struct layouts_of_convolution {
    struct array lhs, rhs, out;
    dnnl_primitive_attr_t attributes;
    struct window window;
};

static struct error *describe_activation(struct array *out, enum dtype dtype, int spatial,
                                         int64_t batch, int64_t features, const int64_t *sizes,
                                         int64_t batch_stride, int64_t feature_stride,
                                         const int64_t *strides)
{
    int64_t dims[MAX_DIMS] = {batch, features}, steps[MAX_DIMS] = {batch_stride, feature_stride};
    for (int i = 0; i < spatial; i++)
        dims[2 + i] = sizes[i], steps[2 + i] = strides[i];
    return describe(out, dtype, spatial + 2, dims, steps);
}

/* A kernel: [groups,] output features, input features, window. */
static struct error *describe_kernel(struct array *out, enum dtype dtype, int spatial,
                                     int64_t groups, int64_t outs, int64_t ins,
                                     const int64_t *sizes, int64_t out_stride, int64_t in_stride,
                                     const int64_t *strides)
{
    int64_t dims[MAX_DIMS], steps[MAX_DIMS];
    int n = 0;
    if (groups > 1)
        dims[n] = groups, steps[n++] = out_stride * (outs / groups);
    dims[n] = outs / groups, steps[n++] = out_stride;
    dims[n] = ins, steps[n++] = in_stride;
    for (int i = 0; i < spatial; i++)
        dims[n] = sizes[i], steps[n++] = strides[i];
    return describe(out, dtype, n, dims, steps);
}

static void dense_strides(const struct convolution_spec *s, int64_t *in_stride, int64_t *out_stride,
                          int64_t *strides)
{
    *out_stride = 1, *in_stride = s->out_features;
    int64_t step = s->out_features * (s->in_features / s->feature_groups);
    for (int i = s->spatial - 1; i >= 0; i--)
        strides[i] = step, step *= s->kernel[i];
}

static struct error *describe_weights_operand(const struct convolution_plan *plan,
                                              struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t in_stride = s->rhs_in_stride, out_stride = s->rhs_out_stride;
    int64_t strides[CONVOLUTION_MAX_SPATIAL];
    memcpy(strides, s->rhs_stride, sizeof strides);
    if (plan->reverse)
        dense_strides(s, &in_stride, &out_stride, strides);
    return describe_kernel(&l->rhs, s->rhs, s->spatial, s->feature_groups, s->out_features,
                           s->in_features / s->feature_groups, s->kernel, out_stride, in_stride,
                           strides);
}

/* ---- the three forms: each describes its arrays for `size` items of the split axis, and a
 * primitive */
static struct error *describe_forward(const struct convolution_plan *plan, int64_t size,
                                      struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &plan->spec;
    TRY(describe_activation(&l->lhs, s->lhs, s->spatial, size, s->in_features, s->in,
                            s->lhs_batch_stride, s->lhs_feature_stride, s->lhs_stride));
    TRY(describe_activation(&l->out, s->out, s->spatial, size, s->out_features, s->out_size,
                            s->out_batch_stride, s->out_feature_stride, s->out_stride));
    for (int i = 0; i < s->spatial; i++) {
        int64_t extent = (s->kernel[i] - 1) * s->rhs_dilation[i];
        struct window *w = &l->window;
        w->dilations[i] = s->rhs_dilation[i] - 1;
        if (plan->form == FORM_DATA) {
            w->strides[i] = s->lhs_dilation[i], w->low[i] = extent - s->pad_low[i];
            w->high[i] =
                (s->in[i] - 1) * s->lhs_dilation[i] + extent + 1 - w->low[i] - s->out_size[i];
        } else { /* oneDNN requires that the unread end of the padded input is removed */
            w->strides[i] = s->stride[i], w->low[i] = s->pad_low[i];
            w->high[i] =
                (s->out_size[i] - 1) * s->stride[i] + extent + 1 - s->in[i] - s->pad_low[i];
        }
    }
    return describe_weights_operand(plan, l);
}

/* The size of the input in the weights form. oneDNN's kernels for windows of one element expect the
 * end that the stride leaves; those for AVX2 go wrong there unless the features fill vectors. */
static int64_t size_of_weights(const struct convolution_spec *s, int i)
{
    int64_t size = s->in[i] + high_of_weights(s, i);
    bool fills_vectors = s->batch % FEATURE_GRAIN == 0 && s->out_features % FEATURE_GRAIN == 0;
    return size >= s->in[i] || size < 1 || fills_vectors ? s->in[i] : size;
}

/* The gradient of the kernel: the batch of the specification is the kernel's input features, its
 * input features are the batch, its window is the gradient image, and its stride is a dilation. */
static struct error *describe_weights(const struct convolution_plan *plan, int64_t size,
                                      struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t in[CONVOLUTION_MAX_SPATIAL];
    for (int i = 0; i < s->spatial; i++)
        in[i] = size_of_weights(s, i);
    TRY(describe_activation(&l->lhs, s->lhs, s->spatial, s->in_features, s->batch, in,
                            s->lhs_feature_stride, s->lhs_batch_stride, s->lhs_stride));
    TRY(describe_activation(&l->rhs, s->rhs, s->spatial, s->in_features, size, s->kernel,
                            s->rhs_in_stride, s->rhs_out_stride, s->rhs_stride));
    TRY(describe_kernel(&l->out, s->out, s->spatial, 1, size, s->batch, s->out_size,
                        s->out_feature_stride, s->out_batch_stride, s->out_stride));
    for (int i = 0; i < s->spatial; i++) {
        struct window *w = &l->window;
        w->strides[i] = s->rhs_dilation[i], w->dilations[i] = s->stride[i] - 1;
        w->low[i] = s->pad_low[i], w->high[i] = high_of_weights(s, i) + s->in[i] - in[i];
    }
    return NULL;
}

/* `free`: oneDNN may also choose the layout of activations. */
static dnnl_status_t primitive_of_weights(const struct layouts_of_convolution *l, bool free,
                                          dnnl_engine_t cpu, dnnl_primitive_desc_t *out)
{
    const_dnnl_memory_desc_t source = free ? l->lhs.any : l->lhs.plain;
    const_dnnl_memory_desc_t gradient = free ? l->rhs.any : l->rhs.plain;
    const struct window *w = &l->window;
    dnnl_primitive_desc_t hint;
    dnnl_status_t status = dnnl_convolution_forward_primitive_desc_create(
        &hint, cpu, dnnl_forward_training, dnnl_convolution_direct, source, l->out.any, NULL,
        gradient, w->strides, w->dilations, w->low, w->high, l->attributes);
    if (status != dnnl_success)
        return status;
    status = dnnl_convolution_backward_weights_primitive_desc_create(
        out, cpu, dnnl_convolution_direct, source, l->out.any, NULL, gradient, w->strides,
        w->dilations, w->low, w->high, hint, l->attributes);
    dnnl_primitive_desc_destroy(hint);
    return status;
}

static dnnl_status_t primitive_of(enum form form, const struct layouts_of_convolution *l, bool free,
                                  dnnl_engine_t cpu, dnnl_primitive_desc_t *out)
{
    const_dnnl_memory_desc_t source = free ? l->lhs.any : l->lhs.plain;
    const_dnnl_memory_desc_t result = free ? l->out.any : l->out.plain;
    const struct window *w = &l->window;
    if (form == FORM_WEIGHTS)
        return primitive_of_weights(l, free, cpu, out);
    if (form == FORM_DATA)
        return dnnl_deconvolution_forward_primitive_desc_create(
            out, cpu, dnnl_forward_inference, dnnl_deconvolution_direct, source, l->rhs.any, NULL,
            result, w->strides, w->dilations, w->low, w->high, l->attributes);
    return dnnl_convolution_forward_primitive_desc_create(
        out, cpu, dnnl_forward_inference, dnnl_convolution_direct, source, l->rhs.any, NULL, result,
        w->strides, w->dilations, w->low, w->high, l->attributes);
}

/* Tries the client's layouts first, then layouts chosen by oneDNN if it has only reference loops
 * for the former and better kernels for the latter. */
static struct error *choose_primitive(enum form form, const struct layouts_of_convolution *l,
                                      dnnl_primitive_desc_t *out)
{
    dnnl_engine_t cpu;
    dnnl_primitive_desc_t plain = NULL, free = NULL;
    TRY(onednn_engine(&cpu));
    dnnl_status_t status = primitive_of(form, l, false, cpu, &plain);
    if (status == dnnl_success && !onednn_is_reference(plain)) {
        *out = plain;
        return NULL;
    }
    if (primitive_of(form, l, true, cpu, &free) != dnnl_success)
        free = NULL;
    bool use_free = free && (!plain || !onednn_is_reference(free));
    *out = use_free ? free : plain;
    if (use_free ? plain : free)
        dnnl_primitive_desc_destroy(use_free ? plain : free);
    return *out ? NULL : onednn_check(status, "a convolution of these element types");
}

static struct error *describe_part(const struct convolution_plan *plan, int64_t size,
                                   struct layouts_of_convolution *l, dnnl_primitive_desc_t *out)
{
    ONEDNN_TRY(dnnl_primitive_attr_create(&l->attributes));
    ONEDNN_TRY(dnnl_primitive_attr_set_scratchpad_mode(l->attributes, dnnl_scratchpad_mode_user));
    if (plan->form == FORM_WEIGHTS)
        TRY(describe_weights(plan, size, l));
    else
        TRY(describe_forward(plan, size, l));
    return choose_primitive(plan->form, l, out);
}

static struct error *fill_part(const struct convolution_plan *plan, int64_t size,
                               struct layouts_of_convolution *l, struct onednn_primitive *out)
{
    dnnl_primitive_desc_t description = NULL;
    TRY(describe_part(plan, size, l, &description));
    const const_dnnl_memory_desc_t plain[] = {l->lhs.plain, l->rhs.plain, l->out.plain};
    return onednn_primitive_create(out, description,
                                   plan->form == FORM_WEIGHTS ? &onednn_weights : &onednn_forward,
                                   plain, plan->shared);
}

static void forget_layouts(struct layouts_of_convolution *l)
{
    dnnl_memory_desc_t all[] = {l->lhs.plain, l->lhs.any,   l->rhs.plain,
                                l->rhs.any,   l->out.plain, l->out.any};
    for (int i = 0; i < 6; i++)
        if (all[i])
            dnnl_memory_desc_destroy(all[i]);
    if (l->attributes)
        dnnl_primitive_attr_destroy(l->attributes);
}

static struct error *create_part(const struct convolution_plan *plan, int64_t size,
                                 struct onednn_primitive *out)
{
    struct layouts_of_convolution l = {0};
    int threads = onednn_enter();
    struct error *error = fill_part(plan, size, &l, out);
    forget_layouts(&l);
    onednn_leave(threads);
    return error;
}

static bool part_is_supported(const struct convolution_plan *plan, int64_t size)
{
    struct layouts_of_convolution l = {0};
    dnnl_primitive_desc_t description = NULL;
    int threads = onednn_enter();
    struct error *error = describe_part(plan, size, &l, &description);
    bool answer = !error && onednn_is_exact(plan->spec.lhs) && !onednn_is_reference(description);
    if (description)
        dnnl_primitive_desc_destroy(description);
    forget_layouts(&l);
    onednn_leave(threads);
    error_free(error);
    return answer;
}

/* ---- running --------------------------------------------------------------------------------- */
/* Copies the kernel, dense, with the window reversed where requested (data form: where not
 * requested). */
static void reverse_window(const struct convolution_plan *plan, const char *from, char *to)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t ins = s->in_features / s->feature_groups, window = product(s->kernel, s->spatial);
    int bytes = dtype_bytes(s->rhs);
    for (int64_t w = 0; w < window; w++) {
        int64_t offset = 0, rest = w;
        for (int i = s->spatial - 1; i >= 0; i--) {
            int64_t at = rest % s->kernel[i];
            bool backwards = s->reverse[i] != (plan->form == FORM_DATA);
            offset += (backwards ? s->kernel[i] - 1 - at : at) * s->rhs_stride[i];
            rest /= s->kernel[i];
        }
        for (int64_t i = 0; i < ins; i++)
            for (int64_t o = 0; o < s->out_features; o++, to += bytes)
                memcpy(to, from + (offset + i * s->rhs_in_stride + o * s->rhs_out_stride) * bytes,
                       (size_t)bytes);
    }
}

static struct error *prepare(const struct plan *base, void *const *buffers, int64_t begin,
                             int64_t end)
{
    const struct convolution_plan *plan = (const struct convolution_plan *)base;
    char *from = buffers[plan->shared], *to = buffers[PLAN_SHARED];
    if (plan->reverse) { /* prepare_work is 1 */
        reverse_window(plan, from, to);
        from = to;
    }
    for (int i = plan->parts > 1 && !plan->reads_same ? 0 : 1; i < 2; i++) {
        int64_t work = onednn_primitive_prepare_work(&plan->kernels[i]);
        bool whole = plan->base.prepare_work == 1;
        TRY(onednn_primitive_prepare(&plan->kernels[i], from, to + plan->shared_at[i],
                                     whole ? 0 : begin, whole ? work : end));
    }
    return NULL;
}

static struct error *run_part(const struct convolution_plan *plan, void *const *buffers,
                              char *scratch, int64_t part)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t first = part * plan->part;
    int which = part == plan->parts - 1;
    const struct onednn_primitive *kernel = &plan->kernels[which];
    char *lhs = buffers[0], *rhs = buffers[1], *out = buffers[2];
    if (kernel->shared_bytes || plan->reverse)
        *(plan->shared == PLAN_LHS ? &lhs : &rhs) =
            (char *)buffers[PLAN_SHARED] + plan->shared_at[which];
    if (plan->form == FORM_WEIGHTS) {
        rhs += first * s->rhs_out_stride * dtype_bytes(s->rhs);
        out += first * s->out_feature_stride * dtype_bytes(s->out);
        return onednn_primitive_run(kernel, (void *[]){lhs, rhs, out}, scratch);
    }
    lhs += first * s->lhs_batch_stride * dtype_bytes(s->lhs);
    out += first * s->out_batch_stride * dtype_bytes(s->out);
    return onednn_primitive_run(kernel, (void *[]){lhs, rhs, out}, scratch);
}

static struct error *run(const struct plan *base, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end)
{
    for (int64_t part = begin; part < end; part++)
        TRY(run_part((const struct convolution_plan *)base, buffers, scratch, part));
    return NULL;
}

static void destroy(struct plan *base)
{
    struct convolution_plan *plan = (struct convolution_plan *)base;
    for (int i = 0; i < 2; i++)
        onednn_primitive_free(&plan->kernels[i]);
    alloc_free(plan);
}

/* ---- planning -------------------------------------------------------------------------------- */
/* For oneDNN, a dilated input is the gradient of a convolution, so its padding is limited by that
 * convolution's window (at the high end: by its window and stride). */
static bool is_gradient(const struct convolution_spec *s)
{
    for (int i = 0; i < s->spatial; i++) {
        int64_t reach = (s->kernel[i] - 1) * s->rhs_dilation[i];
        if (s->pad_low[i] > reach || s->pad_high[i] >= reach + s->lhs_dilation[i])
            return false;
    }
    return true;
}

/* Requires no batch groups, no stride together with a dilated input, and a nonempty input. */
static bool has_form(const struct convolution_spec *s, enum form form)
{
    for (int i = 0; i < s->spatial; i++)
        if (s->in[i] < 1)
            return false;
    return s->batch_groups == 1 &&
           (form != FORM_DATA || (!any_above_one(s->stride, s->spatial) && is_gradient(s)));
}

static void choose_parts(struct convolution_plan *plan, int threads)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t axis = plan->form == FORM_WEIGHTS ? s->out_features : s->batch;
    double cost = (double)s->batch * s->out_features * (s->in_features / s->feature_groups) *
                  product(s->kernel, s->spatial) * product(s->out_size, s->spatial);
    int64_t parts = 1;
    while (parts < threads && parts * 2 <= axis && cost / parts >= 2.0 * PART_COST)
        parts *= 2;
    int64_t grain = plan->form == FORM_WEIGHTS ? FEATURE_GRAIN : 1;
    plan->part = ((axis + parts - 1) / parts + grain - 1) / grain * grain;
    plan->parts = (axis + plan->part - 1) / plan->part;
    plan->base.work = plan->parts;
}

/* Chooses the form and the parts; false if no form of oneDNN applies. Also returns the size of the
 * last part. */
static bool choose_form_and_parts(struct convolution_plan *plan, int threads, int64_t *last)
{
    const struct convolution_spec *s = &plan->spec;
    plan->form = form_of(s);
    if (!has_form(s, plan->form))
        return false;
    plan->reverse = is_reversed(s, plan->form == FORM_DATA);
    plan->shared = plan->form == FORM_WEIGHTS ? PLAN_LHS : PLAN_RHS;
    choose_parts(plan, threads);
    int64_t axis = plan->form == FORM_WEIGHTS ? s->out_features : s->batch;
    *last = axis - (plan->parts - 1) * plan->part;
    return true;
}

/* The gradient of a kernel has a large window and too few rows. */
static bool is_direct(const struct convolution_spec *spec)
{
    return convolution_direct_applies(spec) && form_of(spec) != FORM_WEIGHTS;
}

bool kernels_convolution_supported(const struct convolution_spec *spec, int threads)
{
    struct convolution_plan plan = {.spec = *spec};
    int64_t last;
    if (is_direct(spec))
        return true;
    return choose_form_and_parts(&plan, threads, &last) &&
           (plan.parts == 1 || plan.part == last || part_is_supported(&plan, plan.part)) &&
           part_is_supported(&plan, last);
}

static uint64_t reversed_bytes(const struct convolution_plan *plan)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t ins = s->in_features / s->feature_groups;
    return plan->reverse ? (uint64_t)(product(s->kernel, s->spatial) * s->out_features * ins *
                                      dtype_bytes(s->rhs))
                         : 0;
}

/* Assigns offsets in the shared memory. A primitive that reads the client's layout reads the
 * reversed window or, without one, the operand itself. */
static void place_shared(struct convolution_plan *plan)
{
    const struct onednn_primitive *full = &plan->kernels[0], *last = &plan->kernels[1];
    uint64_t end = round_up(reversed_bytes(plan));
    plan->reads_same = full->shared_bytes && onednn_primitive_shares(full, last);
    plan->shared_at[0] = full->shared_bytes ? end : 0;
    end += plan->reads_same ? 0 : full->shared_bytes;
    plan->shared_at[1] = last->shared_bytes ? end : 0;
    plan->base.shared_bytes = end + last->shared_bytes;
    int64_t work = onednn_primitive_prepare_work(last);
    bool differ = plan->parts > 1 && onednn_primitive_prepare_work(full) != work;
    plan->base.prepare_work = plan->reverse || differ ? 1 : work;
}

static struct error *fill_plan(struct convolution_plan *plan, int threads)
{
    int64_t last;
    if (!choose_form_and_parts(plan, threads, &last))
        return ERROR(UNIMPLEMENTED,
                     "convolution with batch groups, with strides and a dilated input at once, or "
                     "with padding beyond its window: no library has it");
    if (plan->parts > 1)
        TRY(create_part(plan, plan->part, &plan->kernels[0]));
    TRY(create_part(plan, last, &plan->kernels[1]));
    for (int i = 0; i < 2; i++)
        if (plan->kernels[i].scratch_bytes > plan->base.scratch_bytes)
            plan->base.scratch_bytes = plan->kernels[i].scratch_bytes;
    place_shared(plan);
    return NULL;
}

struct error *kernels_convolution_plan(const struct convolution_spec *spec, int threads,
                                       struct plan **out)
{
    struct convolution_plan *plan;
    if (is_direct(spec))
        return convolution_direct_plan(spec, threads, out);
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->base = (struct plan){.prepare = prepare, .run = run, .destroy = destroy};
    plan->spec = *spec;
    struct error *error = fill_plan(plan, threads);
    if (error)
        destroy(&plan->base);
    else
        *out = &plan->base;
    return error;
}
