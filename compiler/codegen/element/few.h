/* few.h: loads of elements that are not adjacent, one at a time: the few of a short row that ends
 * before its vector, since processors take as long to gather for lanes that a mask disables as for
 * the others, and those that are as large as the parts that a vector is put together of. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_FEW_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_FEW_H

#include "compiler/codegen/element/affine.h"

/* The vector at an offset that differs between lanes, loaded an element at a time. All lanes that
 * `mask` enables are in bounds; the others are zero. NULL if the mask is not known here or enables
 * more than three quarters of the lanes, or the processor has no gathers for the type. */
LLVMValueRef few_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                      const struct affine *offset, LLVMValueRef mask);

/* Complex numbers of 128 bits at an offset that differs between lanes: twice as many f64 as there
 * are lanes. `mask` as above. NULL if the mask is not known here. */
LLVMValueRef few_load_pairs(struct emitter *e, LLVMValueRef pointer, const struct affine *offset,
                            LLVMValueRef mask);

#endif
