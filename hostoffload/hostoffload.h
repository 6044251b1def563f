/* hostoffload.h: host offloading: values of a program that are in host memory while the device
 * does not need them, and the copies that move them. The page of this folder; its parts are the
 * headers below and those of transfer/.
 *
 * A value's memory kind (device, pinned_host, unpinned_host) is part of its type (base/shape.h).
 *
 *   client's annotations                                                      execution
 *   offload_annotations -> offload_placement -> offload_prefetch -> fusion ... -> offload_schedule
 *   placement annotations   a kind for every     loops read the next            copies start early,
 *   become copies           value, copies where  iteration's slices             OP_copy_done waits
 *                           kinds differ         ahead                          late
 *
 * passes/ is the compiler's part: the four passes above, in the order in which
 * compiler/driver/pipeline.c runs them. Which operations move data between kinds is a question
 * about the IR (compiler/analysis/memory_copy.h); a planned copy is a pair of steps,
 * STEP_COPY_START and STEP_COPY_DONE (compiler/program/program.h), and both of its sides are live
 * between them.
 *
 * transfer/ is the runtime's part: copy_queue.h runs started copies on a thread of their own while
 * the program computes; page_lock.h locks memory that a client has mapped (PJRT_Client_DmaMap).
 *
 * What is not here: spaces, their capacities and the pools of pinned memory (memory/space.h,
 * memory/blocks.h), since they hold every tensor; how bytes move between layouts
 * (devices/host/copies/host_copy.h); which kinds a device has (compiler/target.h).
 *
 * Include this header to get all four passes. They change the module in place, run on the thread
 * that compiles it, and allocate from its arena. */
#ifndef GANTRY_HOSTOFFLOAD_HOSTOFFLOAD_H
#define GANTRY_HOSTOFFLOAD_HOSTOFFLOAD_H

#include "hostoffload/passes/offload_annotations.h"
#include "hostoffload/passes/offload_placement.h"
#include "hostoffload/passes/offload_prefetch.h"
#include "hostoffload/passes/offload_schedule.h"

#endif
