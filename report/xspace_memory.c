#include "report/xspace_memory.h"

struct xspace_memory {
    struct arena *arena;
    struct xplane *plane;
    uint64_t start_ns;
    int changes, counters; /* lines */
};

/* Viewers show the events of a line with this name as counters. */
#define COUNTERS "_counters_"

struct xspace_memory *xspace_memory_create(struct arena *arena, struct xplane *plane, int64_t line,
                                           uint64_t start_ns)
{
    struct xspace_memory *memory = ARENA_NEW(arena, struct xspace_memory);
    *memory = (struct xspace_memory){.arena = arena, .plane = plane, .start_ns = start_ns};
    memory->changes = xplane_line(plane, line, "Memory", start_ns);
    memory->counters = xplane_line(plane, line + 1, COUNTERS, start_ns);
    return memory;
}

/* Names of tsl/profiler/utils/xplane_schema.cc, which memory_profile reads. */
static void add_change(struct xspace_memory *to, const struct trace_event *from, int64_t at)
{
    const struct trace_memory *memory = &from->memory;
    int64_t bytes = memory->change < 0 ? -memory->change : memory->change;
    const struct xplane_stat stats[] = {
        {.name = "allocator_name", .text = memory->space},
        {.name = "bytes_reserved"},
        {.name = "bytes_allocated", .number = (int64_t)memory->live},
        {.name = "bytes_available",
         .number = memory->limit > memory->live ? (int64_t)(memory->limit - memory->live) : 0},
        {.name = "peak_bytes_in_use", .number = (int64_t)memory->peak},
        {.name = "requested_bytes", .number = bytes},
        {.name = "allocation_bytes", .number = bytes},
        {.name = "addr", .number = (int64_t)memory->owner},
        {.name = "tf_op", .text = from->name[0] ? from->name : "a buffer of the client"},
        {.name = "region_type", .text = "dynamic"},
        {.name = "shape", .text = "unknown"},
    };
    const struct xplane_event event = {
        .name = memory->change < 0 ? "MemoryDeallocation" : "MemoryAllocation",
        .offset_ps = at,
        .stats = stats,
        .stat_count = sizeof stats / sizeof *stats,
    };
    xplane_event(to->plane, to->changes, &event);
}

static void add_counter(struct xspace_memory *to, const struct trace_event *from, int64_t at)
{
    const struct xplane_stat stat = {.name = "bytes", .number = (int64_t)from->memory.live};
    const struct xplane_event event = {
        .name = arena_format(to->arena, "%s: bytes in use", from->memory.space),
        .offset_ps = at,
        .stats = &stat,
        .stat_count = 1,
    };
    xplane_event(to->plane, to->counters, &event);
}

void xspace_memory_add(struct xspace_memory *memory, const struct trace_event *event)
{
    int64_t at = 1000 * (int64_t)(event->begin_ns - memory->start_ns);
    add_change(memory, event, at);
    add_counter(memory, event, at);
}
