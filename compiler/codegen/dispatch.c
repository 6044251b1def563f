/* dispatch.c: see dispatch.h. */
#include "compiler/codegen/dispatch.h"

#include "compiler/codegen/kernels/kinds.h"
#include "compiler/codegen/op_emitters/op_emitters.h"
#include "compiler/codegen/standalone/standalone.h"

static expression_emitter *const expressions[OP_CODE_COUNT] = {
    [OP_broadcast_in_dim] = emit_moved,
    [OP_broadcast] = emit_moved,
    [OP_reshape] = emit_moved,
    [OP_transpose] = emit_moved,
    [OP_slice] = emit_moved,
    [OP_reverse] = emit_moved,
    [OP_pad] = emit_pad,
    [OP_concatenate] = emit_concatenate,
    [OP_iota] = emit_iota,
    [OP_constant] = emit_constant,
    [OP_dynamic_slice] = emit_dynamic_slice,
    [OP_dynamic_update_slice] = emit_dynamic_update_slice,
    [OP_gather] = emit_gather,
    [OP_bitcast_convert] = emit_bitcast_convert,
    [OP_reduce] = emit_reduce,
    [OP_map] = emit_map,
    [OP_reduce_window] = emit_reduce_window,
    [OP_dot_general] = emit_dot_general,
    [OP_convolution] = emit_convolution,
    [OP_while] = emit_while,
    [OP_rng] = rng_emit,
};

/* FUSION_DOT, FUSION_ATTENTION, FUSION_ATTENTION_BACKWARD, FUSION_THIN_DOT and FUSION_SLICED are
 * steps of their own. */
static kernel_emitter *const kernels[] = {
    [FUSION_LOOP] = loop_kernel_emit,
    [FUSION_UPDATE] = update_kernel_emit,
    [FUSION_STANDALONE] = standalone_emit,
    [FUSION_REGION] = region_kernel_emit,
    [FUSION_ROWS] = loop_kernel_emit,
    [FUSION_DOT] = NULL,
    [FUSION_ATTENTION] = NULL,
    [FUSION_ATTENTION_BACKWARD] = NULL,
    [FUSION_THIN_DOT] = NULL,
    [FUSION_SLICED] = NULL,
};

const struct dispatch dispatch_table = {expressions, kernels};
