#include "compiler/export/export_memory.h"

#include "compiler/export/export_assignment.h"
#include "compiler/export/export_steps.h"

struct writer {
    const struct program *program;
    const struct map *names;
    const struct step **steps; /* by number */
    struct export_assignment *to;
    int *allocations; /* by the program's: their number in the assignment; -1: none */
    bool *written;    /* by the program's: a step writes a value of the whole size */
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
/* Which result of the step's instruction the slice is; -1: its only one, or scratch. */
static int result_of(const struct step *step, const struct slice *slice)
{
    int count = step->slice_count - step->operand_count;
    for (int i = 0; i < count && count > 1; i++) {
        const struct slice *result = &step->slices[step->operand_count + i];
        if (result->allocation == slice->allocation && result->offset == slice->offset)
            return i;
    }
    return -1;
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
                                        .result = result_of(step, slice),
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
    struct writer w = {.program = program, .names = names};
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
