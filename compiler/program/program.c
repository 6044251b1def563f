/* program.c: see program.h. */
#include "compiler/program/program.h"

#include "base/alloc.h"

/* One walk both counts the steps and, if `out` is not NULL, lists them. */
static int64_t walk_steps(const struct step_list *list, const struct step **out, int64_t count)
{
    for (int i = 0; i < list->count; i++) {
        const struct step *step = &list->steps[i];
        if (out)
            out[count] = step;
        count++;
        if (step->kind == STEP_WHILE) {
            count = walk_steps(&step->loop.condition, out, count);
            count = walk_steps(&step->loop.body, out, count);
        }
        for (int b = 0; step->kind == STEP_CASE && b < step->branch.count; b++)
            count = walk_steps(&step->branch.branches[b], out, count);
    }
    return count;
}

int64_t program_step_count(const struct program *program)
{
    return walk_steps(&program->steps, NULL, 0);
}

void program_list_steps(const struct program *program, const struct step **out)
{
    walk_steps(&program->steps, out, 0);
}

uint64_t program_constant_bytes(const struct program *program)
{
    uint64_t mask = PROGRAM_ALIGNMENT - 1;
    return (program->constants_size + mask) & ~mask;
}

void program_retain(struct program *program)
{
    refs_retain(&program->refs);
}

static void free_list(struct step_list *list);

static void free_attributes(struct call_attribute *attributes, int count)
{
    for (int i = 0; i < count && attributes; i++) {
        alloc_free(attributes[i].name);
        alloc_free(attributes[i].data);
        free_attributes(attributes[i].entries, attributes[i].count);
    }
    alloc_free(attributes);
}

static void free_call(struct call_spec *call)
{
    for (int i = 0; i < call->value_count && call->values; i++)
        alloc_free(call->values[i].shape_memory);
    alloc_free(call->values);
    free_attributes(call->attributes, call->attribute_count);
    alloc_free(call->target);
    alloc_free(call->config);
}

struct slice step_reach(const struct step *step, int i)
{
    struct slice reach = step->slices[i];
    for (int k = 0; k < step->offset_count; k++)
        if (step->offsets[k].slice == i)
            reach.size += (uint64_t)(step->offsets[k].last * step->offsets[k].stride);
    return reach;
}

int program_visible(const struct program *program, bool results)
{
    int count = results ? program->result_count : program->parameter_count;
    for (int i = 0; i < program->size_count; i++)
        count -= program->sizes[i].of_result == results;
    return count;
}

int program_compare_channels(const void *left, const void *right)
{
    const struct program_channel *x = left, *y = right;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->receives - y->receives;
}

bool program_can_reduce(enum collective_reducer reducer, enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    bool bitwise = reducer == REDUCER_AND || reducer == REDUCER_OR || reducer == REDUCER_XOR;
    bool orders = reducer == REDUCER_MINIMUM || reducer == REDUCER_MAXIMUM;
    if (info->class == CLASS_PREDICATE)
        return true;
    if (info->class == CLASS_SIGNED || info->class == CLASS_UNSIGNED)
        return info->bits == 8 * info->bytes;
    if (info->class == CLASS_COMPLEX)
        return !bitwise && !orders;
    return !bitwise &&
           (dtype == DTYPE_F16 || dtype == DTYPE_BF16 || dtype == DTYPE_F32 || dtype == DTYPE_F64);
}

static void free_collective(struct collective_spec *spec)
{
    for (int i = 0; spec->arrays && i < spec->array_count; i++)
        alloc_free(spec->arrays[i].dims);
    alloc_free(spec->arrays);
}

static void free_step(struct step *step)
{
    alloc_free(step->label);
    alloc_free(step->slices);
    alloc_free(step->offsets);
    if (step->kind == STEP_WHILE) {
        free_list(&step->loop.condition);
        free_list(&step->loop.body);
    } else if (step->kind == STEP_CASE) {
        for (int i = 0; i < step->branch.count; i++)
            free_list(&step->branch.branches[i]);
        alloc_free(step->branch.branches);
    } else if (step->kind == STEP_CUSTOM_CALL) {
        free_call(&step->call);
    } else if (step->kind == STEP_COLLECTIVE) {
        free_collective(&step->collective);
    }
}

static void free_list(struct step_list *list)
{
    for (int i = 0; i < list->count; i++)
        free_step(&list->steps[i]);
    alloc_free(list->steps);
}

static void free_values(struct program_value *values, int count)
{
    for (int i = 0; i < count; i++) {
        alloc_free(values[i].shape_memory);
        alloc_free(values[i].sharding);
    }
    alloc_free(values);
}

static void free_groups(struct program *program)
{
    for (int i = 0; i < program->group_count; i++) {
        alloc_free(program->groups[i].offsets);
        alloc_free(program->groups[i].members);
        alloc_free(program->groups[i].sources);
    }
    alloc_free(program->groups);
}

static void free_buffers(struct program *program)
{
    for (int i = 0; i < program->buffer_count; i++)
        alloc_free(program->buffers[i].contents);
    alloc_free(program->buffers);
}

static void free_code(struct program *program)
{
    if (program->code)
        program->unload(program->code);
    for (int i = 0; i < program->kernel_count; i++)
        alloc_free(program->kernel_names[i]);
    alloc_free(program->kernel_names);
    alloc_free(program->kernels);
    alloc_free(program->object);
}

void program_release(struct program *program)
{
    if (!program || !refs_release(&program->refs))
        return;
    for (int i = 0; i < program->plan_count; i++) {
        struct program_plan *plan = atomic_load_explicit(&program->plans[i], memory_order_acquire);
        if (plan)
            plan->destroy(plan);
    }
    alloc_free(program->plans);
    alloc_free(program->model);
    free_list(&program->steps);
    free_values(program->parameters, program->parameter_count);
    free_values(program->results, program->result_count);
    free_buffers(program);
    free_groups(program);
    free_code(program);
    alloc_free(program->name);
    alloc_free(program->device_assignment);
    alloc_free(program->allocations);
    alloc_free(program->constants);
    alloc_free(program->channels);
    alloc_free(program->sizes);
    alloc_free(program);
}
