/* kernel_race.h: the order of accesses and DMAs. Every core has a vector clock over all cores; a
 * DMA is a thread that begins with its starter's clock and ends at a time that only a wait for its
 * semaphores reveals. A wait proves that a DMA has ended only if the semaphore can still lack fewer
 * bytes than the DMA has: for two equal DMAs on one semaphore, one wait proves neither. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_RACE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_RACE_H

#include "base/arena.h"
#include "devices/host/kernel_machine/kernel_core.h"

struct kernel_races;

/* In the arena, inside arena_run(); so are all others. */
struct kernel_races *kernel_race_begin(struct arena *arena, struct kernel_run *run);

/* An access by a core; op NULL: the pipeline of the grid. FAILED_PRECONDITION names the DMA that it
 * races with; the message lacks the access's own operation. */
struct error *kernel_race_access(struct kernel_races *races, struct kernel_core *core,
                                 const struct kernel_op *op, const struct kernel_view *box,
                                 int bytes, bool writes);

/* A DMA that is about to start. */
struct error *kernel_race_start(struct kernel_races *races, struct kernel_core *core,
                                const struct kernel_dma *dma);

/* The memory of a buffer ends: FAILED_PRECONDITION names a DMA that uses it, or signals it if it
 * holds semaphores, and that the core does not know to have ended, or a semaphore that is not zero.
 */
struct error *kernel_race_leave(const struct kernel_races *races, const struct kernel_core *core,
                                const struct kernel_buffer *buffer);

void kernel_race_waited(struct kernel_races *races, struct kernel_core *core,
                        struct kernel_counter *counter, int64_t amount);
void kernel_race_signal(struct kernel_races *races, struct kernel_core *core,
                        const struct kernel_op *op, struct kernel_counter *counter);

/* DMAs that nothing has waited for, and semaphores that are not zero. */
struct error *kernel_race_finish(struct kernel_races *races, struct kernel_run *run);

#endif
