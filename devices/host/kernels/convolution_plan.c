/* Convolution plans: of convolution_direct.h where that applies, of the product that a convolution
 * is (convolution_product.h), else with oneDNN (convolution_form.h). Parts of the latter are ranges
 * of the batch (forward, data) or of the kernel's output features (weights), so all parts read one
 * whole operand: the kernel (forward, data), whose window is reversed where needed, or the input
 * (weights). It is reordered to the layout chosen by oneDNN once per run. Where the batch does not
 * occupy all threads, parts are ranges of the rows of one image each (forward, features last). */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/convolution_direct.h"
#include "devices/host/kernels/convolution_form.h"
#include "devices/host/kernels/convolution_product.h"
#include "devices/host/kernels/kernels.h"
#include "devices/host/kernels/matrix_copy.h"
#include "devices/host/kernels/winograd.h"
#include "devices/host/kernels/winograd_weights.h"

#define PART_COST (1 << 19) /* parts with fewer multiply-adds are not split further */

enum {
    LEAST_ROWS = 2, /* of a part: what its windows read beyond them is read twice */
    MANY_IMAGES = 8 /* for each thread: they occupy all threads */
};

/* A primitive for each kind of parts. Images are not cut into rows: all parts but the last are
 * inner ones. They are: the part at the upper edge, inner ones, and the one at the lower edge. */
enum part_kind { PART_FIRST, PART_INNER, PART_LAST, PART_KINDS };

struct convolution_plan {
    struct plan base;
    struct convolution_form form;
    int64_t part, parts;     /* size of a part along the split axis; number of parts */
    int64_t rows, row_parts; /* if row_parts > 1, `part` is 1, and each has so many parts of rows */
    struct onednn_primitive kernels[PART_KINDS];
    /* The memory that the parts share has the reversed window, then the operand form.shared as each
     * kind of parts reads it: at the same place where two read the same. */
    uint64_t shared_at[PART_KINDS];
};

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 63) & ~(uint64_t)63;
}

static bool has_kind(const struct convolution_plan *plan, enum part_kind kind)
{
    if (plan->row_parts > 1)
        return kind != PART_INNER || plan->row_parts > 2;
    return kind == PART_LAST || (kind == PART_INNER && plan->parts > 1);
}

static enum part_kind kind_of(const struct convolution_plan *plan, int64_t part)
{
    if (plan->row_parts == 1)
        return part == plan->parts - 1 ? PART_LAST : PART_INNER;
    int64_t at = part % plan->row_parts;
    return !at ? PART_FIRST : at == plan->row_parts - 1 ? PART_LAST : PART_INNER;
}

/* ---- rows of an image ------------------------------------------------------------------------ */
/* The row of the padded input, counted from the input's first, where an output row's window begins.
 */
static int64_t first_row(const struct convolution_spec *s, int64_t row)
{
    return row * s->stride[0] - s->pad_low[0];
}

/* One behind the last row that an output row's window reads. */
static int64_t end_row(const struct convolution_spec *s, int64_t row)
{
    return first_row(s, row) + (s->kernel[0] - 1) * s->rhs_dilation[0] + 1;
}

/* Of one image, the output rows [begin, end), from the input rows that they read. */
static struct convolution_spec rows_of(const struct convolution_spec *s, int64_t begin, int64_t end)
{
    struct convolution_spec rows = *s;
    int64_t first = first_row(s, begin), behind = end_row(s, end - 1);
    rows.batch = 1;
    rows.pad_low[0] = first < 0 ? -first : 0;
    rows.pad_high[0] = behind > s->in[0] ? behind - s->in[0] : 0;
    rows.in[0] = (behind < s->in[0] ? behind : s->in[0]) - (first > 0 ? first : 0);
    rows.out_size[0] = end - begin;
    return rows;
}

/* Whether images are one row after the other, so that some of them are an image as well. */
static bool has_rows(const struct convolution_form *form)
{
    const struct convolution_spec *s = &form->spec;
    bool answer = form->kind == CONVOLUTION_FORWARD && s->lhs_feature_stride == 1 &&
                  s->out_feature_stride == 1;
    for (int i = 1; i < s->spatial && answer; i++)
        answer = s->lhs_stride[0] >= s->lhs_stride[i] && s->out_stride[0] >= s->out_stride[i];
    return answer;
}

/* Whether only the first and the last part's windows reach beyond the input. */
static bool are_inner_parts_inside(const struct convolution_spec *s, int64_t rows,
                                   int64_t row_parts)
{
    return first_row(s, rows) >= 0 && end_row(s, (row_parts - 1) * rows - 1) <= s->in[0] &&
           first_row(s, (row_parts - 1) * rows) < s->in[0];
}
/* ---- running --------------------------------------------------------------------------------- */
/* Copies the kernel, dense, with the window reversed where requested (data form: where not
 * requested). */
static void reverse_window(const struct convolution_plan *plan, const char *from, char *to)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t ins = s->in_features / s->feature_groups, window = convolution_form_window(s);
    int bytes = dtype_bytes(s->rhs);
    for (int64_t w = 0; w < window; w++) {
        int64_t offset = 0, rest = w;
        for (int i = s->spatial - 1; i >= 0; i--) {
            int64_t at = rest % s->kernel[i];
            bool backwards = s->reverse[i] != (plan->form.kind == CONVOLUTION_DATA);
            offset += (backwards ? s->kernel[i] - 1 - at : at) * s->rhs_stride[i];
            rest /= s->kernel[i];
        }
        matrix_copy(bytes, from + offset * bytes, s->rhs_in_stride, s->rhs_out_stride, ins,
                    s->out_features, to, s->out_features);
        to += ins * s->out_features * bytes;
    }
}

/* Whether a kind of parts reads an operand in the library's layout that no kind before it reads. */
static bool reads_apart(const struct convolution_plan *plan, int kind)
{
    if (!has_kind(plan, kind) || !plan->kernels[kind].shared_bytes)
        return false;
    for (int before = 0; before < kind; before++)
        if (has_kind(plan, before) && plan->shared_at[before] == plan->shared_at[kind] &&
            plan->kernels[before].shared_bytes)
            return false;
    return true;
}

static struct error *prepare(const struct plan *base, void *const *buffers, int64_t begin,
                             int64_t end)
{
    const struct convolution_plan *plan = (const struct convolution_plan *)base;
    char *from = buffers[plan->form.shared], *to = buffers[PLAN_SHARED];
    if (plan->form.reverse) { /* prepare_work is 1 */
        reverse_window(plan, from, to);
        from = to;
    }
    for (int kind = 0; kind < PART_KINDS; kind++) {
        if (!reads_apart(plan, kind))
            continue;
        int64_t work = onednn_primitive_prepare_work(&plan->kernels[kind]);
        bool whole = plan->base.prepare_work == 1;
        TRY(onednn_primitive_prepare(&plan->kernels[kind], from, to + plan->shared_at[kind],
                                     whole ? 0 : begin, whole ? work : end));
    }
    return NULL;
}

static struct error *run_part(const struct convolution_plan *plan, void *const *buffers,
                              char *scratch, int64_t part)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t first = part / plan->row_parts * plan->part, row = part % plan->row_parts * plan->rows;
    int64_t from = first_row(s, row);
    enum part_kind kind = kind_of(plan, part);
    const struct onednn_primitive *kernel = &plan->kernels[kind];
    char *lhs = buffers[0], *rhs = buffers[1], *out = buffers[2];
    if (kernel->shared_bytes || plan->form.reverse)
        *(plan->form.shared == PLAN_LHS ? &lhs : &rhs) =
            (char *)buffers[PLAN_SHARED] + plan->shared_at[kind];
    if (plan->form.kind == CONVOLUTION_WEIGHTS) {
        rhs += first * s->rhs_out_stride * dtype_bytes(s->rhs);
        out += first * s->out_feature_stride * dtype_bytes(s->out);
        return onednn_primitive_run(kernel, (void *[]){lhs, rhs, out}, scratch);
    }
    lhs += (first * s->lhs_batch_stride + (from > 0 ? from : 0) * s->lhs_stride[0]) *
           dtype_bytes(s->lhs);
    out += (first * s->out_batch_stride + row * s->out_stride[0]) * dtype_bytes(s->out);
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
    for (int kind = 0; kind < PART_KINDS; kind++)
        onednn_primitive_free(&plan->kernels[kind]);
    alloc_free(plan);
}

/* ---- planning -------------------------------------------------------------------------------- */
static double cost_of(const struct convolution_spec *s)
{
    double cost = (double)s->batch * s->out_features * (s->in_features / s->feature_groups) *
                  convolution_form_window(s);
    for (int i = 0; i < s->spatial; i++)
        cost *= (double)s->out_size[i];
    return cost;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

/* How many parts of rows an image should have so that all threads have equally many. */
static int64_t wanted_row_parts(const struct convolution_plan *plan, int threads)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t images = s->batch, most = s->out_size[0] / LEAST_ROWS;
    if (!has_rows(&plan->form) || images >= MANY_IMAGES * (int64_t)threads)
        return 1;
    int64_t wanted = threads / greatest_divisor(images, threads);
    double affordable = cost_of(s) / PART_COST / (double)images;
    wanted = wanted < most ? wanted : most;
    return affordable < (double)wanted ? (int64_t)affordable : wanted;
}

/* Cuts images into rows if that occupies more threads. */
static void choose_rows(struct convolution_plan *plan, int threads)
{
    const struct convolution_spec *s = &plan->form.spec;
    plan->row_parts = 1;
    for (int64_t wanted = wanted_row_parts(plan, threads); wanted > 1; wanted--) {
        int64_t rows = (s->out_size[0] + wanted - 1) / wanted;
        int64_t parts = (s->out_size[0] + rows - 1) / rows;
        if (parts < 2 || !are_inner_parts_inside(s, rows, parts))
            continue;
        plan->rows = rows, plan->row_parts = parts;
        plan->part = 1, plan->parts = s->batch;
        return;
    }
}

static void choose_parts(struct convolution_plan *plan, int threads)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t axis = convolution_form_axis(&plan->form);
    double cost = cost_of(s);
    int64_t parts = 1;
    while (parts < threads && parts * 2 <= axis && cost / parts >= 2.0 * PART_COST)
        parts *= 2;
    int64_t grain = plan->form.kind == CONVOLUTION_WEIGHTS ? CONVOLUTION_GRAIN : 1;
    plan->part = ((axis + parts - 1) / parts + grain - 1) / grain * grain;
    plan->parts = (axis + plan->part - 1) / plan->part;
    choose_rows(plan, threads);
    plan->base.work = plan->parts * plan->row_parts;
}

/* Chooses the form and the parts; false if no form of oneDNN applies. */
static bool choose_form_and_parts(struct convolution_plan *plan,
                                  const struct convolution_spec *spec, int threads)
{
    if (!convolution_form_of(spec, &plan->form))
        return false;
    choose_parts(plan, threads);
    return true;
}

/* The form of a kind of parts, and its size along the split axis. */
static struct convolution_form form_of(const struct convolution_plan *plan, enum part_kind kind,
                                       int64_t *size)
{
    struct convolution_form form = plan->form;
    *size = plan->part;
    if (plan->row_parts == 1) {
        if (kind == PART_LAST)
            *size = convolution_form_axis(&plan->form) - (plan->parts - 1) * plan->part;
        return form;
    }
    int64_t part = kind == PART_LAST ? plan->row_parts - 1 : kind == PART_INNER,
            begin = part * plan->rows,
            end = kind == PART_LAST ? form.spec.out_size[0] : begin + plan->rows;
    form.spec = rows_of(&plan->form.spec, begin, end);
    return form;
}

/* The gradient of a kernel has a large window and too few rows. */
static bool is_direct(const struct convolution_spec *spec)
{
    return convolution_direct_applies(spec) && convolution_form_kind(spec) != CONVOLUTION_WEIGHTS;
}

bool kernels_convolution_supported(const struct convolution_spec *spec, int threads)
{
    struct convolution_plan plan = {.parts = 0};
    struct dot_spec product;
    if (is_direct(spec) || winograd_applies(spec) || winograd_weights_applies(spec))
        return true;
    if (convolution_product_of(spec, &product))
        return kernels_dot_supported(&product, threads);
    if (!choose_form_and_parts(&plan, spec, threads))
        return false;
    for (int kind = 0; kind < PART_KINDS; kind++) {
        int64_t size;
        struct convolution_form form = form_of(&plan, kind, &size);
        if (has_kind(&plan, kind) && !convolution_form_supported(&form, size))
            return false;
    }
    return true;
}

static uint64_t reversed_bytes(const struct convolution_plan *plan)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t ins = s->in_features / s->feature_groups;
    return plan->form.reverse ? (uint64_t)(convolution_form_window(s) * s->out_features * ins *
                                           dtype_bytes(s->rhs))
                              : 0;
}

/* The kind of parts before `kind` that reads the same as it; or `kind`. */
static int same_reader(const struct convolution_plan *plan, int kind)
{
    for (int before = 0; before < kind; before++)
        if (has_kind(plan, before) && plan->kernels[before].shared_bytes &&
            onednn_primitive_shares(&plan->kernels[before], &plan->kernels[kind]))
            return before;
    return kind;
}

/* Assigns offsets in the shared memory. A primitive that reads the client's layout reads the
 * reversed window or, without one, the operand itself. */
static void place_shared(struct convolution_plan *plan)
{
    uint64_t end = round_up(reversed_bytes(plan));
    int64_t work = onednn_primitive_prepare_work(&plan->kernels[PART_LAST]);
    bool differ = false;
    for (int kind = 0; kind < PART_KINDS; kind++) {
        const struct onednn_primitive *kernel = &plan->kernels[kind];
        int same = same_reader(plan, kind);
        if (!has_kind(plan, kind) || !kernel->shared_bytes)
            continue;
        plan->shared_at[kind] = same < kind ? plan->shared_at[same] : end;
        end += same < kind ? 0 : kernel->shared_bytes;
    }
    for (int kind = 0; kind < PART_KINDS; kind++)
        differ |=
            has_kind(plan, kind) && onednn_primitive_prepare_work(&plan->kernels[kind]) != work;
    plan->base.shared_bytes = end;
    plan->base.prepared = plan->form.shared;
    plan->base.prepare_work = plan->form.reverse || differ ? 1 : work;
}

static struct error *create_kernel(struct convolution_plan *plan, enum part_kind kind)
{
    int64_t size;
    struct convolution_form form = form_of(plan, kind, &size);
    struct onednn_primitive *kernel = &plan->kernels[kind];
    TRY(convolution_form_create(&form, size, kernel));
    if (kernel->scratch_bytes > plan->base.scratch_bytes)
        plan->base.scratch_bytes = kernel->scratch_bytes;
    return NULL;
}

static struct error *fill_plan(struct convolution_plan *plan, const struct convolution_spec *spec,
                               int threads)
{
    if (!choose_form_and_parts(plan, spec, threads))
        return ERROR(UNIMPLEMENTED,
                     "no library supports convolutions with batch groups, with both strides and a "
                     "dilated input, or with padding beyond the window");
    for (int kind = 0; kind < PART_KINDS; kind++)
        if (has_kind(plan, kind))
            TRY(create_kernel(plan, kind));
    place_shared(plan);
    return NULL;
}

struct error *kernels_convolution_plan(const struct convolution_spec *spec, int threads,
                                       struct plan **out)
{
    struct convolution_plan *plan;
    struct dot_spec product;
    if (is_direct(spec))
        return convolution_direct_plan(spec, threads, out);
    if (winograd_applies(spec))
        return winograd_plan(spec, threads, out);
    if (winograd_weights_applies(spec))
        return winograd_weights_plan(spec, threads, out);
    if (convolution_product_of(spec, &product))
        return kernels_dot_plan(&product, threads, out);
    *out = NULL;
    TRY(alloc_zeroed(sizeof *plan, &plan));
    plan->base = (struct plan){.prepare = prepare, .run = run, .destroy = destroy};
    struct error *error = fill_plan(plan, spec, threads);
    if (error)
        destroy(&plan->base);
    else
        *out = &plan->base;
    return error;
}
