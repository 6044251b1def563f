/* register_lookup.h: loads from small tables: bins of a histogram, a codebook of quantized weights,
 * a short row of an array that lanes take elements of. A table that fits a few registers is
 * permuted there, which takes a tenth of a gather's instructions. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_REGISTER_LOOKUP_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_REGISTER_LOOKUP_H

#include "compiler/codegen/element/affine.h"

/* The vector at an offset that differs between lanes, in elements of type `scalar`; the buffer has
 * `count` elements. All lanes that `mask` enables (NULL: all) are in bounds; the others are zero.
 * The table is the range of what differs between lanes. NULL if the elements do not have 32 bits,
 * the table has too many of them, or the processor has no such permutation. */
LLVMValueRef register_lookup_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                                  const struct affine *offset, int64_t count, LLVMValueRef mask);

#endif
