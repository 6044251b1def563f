/* radix_sort.h: stable radix sort of a row by unsigned keys. Generated kernels call it: the code
 * does not depend on the comparator or on element types, so it is compiled with Gantry and not with
 * each program. A kernel passes two functions of its own: one evaluates operands that are not in
 * memory, the other computes keys from elements, unless they are an operand's elements.
 *
 * Long rows (radix_partition.h) are partitioned by the leading bits of the keys; other rows, and
 * the parts, are sorted by all digits from the least significant one (radix_range.h). This takes
 * time linear in the row's length. With AVX-512, rows of numbers are sorted as such instead, in
 * O(n log n) (radix_numbers.h). 
 *
 * Long rows are sorted by all threads of the pool (base/pool.h). The result does not depend on
 * their number. Takes about 150 KiB of each thread's stack. Thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_SORT_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_RADIX_SORT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RADIX_MAX_ARRAYS = 4, /* maximum number of operands */
    RADIX_MIN_LENGTH = 64 /* elements of a row; at least the lanes of the functions */
};

/* Stores `count` elements of a row, from position `first` on, at the beginning of arrays[i], for
 * each operand whose arrays[i] is not NULL. `buffers` are the kernel's. */
typedef void radix_load_function(void *const *buffers, int64_t row, int64_t first, int64_t count,
                                 void *const *arrays);
/* Stores the keys of `count` elements, whose operands are at the beginning of the arrays: uint32_t,
 * or uint64_t if the sort's key_bits exceed 32. */
typedef void radix_keys_function(void *const *buffers, void *const *arrays, int64_t count,
                                 void *keys);

/* What elements are, if their bits follow from most of their keys. */
enum radix_element {
    RADIX_ANY,             /* they do not, or there are several operands */
    RADIX_FROM_KEY,        /* the stored key: key_array is 0 */
    RADIX_FLOAT,           /* f32; the keys are ordered as sort_key.h says, */
    RADIX_FLOAT_DESCENDING /* or the other way around */
};

/* The constants of a sort. Kernels contain its bytes. */
struct radix_sort {
    /* If key_array >= 0, the keys are that operand's elements ^ flip, and there is no function that
     * computes them; else flip is 0. */
    uint64_t flip;
    int64_t length;   /* elements of a row: RADIX_MIN_LENGTH to INT32_MAX - 1 */
    int64_t capacity; /* of the second arrays: `length`, or radix_partition_capacity() of it */
    int32_t key_array;
    int32_t arrays;         /* operands: 1 to RADIX_MAX_ARRAYS */
    int32_t key_bits;       /* 8, 16, 32 or 64; higher bits of a stored key are 0 */
    int32_t load_lanes;     /* the functions are called with multiples of these as `count`: */
    int32_t key_lanes;      /* powers of two, at most RADIX_MIN_LENGTH */
    int32_t is_partitioned; /* whether the row is partitioned first; else `capacity` is `length` */
    int32_t element;        /* enum radix_element; unless it is RADIX_ANY, key_bits are 32 */
    int32_t has_long_digit; /* the first digit of a partitioned row has 11 bits, not 8 */
    int32_t bytes[RADIX_MAX_ARRAYS]; /* of an element: 1, 2, 4, 8 or 16 */
};

/* Sorts a row into the first arrays. `arrays` holds, for each operand, the address of the row if it
 * is contiguous in memory, else NULL (it is loaded); then the first and the second arrays, aligned
 * to their elements. The first arrays of a partitioned row do not overlap the operands. */
typedef void radix_sort_function(const struct radix_sort *sort, radix_load_function *load,
                                 radix_keys_function *keys, void *const *buffers, int64_t row,
                                 void *const *arrays);
radix_sort_function radix_sort_row;

#endif
