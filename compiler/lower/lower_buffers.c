/* lower_buffers.c: see lower_buffers.h. */
#include "compiler/lower/lower_buffers.h"

#include <stdio.h>

void lower_buffers_position(struct lowerer *l)
{
    VEC_PUSH(l->arena, &l->positions, l->step_count);
}

/* "f32[4,512]", or "scratch". The arena allocates after the text is freed, since it may not return.
 */
static char *contents_of(struct arena *arena, const struct value *value)
{
    struct text text = {0};
    char printed[128] = "scratch";
    if (value)
        shape_print(&value->type->shape, &text);
    if (text.data)
        snprintf(printed, sizeof printed, "%s", text.data);
    text_free(&text);
    return arena_format(arena, "%s", printed);
}

/* From the first step at or behind the first position to the last one that begins at or before the
 * last position. A value without a reader is in use while its step runs. */
static struct program_buffer buffer_of(const struct lowerer *l, const struct buffer_range *range)
{
    int64_t first = l->positions.items[range->first];
    int64_t last = l->positions.items[range->last + 1] - 1;
    first = first < l->step_count ? first : l->step_count - 1;
    return (struct program_buffer){.slice = range->slice,
                                   .first = first,
                                   .last = last > first ? last : first,
                                   .contents = contents_of(l->arena, range->value)};
}

struct error *lower_buffers(struct lowerer *l, struct program *program)
{
    const struct buffer_plan *plan = l->plan;
    if ((int64_t)l->positions.count != plan->position_count)
        return ERROR(INTERNAL, "%s: buffers were planned for %lld positions, steps have %zu",
                     program->name, (long long)plan->position_count, l->positions.count);
    lower_buffers_position(l); /* the end */
    program->buffers = ARENA_ARRAY(l->arena, struct program_buffer, plan->ranges.count + 1);
    for (size_t i = 0; i < plan->ranges.count && l->step_count; i++)
        program->buffers[program->buffer_count++] = buffer_of(l, &plan->ranges.items[i]);
    return NULL;
}
