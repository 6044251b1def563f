/* elementwise.h: operations that work element by element, on elements in registers. Semantics are
 * StableHLO's: integers wrap, division by zero gives -1 and leaves the remainder, shifts beyond the
 * width give 0 (or the sign), minimum and maximum propagate NaN, conversions to integers saturate
 * and convert NaN to 0. Denormal f32, f64 and bf16 operands and results of arithmetic are zero
 * where the processor flushes them (base/fpu.h); those of f16 and f8, and values that are only
 * moved, negated or made positive, are kept. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENTWISE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENTWISE_H

#include "compiler/codegen/element/element.h"

/* `in` has an element an operand, in any mix of uniform and vector. Errors: UNIMPLEMENTED. */
struct error *elementwise_emit(struct emitter *e, const struct op *op, const struct element *in,
                               struct element *out);
/* Binary operation of a code on two elements of a type (add, maximum ...), as reductions need
 * it. */
struct error *elementwise_combine(struct emitter *e, enum op_code code, enum dtype dtype,
                                  const struct element *a, const struct element *b,
                                  struct element *out);

/* What the files of this family share: an operation with its operands brought to the same lanes. */
struct elementwise {
    struct emitter *e;
    const struct op *op; /* NULL: from elementwise_combine */
    enum op_code code;
    enum dtype dtype; /* of the operand that counts */
    LLVMTypeRef type; /* in registers */
    LLVMValueRef in[3];
    int lanes;
};
/* NULL when the operation is not of that family. Results are not yet rounded to small floats. */
LLVMValueRef elementwise_float_emit(const struct elementwise *w);
LLVMValueRef elementwise_integer_emit(const struct elementwise *w);
LLVMValueRef elementwise_convert(struct emitter *e, LLVMValueRef value, enum dtype from,
                                 enum dtype to);

#endif
