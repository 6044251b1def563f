/* sort_radix.h: stable radix sort of rows by key (sort_key.h). The algorithm is a routine
 * (routines/radix_sort.h); what is generated are the two functions that it calls, and the call. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RADIX_H

#include "compiler/codegen/standalone/sort_row.h"

/* Whether the sort has a key, few operands, and sufficiently long rows. */
bool sort_radix_supports(const struct op *op);
/* Whether the rows it supports are mostly sorted as numbers (isa.compresses). */
bool sort_radix_sorts_numbers(const struct op *op, const struct target *target);
/* The number of elements of a row's second arrays: less than a row where rows are long and
 * contiguous. */
int64_t sort_radix_capacity(const struct op *op);

/* A sort that is being generated. */
struct sort_radix {
    struct sort_row *s;
    LLVMValueRef load, keys; /* the functions */
    LLVMValueRef constants;  /* struct radix_sort */
    LLVMValueRef addresses;  /* the argument `arrays` of radix_sort_row() */
};

/* Generates the functions, outside of the loop over rows. */
struct error *sort_radix_begin(struct sort_radix *r, struct sort_row *s);
/* Sorts the current row of the operands into its first arrays. */
void sort_radix_row(struct sort_radix *r);

#endif
