/* mosaic_upgrade.h: what older versions of stable_mosaic wrote otherwise:
 *   below 2: enqueue_dma and sem_signal have no operandSegmentSizes
 *   below 5, 6: dynamic_gather, iota have "dimension" in place of "dimensions"
 *   below 7: wait_dma2 has no segments
 *   below 11, 13: no "add" of stores, no "transpose_lhs_hint": both are false
 *   below 14: enqueue_dma, wait_dma and sem_signal have no segment for the subcore
 *   below 15: reinterpret_cast has no segments */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_UPGRADE_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_UPGRADE_H

#include "compiler/kernel_ir/kernel_ir.h"

/* Completes the segments and attributes of an operation that was read from a kernel of this
 * version; its operands are set. */
void mosaic_upgrade_op(struct arena *arena, int version, struct kernel_op *op,
                       struct kernel_attrs *attrs);

#endif
