/* pallas_fifo.h: the queues of results of matrix units that a Pallas kernel drives itself
 * (tpu.matmul_lhs_fifo, tpu.matmul_pop_fifo). The TPU's compiler refuses a kernel that queues more
 * than a unit holds. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_FIFO_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_FIFO_H

#include "compiler/accelerator.h"
#include "compiler/kernel_ir/kernel_ir.h"

/* FAILED_PRECONDITION in the words of libtpu, with the operation and its source location. A loop's
 * body counts once: one that leaves results in a queue is found by the second of two walks. Linear
 * in the size of the kernel but for the depth of its loops, of which four count. */
struct error *pallas_fifo_check(const struct accelerator *accelerator, const struct kernel *kernel);

#endif
