/* sort_row.h: a row that is sorted (a line along the sorted dimension), and access to its operands,
 * arrays and results. Used by all sort algorithms: sort_merge.h, sort_radix.h, sort_rank.h,
 * sort_top.h. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_ROW_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SORT_ROW_H

#include "compiler/codegen/kernels/kernel.h"
#include "compiler/codegen/loops/expression.h"
#include "compiler/codegen/standalone/sort_key.h"

enum { SORT_MAX_OPERANDS = 64 };

struct sort_row {
    struct kernel *k;
    struct emitter *e;
    const struct op *op;
    int count, dim;                            /* number of operands; the sorted dimension */
    int64_t length, rows;                      /* elements of a row; number of rows */
    int64_t items, rows_an_item;               /* work items */
    int64_t capacity;                          /* elements of the row's second arrays */
    struct affine row;                         /* the current one */
    LLVMValueRef arrays[2][SORT_MAX_OPERANDS]; /* of this row: two for each operand */
};

/* The sorted dimension, counted from 0. */
int sort_row_dim(const struct op *op);
enum dtype sort_row_dtype(const struct sort_row *s, int operand);
/* Whether the elements of a row are adjacent in the tensors. */
bool sort_row_is_contiguous(const struct sort_row *s);
/* The index in the tensors of a position of the row. */
struct index sort_row_index(struct sort_row *s, const struct affine *position);
/* The operands' elements at a position. */
struct error *sort_row_operands(struct sort_row *s, const struct affine *position,
                                struct element *out);
/* Stores the elements of a position to a set of arrays. */
void sort_row_put(struct sort_row *s, LLVMValueRef const *arrays, const struct affine *position,
                  const struct element *elements);
/* Copies the operands' elements at a position to one set of arrays. */
struct error *sort_row_copy(struct sort_row *s, int side, const struct affine *position,
                            struct element *elements /*out*/);
/* Loads the elements at a position from a set of arrays. */
void sort_row_load(struct sort_row *s, LLVMValueRef const *arrays, const struct affine *position,
                   struct element *out);
/* The keys of elements (sort_key_bits()), with all lanes. */
struct error *sort_row_key(struct sort_row *s, const struct sort_key *key,
                           const struct element *elements, LLVMValueRef *out);

/* Describes a result of the fusion: the first `count` elements of a sorted operand along the sorted
 * dimension. */
struct sort_result {
    const struct type *type;
    int64_t count;
    int operand;
};
/* Fills in all results, at most SORT_MAX_OPERANDS. */
void sort_row_results(struct sort_row *s, struct sort_result *results);
/* Stores element `position` of this row in result r. */
void sort_row_store(struct sort_row *s, int r, const struct sort_result *result,
                    const struct affine *position, const struct element *element);

#endif
