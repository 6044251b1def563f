/* Convolution plans: of convolution_direct.h where that applies, else with oneDNN
 * (convolution_form.h). Parts are ranges of the batch (forward, data) or of the kernel's output
 * features (weights), so all parts read one whole operand: the kernel (forward, data), whose window
 * is reversed where needed, or the input (weights). It is reordered to the layout chosen by oneDNN
 * once per run. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/convolution_direct.h"
#include "devices/host/kernels/convolution_form.h"
#include "devices/host/kernels/kernels.h"

#define PART_COST (1 << 19) /* parts with fewer multiply-adds are not split further */

struct convolution_plan {
    struct plan base;
    struct convolution_form form;
    int64_t part, parts;                /* size of a part along the split axis; number of parts */
    struct onednn_primitive kernels[2]; /* full and last part */
    /* The memory that the parts share has the reversed window, then the operand form.shared as the
     * full and as the last part read it. */
    uint64_t shared_at[2];
    bool reads_same; /* both parts read the same */
};

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 63) & ~(uint64_t)63;
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
    char *from = buffers[plan->form.shared], *to = buffers[PLAN_SHARED];
    if (plan->form.reverse) { /* prepare_work is 1 */
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
    const struct convolution_spec *s = &plan->form.spec;
    int64_t first = part * plan->part;
    int which = part == plan->parts - 1;
    const struct onednn_primitive *kernel = &plan->kernels[which];
    char *lhs = buffers[0], *rhs = buffers[1], *out = buffers[2];
    if (kernel->shared_bytes || plan->form.reverse)
        *(plan->form.shared == PLAN_LHS ? &lhs : &rhs) =
            (char *)buffers[PLAN_SHARED] + plan->shared_at[which];
    if (plan->form.kind == CONVOLUTION_WEIGHTS) {
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
static void choose_parts(struct convolution_plan *plan, int threads)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t axis = convolution_form_axis(&plan->form);
    double cost = (double)s->batch * s->out_features * (s->in_features / s->feature_groups) *
                  convolution_form_window(s);
    int64_t parts = 1;
    for (int i = 0; i < s->spatial; i++)
        cost *= (double)s->out_size[i];
    while (parts < threads && parts * 2 <= axis && cost / parts >= 2.0 * PART_COST)
        parts *= 2;
    int64_t grain = plan->form.kind == CONVOLUTION_WEIGHTS ? CONVOLUTION_GRAIN : 1;
    plan->part = ((axis + parts - 1) / parts + grain - 1) / grain * grain;
    plan->parts = (axis + plan->part - 1) / plan->part;
    plan->base.work = plan->parts;
}

/* Chooses the form and the parts; false if no form of oneDNN applies. Also returns the size of the
 * last part. */
static bool choose_form_and_parts(struct convolution_plan *plan,
                                  const struct convolution_spec *spec, int threads, int64_t *last)
{
    if (!convolution_form_of(spec, &plan->form))
        return false;
    choose_parts(plan, threads);
    *last = convolution_form_axis(&plan->form) - (plan->parts - 1) * plan->part;
    return true;
}

/* The gradient of a kernel has a large window and too few rows. */
static bool is_direct(const struct convolution_spec *spec)
{
    return convolution_direct_applies(spec) && convolution_form_kind(spec) != CONVOLUTION_WEIGHTS;
}

bool kernels_convolution_supported(const struct convolution_spec *spec, int threads)
{
    struct convolution_plan plan = {.parts = 0};
    int64_t last;
    if (is_direct(spec))
        return true;
    return choose_form_and_parts(&plan, spec, threads, &last) &&
           (plan.parts == 1 || plan.part == last ||
            convolution_form_supported(&plan.form, plan.part)) &&
           convolution_form_supported(&plan.form, last);
}

static uint64_t reversed_bytes(const struct convolution_plan *plan)
{
    const struct convolution_spec *s = &plan->form.spec;
    int64_t ins = s->in_features / s->feature_groups;
    return plan->form.reverse ? (uint64_t)(convolution_form_window(s) * s->out_features * ins *
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
    plan->base.prepared = plan->form.shared;
    int64_t work = onednn_primitive_prepare_work(last);
    bool differ = plan->parts > 1 && onednn_primitive_prepare_work(full) != work;
    plan->base.prepare_work = plan->form.reverse || differ ? 1 : work;
}

static struct error *fill_plan(struct convolution_plan *plan, const struct convolution_spec *spec,
                               int threads)
{
    int64_t last;
    if (!choose_form_and_parts(plan, spec, threads, &last))
        return ERROR(UNIMPLEMENTED,
                     "convolution with batch groups, with strides and a dilated input at once, or "
                     "with padding beyond its window: no library has it");
    if (plan->parts > 1)
        TRY(convolution_form_create(&plan->form, plan->part, &plan->kernels[0]));
    TRY(convolution_form_create(&plan->form, last, &plan->kernels[1]));
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
    struct error *error = fill_plan(plan, spec, threads);
    if (error)
        destroy(&plan->base);
    else
        *out = &plan->base;
    return error;
}
