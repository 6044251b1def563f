/* kernel_check.h: the checker of a run: uninitialized reads, accesses that race with DMAs, and
 * semaphores that are not zero at the end. Cores and DMAs are threads with vector clocks: the
 * core's clock orders events before a DMA's start, the waits for its semaphores order events after
 * its end. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_CHECK_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_CHECK_H

#include "devices/host/kernel_machine/kernel_core.h"

/* Begins the checking of a run whose cores and buffers are made. Everything is in the arena; this
 * and all other functions are called inside of its arena_run(). */
void kernel_check_begin(struct kernel_run *run, struct arena *arena);

/* An access by an instruction of a core to a box of a buffer, of elements of `bytes` bytes; mask
 * (or NULL): the elements that are written. KERNEL_FLOW_ERROR: core->error is set. */
enum kernel_flow kernel_check_load(struct kernel_core *core, const struct kernel_instr *in,
                                   const struct kernel_view *box, int bytes);
enum kernel_flow kernel_check_store(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_view *box, int bytes, const uint8_t *mask);

/* A scalar that is loaded from beyond a reference: it is undefined. */
void kernel_check_load_outside(struct kernel_core *core, const struct kernel_instr *in,
                               const struct kernel_view *base);

/* Accesses whose elements have places of their own: first the result's taint is cleared, then each
 * element `i` is at a box of one element. */
void kernel_check_elements(struct kernel_core *core, const struct kernel_instr *in);
enum kernel_flow kernel_check_load_at(struct kernel_core *core, const struct kernel_instr *in,
                                      const struct kernel_view *box, int bytes, int64_t i);
enum kernel_flow kernel_check_store_at(struct kernel_core *core, const struct kernel_instr *in,
                                       const struct kernel_view *box, int bytes, int64_t i);

/* After an instruction: which elements of its result come from uninitialized memory. */
enum kernel_flow kernel_check_step(struct kernel_core *core, const struct kernel_instr *in);

/* A DMA starts, and ends. */
enum kernel_flow kernel_check_start(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_dma *dma);
void kernel_check_end(struct kernel_run *run, const struct kernel_dma *dma);

/* A buffer is allocated: whatever an earlier execution of the region left there is undefined. */
void kernel_check_allocate(struct kernel_core *core, struct kernel_buffer *buffer);

/* The region ends in which a buffer was allocated: no DMA may use it any more, and semaphores have
 * to be zero. */
enum kernel_flow kernel_check_leave(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_buffer *buffer);

/* A wait has ended; a signal is about to be given. */
void kernel_check_waited(struct kernel_core *core, const struct kernel_instr *in,
                         const struct kernel_buffer *buffer, struct kernel_counter *counter,
                         int64_t amount);
void kernel_check_signal(struct kernel_core *core, const struct kernel_instr *in,
                         const struct kernel_buffer *buffer, struct kernel_counter *counter);

/* Copies between windows and arrays by the pipeline of the grid: the box of the window, and that
 * of the array. */
enum kernel_flow kernel_check_fetch(struct kernel_core *core, const struct kernel_view *array,
                                    const struct kernel_view *window, int bytes);
enum kernel_flow kernel_check_write_back(struct kernel_core *core, int array_number,
                                         const struct kernel_view *window,
                                         const struct kernel_view *array, int bytes);
/* The window of an output begins a block whose content is undefined; the block was written by an
 * earlier visit that ended before `step`, or not (-1). */
void kernel_check_enter(struct kernel_core *core, struct kernel_buffer *window, int array_number,
                        const int64_t *block, int rank);

/* A step of the grid begins. Where an index of a parallel dimension has changed, scratch memory and
 * output blocks have no content: another core may have run the steps before. */
void kernel_check_begin_step(struct kernel_core *core);

/* When all cores have ended. */
struct error *kernel_check_finish(struct kernel_run *run);

#endif
