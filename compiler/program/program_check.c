/* program_check.c: see program_check.h. */
#include "compiler/program/program_check.h"

static struct error *check_list(const struct program *program, const struct step_list *list);

/* ---- allocations and slices ------------------------------------------------------------------ */
static bool allocation_fits(const struct program *program, const struct allocation *allocation)
{
    int index = allocation->index;
    switch (allocation->kind) {
    case ALLOCATION_PARAMETER:
        return index >= 0 && index < program->parameter_count &&
               allocation->size <= program->parameters[index].bytes;
    case ALLOCATION_RESULT:
        return index >= 0 && index < program->result_count &&
               allocation->size <= program->results[index].bytes;
    case ALLOCATION_CONSTANTS: return allocation->size <= program->constants_size;
    case ALLOCATION_TEMP: return allocation->size <= program->temp_size;
    }
    return false;
}

static bool slice_fits(const struct program *program, const struct slice *slice)
{
    if (slice->allocation < 0 || slice->allocation >= program->allocation_count)
        return false;
    uint64_t size = program->allocations[slice->allocation].size;
    return slice->offset <= size && slice->size <= size - slice->offset;
}

/* ---- what library steps touch ---------------------------------------------------------------- */
struct reach { /* of an array of which any dimension may have any stride */
    int64_t low, high;
    bool empty, overflow;
};

static void reach_dim(struct reach *reach, int64_t count, int64_t stride)
{
    int64_t far;
    reach->empty |= count <= 0;
    if (count <= 1)
        return;
    int64_t *end = stride < 0 ? &reach->low : &reach->high;
    reach->overflow |=
        __builtin_mul_overflow(count - 1, stride, &far) || __builtin_add_overflow(*end, far, end);
}

static bool reach_fits(const struct reach *reach, enum dtype dtype, const struct slice *slice)
{
    if (reach->empty)
        return true;
    return !reach->overflow && reach->low >= 0 &&
           (uint64_t)reach->high < slice->size / (uint64_t)dtype_bytes(dtype);
}

static bool dot_fits(const struct step *step)
{
    const struct dot_spec *s = &step->dot;
    const int64_t dims[3][4] = {{s->outer, s->batch, s->m, s->k},
                                {s->outer, s->batch, s->k, s->n},
                                {s->outer, s->batch, s->m, s->n}};
    const int64_t strides[3][4] = {
        {s->lhs_outer_stride, s->lhs_batch_stride, s->lhs_m_stride, s->lhs_k_stride},
        {s->rhs_outer_stride, s->rhs_batch_stride, s->rhs_k_stride, s->rhs_n_stride},
        {s->out_outer_stride, s->out_batch_stride, s->out_m_stride, s->out_n_stride}};
    const enum dtype dtypes[3] = {s->lhs, s->rhs, s->out};
    for (int i = 0; i < 3; i++) {
        struct reach reach = {0};
        for (int d = 0; d < 4; d++)
            reach_dim(&reach, dims[i][d], strides[i][d]);
        if (!reach_fits(&reach, dtypes[i], &step->slices[i]))
            return false;
    }
    return true;
}

struct image { /* one of a convolution's arrays */
    int64_t outer, outer_stride, features, feature_stride;
    const int64_t *sizes, *strides;
    enum dtype dtype;
};

static bool image_fits(const struct image *image, int spatial, const struct slice *slice)
{
    struct reach reach = {0};
    reach_dim(&reach, image->outer, image->outer_stride);
    reach_dim(&reach, image->features, image->feature_stride);
    for (int i = 0; i < spatial; i++)
        reach_dim(&reach, image->sizes[i], image->strides[i]);
    return reach_fits(&reach, image->dtype, slice);
}

static bool convolution_fits(const struct step *step)
{
    const struct convolution_spec *s = &step->convolution;
    if (s->spatial < 1 || s->spatial > CONVOLUTION_MAX_SPATIAL || s->feature_groups < 1 ||
        s->batch_groups < 1)
        return false;
    const struct image images[3] = {
        {s->batch, s->lhs_batch_stride, s->in_features, s->lhs_feature_stride, s->in, s->lhs_stride,
         s->lhs},
        {s->in_features / s->feature_groups, s->rhs_in_stride, s->out_features, s->rhs_out_stride,
         s->kernel, s->rhs_stride, s->rhs},
        {s->batch / s->batch_groups, s->out_batch_stride, s->out_features, s->out_feature_stride,
         s->out_size, s->out_stride, s->out}};
    for (int i = 0; i < 3; i++)
        if (!image_fits(&images[i], s->spatial, &step->slices[i]))
            return false;
    return true;
}

static bool call_fits(const struct step *step)
{
    const struct call_spec *call = &step->call;
    if (call->operand_count < 0 || call->operand_count > call->value_count)
        return false;
    for (int i = 0; i < call->value_count; i++)
        if (call->values[i].slice >= step->slice_count)
            return false;
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static bool step_fits(const struct program *program, const struct step *step)
{
    int count = step->slice_count;
    bool planned = step->plan >= 0 && step->plan < program->plan_count;
    switch (step->kind) {
    case STEP_KERNEL: return step->kernel.index >= 0 && step->kernel.index < program->kernel_count;
    case STEP_DOT: return planned && count == 3 && dot_fits(step);
    case STEP_CONVOLUTION: return planned && count == 3 && convolution_fits(step);
    case STEP_COPY: return count == 2 && step->slices[0].size <= step->slices[1].size;
    case STEP_WHILE: return count == 1 && step->slices[0].size >= 1;
    case STEP_CASE:
        return count == 1 && step->branch.count > 0 &&
               step->slices[0].size >= (step->branch.is_predicate ? 1 : sizeof(int32_t));
    case STEP_CUSTOM_CALL: return planned && call_fits(step);
    case STEP_SEND:
    case STEP_RECEIVE: return true;
    }
    return false;
}

static struct error *check_inside(const struct program *program, const struct step *step)
{
    if (step->kind == STEP_WHILE) {
        TRY(check_list(program, &step->loop.condition));
        return check_list(program, &step->loop.body);
    }
    for (int i = 0; step->kind == STEP_CASE && i < step->branch.count; i++)
        TRY(check_list(program, &step->branch.branches[i]));
    return NULL;
}

static struct error *check_step(const struct program *program, const struct step *step)
{
    for (int i = 0; i < step->slice_count; i++)
        if (!slice_fits(program, &step->slices[i]))
            return ERROR(INTERNAL, "%s: slice %d is outside of its allocation",
                         step->label ? step->label : "", i);
    if (!step_fits(program, step))
        return ERROR(INTERNAL, "%s: the slices or numbers of this step do not fit its kind",
                     step->label ? step->label : "");
    return check_inside(program, step);
}

static struct error *check_list(const struct program *program, const struct step_list *list)
{
    for (int i = 0; i < list->count; i++)
        TRY(check_step(program, &list->steps[i]));
    return NULL;
}

struct error *program_check(const struct program *program)
{
    for (int i = 0; i < program->allocation_count; i++)
        if (!allocation_fits(program, &program->allocations[i]))
            return ERROR(INTERNAL, "allocation %d is not what the program's boundary says", i);
    return check_list(program, &program->steps);
}
