/* buffer_temporaries.c: see buffer_temporaries.h. */
#include "compiler/passes/buffer/buffer_temporaries.h"

#include "compiler/passes/buffer/buffer_offsets.h"
#include "compiler/passes/buffer/buffer_results.h"

/* When the memory of a class is in use: the live ranges of its members, with adjacent ranges
 * merged. */
struct uses {
    struct arena *arena;
    VEC(struct buffer_interval) intervals;
};

static void add(struct uses *uses, int64_t first, int64_t last)
{
    struct buffer_interval *before = uses->intervals.count ? &VEC_LAST(&uses->intervals) : NULL;
    if (!before || first > before->last + 1)
        VEC_PUSH(uses->arena, &uses->intervals, (struct buffer_interval){first, last});
    else if (last > before->last)
        before->last = last;
}

static bool add_range(void *context, struct live_range *range)
{
    add(context, range->first, range->last);
    return false;
}

static struct buffer_request request_of(struct uses *uses, struct class *class)
{
    live_ranges_find(&class->ranges, INT64_MIN, INT64_MAX, add_range, uses);
    if (class->scratch_of)
        add(uses, class->def, class->last);
    return (struct buffer_request){.interval_count = uses->intervals.count,
                                   .intervals = uses->intervals.items,
                                   .bytes = class->bytes,
                                   .offset = &class->offset,
                                   .allocation = &class->allocation};
}

/* If the result reuses the memory of a parameter, that memory is in use until the parameter's last
 * reader has run. */
static struct buffer_result result_of(const struct assigner *a, int r)
{
    const struct item *item = assigner_item(a->block->last->operands[r]);
    struct uses uses = {.arena = a->arena};
    if (a->plan->result_alias[r] >= 0)
        add(&uses, 0, assigner_item(&a->block->arguments[a->plan->result_alias[r]])->last);
    return (struct buffer_result){.allocation = a->block->argument_count + r,
                                  .bytes = item->bytes,
                                  .usage = request_of(&uses, buffer_class_of(item))};
}

/* Results are written late. Until then their memory can hold temporaries of the same kind. */
static size_t reuse_results(struct assigner *a, enum memory_kind memory, size_t count,
                            struct buffer_request *requests)
{
    const struct block *block = a->block;
    struct buffer_result *results =
        ARENA_ARRAY(a->arena, struct buffer_result, block->last->operand_count + 1);
    size_t result_count = 0;
    for (int r = 0; r < block->last->operand_count; r++)
        if (assigner_bytes(block->last->operands[r]) &&
            a->plan->allocations[block->argument_count + r].memory == memory)
            results[result_count++] = result_of(a, r);
    return buffer_results_reuse(a->arena, result_count, results, count, requests,
                                (uint64_t)a->target->alignment);
}

uint64_t buffer_temporaries_allocate(struct assigner *a, enum memory_kind memory)
{
    struct buffer_request *requests =
        ARENA_ARRAY(a->arena, struct buffer_request, a->classes.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < a->classes.count; i++) {
        struct class *class = a->classes.items[i];
        struct uses uses = {.arena = a->arena};
        if (!class->merged_into && class->allocation < 0 && class->bytes && class->memory == memory)
            requests[count++] = request_of(&uses, class);
    }
    buffer_offsets_sort(count, requests);
    if (a->entry)
        count = reuse_results(a, memory, count, requests);
    return buffer_offsets_assign(a->arena, count, requests, (uint64_t)a->target->alignment);
}
