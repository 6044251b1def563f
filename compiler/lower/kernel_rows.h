/* kernel_rows.h: Fourier transforms of rows that share a kernel. Code for a transform is large, and
 * depends on the length and the number of its rows. Where a program transforms N rows, and k N rows
 * of the same length elsewhere, the latter are k steps, each of which transforms N of them with the
 * former's kernel. Internal to compiler/lower. */
#ifndef GANTRY_COMPILER_LOWER_KERNEL_ROWS_H
#define GANTRY_COMPILER_LOWER_KERNEL_ROWS_H

#include "compiler/lower/lowerer.h"

/* Call before the first step is lowered. */
void kernel_rows_find(struct lowerer *l);

/* The fusion whose kernel transforms the rows of a fusion: another one with fewer rows, or
 * itself. */
const struct op *kernel_rows_of(const struct lowerer *l, const struct op *fusion);

/* The number of steps that an operation takes: 1, unless it is a fusion with another one's
 * kernel. */
int kernel_rows_steps(const struct lowerer *l, const struct op *op);

/* Step `i` of `count`, given the step that transforms all rows. All memory comes from the arena. */
struct step kernel_rows_step(const struct lowerer *l, const struct step *all, int i, int count);

#endif
