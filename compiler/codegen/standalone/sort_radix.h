/* sort_radix.h: radix sort of rows by key (sort_key.h). Stable. Time is linear in the row's
 * length. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H

#include "compiler/codegen/standalone/sort_row.h"
#include "compiler/codegen/standalone/sort_key.h"

enum {
    SORT_RADIX_MAX_OPERANDS = 4, /* maximum number of operands */
    SORT_RADIX_MIN_LONG =
        32768 /* from this length on, digits of wide keys have 11 bits instead of 8 */
};

/* Whether the sort has a key, few operands, and sufficiently long rows. */
bool sort_radix_supports(const struct op *op);
/* Sorts the row of the operands into its first arrays. Both sets of arrays hold a whole row. */
struct error *sort_radix_row(struct sort_row *s);

/* ---- parts of a row, for sort_partition.c */
struct radix {
    struct sort_row *s;
    struct emitter *e;
    struct sort_key key;
    int max_bits, max_digits; /* bits per digit; digits per key */
    LLVMValueRef length;      /* i64: number of elements to sort, at least 1 */
    LLVMValueRef bits;        /* i64: bits per digit, in [1, max_bits] */
    LLVMValueRef digits;      /* i64: digits per key, in [1, max_digits] */
    LLVMValueRef counts;      /* i32 [digits][1 << bits per digit] */
};

/* Prepares to sort ranges of at most a row. Sets `length`, `bits` and `digits` to the most; digits
 * of wide keys have at most `long_bits` bits if rows are long. */
void sort_radix_begin(struct radix *r, struct sort_row *s, int long_bits);
/* Sorts the first `length` elements of `arrays` where they are; overwrites as many of `other`. The
 * elements agree in all bits of their keys above `digits` digits. */
struct error *sort_radix_range(struct radix *r, LLVMValueRef const *arrays,
                               LLVMValueRef const *other);
/* The bits by which elements are sorted; those of the elements at a position of `arrays`. */
struct error *sort_radix_key(struct radix *r, const struct element *elements, LLVMValueRef *bits);
struct error *sort_radix_key_at(struct radix *r, LLVMValueRef const *arrays,
                                const struct affine *position, LLVMValueRef *bits);
/* Copies the first `length` elements of all arrays. */
void sort_radix_copy(struct radix *r, LLVMValueRef const *from, LLVMValueRef const *to);
/* Returns a count (i32) and adds 1 to it. */
LLVMValueRef sort_radix_count(struct emitter *e, LLVMValueRef slot);
/* Replaces counts (i32) by the sums of those before each; number: i64, at most `most`. */
void sort_radix_sums(struct emitter *e, LLVMValueRef counts, LLVMValueRef number, int64_t most);

#endif
