/* fusion.h: groups all operations that are not library calls into `fusion` operations. Afterwards
 * each block at step level (the bodies of functions, and of while, case and if in them) contains
 * only fusion, dot_general and convolution that the target supports, custom_call, constant, copy,
 * while, case, if, return, operations on tokens, and reshape, whose result aliases its operand.
 *
 *   FUSION_LOOP    grown backwards from a value that must be stored, to producers that are cheap to
 *                  recompute or have no other user; expensive producers are recomputed only where
 *                  that costs less than storing them. A value that is also needed in memory becomes
 *                  another result of a loop that computes it anyway
 *   FUSION_UPDATE  a dynamic_update_slice or scatter with the producers of its updates and indices;
 *                  no other operand of the fusion reads the updated array,
 *                  except a slice of what is updated, each element for the one at its own index
 *   FUSION_STANDALONE  a single operation with its own kernel; all of its operands are in memory
 *
 * The region of a fusion uses only its own arguments; splat constants are created inside it.
 * Requires canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *fusion_run(struct module *module, const struct target *target);

#endif
