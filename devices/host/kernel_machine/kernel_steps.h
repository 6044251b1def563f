/* kernel_steps.h: the implementations of instructions, by family; each is a kernel_step
 * (kernel_listing.h). */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_STEPS_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_STEPS_H

#include "devices/host/kernel_machine/kernel_core.h"

enum kernel_flow kernel_steps_copy(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_jump(struct kernel_core *core, const struct kernel_instr *in);
/* A jump back, where a launch can be cancelled. */
enum kernel_flow kernel_steps_repeat(struct kernel_core *core, const struct kernel_instr *in);
/* A region ends (struct kernel_region). */
enum kernel_flow kernel_steps_leave(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_branch(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_switch(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_for_test(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_for_next(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_assert(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_query(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_seed(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_steps_random(struct kernel_core *core, const struct kernel_instr *in);

/* The listing that a core executes now, and the frame of it, are the main function's; index maps
 * run by kernel_steps_call(), which is not interrupted. */
enum kernel_flow kernel_steps_call(struct kernel_core *core, const struct kernel_listing *listing,
                                   char *frame);

#endif
