/* op_emitters.h: operations whose elements are computed from their operands' elements by more than
 * element-wise arithmetic. Each is an expression_emitter (emitter.h): it writes the operation at an
 * index of its results. */
#ifndef GANTRY_COMPILER_CODEGEN_OP_EMITTERS_OP_EMITTERS_H
#define GANTRY_COMPILER_CODEGEN_OP_EMITTERS_OP_EMITTERS_H

#include "compiler/codegen/loops/expression.h"

/* emit_index.c: elements that are read from another place */
expression_emitter emit_broadcast_in_dim, emit_broadcast, emit_reshape, emit_transpose, emit_slice,
    emit_reverse, emit_pad, emit_concatenate, emit_iota, emit_constant, emit_dynamic_slice,
    emit_dynamic_update_slice, emit_gather, emit_bitcast_convert;
/* emit_reduce.c */
expression_emitter emit_reduce, emit_map, emit_reduce_window;
expression_emitter emit_dot_general; /* emit_dot.c */
expression_emitter emit_convolution; /* emit_convolution.c */

/* Start positions of a dynamic_slice or dynamic_update_slice, operands from `first` on, clamped so
 * that `sizes` are inside: one for each dimension of operand 0, remembered for the operation. */
struct error *emit_starts(struct emitter *e, const struct op *op, int first, const int64_t *sizes,
                          struct affine **starts);

#endif
