/* elementwise.h: elementwise operations on elements in registers. Semantics are StableHLO's:
 * integers wrap; division by zero gives -1 and the remainder is the dividend; shifts by the width
 * or more give 0 (or the sign); minimum and maximum propagate NaN; conversions to integers saturate
 * and convert NaN to 0. For arithmetic in f32, f64 and bf16, denormal operands and results are zero
 * where the processor flushes them (base/fpu.h). Denormals are preserved in f16 and f8, and by
 * operations that only move a value, negate it or take its absolute value. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENTWISE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENTWISE_H

#include "compiler/codegen/element/element.h"

/* Emits `op`. `in` has one element for each operand, in any mix of uniform and vector. Errors:
 * UNIMPLEMENTED. */
struct error *elementwise_emit(struct emitter *e, const struct op *op, const struct element *in,
                               struct element *out);
/* Emits a binary operation (add, maximum ...) on two elements of type `dtype`. Used by
 * reductions. */
struct error *elementwise_combine(struct emitter *e, enum op_code code, enum dtype dtype,
                                  const struct element *a, const struct element *b,
                                  struct element *out);
/* *sum += a * b in `dtype`, which is no small float: a term of a product of matrices or a
 * convolution. The only sum that may become a fused multiply-add. The operations of a program are
 * rounded one by one, so that their results do not depend on which of them share a kernel: fusion
 * differs when a value is also a result, stored in the host's memory, or computed again. Errors: as
 * elementwise_combine(). */
struct error *elementwise_accumulate(struct emitter *e, enum dtype dtype, const struct element *a,
                                     const struct element *b, struct element *sum);

/* Shared by elementwise*.c: an operation whose operands have been broadcast to the same lanes. */
struct elementwise {
    struct emitter *e;
    const struct op *op; /* NULL: from elementwise_combine */
    enum op_code code;
    enum dtype dtype; /* the operand type that selects the code */
    LLVMTypeRef type; /* of `dtype` in registers */
    LLVMValueRef in[3];
    int lanes;
};
/* These return NULL if the operation does not belong to the family. Results are not yet rounded to
 * small floats. */
LLVMValueRef elementwise_float_emit(const struct elementwise *w);
LLVMValueRef elementwise_integer_emit(const struct elementwise *w);
/* The one place where results of operations are rounded to their types: those of small floats and
 * of integers of less than a byte, unless the operation gives a number of the type anyway. bf16 and
 * f16 keep f32's precision where the target has excess_precision. */
LLVMValueRef elementwise_round(const struct elementwise *w, LLVMValueRef value);
/* Whether a bf16 or f16 value may have more precision than its type. False for values that were
 * loaded, converted or reduced. */
bool elementwise_has_excess(const struct emitter *e, const struct value *value);

#endif
