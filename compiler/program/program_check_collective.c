/* program_check_collective.c: see program_check_collective.h. */
#include "compiler/program/program_check_collective.h"

#include "base/alloc.h"

/* ---- groups ---------------------------------------------------------------------------------- */
static struct error *wrong_groups(int index, const char *what)
{
    return ERROR(INTERNAL, "groups %d: %s", index, what);
}

static bool offsets_fit(const struct program_groups *groups)
{
    if (groups->group_count < 0 || groups->member_count < 0 || !groups->offsets ||
        groups->offsets[0] != 0 || groups->offsets[groups->group_count] != groups->member_count)
        return false;
    for (int g = 0; g < groups->group_count; g++)
        if (groups->offsets[g] >= groups->offsets[g + 1])
            return false;
    return !groups->member_count || (groups->members && groups->sources);
}

static bool sources_fit(const struct program_groups *groups)
{
    for (int g = 0; g < groups->group_count; g++) {
        int size = groups->offsets[g + 1] - groups->offsets[g];
        for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            if (groups->sources[i] < -1 || groups->sources[i] >= size)
                return false;
    }
    return true;
}

/* `seen`: a flag for each participant, all false. */
static bool members_are_unique(const struct program_groups *groups, int participants, bool *seen)
{
    for (int i = 0; i < groups->member_count; i++) {
        int member = groups->members[i];
        if (member < 0 || member >= participants || seen[member])
            return false;
        seen[member] = true;
    }
    return true;
}

static struct error *check_members(const struct program *program, int index)
{
    int participants = program->num_replicas * program->num_partitions;
    bool *seen;
    TRY(alloc_zeroed((size_t)participants, &seen));
    bool fits = members_are_unique(&program->groups[index], participants, seen);
    alloc_free(seen);
    return fits ? NULL : wrong_groups(index, "a member is not a participant, or occurs twice");
}

struct error *program_check_groups(const struct program *program)
{
    for (int i = 0; i < program->group_count; i++) {
        const struct program_groups *groups = &program->groups[i];
        if (!offsets_fit(groups))
            return wrong_groups(i, "the offsets are out of order");
        if (!sources_fit(groups))
            return wrong_groups(i, "a source is not a member of its group");
        TRY(check_members(program, i));
    }
    return NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */
/* Bytes of [outer][middle][inner] elements times `parts`, or -1 beyond 2^62. */
static int64_t bytes_of(const struct collective_array *array, int64_t parts)
{
    int64_t bytes = dtype_bytes(array->dtype),
            factors[] = {array->outer, array->middle, array->inner, parts};
    for (int i = 0; i < 4; i++)
        if (factors[i] < 0 || __builtin_mul_overflow(bytes, factors[i], &bytes) ||
            bytes > INT64_C(1) << 62)
            return -1;
    return bytes;
}

/* Bytes of the operand by its dimensions, or -1 beyond 2^62. */
static int64_t dims_bytes(const struct collective_array *array)
{
    int64_t bytes = dtype_bytes(array->dtype);
    for (int i = 0; i < array->rank; i++)
        if (array->dims[i] == 0)
            return 0;
    for (int i = 0; i < array->rank; i++)
        if (array->dims[i] < 0 || __builtin_mul_overflow(bytes, array->dims[i], &bytes) ||
            bytes > INT64_C(1) << 62)
            return -1;
    return bytes;
}

static bool splits(const struct collective_spec *spec)
{
    return spec->kind == COLLECTIVE_REDUCE_SCATTER || spec->kind == COLLECTIVE_ALL_TO_ALL;
}

/* Whether the dimensions have the operand's bytes, and the collective's is one of them. */
static bool dims_fit(const struct collective_spec *spec, const struct collective_array *array)
{
    if (array->rank < 0 || array->rank > SHAPE_MAX_RANK || (array->rank && !array->dims) ||
        spec->dimension < 0 || (spec->dimension && spec->dimension >= array->rank) ||
        dims_bytes(array) != bytes_of(array, splits(spec) ? spec->parts : 1))
        return false;
    return !splits(spec) || (array->rank && array->dims[spec->dimension] % spec->parts == 0);
}

static bool has_bytes(const struct slice *slice, int64_t bytes)
{
    return bytes >= 0 && slice->size >= (uint64_t)bytes;
}

static bool reduces(const struct collective_spec *spec)
{
    return spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_REDUCE_SCATTER;
}

static bool message_fits(const struct collective_spec *spec, int index, const struct slice *slices)
{
    const struct collective_array *array = &spec->arrays[index];
    int64_t bytes = bytes_of(array, 1);
    return dtype_bytes(array->dtype) >= 1 && has_bytes(&slices[index], bytes) &&
           dims_fit(spec, array);
}

static bool array_fits(const struct collective_spec *spec, int index, const struct slice *slices)
{
    const struct collective_array *array = &spec->arrays[index];
    const struct slice *from = &slices[index], *to = &slices[spec->array_count + index];
    bool joins = spec->kind == COLLECTIVE_ALL_GATHER || spec->kind == COLLECTIVE_ALL_TO_ALL;
    if (dtype_bytes(array->dtype) < 1 ||
        !has_bytes(from, bytes_of(array, splits(spec) ? spec->parts : 1)) || !dims_fit(spec, array))
        return false;
    if (reduces(spec) && !program_can_reduce(spec->reducer, array->dtype))
        return false;
    return has_bytes(to, bytes_of(array, joins ? spec->parts : 1));
}

/* Whether all groups have `parts` members. */
static bool groups_are_equal(const struct program_groups *groups, int parts)
{
    for (int g = 0; g < groups->group_count; g++)
        if (groups->offsets[g + 1] - groups->offsets[g] != parts)
            return false;
    return parts > 0;
}

static bool groups_fit(const struct program *program, const struct collective_spec *spec)
{
    if (spec->groups < 0 || spec->groups >= program->group_count)
        return false;
    const struct program_groups *groups = &program->groups[spec->groups];
    if (spec->kind == COLLECTIVE_PERMUTE || spec->kind == COLLECTIVE_BROADCAST ||
        collective_is_message(spec->kind))
        return true;
    if (groups->member_count != program->num_replicas * program->num_partitions)
        return false;
    return spec->kind == COLLECTIVE_ALL_REDUCE || groups_are_equal(groups, spec->parts);
}

static bool counts_fit(const struct step *step)
{
    int count = step->collective.array_count;
    if (step->collective.kind == COLLECTIVE_SEND)
        return count >= 0 && step->slice_count == count && step->operand_count == count;
    if (step->collective.kind == COLLECTIVE_RECEIVE)
        return count >= 0 && step->slice_count == count && step->operand_count == 0;
    return count >= 0 && step->operand_count == count && step->slice_count == 2 * (int64_t)count;
}

bool program_check_collective(const struct program *program, const struct step *step)
{
    const struct collective_spec *spec = &step->collective;
    if (spec->kind == COLLECTIVE_PARTITION_ID || spec->kind == COLLECTIVE_REPLICA_ID)
        return spec->groups == -1 && spec->array_count == 0 && step->operand_count == 0 &&
               step->slice_count == 1 && step->slices[0].size >= sizeof(uint32_t);
    if (spec->kind < COLLECTIVE_ALL_REDUCE || spec->kind > COLLECTIVE_RECEIVE ||
        (unsigned)spec->reducer > REDUCER_XOR || !groups_fit(program, spec) || !counts_fit(step))
        return false;
    for (int i = 0; i < spec->array_count; i++)
        if (!(collective_is_message(spec->kind) ? message_fits(spec, i, step->slices)
                                                : array_fits(spec, i, step->slices)))
            return false;
    return true;
}
