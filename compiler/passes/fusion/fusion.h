/* fusion.h: makes `fusion` operations out of everything that is no library call. After it every
 * block at step level (functions, and the bodies of while, case and if there) holds only: fusion,
 * dot_general and convolution that the target supports, custom_call, constant, copy, while, case,
 * if, return, operations on tokens, and reshape, which is another name for the same bytes.
 *
 *   FUSION_LOOP    grown backwards from a value that must be stored, over producers whose
 *                  elements are cheap to compute again or are used nowhere else; expensive ones are
 *                  computed again only where that costs less than memory. Values that are needed
 *                  in memory too become second results of a loop that computes them anyway
 *   FUSION_UPDATE  dynamic_update_slice or scatter, with the producers of updates and indices; no
 *                  other operand of the fusion reads what is updated
 *   FUSION_STANDALONE  one operation that generated code handles alone; all operands are in memory
 *
 * The region of a fusion uses its own arguments only; splat constants are made inside it.
 * Needs: canonical operations only. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *fusion_run(struct module *module, const struct target *target);

#endif
