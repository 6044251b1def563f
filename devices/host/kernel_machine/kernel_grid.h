/* kernel_grid.h: the steps of the grid on one core, as Mosaic pipelines them: at a step, an input's
 * window holds its block of the array, fetched when the block changes; an output's window is
 * written back when its block changes, and after the last step. Windows beyond the edge of an array
 * are padded, their padding is not written back. Fetches and write-backs are instantaneous here. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_GRID_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_GRID_H

#include "devices/host/kernel_machine/kernel_core.h"

/* Sets the arguments that do not depend on the step. */
void kernel_grid_begin(struct kernel_core *core);

/* Runs the core until it waits, ends (core->is_done) or fails. *progress is set if it did
 * anything. */
enum kernel_flow kernel_grid_run(struct kernel_core *core, bool *progress);

/* The counts of semaphores that are arrays of the call (one call starts DMAs, another waits for
 * them): loads those of inputs before the first step, stores those of outputs after the last. */
void kernel_grid_semaphores(struct kernel_core *core, bool stores);

/* The part of an array that its window holds now; false: none of it. */
bool kernel_grid_block(const struct kernel_core *core, int array, struct kernel_view *out);

#endif
