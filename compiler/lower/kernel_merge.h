/* kernel_merge.h: kernels that are compiled once for several fusions. Fusions form a group if they
 * are equal except for constants that a kernel may read (kernel_constants.h). Constants that are
 * the same in the whole group stay part of the code. The others become operands of the kernel:
 *
 *   a number                 is stored in the program's constants, and the step has its slice
 *   the position of a slice  in the outermost dimension: the step has the slice of the argument
 *                            that begins there; in another one: a number, the start of a
 *                            dynamic_slice
 *
 * So a program needs nothing new: steps have slices of parameters, constants and temporaries. A
 * fusion that differs from all others keeps its constants. Internal to compiler/lower. */
#ifndef GANTRY_COMPILER_LOWER_KERNEL_MERGE_H
#define GANTRY_COMPILER_LOWER_KERNEL_MERGE_H

#include "compiler/lower/lowerer.h"

/* Call before the first step is lowered: groups the fusions of the module. */
void kernel_merge_find(struct lowerer *l);

/* The index of the fusion's kernel in l->kernels, where it is added for the first of its group.
 * The kernel's tier is the highest of those given. */
int kernel_merge_index(struct lowerer *l, const struct op *fusion, int tier);

/* The same for a fusion that is in no group: it shares a kernel with fusions that have the same
 * constants. */
int kernel_merge_exact_index(struct lowerer *l, const struct op *fusion, int tier);

/* The operands that the kernel has in addition to those of the fusion. */
int kernel_merge_operand_count(const struct lowerer *l, const struct op *fusion);
/* Appends their slices to the step. */
void kernel_merge_add_operands(struct lowerer *l, const struct op *fusion, struct step *step);

#endif
