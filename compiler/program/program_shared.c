#include "compiler/program/program_shared.h"

#include <string.h>

#include "base/alloc.h"

static bool meets_all(const struct program *program, const struct step *step)
{
    const struct collective_spec *spec = &step->collective;
    if (step->kind != STEP_COLLECTIVE ||
        (spec->kind != COLLECTIVE_ALL_REDUCE && spec->kind != COLLECTIVE_ALL_GATHER))
        return false;
    const struct program_groups *groups = &program->groups[spec->groups];
    return groups->group_count == 1 &&
           groups->member_count == program->num_replicas * program->num_partitions;
}

/* The result that the slice is all of, or -1. */
static int whole_result(const struct program *program, const struct slice *slice)
{
    const struct allocation *allocation = &program->allocations[slice->allocation];
    if (allocation->kind != ALLOCATION_RESULT || slice->offset != 0 ||
        slice->size != program->results[allocation->index].bytes)
        return -1;
    return allocation->index;
}

static void count_use(const struct program *program, const struct slice *slice, int *uses)
{
    const struct allocation *used = &program->allocations[slice->allocation];
    if (used->kind == ALLOCATION_RESULT)
        uses[used->index]++;
}

/* Counts the slices, and the indices that move some, in the memory of each result. */
static void count_uses(const struct program *program, const struct step *const *steps,
                       int64_t count, int *uses)
{
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < steps[i]->slice_count; k++)
            count_use(program, &steps[i]->slices[k], uses);
        for (int k = 0; k < steps[i]->offset_count; k++)
            count_use(program, &steps[i]->offsets[k].index, uses);
    }
}

/* Only steps outside of loops and branches are certain to be executed, and once. */
static void mark_shared(const struct program *program, const int *uses, bool *out)
{
    for (int i = 0; i < program->steps.count; i++) {
        const struct step *step = &program->steps.steps[i];
        for (int k = step->operand_count; meets_all(program, step) && k < step->slice_count; k++) {
            int result = whole_result(program, &step->slices[k]);
            if (result >= 0)
                out[result] = uses[result] == 1 && program->results[result].alias < 0;
        }
    }
}

struct error *program_shared_results(const struct program *program, bool *out)
{
    int64_t count = program_step_count(program);
    const struct step **steps;
    int *uses;
    memset(out, 0, (size_t)program->result_count * sizeof *out);
    TRY(alloc_array((size_t)count, sizeof *steps, &steps));
    program_list_steps(program, steps);
    struct error *error = alloc_zeroed((size_t)program->result_count * sizeof *uses, &uses);
    if (!error) {
        count_uses(program, steps, count, uses);
        mark_shared(program, uses, out);
        alloc_free(uses);
    }
    alloc_free(steps);
    return error;
}
