/* convolution_form.c: see convolution_form.h. */
#include "devices/host/kernels/convolution_form.h"

#include <string.h>

#include "base/cpu.h"

#define MAX_DIMS DNNL_MAX_NDIMS

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

enum convolution_kind convolution_form_kind(const struct convolution_spec *s)
{
    if (any_above_one(s->lhs_dilation, s->spatial))
        return CONVOLUTION_DATA;
    bool small_result = product(s->out_size, s->spatial) * 4 <= product(s->kernel, s->spatial);
    return small_result && can_be_weights(s) ? CONVOLUTION_WEIGHTS : CONVOLUTION_FORWARD;
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
 * large stride. Of an array that has both, `first` says which. */
static void complete_strides(int count, const int64_t *dims, const int64_t *strides, bool first,
                             int64_t *out)
{
    int orders[2][DNNL_MAX_NDIMS]; /* channels last, channels first */
    for (int i = 0; i < count; i++)
        orders[0][i] = i == 0 ? 0 : i == count - 1 ? 1 : i + 1, orders[1][i] = i;
    for (int i = 0; i < 2; i++) {
        dense_order(count, dims, orders[first ? 1 - i : i], out);
        if (same_strides(count, dims, strides, out))
            return;
    }
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
                              const int64_t *strides, bool first)
{
    dnnl_dims_t d, s;
    memcpy(d, dims, (size_t)count * sizeof *d);
    complete_strides(count, dims, strides, first, s);
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

/* Whether an activation of several features does not have them last. The other activation, whose
 * layout may be ambiguous, is taken to have them in the same place. */
static bool has_features_first(int64_t features, int64_t feature_stride)
{
    return features > 1 && feature_stride != 1;
}

static struct error *describe_activation(struct array *out, enum dtype dtype, int spatial,
                                         int64_t batch, int64_t features, const int64_t *sizes,
                                         int64_t batch_stride, int64_t feature_stride,
                                         const int64_t *strides, bool first)
{
    int64_t dims[MAX_DIMS] = {batch, features}, steps[MAX_DIMS] = {batch_stride, feature_stride};
    for (int i = 0; i < spatial; i++)
        dims[2 + i] = sizes[i], steps[2 + i] = strides[i];
    return describe(out, dtype, spatial + 2, dims, steps, first);
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
    return describe(out, dtype, n, dims, steps, false);
}

static void dense_strides(const struct convolution_spec *s, int64_t *in_stride, int64_t *out_stride,
                          int64_t *strides)
{
    *out_stride = 1, *in_stride = s->out_features;
    int64_t step = s->out_features * (s->in_features / s->feature_groups);
    for (int i = s->spatial - 1; i >= 0; i--)
        strides[i] = step, step *= s->kernel[i];
}

static struct error *describe_weights_operand(const struct convolution_form *form,
                                              struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &form->spec;
    int64_t in_stride = s->rhs_in_stride, out_stride = s->rhs_out_stride;
    int64_t strides[CONVOLUTION_MAX_SPATIAL];
    memcpy(strides, s->rhs_stride, sizeof strides);
    if (form->reverse)
        dense_strides(s, &in_stride, &out_stride, strides);
    return describe_kernel(&l->rhs, s->rhs, s->spatial, s->feature_groups, s->out_features,
                           s->in_features / s->feature_groups, s->kernel, out_stride, in_stride,
                           strides);
}

/* ---- the three forms: each describes its arrays for `size` items of the split axis, and a
 * primitive */
static struct error *describe_forward(const struct convolution_form *form, int64_t size,
                                      struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &form->spec;
    bool first = has_features_first(s->in_features, s->lhs_feature_stride) ||
                 has_features_first(s->out_features, s->out_feature_stride);
    TRY(describe_activation(&l->lhs, s->lhs, s->spatial, size, s->in_features, s->in,
                            s->lhs_batch_stride, s->lhs_feature_stride, s->lhs_stride, first));
    TRY(describe_activation(&l->out, s->out, s->spatial, size, s->out_features, s->out_size,
                            s->out_batch_stride, s->out_feature_stride, s->out_stride, first));
    for (int i = 0; i < s->spatial; i++) {
        int64_t extent = (s->kernel[i] - 1) * s->rhs_dilation[i];
        struct window *w = &l->window;
        w->dilations[i] = s->rhs_dilation[i] - 1;
        if (form->kind == CONVOLUTION_DATA) {
            w->strides[i] = s->lhs_dilation[i], w->low[i] = extent - s->pad_low[i];
            w->high[i] =
                (s->in[i] - 1) * s->lhs_dilation[i] + extent + 1 - w->low[i] - s->out_size[i];
        } else { /* oneDNN requires that the unread end of the padded input is removed */
            w->strides[i] = s->stride[i], w->low[i] = s->pad_low[i];
            w->high[i] =
                (s->out_size[i] - 1) * s->stride[i] + extent + 1 - s->in[i] - s->pad_low[i];
        }
    }
    return describe_weights_operand(form, l);
}

/* The size of the input in the weights form. oneDNN's kernels for windows of one element expect the
 * end that the stride leaves; those for AVX2 go wrong there unless the features fill vectors. */
static int64_t size_of_weights(const struct convolution_spec *s, int i)
{
    int64_t size = s->in[i] + high_of_weights(s, i);
    bool fills_vectors =
        s->batch % CONVOLUTION_GRAIN == 0 && s->out_features % CONVOLUTION_GRAIN == 0;
    return size >= s->in[i] || size < 1 || fills_vectors ? s->in[i] : size;
}

/* The gradient of the kernel: the batch of the specification is the kernel's input features, its
 * input features are the batch, its window is the gradient image, and its stride is a dilation. */
static struct error *describe_weights(const struct convolution_form *form, int64_t size,
                                      struct layouts_of_convolution *l)
{
    const struct convolution_spec *s = &form->spec;
    int64_t in[CONVOLUTION_MAX_SPATIAL];
    bool first = has_features_first(s->batch, s->lhs_batch_stride) ||
                 has_features_first(s->out_features, s->rhs_out_stride);
    for (int i = 0; i < s->spatial; i++)
        in[i] = size_of_weights(s, i);
    TRY(describe_activation(&l->lhs, s->lhs, s->spatial, s->in_features, s->batch, in,
                            s->lhs_feature_stride, s->lhs_batch_stride, s->lhs_stride, first));
    TRY(describe_activation(&l->rhs, s->rhs, s->spatial, s->in_features, size, s->kernel,
                            s->rhs_in_stride, s->rhs_out_stride, s->rhs_stride, first));
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

static dnnl_status_t primitive_of(enum convolution_kind kind,
                                  const struct layouts_of_convolution *l, bool free,
                                  dnnl_engine_t cpu, dnnl_primitive_desc_t *out)
{
    const_dnnl_memory_desc_t source = free ? l->lhs.any : l->lhs.plain;
    const_dnnl_memory_desc_t result = free ? l->out.any : l->out.plain;
    const struct window *w = &l->window;
    if (kind == CONVOLUTION_WEIGHTS)
        return primitive_of_weights(l, free, cpu, out);
    if (kind == CONVOLUTION_DATA)
        return dnnl_deconvolution_forward_primitive_desc_create(
            out, cpu, dnnl_forward_inference, dnnl_deconvolution_direct, source, l->rhs.any, NULL,
            result, w->strides, w->dilations, w->low, w->high, l->attributes);
    return dnnl_convolution_forward_primitive_desc_create(
        out, cpu, dnnl_forward_inference, dnnl_convolution_direct, source, l->rhs.any, NULL, result,
        w->strides, w->dilations, w->low, w->high, l->attributes);
}

/* Whether there may be a better kernel for other layouts of the activations. Of the kernels that
 * write windows side by side, those for gradients are good if they have few features, which others
 * pad to a vector. */
static bool is_slow(const struct convolution_form *form, const_dnnl_primitive_desc_t description)
{
    bool is_narrow = form->kind == CONVOLUTION_DATA && form->spec.out_features < CONVOLUTION_GRAIN;
    return onednn_is_reference(description) || (!is_narrow && onednn_is_unfolded(description));
}

/* Whether oneDNN's layouts are better although it has a kernel for the client's. Gradients of
 * kernels read one feature of many pixels, which with features last are in as many lines of few
 * sets of the first-level cache. The kernels for AVX-512 read more features of each pixel, but
 * those of windows not where a stride takes pixels apart. */
static bool should_block(const struct convolution_form *form)
{
    const struct convolution_spec *s = &form->spec;
    return form->kind == CONVOLUTION_WEIGHTS && s->batch % CONVOLUTION_GRAIN == 0 &&
           s->out_features % CONVOLUTION_GRAIN == 0 &&
           (!cpu_features()->avx512 ||
            (any_above_one(s->rhs_dilation, s->spatial) && any_above_one(s->out_size, s->spatial)));
}

/* Tries the client's layouts first, then layouts chosen by oneDNN if it has better kernels for
 * these. */
static struct error *choose_primitive(const struct convolution_form *form,
                                      const struct layouts_of_convolution *l,
                                      dnnl_primitive_desc_t *out)
{
    dnnl_engine_t cpu;
    dnnl_primitive_desc_t plain = NULL, free = NULL;
    TRY(onednn_engine(&cpu));
    dnnl_status_t status = primitive_of(form->kind, l, false, cpu, &plain);
    if (status == dnnl_success && !is_slow(form, plain) && !should_block(form)) {
        *out = plain;
        return NULL;
    }
    if (primitive_of(form->kind, l, true, cpu, &free) != dnnl_success)
        free = NULL;
    bool is_plain_better = plain && free && is_slow(form, free) && !onednn_is_reference(plain);
    bool use_free = free && !is_plain_better && (!plain || !onednn_is_reference(free));
    *out = use_free ? free : plain;
    if (use_free ? plain : free)
        dnnl_primitive_desc_destroy(use_free ? plain : free);
    return *out ? NULL : onednn_check(status, "a convolution of these element types");
}

static struct error *describe_part(const struct convolution_form *form, int64_t size,
                                   struct layouts_of_convolution *l, dnnl_primitive_desc_t *out)
{
    ONEDNN_TRY(dnnl_primitive_attr_create(&l->attributes));
    ONEDNN_TRY(dnnl_primitive_attr_set_scratchpad_mode(l->attributes, dnnl_scratchpad_mode_user));
    if (form->kind == CONVOLUTION_WEIGHTS)
        TRY(describe_weights(form, size, l));
    else
        TRY(describe_forward(form, size, l));
    return choose_primitive(form, l, out);
}

static struct error *fill_part(const struct convolution_form *form, int64_t size,
                               struct layouts_of_convolution *l, struct onednn_primitive *out)
{
    dnnl_primitive_desc_t description = NULL;
    TRY(describe_part(form, size, l, &description));
    const const_dnnl_memory_desc_t plain[] = {l->lhs.plain, l->rhs.plain, l->out.plain};
    return onednn_primitive_create(
        out, description, form->kind == CONVOLUTION_WEIGHTS ? &onednn_weights : &onednn_forward,
        plain, form->shared);
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

struct error *convolution_form_create(const struct convolution_form *form, int64_t size,
                                      struct onednn_primitive *out)
{
    struct layouts_of_convolution l = {0};
    int threads = onednn_enter();
    struct error *error = fill_part(form, size, &l, out);
    forget_layouts(&l);
    onednn_leave(threads);
    return error;
}

bool convolution_form_supported(const struct convolution_form *form, int64_t size)
{
    struct layouts_of_convolution l = {0};
    dnnl_primitive_desc_t description = NULL;
    int threads = onednn_enter();
    struct error *error = describe_part(form, size, &l, &description);
    bool answer = !error && onednn_is_native(form->spec.lhs) && !onednn_is_reference(description);
    if (description)
        dnnl_primitive_desc_destroy(description);
    forget_layouts(&l);
    onednn_leave(threads);
    error_free(error);
    return answer;
}

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
static bool has_form(const struct convolution_spec *s, enum convolution_kind kind)
{
    for (int i = 0; i < s->spatial; i++)
        if (s->in[i] < 1)
            return false;
    return s->batch_groups == 1 &&
           (kind != CONVOLUTION_DATA || (!any_above_one(s->stride, s->spatial) && is_gradient(s)));
}

bool convolution_form_of(const struct convolution_spec *spec, struct convolution_form *out)
{
    enum convolution_kind kind = convolution_form_kind(spec);
    *out = (struct convolution_form){.spec = *spec,
                                     .kind = kind,
                                     .reverse = is_reversed(spec, kind == CONVOLUTION_DATA),
                                     .shared = kind == CONVOLUTION_WEIGHTS ? 0 : 1};
    return has_form(spec, kind);
}

int64_t convolution_form_axis(const struct convolution_form *form)
{
    return form->kind == CONVOLUTION_WEIGHTS ? form->spec.out_features : form->spec.batch;
}

int64_t convolution_form_window(const struct convolution_spec *spec)
{
    return product(spec->kernel, spec->spatial);
}
