/* kernel_dma.h: DMAs and semaphores. A DMA that starts copies at once, or, in a run with a seed, at
 * a random later moment; its end adds the bytes of its target to its semaphores, from which waits
 * subtract them. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_DMA_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_DMA_H

#include "devices/host/kernel_machine/kernel_core.h"

struct error *kernel_dma_select(const struct kernel_op *op, struct kernel_instr *in);

/* Ends one DMA in flight, chosen at random; false if none is. */
bool kernel_dma_end_one(struct kernel_run *run);

/* Lets cores that poll semaphores read once more, though nothing has changed since their last read:
 * their loops may give up. False if none does, or each has polled in vain for too long. */
bool kernel_dma_poll_again(struct kernel_run *run);

/* What a core waits for, for the message of a deadlock: its instruction is a wait or a poll. */
void kernel_dma_describe_wait(struct kernel_core *core, char *out, size_t size);

#endif
