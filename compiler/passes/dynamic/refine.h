/* refine.h: gives a program with unknown sizes (tensor<?x4xf32>) the sizes of its arguments. The
 * static types of the entry's arguments are propagated through all operations, in their order:
 *
 *   calls                    are inlined, so that each has types of its own
 *   get_dimension_size       becomes a constant
 *   arithmetic on sizes      is evaluated (integers and booleans of at most REFINE_MAX_ELEMENTS)
 *   operations with sizes as operands (dynamic_reshape, dynamic_pad ...)
 *                            become static ones (expand/dynamic.h)
 *   custom calls with sizes as operands, and assertions of shapes
 *                            are replaced (refine_calls.h)
 *   all others               have the types that the IR's type inference gives them
 *
 * This is what StableHLO's specification of dynamism defines (sections "Dynamism" and "Shape
 * refinement"), and what JAX does with programs that it exported with symbolic shapes. Time is
 * linear in the program with its calls inlined. */
#ifndef GANTRY_COMPILER_PASSES_DYNAMIC_REFINE_H
#define GANTRY_COMPILER_PASSES_DYNAMIC_REFINE_H

#include "compiler/ir/ir.h"

enum { REFINE_MAX_ELEMENTS = 256 }; /* of arithmetic on sizes */

/* The sizes of a call: the entry's arguments, in order. */
struct refine_arguments {
    int count; /* 0: the client does not give any */
    const struct type *const *types;
};

/* Makes every type of the module static; does nothing when they are. The module need not be
 * verified; it must be afterwards. At most `operations` are inlined (0: any number). Errors:
 * INVALID_ARGUMENT for arguments that contradict the program's types and for sizes that an
 * assertion of the program refuses, with its message; UNIMPLEMENTED for sizes that the arguments do
 * not determine; RESOURCE_EXHAUSTED. All name the operation and its location. */
struct error *refine_run(struct module *module, const struct refine_arguments *arguments,
                         int64_t operations);

#endif
