/* radix_block.h: the elements of a row that is sorted, and their keys, a block at a time: so that
 * keys are computed by vector code and stay in the first level cache. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_BLOCK_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_BLOCK_H

#include "compiler/codegen/routines/radix_sort.h"

enum {
    RADIX_BLOCK = 256,
    RADIX_ELEMENT_BYTES = 16,
    RADIX_LOADED_BYTES = (RADIX_BLOCK + RADIX_MIN_LENGTH) * RADIX_ELEMENT_BYTES
};

/* A row that is being sorted; see radix_sort.h. Threads share it. */
struct radix_row {
    const struct radix_sort *sort;
    radix_load_function *load;
    radix_keys_function *keys;
    void *const *buffers;
    int64_t row;
    void *operands[RADIX_MAX_ARRAYS], *first[RADIX_MAX_ARRAYS], *second[RADIX_MAX_ARRAYS];
};

/* Up to RADIX_BLOCK adjacent elements. */
struct radix_block {
    int64_t count;
    bool is_wide;                   /* the keys are uint64_t, not uint32_t */
    uint64_t flip;                  /* of the sort */
    const void *keys;               /* without `flip`; in `computed`, or in an array */
    void *arrays[RADIX_MAX_ARRAYS]; /* the elements; borrowed, or in `loaded` */
    _Alignas(64) union {
        uint32_t narrow[RADIX_BLOCK];
        uint64_t wide[RADIX_BLOCK];
    } computed;
    _Alignas(64) char loaded[RADIX_MAX_ARRAYS][RADIX_LOADED_BYTES]; /* by load() */
};

/* Reads elements [first, first + count) of the arrays, or of the operands, and their keys; count: 1
 * to RADIX_BLOCK. */
void radix_block_read(struct radix_block *block, const struct radix_row *row, void *const *arrays,
                      int64_t first, int64_t count);
void radix_block_read_operands(struct radix_block *block, const struct radix_row *row,
                               int64_t first, int64_t count);
static inline uint64_t radix_block_key(const struct radix_block *block, int64_t i)
{
    uint64_t key =
        block->is_wide ? ((const uint64_t *)block->keys)[i] : ((const uint32_t *)block->keys)[i];
    return key ^ block->flip;
}

/* A digit of each key: ((key >> shift) & mask) ^ flip. */
struct radix_digit {
    const void *keys; /* uint32_t, or uint64_t if is_wide */
    uint32_t flip;
    bool is_wide;
    int shift;
    uint32_t mask;
};
/* Moves each element to the next position of its digit, next[digit]++. */
void radix_block_move(const struct radix_block *block, const struct radix_sort *sort,
                      const struct radix_digit *digit, uint32_t *next, void *const *arrays);
/* Stores the elements at the arrays' positions from `first` on. */
void radix_block_put(const struct radix_block *block, const struct radix_sort *sort,
                     void *const *arrays, int64_t first);

/* The elements of a part of the row, which one thread works on: whole blocks, at least `least`
 * elements, and a few parts for each thread. */
int64_t radix_part_length(int64_t length, int64_t least);

/* The arrays from element `first` on. */
void radix_arrays_at(const struct radix_sort *sort, void *const *arrays, int64_t first,
                     void **out /* RADIX_MAX_ARRAYS */);
/* Copies `count` elements of all arrays. */
void radix_arrays_copy(const struct radix_sort *sort, void *const *from, int64_t count,
                       void *const *to);
/* Replaces `count` numbers by the sums of those before each. */
void radix_sums(uint32_t *numbers, int64_t count);

#endif
