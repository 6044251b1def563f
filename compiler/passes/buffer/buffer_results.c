/* buffer_results.c: see buffer_results.h. */
#include "compiler/passes/buffer/buffer_results.h"

#include <stdlib.h>

enum {
    MAX_TRIED = 64,   /* results tried per request */
    MAX_COMPARED = 64 /* concurrent requests in a result */
};

static int64_t first_of(const struct buffer_result *result)
{
    return result->usage.intervals[0].first;
}

/* Small results first. Among results of equal size, the one written last comes first, because it is
 * free the longest. */
static int compare(const void *left, const void *right)
{
    const struct buffer_result *x = left, *y = right;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (first_of(x) != first_of(y))
        return first_of(x) > first_of(y) ? -1 : 1;
    return x->allocation < y->allocation ? -1 : x->allocation > y->allocation;
}

static size_t first_fit(size_t count, const struct buffer_result *results, uint64_t bytes)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (results[middle].bytes < bytes)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static bool reuse(size_t count, const struct buffer_result *results,
                  struct buffer_block *const *blocks, const struct buffer_request *request)
{
    size_t first = first_fit(count, results, request->bytes);
    for (size_t i = first; i < count && i - first < MAX_TRIED; i++)
        if (buffer_block_allocate(blocks[i], request)) {
            *request->allocation = results[i].allocation;
            return true;
        }
    return false;
}

size_t buffer_results_reuse(struct arena *arena, size_t result_count, struct buffer_result *results,
                            size_t count, struct buffer_request *requests, uint64_t alignment)
{
    struct buffer_block **blocks = ARENA_ARRAY(arena, struct buffer_block *, result_count + 1);
    size_t left = 0;
    if (result_count)
        qsort(results, result_count, sizeof *results, compare);
    for (size_t i = 0; i < result_count; i++) {
        blocks[i] = buffer_block_create(arena, results[i].bytes, alignment, MAX_COMPARED);
        buffer_block_reserve(blocks[i], &results[i].usage, 0, results[i].bytes);
    }
    for (size_t i = 0; i < count; i++)
        if (!reuse(result_count, results, blocks, &requests[i]))
            requests[left++] = requests[i];
    return left;
}
