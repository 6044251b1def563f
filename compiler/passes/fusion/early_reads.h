/* early_reads.h: kernels read an array before another operation overwrites it. An update in place
 * (FUSION_UPDATE) of an array that a later operation reads needs a copy of the whole array, in each
 * iteration if it is in a loop: a swap of two elements, or two tables that are updated from each
 * other. So does a loop that updates the array, or a branch that does, if an operation after it
 * reads the array as it was before. This pass moves the reader in front of the update, loop or
 * branch. Where the reader needs what that computes, or is to stay behind another update, the
 * slices that it reads of the array become kernels of their own, in front of the update; they are
 * small beside the array.
 *
 * Arrays of less than EARLY_READS_BYTES, and parameters that the program may not overwrite, are
 * left alone. Requires fusion and the pass updates, before loops are outlined. Overwrites the notes
 * of operations. Linear in the program: arrays with more than 64 uses are left alone, too. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_EARLY_READS_H
#define GANTRY_COMPILER_PASSES_FUSION_EARLY_READS_H

#include "compiler/ir/ir.h"

struct target;

/* Copying fewer bytes costs no more than one kernel more. */
enum { EARLY_READS_BYTES = 4096 };

struct error *early_reads_run(struct module *module, const struct target *target);

#endif
