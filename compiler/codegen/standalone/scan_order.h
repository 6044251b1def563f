/* scan_order.h: running maxima and minima of floats in rows, as those of integers with the same
 * order: a comparison of integers is one instruction, while one of floats is several, for NaNs and
 * zeros. -0 is less than 0; NaNs are beyond all numbers in the direction of the extreme, and become
 * the positive one; denormal numbers become zeros of their sign where the processor flushes them,
 * as in a comparison. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_SCAN_ORDER_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_SCAN_ORDER_H

#include "compiler/codegen/element/element.h"

enum scan_order { SCAN_ORDER_NONE, SCAN_ORDER_MAXIMUM, SCAN_ORDER_MINIMUM };

/* Which extreme the region of a reduce_window is, if integers take its place. */
enum scan_order scan_order_of(const struct emitter *e, const struct op *op);
/* The integers of an element's floats (as element_load() returns them), and back. */
struct element scan_order_integers(struct emitter *e, enum scan_order order,
                                   const struct element *floats);
struct element scan_order_floats(struct emitter *e, enum scan_order order,
                                 const struct element *integers);
/* The extreme of two elements that are integers. */
struct element scan_order_extreme(struct emitter *e, enum scan_order order, const struct element *a,
                                  const struct element *b);
/* What leaves every integer of the type as it is. */
LLVMValueRef scan_order_identity(enum scan_order order, LLVMTypeRef type);

#endif
