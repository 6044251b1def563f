#include "compiler/export/export_memory.h"

#include "compiler/export/export_assignment.h"
#include "compiler/export/export_steps.h"

struct writer {
    struct arena *arena;
    const struct program *program;
    const struct map *names;
    const struct step **steps; /* by number */
    struct export_assignment *to;
    int *allocations; /* by the program's: their number in the assignment; -1: none */
    bool *written;    /* by the program's: a step writes a value of the whole size */
    const struct step *step;
    struct map *results; /* of `step`: by their place, which one plus 1 */
};

struct place { /* without padding, as a key of a map */
    uint64_t allocation, offset;
};

/* ---- allocations ----------------------------------------------------------------------------- */
/* A result that reuses a parameter's memory has no other. */
static bool is_reused(const struct program *program, const struct allocation *allocation)
{
    return allocation->kind == ALLOCATION_RESULT && program->results[allocation->index].alias >= 0;
}

static bool is_result(const struct program *program, const struct allocation *allocation)
{
    return allocation->kind == ALLOCATION_RESULT ||
           (allocation->kind == ALLOCATION_PARAMETER &&
            program->parameters[allocation->index].alias >= 0);
}

static void add_allocations(struct writer *w)
{
    const struct program *program = w->program;
    for (int i = 0; i < program->allocation_count; i++) {
        const struct allocation *allocation = &program->allocations[i];
        w->allocations[i] = -1;
        if (allocation->size && !is_reused(program, allocation))
            w->allocations[i] =
                export_assignment_allocation(w->to, allocation, is_result(program, allocation));
    }
}

/* ---- values ---------------------------------------------------------------------------------- */
static struct place place_of(const struct slice *slice)
{
    return (struct place){(uint64_t)slice->allocation, slice->offset};
}

/* Buffers are sorted by the step that writes them, so each step's results are listed once. */
static void list_results(struct writer *w, const struct step *step)
{
    if (w->step == step)
        return;
    w->step = step;
    w->results = map_create(w->arena);
    for (int i = step->slice_count - 1; i >= step->operand_count; i--) {
        const struct place place = place_of(&step->slices[i]);
        map_put(w->results, &place, sizeof place, (void *)(intptr_t)(i - step->operand_count + 1));
    }
}

/* Which result of the step's instruction the slice is; -1: its only one, or scratch. */
static int result_of(struct writer *w, const struct step *step, const struct slice *slice)
{
    const struct place place = place_of(slice);
    if (step->slice_count - step->operand_count <= 1)
        return -1;
    list_results(w, step);
    return (int)(intptr_t)map_get(w->results, &place, sizeof place) - 1;
}

static void add_value(struct writer *w, const struct program_buffer *buffer)
{
    const struct step *step = w->steps[buffer->first];
    const struct export_step *instruction = map_get_pointer(w->names, step);
    const struct slice *slice = &buffer->slice;
    if (!instruction || w->allocations[slice->allocation] < 0)
        return;
    w->written[slice->allocation] |= slice->size == w->program->allocations[slice->allocation].size;
    export_assignment_buffer(w->to, &(struct export_buffer){
                                        .allocation = w->allocations[slice->allocation],
                                        .instruction = instruction->id,
                                        .name = instruction->name,
                                        .result = result_of(w, step, slice),
                                        .offset = slice->offset,
                                        .size = slice->size,
                                        .first = buffer->first,
                                        .last = buffer->last,
                                    });
}

/* The whole of an allocation, which the instruction `key` of the module has. */
static void add_whole(struct writer *w, int index, const void *key, int result)
{
    const struct export_step *instruction = map_get_pointer(w->names, key);
    if (instruction && w->allocations[index] >= 0)
        export_assignment_buffer(
            w->to, &(struct export_buffer){.allocation = w->allocations[index],
                                           .instruction = instruction->id,
                                           .name = instruction->name,
                                           .result = result,
                                           .size = w->program->allocations[index].size});
}

/* Parameters, and results that no step writes as a whole. */
static void add_boundary(struct writer *w)
{
    const struct program *program = w->program;
    int results = program_visible(program, true);
    for (int i = 0; i < program->allocation_count; i++) {
        const struct allocation *allocation = &program->allocations[i];
        if (allocation->kind == ALLOCATION_PARAMETER)
            add_whole(w, i, &program->parameters[allocation->index], -1);
        if (allocation->kind == ALLOCATION_RESULT && !w->written[i] && allocation->index < results)
            add_whole(w, i, program->results, results > 1 ? allocation->index : -1);
    }
}

void export_memory(struct proto *to, int field, const struct program *program,
                   const struct map *names)
{
    struct arena *arena = to->arena;
    size_t count = (size_t)program->allocation_count + 1;
    struct writer w = {.arena = arena, .program = program, .names = names};
    w.steps = ARENA_ARRAY(arena, const struct step *, (size_t)program_step_count(program) + 1);
    w.allocations = ARENA_ARRAY(arena, int, count);
    w.written = ARENA_ARRAY(arena, bool, count);
    w.to = export_assignment_create(arena);
    program_list_steps(program, w.steps);
    add_allocations(&w);
    for (int i = 0; i < program->buffer_count; i++)
        add_value(&w, &program->buffers[i]);
    add_boundary(&w);
    export_assignment_write(w.to, to, field);
}
