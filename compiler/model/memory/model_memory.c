/* model_memory.c: see model_memory.h. */
#include "compiler/model/memory/model_memory.h"

#include <stdlib.h>

#include "compiler/model/memory/model_buffers.h"
#include "compiler/model/memory/model_vmem.h"
#include "compiler/passes/buffer/buffer_offsets.h"
#include "compiler/tiled_shape.h"

static bool is_temporary(const struct model_buffer *buffer)
{
    return !buffer->same && buffer->storage == MODEL_TEMPORARY && buffer->bytes &&
           buffer->memory == MEMORY_DEVICE;
}

static size_t list_temporaries(struct model *model, struct model_buffer ***out)
{
    size_t count = 0;
    *out = ARENA_ARRAY(model->arena, struct model_buffer *, model->buffers.count + 1);
    for (size_t i = 0; i < model->buffers.count; i++)
        if (is_temporary(model->buffers.items[i]))
            (*out)[count++] = model->buffers.items[i];
    return count;
}

/* ---- in results ------------------------------------------------------------------------------ */
/* XLA's buffer assignment, whose source is public, takes values by decreasing size, and gives each
 * the smallest allocation so far that has room and is free as long as the value is in use. Those of
 * results are such allocations. */
enum { MOST_RESULTS = 16, MOST_VALUES = 4096, MOST_IN_ONE = 256 };

struct tenants {
    const struct model_buffer *buffers[MOST_IN_ONE]; /* the result, and what is in its memory */
    int count;
};

static int compare_sizes(const void *left, const void *right)
{
    const struct model_buffer *x = *(struct model_buffer *const *)left,
                              *y = *(struct model_buffer *const *)right;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : (x->last > y->last) - (x->last < y->last);
}

static bool move_in(struct tenants *tenants, const struct model_buffer *buffer)
{
    if (tenants->count == MOST_IN_ONE || buffer->bytes > tenants->buffers[0]->bytes)
        return false;
    for (int i = 0; i < tenants->count; i++)
        if (buffer->first <= tenants->buffers[i]->last &&
            tenants->buffers[i]->first <= buffer->last)
            return false;
    tenants->buffers[tenants->count++] = buffer;
    return true;
}

/* The largest results whose memory nothing else has before. */
static int list_results(struct model *model, struct tenants **out)
{
    size_t count = 0;
    struct model_buffer **results =
        ARENA_ARRAY(model->arena, struct model_buffer *, model->buffers.count + 1);
    for (size_t i = 0; i < model->buffers.count; i++) {
        struct model_buffer *buffer = model->buffers.items[i];
        if (!buffer->same && buffer->storage == MODEL_RESULT && buffer->is_free_before &&
            buffer->memory == MEMORY_DEVICE)
            results[count++] = buffer;
    }
    if (count)
        qsort(results, count, sizeof *results, compare_sizes);
    count = count < MOST_RESULTS ? count : MOST_RESULTS;
    *out = ARENA_ARRAY(model->arena, struct tenants, count + 1);
    for (size_t i = 0; i < count; i++)
        (*out)[i] = (struct tenants){{results[i]}, 1};
    return (int)count;
}

/* Whether the value is made by a kernel, in a loop or not: what loops carry stays where it is. */
static bool may_move_in(const struct model_buffer *buffer)
{
    return !buffer->in_vmem && !buffer->scratch && !buffer->loop && buffer->value->def;
}

static void place_in_results(struct model *model)
{
    struct model_buffer **buffers;
    struct tenants *results;
    size_t count = list_temporaries(model, &buffers);
    int result_count = list_results(model, &results);
    if (count)
        qsort(buffers, count, sizeof *buffers, compare_sizes);
    for (size_t i = 0; i < count && i < MOST_VALUES; i++)
        for (int k = result_count - 1; k >= 0 && may_move_in(buffers[i]); k--)
            if (move_in(&results[k], buffers[i])) {
                buffers[i]->in_result = true;
                break;
            }
}

/* ---- HBM ------------------------------------------------------------------------------------- */
/* By the time from which they are in use, then by decreasing size: the compiler allocates as the
 * program runs, so that gaps remain which an order by size would avoid. */
static int compare_times(const void *left, const void *right)
{
    const struct buffer_request *x = left, *y = right;
    if (x->intervals->first != y->intervals->first)
        return x->intervals->first < y->intervals->first ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->intervals->last > y->intervals->last) - (x->intervals->last < y->intervals->last);
}

static uint64_t place_in_hbm(struct model *model)
{
    size_t count = 0;
    struct arena *arena = arena_step(model->arena);
    struct buffer_request *requests =
        ARENA_ARRAY(arena, struct buffer_request, model->buffers.count + 1);
    for (size_t i = 0; i < model->buffers.count; i++) {
        struct model_buffer *buffer = model->buffers.items[i];
        if (!is_temporary(buffer) || buffer->in_vmem || buffer->in_result)
            continue;
        struct buffer_interval *interval = ARENA_NEW(arena, struct buffer_interval);
        *interval = (struct buffer_interval){buffer->first, buffer->last};
        requests[count++] = (struct buffer_request){.interval_count = 1,
                                                    .intervals = interval,
                                                    .bytes = buffer->bytes,
                                                    .offset = &buffer->offset};
    }
    if (count)
        qsort(requests, count, sizeof *requests, compare_times);
    uint64_t bytes = buffer_offsets_assign(arena, count, requests, TILED_SHAPE_ALIGNMENT);
    arena_step_clear(model->arena);
    return bytes;
}

uint64_t model_memory(struct model *model)
{
    model_buffers(model);
    model_vmem(model);
    model_buffers_in_place(model);
    place_in_results(model);
    return place_in_hbm(model);
}
