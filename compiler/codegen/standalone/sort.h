/* sort.h: shared by the sort algorithms: a row (a line along the sorted dimension) and its
 * arrays. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_H

#include "compiler/codegen/loops/expression.h"
#include "compiler/codegen/standalone/standalone.h"

enum { SORT_MAX_OPERANDS = 64 }; /* maximum number of operands */

struct sort {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    int count, dim;
    int64_t length, rows;
    struct affine row;                         /* the current work item */
    LLVMValueRef arrays[2][SORT_MAX_OPERANDS]; /* of this row: two for each operand */
};

/* The index in the tensors of a position of the row. */
struct index sort_index(struct sort *s, const struct affine *position);
/* Describes a result of the fusion: the first `count` elements of a sorted operand along the sorted
 * dimension. */
struct sort_result {
    const struct type *type;
    int64_t count;
    int operand;
};
/* Fills in all results, at most SORT_MAX_OPERANDS. */
void sort_results(struct sort *s, struct sort_result *results);
/* Stores element `position` of this row in result r. */
void sort_store(struct sort *s, int r, const struct sort_result *result,
                const struct affine *position, const struct element *element);
/* Copies the operands' elements at a position to one set of arrays. */
struct error *sort_copy(struct sort *s, int side, const struct affine *position,
                        struct element *elements /*out*/);
/* Loads the elements at a position from a set of arrays. */
void sort_load(struct sort *s, LLVMValueRef const *arrays, const struct affine *position,
               struct element *out);

#endif
