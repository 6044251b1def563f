/* states.h: invariants of a module between passes, beyond those of ir_verify(). Each row of the
 * pipeline declares which states its pass requires, establishes and invalidates. The pipeline
 * verifies the states after every pass in builds without optimization and with GANTRY_VERIFY=1
 * (which the test tiers set). */
#ifndef GANTRY_COMPILER_PASSES_STATES_H
#define GANTRY_COMPILER_PASSES_STATES_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

enum state {
    /* The only functions are the entry and those referenced by a custom_call. No call, composite
     * or async operation. */
    STATE_FLAT = 1 << 0,
    /* No operation that takes sizes as operands (OP_DYNAMIC) or returns them (get_dimension_size),
     * and no dynamic dimension in any type. */
    STATE_STATIC = 1 << 1,
    /* No form that canonicalize replaces: broadcast, dot, einsum, unary_einsum, torch_index_select,
     * map, batch_norm_*; conversions to the same type; clamp and select that mix scalar and
     * non-scalar operands; Fourier transforms of several dimensions, of length 1, and of long
     * lengths; replica_id in a program for one replica and partition_id in one for one partition.
     * */
    STATE_CANONICAL = 1 << 2,
    /* Every dot_general that is a library step has a specification (library_spec_dot). */
    STATE_LAYOUTS = 1 << 3,
    /* Outside of fusions there are only operations that become steps (fusions, library products and
     * convolutions, copies, custom calls, control flow, transfers) and operations without code
     * (constants, reshapes, tokens). */
    STATE_FUSED = 1 << 4
};

/* Returns an INTERNAL error with the state, the operation and its location if the module violates
 * one of `states`, a set of enum state. Takes time linear in the size of the module. */
struct error *states_verify(const struct module *module, unsigned states,
                            const struct target *target);

/* Whether the pipeline verifies states in this process. */
bool states_are_verified(void);

#endif
