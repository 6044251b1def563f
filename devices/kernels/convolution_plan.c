/* Convolution plans over oneDNN. StableHLO knows one convolution; frameworks write three with it, and oneDNN
 * has a fast primitive for each:
 *
 *   forward    no lhs dilation                          -> convolution forward
 *   data       lhs dilation (gradient by the input)     -> deconvolution with the kernel reversed
 *   weights    the window is large and the result small (gradient by the kernel)
 *                                                       -> convolution backward weights
 *
 * Activations keep the client's layout; the kernel goes to a layout of oneDNN's choice, part by part. Parts
 * are ranges of the batch (forward, data) or of the kernel's output features (weights).
 * Reversed windows are copied to scratch first. */
#include <string.h>

#include "base/alloc.h"
#include "devices/kernels/kernels.h"
#include "devices/kernels/onednn.h"

#define PART_COST (1 << 19) /* multiply-adds under which a part is not cut further */
#define MAX_DIMS DNNL_MAX_NDIMS

enum form { FORM_FORWARD, FORM_DATA, FORM_WEIGHTS };

struct convolution_plan {
    struct plan base;
    struct convolution_spec spec;
    enum form form;
    int64_t part, parts;                /* size along the cut axis; how many */
    struct onednn_primitive kernels[2]; /* full and last part */
    bool reverse;                       /* the kernel's window must be reversed */
    uint64_t reversed_at;               /* in scratch */
};

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

static enum form form_of(const struct convolution_spec *s)
{
    if (any_above_one(s->lhs_dilation, s->spatial))
        return FORM_DATA;
    bool small_result = product(s->out_size, s->spatial) * 4 <= product(s->kernel, s->spatial);
    return small_result && s->feature_groups == 1 ? FORM_WEIGHTS : FORM_FORWARD;
}

/* A description of one array: batch-like, feature-like and spatial dimensions with strides in elements. A
 * dimension of size 1 gets a stride that makes the layout look dense. */
static struct error *describe(dnnl_memory_desc_t *out, enum dtype dtype, int count,
                              const int64_t *dims, const int64_t *strides)
{
    dnnl_dims_t d, s;
    int64_t largest = 1;
    for (int i = 0; i < count; i++)
        if (dims[i] > 1 && dims[i] * strides[i] > largest)
            largest = dims[i] * strides[i];
    for (int i = 0; i < count; i++)
        d[i] = dims[i], s[i] = dims[i] > 1 ? strides[i] : largest;
    bool has_unit = false;
    for (int i = 0; i < count; i++)
        has_unit |= s[i] == 1;
    for (int i = count - 1; i >= 0 && !has_unit; i--)
        if (dims[i] == 1)
            s[i] = 1, has_unit = true;
    ONEDNN_TRY(dnnl_memory_desc_create_with_strides(out, count, d, onednn_type(dtype), s));
    return NULL;
}

struct layouts_of_convolution {
    dnnl_memory_desc_t lhs, rhs, out, any;
    dnnl_primitive_attr_t attributes;
    dnnl_dims_t strides, dilations, low, high;
};

static struct error *describe_activation(dnnl_memory_desc_t *out, enum dtype dtype, int spatial,
                                         int64_t batch, int64_t features, const int64_t *sizes,
                                         int64_t batch_stride, int64_t feature_stride,
                                         const int64_t *strides)
{
    int64_t dims[MAX_DIMS] = {batch, features}, steps[MAX_DIMS] = {batch_stride, feature_stride};
    for (int i = 0; i < spatial; i++)
        dims[2 + i] = sizes[i], steps[2 + i] = strides[i];
    return describe(out, dtype, spatial + 2, dims, steps);
}

/* A kernel: [groups,] out features, in features, window. */
static struct error *describe_kernel(dnnl_memory_desc_t *out, dnnl_memory_desc_t *any,
                                     enum dtype dtype, int spatial, int64_t groups, int64_t outs,
                                     int64_t ins, const int64_t *sizes, int64_t out_stride,
                                     int64_t in_stride, const int64_t *strides)
{
    int64_t dims[MAX_DIMS], steps[MAX_DIMS];
    int n = 0;
    if (groups > 1)
        dims[n] = groups, steps[n++] = out_stride * (outs / groups);
    dims[n] = outs / groups, steps[n++] = out_stride;
    dims[n] = ins, steps[n++] = in_stride;
    for (int i = 0; i < spatial; i++)
        dims[n] = sizes[i], steps[n++] = strides[i];
    TRY(describe(out, dtype, n, dims, steps));
    ONEDNN_TRY(dnnl_memory_desc_create_with_tag(any, n, dims, onednn_type(dtype),
                                                dnnl_format_tag_any));
    return NULL;
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
    return describe_kernel(&l->rhs, &l->any, s->rhs, s->spatial, s->feature_groups,
                           s->out_features, s->in_features / s->feature_groups, s->kernel,
                           out_stride, in_stride, strides);
}

/* ---- the three forms: each makes a primitive for `size` items of the cut axis --------------------- */
static const int forward_roles[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
static const dnnl_query_t forward_queries[] = {dnnl_query_src_md, dnnl_query_weights_md,
                                               dnnl_query_dst_md};
static const int weights_roles[] = {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_WEIGHTS};
static const dnnl_query_t weights_queries[] = {dnnl_query_src_md, dnnl_query_diff_dst_md,
                                               dnnl_query_diff_weights_md};

static struct error *describe_forward(const struct convolution_plan *plan, int64_t size,
                                      struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &plan->spec;
    TRY(describe_activation(&l->lhs, s->lhs, s->spatial, size, s->in_features, s->in,
                            s->lhs_batch_stride, s->lhs_feature_stride, s->lhs_stride));
    TRY(describe_activation(&l->out, s->out, s->spatial, size, s->out_features, s->out_size,
                            s->out_batch_stride, s->out_feature_stride, s->out_stride));
    return describe_weights_operand(plan, l);
}

static struct error *make_forward(const struct convolution_plan *plan, int64_t size,
                                  struct layouts_of_convolution *l, struct onednn_primitive *out)
{
    const struct convolution_spec *s = &plan->spec;
    dnnl_engine_t cpu;
    dnnl_primitive_desc_t description;
    TRY(onednn_engine(&cpu));
    TRY(describe_forward(plan, size, l));
    for (int i = 0; i < s->spatial; i++) {
        l->strides[i] = s->stride[i], l->dilations[i] = s->rhs_dilation[i] - 1;
        l->low[i] = s->pad_low[i];
        /* What is left over at the end of the padded input is not read; oneDNN wants it gone. */
        l->high[i] = (s->out_size[i] - 1) * s->stride[i] + (s->kernel[i] - 1) * s->rhs_dilation[i] +
                     1 - s->in[i] - s->pad_low[i];
    }
    ONEDNN_TRY(dnnl_convolution_forward_primitive_desc_create(
        &description, cpu, dnnl_forward_inference, dnnl_convolution_direct, l->lhs, l->any, NULL,
        l->out, l->strides, l->dilations, l->low, l->high, l->attributes));
    return onednn_primitive_make(out, description, 3, forward_roles, forward_queries, l->rhs, 1,
                                 false);
}

static struct error *make_data(const struct convolution_plan *plan, int64_t size,
                               struct layouts_of_convolution *l, struct onednn_primitive *out)
{
    const struct convolution_spec *s = &plan->spec;
    dnnl_engine_t cpu;
    dnnl_primitive_desc_t description;
    TRY(onednn_engine(&cpu));
    TRY(describe_forward(plan, size, l));
    for (int i = 0; i < s->spatial; i++) {
        int64_t window = (s->kernel[i] - 1) * s->rhs_dilation[i];
        l->strides[i] = s->lhs_dilation[i], l->dilations[i] = s->rhs_dilation[i] - 1;
        l->low[i] = window - s->pad_low[i];
        l->high[i] = (s->in[i] - 1) * s->lhs_dilation[i] + window + 1 - l->low[i] - s->out_size[i];
    }
    ONEDNN_TRY(dnnl_deconvolution_forward_primitive_desc_create(
        &description, cpu, dnnl_forward_inference, dnnl_deconvolution_direct, l->lhs, l->any, NULL,
        l->out, l->strides, l->dilations, l->low, l->high, l->attributes));
    return onednn_primitive_make(out, description, 3, forward_roles, forward_queries, l->rhs, 1,
                                 false);
}

/* The gradient by the kernel: what the specification calls batch are the kernel's input features, what it calls
 * input features is the batch, its window is the gradient image and its stride a dilation. */
static struct error *make_weights(const struct convolution_plan *plan, int64_t size,
                                  struct layouts_of_convolution *l, struct onednn_primitive *out)
{
    const struct convolution_spec *s = &plan->spec;
    dnnl_engine_t cpu;
    dnnl_primitive_desc_t hint, description;
    TRY(onednn_engine(&cpu));
    TRY(describe_activation(&l->lhs, s->lhs, s->spatial, s->in_features, s->batch, s->in,
                            s->lhs_feature_stride, s->lhs_batch_stride, s->lhs_stride));
    TRY(describe_activation(&l->out, s->rhs, s->spatial, s->in_features, size, s->kernel,
                            s->rhs_in_stride, s->rhs_out_stride, s->rhs_stride));
    TRY(describe_kernel(&l->rhs, &l->any, s->out, s->spatial, 1, size, s->batch, s->out_size,
                        s->out_feature_stride, s->out_batch_stride, s->out_stride));
    for (int i = 0; i < s->spatial; i++) {
        l->strides[i] = s->rhs_dilation[i], l->dilations[i] = s->stride[i] - 1;
        l->low[i] = s->pad_low[i];
        l->high[i] = (s->kernel[i] - 1) * s->rhs_dilation[i] + (s->out_size[i] - 1) * s->stride[i] +
                     1 - s->in[i] - s->pad_low[i];
    }
    ONEDNN_TRY(dnnl_convolution_forward_primitive_desc_create(
        &hint, cpu, dnnl_forward_training, dnnl_convolution_direct, l->lhs, l->any, NULL, l->out,
        l->strides, l->dilations, l->low, l->high, l->attributes));
    dnnl_status_t status = dnnl_convolution_backward_weights_primitive_desc_create(
        &description, cpu, dnnl_convolution_direct, l->lhs, l->any, NULL, l->out, l->strides,
        l->dilations, l->low, l->high, hint, l->attributes);
    dnnl_primitive_desc_destroy(hint);
    TRY(onednn_check(status, "convolution backward weights"));
    return onednn_primitive_make(out, description, 3, weights_roles, weights_queries, l->rhs, 2,
                                 true);
}

static void forget_layouts(struct layouts_of_convolution *l)
{
    dnnl_memory_desc_t all[] = {l->lhs, l->rhs, l->out, l->any};
    for (int i = 0; i < 4; i++)
        if (all[i])
            dnnl_memory_desc_destroy(all[i]);
    if (l->attributes)
        dnnl_primitive_attr_destroy(l->attributes);
}

static struct error *make_part(const struct convolution_plan *plan, int64_t size,
                               struct onednn_primitive *out)
{
    struct layouts_of_convolution l = {0};
    int threads = onednn_enter();
    struct error *error = onednn_check(dnnl_primitive_attr_create(&l.attributes), "attributes");
    if (!error)
        error = onednn_check(
            dnnl_primitive_attr_set_scratchpad_mode(l.attributes, dnnl_scratchpad_mode_user),
            "scratchpad mode");
    if (!error)
        error = plan->form == FORM_WEIGHTS ? make_weights(plan, size, &l, out)
                : plan->form == FORM_DATA  ? make_data(plan, size, &l, out)
                                           : make_forward(plan, size, &l, out);
    forget_layouts(&l);
    onednn_leave(threads);
    return error;
}

/* ---- running ----------------------------------------------------------------------------------------- */
/* Copies the kernel to scratch, dense, with the window read backwards where asked (data form: where not). */
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

static struct error *run_part(const struct convolution_plan *plan, void *const *buffers,
                              char *scratch, int64_t part)
{
    const struct convolution_spec *s = &plan->spec;
    int64_t first = part * plan->part;
    const struct onednn_primitive *kernel = &plan->kernels[part == plan->parts - 1];
    char *lhs = buffers[0], *rhs = buffers[1], *out = buffers[2];
    if (plan->form == FORM_WEIGHTS) {
        rhs += first * s->rhs_out_stride * dtype_bytes(s->rhs);
        out += first * s->out_feature_stride * dtype_bytes(s->out);
        return onednn_primitive_run(kernel, (void *[]){lhs, rhs, out}, scratch);
    }
    lhs += first * s->lhs_batch_stride * dtype_bytes(s->lhs);
    out += first * s->out_batch_stride * dtype_bytes(s->out);
    if (plan->reverse) {
        reverse_window(plan, rhs, scratch + plan->reversed_at);
        rhs = scratch + plan->reversed_at;
    }
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

/* ---- planning ----------------------------------------------------------------------------------------- */
static bool is_reversed(const struct convolution_spec *s, bool wanted)
{
    for (int i = 0; i < s->spatial; i++)
        if (s->kernel[i] > 1 && s->reverse[i] != wanted)
            return true;
    return false;
}

static struct error *check(const struct convolution_spec *s, enum form form)
{
    if (s->batch_groups > 1 || (form == FORM_DATA && any_above_one(s->stride, s->spatial)) ||
        (form == FORM_WEIGHTS && is_reversed(s, false)))
        return ERROR(UNIMPLEMENTED, "convolution with batch groups, or with strides and a dilated "
                                    "input at once: no library serves it");
    return NULL;
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
    int64_t grain = plan->form == FORM_WEIGHTS ? 16 : 1;
    plan->part = ((axis + parts - 1) / parts + grain - 1) / grain * grain;
    plan->parts = (axis + plan->part - 1) / plan->part;
    plan->base.work = plan->parts;
}

static struct error *fill_plan(struct convolution_plan *plan, int threads)
{
    const struct convolution_spec *s = &plan->spec;
    plan->form = form_of(s);
    TRY(check(s, plan->form));
    plan->reverse = is_reversed(s, plan->form == FORM_DATA);
    choose_parts(plan, threads);
    int64_t axis = plan->form == FORM_WEIGHTS ? s->out_features : s->batch;
    if (plan->parts > 1)
        TRY(make_part(plan, plan->part, &plan->kernels[0]));
    TRY(make_part(plan, axis - (plan->parts - 1) * plan->part, &plan->kernels[1]));
    for (int i = 0; i < 2; i++)
        if (plan->kernels[i].scratch_bytes > plan->base.scratch_bytes)
            plan->base.scratch_bytes = plan->kernels[i].scratch_bytes;
    plan->reversed_at = plan->base.scratch_bytes;
    if (plan->reverse)
        plan->base.scratch_bytes += (uint64_t)(product(s->kernel, s->spatial) * s->out_features *
                                               (s->in_features / s->feature_groups) *
                                               dtype_bytes(s->rhs));
    return NULL;
}

struct error *kernels_convolution_plan(const struct convolution_spec *spec, int threads,
                                       struct plan **out)
{
    struct convolution_plan *plan;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->base = (struct plan){.run = run, .destroy = destroy};
    plan->spec = *spec;
    struct error *error = fill_plan(plan, threads);
    if (error)
        destroy(&plan->base);
    else
        *out = &plan->base;
    return error;
}
