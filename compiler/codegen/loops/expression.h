/* expression.h: the value of a tensor at an index, as code. A fusion's region is a pure expression
 * of its arguments; expression_emit() follows it backwards from a result, transforming the index at
 * each operation, down to loads. What is requested twice at the same index is emitted once; what
 * depends only on outer loops is emitted there. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_EXPRESSION_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_EXPRESSION_H

#include "compiler/codegen/element/element.h"

/* The element of a value at an index. Errors: UNIMPLEMENTED naming the operation,
 * RESOURCE_EXHAUSTED when the expression exceeds the limit of code generation. */
struct error *expression_emit(struct emitter *e, const struct value *value,
                              const struct index *index, struct element *out);
/* The only element of a scalar. */
struct error *expression_scalar(struct emitter *e, const struct value *value, struct element *out);
/* A reducer's region applied to elements (one an argument): what its return gives. */
struct error *expression_body(struct emitter *e, const struct block *body,
                              const struct element *arguments, struct element *results);
/* The same for values inside of the region in place of what it returns. */
struct error *expression_in_body(struct emitter *e, const struct block *body,
                                 const struct element *arguments, int count,
                                 struct value *const *values, struct element *out);
/* The same value at an index, wanted only where `condition` (i1, of so many lanes) holds. */
struct error *expression_guarded(struct emitter *e, const struct value *value,
                                 const struct index *index, LLVMValueRef condition,
                                 struct element *out);
/* The conjunction of two conditions, either of which may be NULL (true). */
LLVMValueRef expression_and(struct emitter *e, LLVMValueRef a, LLVMValueRef b);
/* While a reduction runs over the last dimension of a value at a row (its index but for that
 * dimension), the value's elements are also put into `memory` (on the stack, f32 or f64 by
 * `dtype`); later uses in that row read them there. */
void expression_cache_row(struct emitter *e, const struct value *value, const struct index *row,
                          enum dtype dtype, LLVMValueRef memory);
/* Lanes an element at this index has. */
int expression_lanes(const struct emitter *e, const struct index *index);

#endif
