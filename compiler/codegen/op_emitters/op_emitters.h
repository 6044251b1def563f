/* op_emitters.h: expression emitters (emitter.h) of operations that are not elementwise. Each emits
 * its operation at an index of the results. */
#ifndef GANTRY_COMPILER_CODEGEN_OP_EMITTERS_OP_EMITTERS_H
#define GANTRY_COMPILER_CODEGEN_OP_EMITTERS_OP_EMITTERS_H

#include "compiler/codegen/loops/expression.h"

/* emit_index.c: operations that only move elements */
expression_emitter emit_moved, emit_pad, emit_concatenate, emit_iota, emit_constant,
    emit_dynamic_slice, emit_dynamic_update_slice, emit_gather;
/* emit_reduce.c */
expression_emitter emit_reduce, emit_map, emit_reduce_window;
expression_emitter emit_bitcast_convert; /* emit_bitcast.c */
expression_emitter emit_dot_general;     /* emit_dot.c */
expression_emitter emit_convolution;     /* emit_convolution.c */
expression_emitter emit_while;           /* emit_while.c */

/* Start positions of a dynamic_slice or dynamic_update_slice: one for each dimension of operand 0,
 * read from the operands starting at `first` and clamped so that `sizes` fit. Memoized for the
 * operation. */
struct error *emit_starts(struct emitter *e, const struct op *op, int first, const int64_t *sizes,
                          struct affine **starts);

#endif
