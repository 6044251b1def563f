/* program_check_call.c: see program_check_call.h. */
#include "compiler/program/program_check_call.h"

#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */
static int64_t bytes_of(const struct call_value *value)
{
    struct error *error = shape_check(&value->shape, "a custom call's value");
    int64_t bytes = error ? -1 : shape_padded_bytes(&value->shape);
    error_free(error);
    return bytes;
}

/* The step's slices correspond to the values in order, operands first; tokens have no slice. */
static bool values_fit(const struct step *step)
{
    const struct call_spec *call = &step->call;
    int slice = 0;
    if (call->operand_count < 0 || call->operand_count > call->value_count)
        return false;
    for (int i = 0; i < call->value_count; i++) {
        const struct call_value *value = &call->values[i];
        if (i == call->operand_count && slice != step->operand_count)
            return false;
        if (value->shape.dtype == DTYPE_TOKEN) {
            if (value->slice != -1 || value->shape.rank)
                return false;
            continue;
        }
        int64_t bytes = bytes_of(value);
        if (value->slice != slice || slice >= step->slice_count || bytes < 0 ||
            (uint64_t)bytes > step->slices[slice].size)
            return false;
        slice++;
    }
    return slice == step->slice_count &&
           (call->operand_count < call->value_count || slice == step->operand_count);
}

/* ---- attributes ------------------------------------------------------------------------------ */
static bool attributes_fit(const struct call_attribute *list, int count);

static bool elements_fit(const struct call_attribute *at)
{
    size_t bytes = (size_t)dtype_bytes(at->dtype), size;
    return at->dtype > DTYPE_INVALID && at->dtype < DTYPE_COUNT && bytes > 0 &&
           !__builtin_mul_overflow(at->elements, bytes, &size) && size == at->size &&
           (at->kind == CALL_ARRAY || at->elements == 1);
}

static bool attribute_fits(const struct call_attribute *at)
{
    if (!at->name || at->name[at->name_size])
        return false;
    switch (at->kind) {
    case CALL_DICTIONARY: return !at->data && attributes_fit(at->entries, at->count);
    case CALL_STRING: return at->data && !at->count;
    case CALL_SCALAR:
    case CALL_ARRAY: return at->data && !at->count && elements_fit(at);
    }
    return false;
}

static bool is_sorted(const struct call_attribute *x, const struct call_attribute *y)
{
    size_t shorter = x->name_size < y->name_size ? x->name_size : y->name_size;
    int order = memcmp(x->name, y->name, shorter);
    return order < 0 || (order == 0 && x->name_size <= y->name_size);
}

static bool attributes_fit(const struct call_attribute *list, int count)
{
    if (count < 0 || (count && !list))
        return false;
    for (int i = 0; i < count; i++)
        if (!attribute_fits(&list[i]) || (i && !is_sorted(&list[i - 1], &list[i])))
            return false;
    return true;
}

/* The participants in their order, or none. */
static bool groups_fit(const struct program *program, const struct call_spec *call)
{
    if (!call->meets)
        return !call->groups && !call->number;
    if (call->groups < 0 || call->groups >= program->group_count)
        return false;
    const struct program_groups *groups = &program->groups[call->groups];
    for (int i = 0; i < groups->member_count; i++)
        if (groups->members[i] != i)
            return false;
    return groups->group_count == 1 &&
           groups->member_count == program->num_replicas * program->num_partitions;
}

bool program_check_call(const struct program *program, const struct step *step)
{
    const struct call_spec *call = &step->call;
    return call->target && call->config && groups_fit(program, call) && values_fit(step) &&
           attributes_fit(call->attributes, call->attribute_count);
}
