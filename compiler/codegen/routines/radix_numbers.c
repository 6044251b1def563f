/* radix_numbers.c: see radix_numbers.h. */
#include "compiler/codegen/routines/radix_numbers.h"

#include <stdatomic.h>

#include "base/pool.h"
#include "compiler/codegen/routines/vector_sort.h"
#include "compiler/codegen/routines/vector_sort_parallel.h"

enum { MIN_PART = 1 << 17 /* numbers of which it pays to tell another thread */ };

/* What runs where vector_sort_is_supported() is compiled for these processors. */
#ifdef __x86_64__
#define TARGET __attribute__((target("avx512f")))
#else
#define TARGET
#endif

/* ((key ^ flip) ^ bits that depend on the sign) is the element: see sort_key.h. */
struct numbers {
    uint32_t flip, if_float;
};

static struct numbers numbers_of(const struct radix_sort *sort)
{
    if (sort->element == RADIX_FROM_KEY)
        return (struct numbers){(uint32_t)sort->flip, 0};
    return (struct numbers){sort->element == RADIX_FLOAT_DESCENDING ? UINT32_MAX : 0, UINT32_MAX};
}

static inline uint32_t element_of(struct numbers n, uint32_t key)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint32_t number = key ^ n.flip;
    return number ^ (((uint32_t)((int32_t)~number >> 31) | sign) & n.if_float);
}

/* Copies keys; returns whether all elements follow from them. */
TARGET static bool take(struct numbers n, const struct radix_block *block, uint32_t *restrict to)
{
    const uint32_t *keys = block->keys, *elements = block->arrays[0], flip = (uint32_t)block->flip;
    uint32_t differing = 0;
    for (int64_t i = 0; i < block->count; i++) {
        uint32_t key = keys[i] ^ flip;
        differing |= element_of(n, key) ^ elements[i];
        to[i] = key;
    }
    return !differing;
}

/* `from` and `to` may be the same. */
TARGET static void restore(struct numbers n, const uint32_t *from, int64_t count, uint32_t *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = element_of(n, from[i]);
}

/* ---- rows ------------------------------------------------------------------------------------ */
struct numbers_row {
    const struct radix_row *row;
    struct numbers n;
    uint32_t *keys;
    atomic_bool differs; /* an element does not follow from its key */
};

static void take_part(void *context, int64_t begin, int64_t end)
{
    struct numbers_row *r = context;
    struct radix_block block;
    for (int64_t first = begin; first < end; first += RADIX_BLOCK) {
        int64_t count = end - first < RADIX_BLOCK ? end - first : RADIX_BLOCK;
        if (atomic_load_explicit(&r->differs, memory_order_relaxed))
            return;
        radix_block_read_operands(&block, r->row, first, count);
        if (!take(r->n, &block, r->keys + first))
            atomic_store_explicit(&r->differs, true, memory_order_relaxed);
    }
}

/* vector_sort_receiver */
static void restore_range(void *context, const uint32_t *keys, int64_t first, int64_t count)
{
    const struct numbers_row *r = context;
    restore(r->n, keys, count, (uint32_t *)r->row->first[0] + first);
}

/* The first array of a row that is not partitioned may be the operand, which is still needed if
 * keys turn out not to do. */
bool radix_numbers_row(const struct radix_row *row)
{
    const struct radix_sort *sort = row->sort;
    if (sort->element == RADIX_ANY || !vector_sort_is_supported())
        return false;
    int64_t length = sort->length, part = radix_part_length(length, MIN_PART);
    struct numbers_row r = {.row = row,
                            .n = numbers_of(sort),
                            .keys = sort->is_partitioned ? row->first[0] : row->second[0]};
    pool_parallel(pool_shared(), length, part, take_part, &r);
    if (r.differs)
        return false;
    vector_sort_parallel(r.keys, length, restore_range, &r);
    return true;
}
