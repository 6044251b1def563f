/* sort_rank.h: stable sort of short rows by key (sort_key.h). The rank of an element, that is how
 * many keys are less than its own, is counted for a vector of elements at a time. Elements of the
 * same rank follow each other in their order. Time is quadratic in the row's length, with as many
 * comparisons at a time as a vector has keys, and does not depend on the order of the row. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RANK_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_RANK_H

#include "compiler/codegen/standalone/sort_row.h"

/* Whether the sort has a key, and its rows are so short that counting is fastest. */
bool sort_rank_supports(const struct op *op, const struct target *target);

/* A sort that is being generated. */
struct sort_rank {
    struct sort_row *s;
    struct sort_key key;
    int lanes, vectors;       /* of keys that are ranked; of a row */
    LLVMTypeRef type;         /* of a key, */
    LLVMValueRef keys, ranks; /* and of a rank: arrays of whole vectors */
    LLVMValueRef next;        /* uint8_t for each rank: the next position of its elements */
};

/* Allocates memory, outside of the loop over rows. */
void sort_rank_begin(struct sort_rank *r, struct sort_row *s);
/* Sorts the current row of the operands into its first arrays. */
struct error *sort_rank_row(struct sort_rank *r);

#endif
