#include "compiler/export/export_assignment.h"

#include <stdlib.h>

#include "base/vec.h"

/* Field numbers of hlo.proto. */
enum { ASSIGNMENT_BUFFERS = 1, ASSIGNMENT_ALLOCATIONS = 3, ASSIGNMENT_TRACES = 4 };
enum { BUFFER_ID = 1, BUFFER_SIZE = 2, BUFFER_DEFINED_AT = 3, BUFFER_COLOR = 4 };
enum { LOCATION_SHAPE_INDEX = 3, LOCATION_INSTRUCTION_ID = 4 };
enum {
    ALLOCATION_INDEX = 1,
    ALLOCATION_SIZE = 2,
    ALLOCATION_IS_PARAMETER = 5,
    ALLOCATION_PARAMETER_NUMBER = 6,
    ALLOCATION_IS_RESULT = 7,
    ALLOCATION_COLOR = 8,
    ALLOCATION_ASSIGNED = 9,
    ALLOCATION_IS_CONSTANT = 12
};
enum { ASSIGNED_BUFFER = 1, ASSIGNED_OFFSET = 2, ASSIGNED_SIZE = 3 };
enum { TRACE_EVENTS = 1, TRACE_WHOLE_MODULE = 2, TRACE_ALLOCATION = 3 };
enum { EVENT_KIND = 1, EVENT_BUFFER = 2, EVENT_INSTRUCTION = 4 };
enum { KIND_ALLOC, KIND_FREE };
enum { COLOR_HBM = 0, COLOR_HOST = 5 }; /* memory spaces */

struct value {
    struct export_buffer buffer;
    int64_t id; /* from 1 */
};

struct planned { /* an allocation */
    struct allocation allocation;
    bool is_result;
    VEC(struct value *) values;
};

struct export_assignment {
    struct arena *arena;
    VEC(struct planned) allocations;
    int64_t values;
};

struct export_assignment *export_assignment_create(struct arena *arena)
{
    struct export_assignment *assignment = ARENA_NEW(arena, struct export_assignment);
    assignment->arena = arena;
    return assignment;
}

int export_assignment_allocation(struct export_assignment *assignment,
                                 const struct allocation *allocation, bool is_result)
{
    VEC_PUSH(assignment->arena, &assignment->allocations,
             ((struct planned){.allocation = *allocation, .is_result = is_result}));
    return (int)assignment->allocations.count - 1;
}

void export_assignment_buffer(struct export_assignment *assignment,
                              const struct export_buffer *buffer)
{
    struct value *value = ARENA_NEW(assignment->arena, struct value);
    struct planned *planned = &assignment->allocations.items[buffer->allocation];
    *value = (struct value){*buffer, ++assignment->values};
    VEC_PUSH(assignment->arena, &planned->values, value);
}

static int color_of(const struct planned *planned)
{
    return planned->allocation.memory == MEMORY_DEVICE ? COLOR_HBM : COLOR_HOST;
}

/* ---- values ---------------------------------------------------------------------------------- */
static void write_value(struct proto *to, const struct value *value, int color)
{
    struct proto message = {.arena = to->arena}, location = message, index = message;
    proto_varint(&index, (uint64_t)value->buffer.result);
    if (value->buffer.result >= 0)
        proto_message(&location, LOCATION_SHAPE_INDEX, &index);
    proto_number(&location, LOCATION_INSTRUCTION_ID, value->buffer.instruction);
    proto_number(&message, BUFFER_ID, value->id);
    proto_number(&message, BUFFER_SIZE, (int64_t)value->buffer.size);
    proto_message(&message, BUFFER_DEFINED_AT, &location);
    proto_number(&message, BUFFER_COLOR, color);
    proto_message(to, ASSIGNMENT_BUFFERS, &message);
}

static void write_assigned(struct proto *allocation, const struct value *value)
{
    struct proto assigned = {.arena = allocation->arena};
    proto_number(&assigned, ASSIGNED_BUFFER, value->id);
    proto_number(&assigned, ASSIGNED_OFFSET, (int64_t)value->buffer.offset);
    proto_number(&assigned, ASSIGNED_SIZE, (int64_t)value->buffer.size);
    proto_message(allocation, ALLOCATION_ASSIGNED, &assigned);
}

/* ---- the simulated heap ---------------------------------------------------------------------- */
static int compare(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int by_first(const void *left, const void *right)
{
    const struct value *x = *(struct value *const *)left, *y = *(struct value *const *)right;
    int order = compare(x->buffer.first, y->buffer.first);
    return order ? order : compare(x->id, y->id);
}

static int by_last(const void *left, const void *right)
{
    const struct value *x = *(struct value *const *)left, *y = *(struct value *const *)right;
    int order = compare(x->buffer.last, y->buffer.last);
    return order ? order : compare(x->id, y->id);
}

static void write_event(struct proto *trace, const struct value *value, int kind)
{
    struct proto event = {.arena = trace->arena};
    proto_number(&event, EVENT_KIND, kind);
    proto_number(&event, EVENT_BUFFER, value->id);
    proto_string(&event, EVENT_INSTRUCTION, value->buffer.name);
    proto_message(trace, TRACE_EVENTS, &event);
}

static struct value **sorted(struct arena *arena, const struct planned *planned,
                             int (*order)(const void *, const void *))
{
    size_t count = planned->values.count;
    struct value **values = ARENA_ARRAY(arena, struct value *, count);
    for (size_t i = 0; i < count; i++)
        values[i] = planned->values.items[i];
    qsort(values, count, sizeof *values, order);
    return values;
}

/* A value is freed after the step that reads it last has allocated its results. */
static void write_trace(struct proto *to, const struct planned *planned, int64_t index)
{
    struct proto trace = {.arena = to->arena};
    size_t count = planned->values.count, freed = 0;
    struct value **begins = sorted(to->arena, planned, by_first),
                 **ends = sorted(to->arena, planned, by_last);
    for (size_t i = 0; i < count; i++) {
        for (; ends[freed]->buffer.last < begins[i]->buffer.first; freed++)
            write_event(&trace, ends[freed], KIND_FREE);
        write_event(&trace, begins[i], KIND_ALLOC);
    }
    for (; freed < count; freed++)
        write_event(&trace, ends[freed], KIND_FREE);
    proto_number(&trace, TRACE_WHOLE_MODULE, 1);
    proto_number(&trace, TRACE_ALLOCATION, index);
    proto_message(to, ASSIGNMENT_TRACES, &trace);
}

/* ---- the whole ------------------------------------------------------------------------------- */
static void write_allocation(struct proto *to, const struct planned *planned, int64_t index)
{
    const struct allocation *allocation = &planned->allocation;
    struct proto message = {.arena = to->arena};
    proto_number(&message, ALLOCATION_INDEX, index);
    proto_number(&message, ALLOCATION_SIZE, (int64_t)allocation->size);
    proto_number(&message, ALLOCATION_IS_PARAMETER, allocation->kind == ALLOCATION_PARAMETER);
    proto_number(&message, ALLOCATION_IS_CONSTANT, allocation->kind == ALLOCATION_CONSTANTS);
    if (allocation->kind == ALLOCATION_PARAMETER)
        proto_number(&message, ALLOCATION_PARAMETER_NUMBER, allocation->index);
    proto_number(&message, ALLOCATION_IS_RESULT, planned->is_result);
    proto_number(&message, ALLOCATION_COLOR, color_of(planned));
    for (size_t i = 0; i < planned->values.count; i++)
        write_assigned(&message, planned->values.items[i]);
    proto_message(to, ASSIGNMENT_ALLOCATIONS, &message);
}

void export_assignment_write(struct export_assignment *assignment, struct proto *to, int field)
{
    struct proto message = {.arena = to->arena};
    for (size_t i = 0; i < assignment->allocations.count; i++) {
        const struct planned *planned = &assignment->allocations.items[i];
        for (size_t k = 0; k < planned->values.count; k++)
            write_value(&message, planned->values.items[k], color_of(planned));
        write_allocation(&message, planned, (int64_t)i);
        if (planned->allocation.kind == ALLOCATION_TEMP && planned->values.count)
            write_trace(&message, planned, (int64_t)i);
    }
    proto_message(to, field, &message);
}
