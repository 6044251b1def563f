/* radix_merge.c: copies the second range to the second arrays, and merges from the ends. */
#include "compiler/codegen/routines/radix_merge.h"

#include <string.h>

/* Elements of sorted arrays, from the last one backward. */
struct cursor {
    void *const *arrays;
    int64_t low, at; /* the first one; the current one, which exists if at >= low */
    int64_t begin;   /* of the block, which ends at `at` or later */
    struct radix_block block;
};

static void read_block(struct cursor *c, const struct radix_row *row)
{
    int64_t end = c->at + 1;
    c->begin = end - c->low > RADIX_BLOCK ? end - RADIX_BLOCK : c->low;
    radix_block_read(&c->block, row, c->arrays, c->begin, end - c->begin);
}

static void step_back(struct cursor *c, const struct radix_row *row)
{
    if (--c->at < c->begin && c->at >= c->low)
        read_block(c, row);
}

static uint64_t key_of(const struct cursor *c)
{
    return radix_block_key(&c->block, c->at - c->begin);
}

static void copy_element(const struct radix_sort *sort, const struct cursor *from,
                         void *const *arrays, int64_t to)
{
    for (int i = 0; i < sort->arrays; i++) {
        size_t bytes = (size_t)sort->bytes[i];
        memmove((char *)arrays[i] + to * sort->bytes[i],
                (char *)from->arrays[i] + from->at * sort->bytes[i], bytes);
    }
}

/* The larger of the last left element and the last right one is the next result. Left elements that
 * remain are where they belong. */
static void merge(const struct radix_row *row, struct cursor *left, struct cursor *right)
{
    while (right->at >= right->low) {
        bool takes_left = left->at >= left->low && key_of(left) > key_of(right);
        struct cursor *next = takes_left ? left : right;
        copy_element(row->sort, next, row->first, left->at + 1 + right->at);
        step_back(next, row);
    }
}

void radix_merge(const struct radix_row *row, int64_t low, int64_t middle, int64_t length)
{
    struct cursor left = {.arrays = row->first, .low = low, .at = middle - 1},
                  right = {.arrays = row->second, .low = 0, .at = length - 1};
    void *part[RADIX_MAX_ARRAYS];
    read_block(&left, row);
    radix_block_read(&right.block, row, row->first, middle, 1);
    if (key_of(&left) <= radix_block_key(&right.block, 0))
        return;
    radix_arrays_at(row->sort, row->first, middle, part);
    radix_arrays_copy(row->sort, part, length, row->second);
    read_block(&right, row);
    merge(row, &left, &right);
}
