/* states.h: what holds of a whole module between passes, beyond ir_verify(). Each row of the
 * pipeline says which states it needs, gives and breaks; these checks prove it, after every pass in
 * builds without optimization and with GANTRY_VERIFY=1 (the test tiers set it). */
#ifndef GANTRY_COMPILER_PASSES_STATES_H
#define GANTRY_COMPILER_PASSES_STATES_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

enum state {
    /* One function, and those that a custom_call names. No call, composite, async operation or
     * optimization barrier. */
    STATE_FLAT = 1 << 0,
    /* No operation whose sizes are operands (OP_DYNAMIC, get_dimension_size), and no dynamic
     * dimension in any type. */
    STATE_STATIC = 1 << 1,
    /* None of the forms for which canonicalize has another: broadcast, dot, einsum, unary_einsum,
     * torch_index_select, map, batch_norm_*; conversions to the same type; clamp and select with a
     * scalar beside tensors; transforms of several dimensions, of one element, and long ones;
     * participant numbers in a program for one device. */
    STATE_CANONICAL = 1 << 2,
    /* Every product that is a library step has a specification (library_spec_dot). */
    STATE_LAYOUTS = 1 << 3,
    /* Outside of fusions there are only steps: fusions, library products and convolutions, copies,
     * custom calls, control flow, transfers; and constants, tables, reshapes and tokens, which are
     * no steps. */
    STATE_FUSED = 1 << 4
};

/* INTERNAL, naming the state, the operation and its location. Linear in the module's size. */
struct error *states_verify(const struct module *module, unsigned states,
                            const struct target *target);

/* Whether the pipeline verifies states in this process. */
bool states_are_verified(void);

#endif
