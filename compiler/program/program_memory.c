/* program_memory.c: see program_memory.h. */
#include "compiler/program/program_memory.h"

#include <string.h>

#include "base/alloc.h"

static void add(uint64_t *sum, uint64_t bytes)
{
    if (__builtin_add_overflow(*sum, bytes, sum))
        *sum = UINT64_MAX;
}

static uint64_t rounded(uint64_t bytes)
{
    uint64_t mask = PROGRAM_ALIGNMENT - 1;
    return bytes > UINT64_MAX - mask ? UINT64_MAX : (bytes + mask) & ~mask;
}

/* ---- sums ------------------------------------------------------------------------------------ */
static void add_arguments(const struct program *program, enum memory_kind memory,
                          struct program_memory *out)
{
    for (int i = 0; i < program->parameter_count; i++) {
        const struct program_value *value = &program->parameters[i];
        if (value->shape.memory != memory)
            continue;
        add(&out->arguments, value->bytes);
        add(&out->peak, rounded(value->bytes));
    }
}

static void add_results(const struct program *program, enum memory_kind memory,
                        struct program_memory *out)
{
    for (int i = 0; i < program->result_count; i++) {
        const struct program_value *value = &program->results[i];
        if (value->shape.memory != memory)
            continue;
        add(&out->results, value->bytes);
        if (value->alias >= 0)
            add(&out->aliases, value->bytes);
        else
            add(&out->peak, rounded(value->bytes));
    }
}

void program_memory(const struct program *program, enum memory_kind memory,
                    struct program_memory *out)
{
    *out = (struct program_memory){.temporaries = program_temp_size(program, memory)};
    add(&out->peak, rounded(out->temporaries));
    add_arguments(program, memory, out);
    add_results(program, memory, out);
    if (memory == MEMORY_DEVICE) {
        out->constants = program_constant_bytes(program);
        add(&out->peak, out->constants);
    }
}

/* ---- over program order ---------------------------------------------------------------------- */
bool program_memory_is_temporary(const struct program *program, const struct program_buffer *buffer,
                                 enum memory_kind memory)
{
    const struct allocation *allocation = &program->allocations[buffer->slice.allocation];
    return allocation->kind == ALLOCATION_TEMP && allocation->memory == memory;
}

/* First, live[] holds the bytes that become live at a step minus those freed before it. */
static void add_changes(const struct program *program, enum memory_kind memory,
                        struct program_memory_curve *curve)
{
    for (int i = 0; i < program->buffer_count; i++) {
        const struct program_buffer *buffer = &program->buffers[i];
        if (!program_memory_is_temporary(program, buffer, memory))
            continue;
        curve->live[buffer->first] += buffer->slice.size;
        curve->live[buffer->last + 1] -= buffer->slice.size;
    }
}

struct error *program_memory_curve(const struct program *program, enum memory_kind memory,
                                   struct program_memory_curve *out)
{
    *out = (struct program_memory_curve){.step_count = program_step_count(program)};
    TRY(alloc_array((size_t)out->step_count + 1, sizeof *out->live, &out->live));
    add_changes(program, memory, out);
    for (int64_t i = 0; i < out->step_count; i++) {
        if (i)
            out->live[i] += out->live[i - 1];
        if (out->live[i] > out->peak_live) {
            out->peak_live = out->live[i];
            out->peak_step = i;
        }
    }
    return NULL;
}

void program_memory_curve_free(struct program_memory_curve *curve)
{
    alloc_free(curve->live);
    curve->live = NULL;
}

/* ---- users of memory ------------------------------------------------------------------------- */
struct largest {
    struct program_memory_use *at;
    int count, capacity;
};

/* Stable: equal uses keep their order. */
static void offer(struct largest *list, enum allocation_kind kind, int index, uint64_t bytes)
{
    int i = list->count;
    if (!bytes || (i == list->capacity && (!i || list->at[i - 1].bytes >= bytes)))
        return;
    i -= i == list->capacity;
    for (; i > 0 && list->at[i - 1].bytes < bytes; i--)
        list->at[i] = list->at[i - 1];
    list->at[i] = (struct program_memory_use){kind, index, bytes};
    list->count += list->count < list->capacity;
}

int program_memory_largest(const struct program *program, enum memory_kind memory, int64_t step,
                           int capacity, struct program_memory_use *out)
{
    struct largest list = {.at = out, .capacity = capacity};
    for (int i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].shape.memory == memory)
            offer(&list, ALLOCATION_PARAMETER, i, program->parameters[i].bytes);
    for (int i = 0; i < program->result_count; i++)
        if (program->results[i].shape.memory == memory && program->results[i].alias < 0)
            offer(&list, ALLOCATION_RESULT, i, program->results[i].bytes);
    for (int i = 0; i < program->buffer_count; i++) {
        const struct program_buffer *buffer = &program->buffers[i];
        if (program_memory_is_temporary(program, buffer, memory) && buffer->first <= step &&
            step <= buffer->last)
            offer(&list, ALLOCATION_TEMP, i, buffer->slice.size);
    }
    if (memory == MEMORY_DEVICE)
        offer(&list, ALLOCATION_CONSTANTS, 0, program_constant_bytes(program));
    return list.count;
}

void program_memory_print_use(const struct program *program, const struct step *const *steps,
                              const struct program_memory_use *use, struct text *out)
{
    switch (use->kind) {
    case ALLOCATION_PARAMETER:
        text_add(out, "argument %d, ", use->index);
        shape_print(&program->parameters[use->index].shape, out);
        break;
    case ALLOCATION_RESULT:
        text_add(out, "result %d, ", use->index);
        shape_print(&program->results[use->index].shape, out);
        break;
    case ALLOCATION_CONSTANTS: text_add(out, "constants"); break;
    case ALLOCATION_TEMP:
        text_add(out, "%s of %s", program->buffers[use->index].contents,
                 steps[program->buffers[use->index].first]->label);
        break;
    }
}
