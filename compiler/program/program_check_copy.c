/* program_check_copy.c: see program_check_copy.h. */
#include "compiler/program/program_check_copy.h"

#include "base/alloc.h"

/* ---- one copy -------------------------------------------------------------------------------- */
/* *total *= factor; false on overflow. */
static bool times(int64_t *total, int64_t factor)
{
    return factor >= 0 && !__builtin_mul_overflow(*total, factor, total);
}

static bool box_is_inside(const struct copy_spec *copy)
{
    for (int i = 0; i < copy->rank; i++)
        if (copy->sizes[i] < 0 || copy->sizes[i] > copy->dims[i] || copy->starts[i] < 0 ||
            copy->starts[i] > copy->dims[i] - copy->sizes[i])
            return false;
    return true;
}

/* Sizes of both sides, in bytes. */
static bool sides_fit(const struct copy_spec *copy, const struct slice *from,
                      const struct slice *to)
{
    int64_t box = copy->element, array = copy->element;
    for (int i = 0; i < copy->rank; i++)
        if (!times(&box, copy->sizes[i]) || !times(&array, copy->dims[i]))
            return false;
    return from->size == (uint64_t)(copy->updates ? box : array) &&
           to->size == (uint64_t)(copy->updates ? array : box);
}

static bool indices_fit(const struct step *step)
{
    const struct copy_spec *copy = &step->copy;
    int count = copy->is_indexed ? copy->rank : 0;
    if (step->slice_count != count + 2 || step->operand_count != count + 1)
        return false;
    if (!count)
        return true;
    if ((unsigned)copy->index >= DTYPE_COUNT || !dtype_is_integer(copy->index))
        return false;
    for (int i = 0; i < count; i++)
        if (step->slices[1 + i].size < (uint64_t)dtype_bytes(copy->index))
            return false;
    return true;
}

bool program_check_copy_box(const struct step *step)
{
    const struct copy_spec *copy = &step->copy;
    return copy->rank >= 0 && copy->rank <= COPY_MAX_RANK && copy->element >= 0 &&
           (copy->rank || !copy->updates) && indices_fit(step) && box_is_inside(copy) &&
           sides_fit(copy, &step->slices[0], &step->slices[step->slice_count - 1]);
}

/* ---- starts and ends ------------------------------------------------------------------------- */
struct pairs {
    int count, started, lists;
    int *under_way; /* copy number -> the list in which it was started, or 0 */
};

static int count_starts(const struct step_list *list)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const struct step *step = &list->steps[i];
        count += step->kind == STEP_COPY_START;
        if (step->kind == STEP_WHILE)
            count += count_starts(&step->loop.condition) + count_starts(&step->loop.body);
        for (int b = 0; step->kind == STEP_CASE && b < step->branch.count; b++)
            count += count_starts(&step->branch.branches[b]);
    }
    return count;
}

static struct error *pair_list(struct pairs *p, const struct step_list *list);

static struct error *pair_inside(struct pairs *p, const struct step *step)
{
    if (step->kind == STEP_WHILE) {
        TRY(pair_list(p, &step->loop.condition));
        return pair_list(p, &step->loop.body);
    }
    for (int i = 0; step->kind == STEP_CASE && i < step->branch.count; i++)
        TRY(pair_list(p, &step->branch.branches[i]));
    return NULL;
}

/* Increments *open if the step starts a copy, and decrements it if the step ends one. */
static struct error *pair_step(struct pairs *p, const struct step *step, int list, int *open)
{
    int number = step->copy.number;
    if (step->kind == STEP_COPY_START) {
        if (number != p->started++)
            return ERROR(INTERNAL, "%s: copy %d is not numbered in order", step->label, number);
        p->under_way[number] = list;
        ++*open;
    } else if (step->kind == STEP_COPY_DONE) {
        if (number < 0 || number >= p->count || p->under_way[number] != list)
            return ERROR(INTERNAL, "%s: copy %d was not started before this step, or is complete",
                         step->label, number);
        p->under_way[number] = 0;
        --*open;
    }
    return pair_inside(p, step);
}

static struct error *pair_list(struct pairs *p, const struct step_list *list)
{
    int number = ++p->lists, open = 0;
    for (int i = 0; i < list->count; i++)
        TRY(pair_step(p, &list->steps[i], number, &open));
    return open ? ERROR(INTERNAL, "a list of steps ends with %d copies started and not awaited",
                        open)
                : NULL;
}

struct error *program_check_copy_pairs(const struct program *program)
{
    struct pairs p = {.count = count_starts(&program->steps)};
    if (p.count != program->copy_count)
        return ERROR(INTERNAL, "the program has %d copies for %d steps that start one",
                     program->copy_count, p.count);
    TRY(alloc_zeroed(((size_t)p.count + 1) * sizeof *p.under_way, &p.under_way));
    struct error *error = pair_list(&p, &program->steps);
    alloc_free(p.under_way);
    return error;
}
