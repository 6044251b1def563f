/* program_check_offset.c: see program_check_offset.h. */
#include "compiler/program/program_check_offset.h"

bool program_check_slice(const struct program *program, const struct slice *slice)
{
    if (slice->allocation < 0 || slice->allocation >= program->allocation_count)
        return false;
    const uint64_t size = program->allocations[slice->allocation].size;
    return slice->offset <= size && slice->size <= size - slice->offset;
}

static bool may_have_offsets(const struct step *step)
{
    return step->kind == STEP_DOT || step->kind == STEP_THIN_DOT ||
           step->kind == STEP_CONVOLUTION || step->kind == STEP_ATTENTION ||
           step->kind == STEP_ATTENTION_BACKWARD;
}

static bool index_fits(const struct program *program, const struct slice_offset *offset)
{
    return offset->dtype > DTYPE_INVALID && offset->dtype < DTYPE_COUNT &&
           dtype_is_integer(offset->dtype) && program_check_slice(program, &offset->index) &&
           offset->index.size >= (uint64_t)dtype_bytes(offset->dtype);
}

/* *bytes -= how far an offset moves its slice at most. False if that is negative, or too much. */
static bool subtract(const struct slice_offset *offset, uint64_t *bytes)
{
    int64_t most;
    if (offset->last < 0 || offset->stride < 0 ||
        __builtin_mul_overflow(offset->last, offset->stride, &most) || (uint64_t)most > *bytes)
        return false;
    *bytes -= (uint64_t)most;
    return true;
}

/* Whether the offsets of one slice, from the first on, keep it inside its allocation. Those of a
 * slice follow one another. */
static bool stays_inside(const struct program *program, const struct step *step, int first)
{
    const struct slice *slice = &step->slices[step->offsets[first].slice];
    uint64_t bytes = program->allocations[slice->allocation].size - slice->offset - slice->size;
    for (int i = first;
         i < step->offset_count && step->offsets[i].slice == step->offsets[first].slice; i++)
        if (!subtract(&step->offsets[i], &bytes))
            return false;
    return true;
}

bool program_check_offsets(const struct program *program, const struct step *step)
{
    if (step->offset_count < 0 || (step->offset_count && !may_have_offsets(step)))
        return false;
    for (int i = 0; i < step->offset_count; i++) {
        const struct slice_offset *offset = &step->offsets[i];
        const int before = i ? step->offsets[i - 1].slice : -1;
        if (offset->slice < 0 || offset->slice < before || offset->slice >= step->operand_count ||
            !index_fits(program, offset) ||
            (offset->slice != before && !stays_inside(program, step, i)))
            return false;
    }
    return true;
}
