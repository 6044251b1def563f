/* sort.h: what the ways to sort share: a row (a line along the sorted dimension) and its
 * arrays in scratch. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_H

#include "compiler/codegen/loops/expression.h"
#include "compiler/codegen/standalone/standalone.h"

enum { SORT_MOST = 64 }; /* operands */

struct sort {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    int count, dim;
    int64_t length, rows;
    struct affine row;                 /* the work item */
    LLVMValueRef arrays[2][SORT_MOST]; /* of this row: two for each operand */
};

/* Bytes of one of the scratch arrays of an operand, all rows together. */
uint64_t sort_array_bytes(const struct op *op, int operand);
/* Index of a position of the row in the tensors. */
struct index sort_index(struct sort *s, const struct affine *position);
/* What a result of the fusion is: the first `count` elements along the dimension of a sorted
 * operand. */
struct sort_result {
    const struct type *type;
    int64_t count;
    int operand;
};
/* Of all results, SORT_MOST at most. */
void sort_results(struct sort *s, struct sort_result *results);
/* Writes element `position` of this row to result r. */
void sort_store(struct sort *s, int r, const struct sort_result *result,
                const struct affine *position, const struct element *element);
/* Writes the row from these arrays to the results. */
void sort_copy_out(struct sort *s, LLVMValueRef const *arrays);

#endif
