/* expression.h: emits the value of a tensor at an index. A fusion's region is a pure expression of
 * its arguments. expression_emit() follows it backward from a result to loads, transforming the
 * index at each operation. A value that is requested twice at the same index is emitted once. Code
 * that depends only on outer loops is hoisted into them. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_EXPRESSION_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_EXPRESSION_H

#include "compiler/codegen/element/element.h"

/* Emits the element of a value at an index. Errors: UNIMPLEMENTED naming the operation,
 * RESOURCE_EXHAUSTED when the expression exceeds the code generation limit. */
struct error *expression_emit(struct emitter *e, const struct value *value,
                              const struct index *index, struct element *out);
/* Emits the only element of a scalar. */
struct error *expression_scalar(struct emitter *e, const struct value *value, struct element *out);
/* Applies a reducer's region to `arguments` (one element for each) and returns the elements that
 * the region returns. */
struct error *expression_body(struct emitter *e, const struct block *body,
                              const struct element *arguments, struct element *results);
/* As expression_body(), but returns the given `values` of the region instead of its results. */
struct error *expression_in_body(struct emitter *e, const struct block *body,
                                 const struct element *arguments, int count,
                                 struct value *const *values, struct element *out);
/* Emits a value at an index under a guard: it is needed only where `condition` (i1, scalar or
 * vector) is true. */
struct error *expression_guarded(struct emitter *e, const struct value *value,
                                 const struct index *index, LLVMValueRef condition,
                                 struct element *out);
/* The conjunction of two conditions. Either may be NULL, which means true. */
LLVMValueRef expression_and(struct emitter *e, LLVMValueRef a, LLVMValueRef b);
/* Makes e->key that of what is known (at most 7 characters) of a row of a value, whose index
 * without the last dimension is `row`. */
void expression_row_key(struct emitter *e, const char *what, const struct value *value,
                        const struct index *row);
/* Caches a row of a value. While a reduction runs over the last dimension of the value at `row`
 * (its index without that dimension), the value's elements are also stored to `memory` (on the
 * stack, f32 or f64 by `dtype`). Later uses of the row load them from there. */
void expression_cache_row(struct emitter *e, const struct value *value, const struct index *row,
                          enum dtype dtype, LLVMValueRef memory);
/* The number of lanes of an element at this index. */
int expression_lanes(const struct emitter *e, const struct index *index);

#endif
