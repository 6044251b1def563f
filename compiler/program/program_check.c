/* program_check.c: see program_check.h. */
#include "compiler/program/program_check.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "compiler/program/attention_backward_spec.h"
#include "compiler/program/attention_spec.h"
#include "compiler/program/program_check_call.h"
#include "compiler/program/program_check_collective.h"
#include "compiler/program/program_check_copy.h"
#include "compiler/program/program_check_offset.h"
#include "compiler/program/program_reach.h"
#include "compiler/program/thin_dot_spec.h"

/* Limit for the total memory of a program, so that sums of sizes do not overflow. */
#define BYTES_LIMIT (UINT64_C(1) << 62)

struct checker {
    const struct program *program;
    int plans;       /* number of steps with a plan so far */
    int depth;       /* nesting depth of step lists */
    int collectives; /* number of steps at which participants meet so far */
};

/* ---- parameters and results ------------------------------------------------------------------ */
static struct error *check_token(const struct program_value *value, const char *what, int index)
{
    if (!value->shape.rank && !value->bytes && !value->shape.minor_to_major)
        return NULL;
    return ERROR(INTERNAL, "%s %d: a token has neither dimensions nor bytes", what, index);
}

static struct error *check_value(const struct program_value *value, const char *what, int index)
{
    struct error *invalid = shape_check(&value->shape, what);
    if (invalid) {
        struct error *error =
            ERROR(INTERNAL, "%s %d: %s", what, index, error_message(invalid, NULL));
        error_free(invalid);
        return error;
    }
    if (value->shape.dtype == DTYPE_TOKEN)
        return check_token(value, what, index);
    int64_t bytes = shape_bytes(&value->shape);
    if ((int64_t)value->bytes != bytes)
        return ERROR(INTERNAL, "%s %d: %llu bytes are given, its dimensions need %lld", what, index,
                     (unsigned long long)value->bytes, (long long)bytes);
    return NULL;
}

/* Aliases must be mutual, and the parameter's memory must be large enough for the result. */
static bool alias_fits(const struct program *program, int parameter)
{
    const struct program_value *from = &program->parameters[parameter];
    if (from->alias == -1)
        return true;
    if (from->alias < 0 || from->alias >= program->result_count)
        return false;
    const struct program_value *to = &program->results[from->alias];
    return to->alias == parameter && to->bytes <= from->bytes &&
           to->shape.memory == from->shape.memory;
}

static bool alias_is_mutual(const struct program *program, int result)
{
    int alias = program->results[result].alias;
    return alias == -1 || (alias >= 0 && alias < program->parameter_count &&
                           program->parameters[alias].alias == result);
}

static struct error *check_boundary(const struct program *program)
{
    for (int i = 0; i < program->parameter_count; i++) {
        TRY(check_value(&program->parameters[i], "parameter", i));
        if (!alias_fits(program, i))
            return ERROR(INTERNAL, "parameter %d: result %d cannot take its memory", i,
                         program->parameters[i].alias);
    }
    for (int i = 0; i < program->result_count; i++) {
        TRY(check_value(&program->results[i], "result", i));
        if (!alias_is_mutual(program, i))
            return ERROR(INTERNAL, "result %d: parameter %d does not name it as alias", i,
                         program->results[i].alias);
    }
    return NULL;
}

/* ---- devices --------------------------------------------------------------------------------- */
static int by_id(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static struct error *check_distinct(const int64_t *devices, size_t count)
{
    int64_t *sorted;
    struct error *error = NULL;
    TRY(alloc_copy(devices, count * sizeof *sorted, &sorted));
    qsort(sorted, count, sizeof *sorted, by_id);
    for (size_t i = 1; i < count && !error; i++)
        if (sorted[i] == sorted[i - 1])
            error = ERROR(INTERNAL, "the device assignment has device %lld twice",
                          (long long)sorted[i]);
    alloc_free(sorted);
    return error;
}

static struct error *check_devices(const struct program *program)
{
    int64_t replicas = program->num_replicas, partitions = program->num_partitions;
    if (replicas < 1 || partitions < 1 || replicas > PROGRAM_MAX_DEVICES ||
        partitions > PROGRAM_MAX_DEVICES || replicas * partitions > PROGRAM_MAX_DEVICES)
        return ERROR(INTERNAL, "%lld replicas x %lld partitions: allowed are 1 to %d devices",
                     (long long)replicas, (long long)partitions, PROGRAM_MAX_DEVICES);
    if ((program->assignment_count != 0) != (program->device_assignment != NULL) ||
        (program->assignment_count && program->assignment_count != replicas * partitions))
        return ERROR(INTERNAL,
                     "the device assignment has %d devices for %lld replicas x %lld "
                     "partitions",
                     program->assignment_count, (long long)replicas, (long long)partitions);
    return program->assignment_count
               ? check_distinct(program->device_assignment, (size_t)program->assignment_count)
               : NULL;
}

/* ---- allocations and slices ------------------------------------------------------------------ */
static struct allocation of_value(enum allocation_kind kind, int index,
                                  const struct program_value *value)
{
    return (struct allocation){kind, index, value->bytes, value->shape.memory};
}

/* The expected allocation `i`, in the order of program.h. Temporaries may have any size. */
static struct allocation expected(const struct program *program, int i)
{
    int parameters = program->parameter_count, results = program->result_count;
    if (i < parameters)
        return of_value(ALLOCATION_PARAMETER, i, &program->parameters[i]);
    i -= parameters;
    if (i < results)
        return of_value(ALLOCATION_RESULT, i, &program->results[i]);
    i -= results;
    if (i == 0)
        return (struct allocation){ALLOCATION_CONSTANTS, 0, program->constants_size, MEMORY_DEVICE};
    enum memory_kind memory = (enum memory_kind)(i - 1);
    return (struct allocation){ALLOCATION_TEMP, 0, program_temp_size(program, memory), memory};
}

static struct error *check_allocations(const struct program *program)
{
    int64_t count =
        (int64_t)program->parameter_count + program->result_count + 1 + MEMORY_KIND_COUNT;
    uint64_t total = 0;
    if (program->allocation_count != count)
        return ERROR(INTERNAL, "the program has %d allocations; its boundary asks for %lld",
                     program->allocation_count, (long long)count);
    for (int i = 0; i < count; i++) {
        const struct allocation *is = &program->allocations[i], required = expected(program, i);
        if (is->kind != required.kind || is->index != required.index || is->size != required.size ||
            is->memory != required.memory)
            return ERROR(INTERNAL, "allocation %d differs from the program's boundary", i);
        if (__builtin_add_overflow(total, is->size, &total) || total > BYTES_LIMIT)
            return ERROR(INTERNAL, "the program's allocations are larger than 2^62 bytes");
    }
    if (program->constants_size && !program->constants)
        return ERROR(INTERNAL, "the program's constants are missing");
    return NULL;
}

static bool is_writable(const struct program *program, const struct slice *slice)
{
    enum allocation_kind kind = program->allocations[slice->allocation].kind;
    return !slice->size || kind == ALLOCATION_RESULT || kind == ALLOCATION_TEMP;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static bool kernel_fits(const struct program *program, const struct step *step)
{
    return step->kernel.index >= 0 && step->kernel.index < program->kernel_count &&
           step->kernel.work >= 1 && step->kernel.grain >= 1 &&
           (uint64_t)step->kernel.work <= BYTES_LIMIT &&
           (uint64_t)step->kernel.grain <= BYTES_LIMIT;
}

static bool attention_fits(const struct program *program, const struct step *step)
{
    const struct attention_spec *spec = &step->attention;
    return spec->kernel >= 0 && spec->kernel < program->kernel_count &&
           step->operand_count == step->slice_count - 1 &&
           step->operand_count - 3 == spec->kernel_operands && attention_spec_is_supported(spec) &&
           attention_spec_fits(spec, step->slices, step->slice_count);
}

static bool thin_dot_fits(const struct step *step)
{
    const struct thin_dot_spec *spec = &step->thin_dot;
    return thin_dot_spec_is_supported(spec) && step->slice_count == thin_dot_spec_slices(spec) &&
           step->operand_count == step->slice_count - 1 && thin_dot_spec_fits(spec, step->slices);
}

static bool is_kernel(const struct program *program, int64_t index)
{
    return index >= 0 && index < program->kernel_count;
}

static bool attention_backward_fits(const struct program *program, const struct step *step)
{
    const struct attention_backward_spec *spec = &step->attention_backward;
    return is_kernel(program, spec->weights_kernel) && is_kernel(program, spec->gradient_kernel) &&
           attention_backward_spec_is_supported(spec) &&
           step->slice_count == attention_backward_spec_slices(spec) &&
           step->operand_count == step->slice_count - 3 &&
           attention_backward_spec_fits(spec, step->slices);
}

/* Whether two slices are the same range or do not overlap. */
static bool copy_fits(const struct slice *from, const struct slice *to)
{
    if (from->size != to->size)
        return false;
    return from->allocation != to->allocation || from->offset == to->offset ||
           from->offset + from->size <= to->offset || to->offset + to->size <= from->offset;
}

static bool transfer_fits(const struct program *program, const struct step *step)
{
    struct program_channel channel = {step->channel, step->kind == STEP_RECEIVE};
    return step->operand_count == (channel.receives ? 0 : 1) && program->channel_count > 0 &&
           bsearch(&channel, program->channels, (size_t)program->channel_count, sizeof channel,
                   program_compare_channels);
}

static bool step_fits(const struct program *program, const struct step *step)
{
    int count = step->slice_count, operands = step->operand_count;
    const struct slice *slices = step->slices;
    switch (step->kind) {
    case STEP_KERNEL: return kernel_fits(program, step);
    case STEP_DOT: return count == 3 && operands == 2 && program_reach_dot(&step->dot, slices);
    case STEP_THIN_DOT: return thin_dot_fits(step);
    case STEP_CONVOLUTION:
        return count == 3 && operands == 2 && program_reach_convolution(&step->convolution, slices);
    case STEP_ATTENTION: return attention_fits(program, step);
    case STEP_ATTENTION_BACKWARD: return attention_backward_fits(program, step);
    case STEP_COPY: return count == 2 && operands == 1 && copy_fits(&slices[0], &slices[1]);
    case STEP_COPY_START: return program_check_copy_box(step);
    case STEP_COPY_DONE: return count == 0;
    case STEP_WHILE: return count == 1 && operands == 1 && slices[0].size >= 1;
    case STEP_CASE:
        return count == 1 && operands == 1 && step->branch.count > 0 &&
               slices[0].size >= (step->branch.is_predicate ? 1 : sizeof(int32_t));
    case STEP_CUSTOM_CALL: return program_check_call(program, step);
    case STEP_SEND:
    case STEP_RECEIVE: return count == 1 && transfer_fits(program, step);
    case STEP_COLLECTIVE: return program_check_collective(program, step);
    }
    return false;
}

/* Plans are numbered in the order of the steps, so no two steps share one. */
static bool plan_fits(struct checker *c, const struct step *step)
{
    bool planned = step->kind == STEP_DOT || step->kind == STEP_CONVOLUTION ||
                   step->kind == STEP_ATTENTION || step->kind == STEP_ATTENTION_BACKWARD ||
                   step->kind == STEP_THIN_DOT || step->kind == STEP_CUSTOM_CALL;
    return step->plan == (planned ? c->plans++ : -1);
}

/* Steps at which participants meet are numbered in the order of the steps. */
static bool number_fits(struct checker *c, const struct step *step)
{
    struct step_meeting meeting = step_meeting(step);
    return meeting.number == (meeting.groups < 0 ? -1 : c->collectives++);
}

static struct error *check_list(struct checker *c, const struct step_list *list);

static struct error *check_inside(struct checker *c, const struct step *step)
{
    if (step->kind == STEP_WHILE) {
        TRY(check_list(c, &step->loop.condition));
        return check_list(c, &step->loop.body);
    }
    for (int i = 0; step->kind == STEP_CASE && i < step->branch.count; i++)
        TRY(check_list(c, &step->branch.branches[i]));
    return NULL;
}

static struct error *check_slices(const struct program *program, const struct step *step)
{
    if (step->operand_count < 0 || step->operand_count > step->slice_count)
        return ERROR(INTERNAL, "%s: %d of %d slices are operands", step->label, step->operand_count,
                     step->slice_count);
    for (int i = 0; i < step->slice_count; i++) {
        if (!program_check_slice(program, &step->slices[i]))
            return ERROR(INTERNAL, "%s: slice %d is outside of its allocation", step->label, i);
        if (i >= step->operand_count && !is_writable(program, &step->slices[i]))
            return ERROR(INTERNAL,
                         "%s: slice %d is written and is part of a parameter or of the "
                         "constants",
                         step->label, i);
    }
    return NULL;
}

static bool is_cost(const struct cost_analysis *cost)
{
    double numbers[] = {cost->flops, cost->transcendentals, cost->bytes_accessed};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i]) || numbers[i] < 0)
            return false;
    return true;
}

static struct error *check_step(struct checker *c, const struct step *step)
{
    if (!step->label)
        return ERROR(INTERNAL, "a step has no label");
    if (!is_cost(&step->analysis))
        return ERROR(INTERNAL, "%s: the step's cost analysis is not a number", step->label);
    TRY(check_slices(c->program, step));
    if (step->cost < 0 || !plan_fits(c, step) || !number_fits(c, step) ||
        !step_fits(c->program, step) || !program_check_offsets(c->program, step))
        return ERROR(INTERNAL, "%s: the slices or numbers of this step do not match its kind",
                     step->label);
    return check_inside(c, step);
}

static struct error *check_list(struct checker *c, const struct step_list *list)
{
    if (c->depth == PROGRAM_MAX_NESTING)
        return ERROR(INTERNAL, "loops and branches are nested deeper than %d", PROGRAM_MAX_NESTING);
    c->depth++;
    for (int i = 0; i < list->count; i++)
        TRY(check_step(c, &list->steps[i]));
    c->depth--;
    return NULL;
}

/* ---- the memory plan ------------------------------------------------------------------------- */
static bool buffer_fits(const struct program *program, const struct program_buffer *buffer,
                        int64_t steps)
{
    return buffer->contents && buffer->slice.size > 0 &&
           program_check_slice(program, &buffer->slice) && is_writable(program, &buffer->slice) &&
           buffer->first >= 0 && buffer->first <= buffer->last && buffer->last < steps;
}

static struct error *check_buffers(const struct program *program)
{
    int64_t steps = program_step_count(program);
    for (int i = 0; i < program->buffer_count; i++) {
        const struct program_buffer *buffer = &program->buffers[i];
        if (!buffer_fits(program, buffer, steps) ||
            (i && buffer->first < program->buffers[i - 1].first))
            return ERROR(INTERNAL, "buffer %d of the memory plan is out of range", i);
    }
    return NULL;
}

/* ---- the rest -------------------------------------------------------------------------------- */
static struct error *check_names(const struct program *program)
{
    if (!program->name)
        return ERROR(INTERNAL, "the program has no name");
    if (program->kernel_count && !program->object)
        return ERROR(INTERNAL, "the program has %d kernels and no code", program->kernel_count);
    for (int i = 0; i < program->kernel_count; i++)
        if (!program->kernel_names[i])
            return ERROR(INTERNAL, "kernel %d has no name", i);
    for (int i = 1; i < program->channel_count; i++)
        if (program_compare_channels(&program->channels[i - 1], &program->channels[i]) >= 0)
            return ERROR(INTERNAL, "the program's channels are not sorted");
    return NULL;
}

static bool is_size(const struct program *program, const struct program_size *size)
{
    int count = size->of_result ? program->result_count : program->parameter_count;
    int visible = program_visible(program, size->of_result);
    const struct program_value *values = size->of_result ? program->results : program->parameters;
    if (size->index < visible || size->index >= count || size->value < 0 || size->value >= visible)
        return false;
    const struct shape *hidden = &values[size->index].shape, *shape = &values[size->value].shape;
    return hidden->rank == 0 && hidden->dtype == DTYPE_S32 && size->dimension >= 0 &&
           size->dimension < shape->rank && shape->dims[size->dimension] <= INT32_MAX;
}

/* Each hidden value is the size of one dimension, and no dimension has two. */
static struct error *check_sizes(const struct program *program)
{
    for (int i = 0; i < program->size_count; i++) {
        const struct program_size *size = &program->sizes[i];
        const struct program_size *last = i ? &program->sizes[i - 1] : NULL;
        bool follows = !last || last->of_result < size->of_result ||
                       (last->of_result == size->of_result && last->index + 1 == size->index &&
                        (last->value < size->value ||
                         (last->value == size->value && last->dimension < size->dimension)));
        if (!follows || !is_size(program, size))
            return ERROR(INTERNAL, "dynamic size %d of the program is out of range", i);
    }
    return NULL;
}

static struct error *check_costs(const struct program *program)
{
    if (!is_cost(&program->analysis) || !isfinite(program->seconds) || program->seconds < 0)
        return ERROR(INTERNAL, "the program's cost analysis is not a number");
    if (program->expected_cost < 0 || program->expected_cost > program->cost)
        return ERROR(INTERNAL, "the program's cost is negative, or less than it is expected to be");
    return NULL;
}

struct error *program_check(const struct program *program)
{
    struct checker c = {.program = program};
    TRY(check_names(program));
    TRY(check_costs(program));
    TRY(check_sizes(program));
    TRY(check_devices(program));
    TRY(check_boundary(program));
    TRY(check_allocations(program));
    TRY(program_check_groups(program));
    TRY(check_list(&c, &program->steps));
    TRY(check_buffers(program)); /* after the steps, because it uses their count */
    TRY(program_check_copy_pairs(program));
    if (c.plans != program->plan_count)
        return ERROR(INTERNAL, "the program has %d plans for %d steps", program->plan_count,
                     c.plans);
    if (c.collectives != program->collective_count)
        return ERROR(INTERNAL, "the program has %d collectives for %d collective steps",
                     program->collective_count, c.collectives);
    return NULL;
}
