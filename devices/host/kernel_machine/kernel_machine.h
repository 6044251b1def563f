/* kernel_machine.h: executes Pallas TPU kernels on the host: the steps of the grid with their
 * windows, the memories of a core, DMAs and semaphores. All devices of a launch are coroutines of
 * one scheduler on the calling thread, so a launch is deterministic, and a deadlock is detected as
 * soon as no coroutine can continue.
 *
 * A machine is made once for a kernel and the shapes of its call, and does not change: any number
 * of threads may run it at once. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MACHINE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MACHINE_H

#include <stdatomic.h>

#include "compiler/kernel_ir/kernel_ir.h"

struct kernel_machine;

/* `kernel` is verified (also kernel_verify_call with these shapes) and borrowed until
 * kernel_machine_destroy; the shapes are copied. Operands: as in kernel_verify_call. UNIMPLEMENTED
 * names the operation and its source line; RESOURCE_EXHAUSTED. */
struct error *kernel_machine_create(const struct kernel *kernel, int operand_count,
                                    const struct shape *operands, int result_count,
                                    const struct shape *results, struct kernel_machine **out);
void kernel_machine_destroy(struct kernel_machine *machine); /* accepts NULL */

/* Bytes of memory that a run takes for each device. */
size_t kernel_machine_bytes(const struct kernel_machine *machine);

struct kernel_launch {
    int device_count; /* that run the kernel together: logical devices 0 .. device_count - 1 */
    /* [device][i]: row-major arrays; operands, then results. A result may have the address of an
     * operand (an alias). An i1 and elements of less than a byte have a byte each. */
    void *const *const *arrays;
    const atomic_uint *stop; /* CANCELLED soon after it is not 0; NULL: never */
    bool is_checked;         /* GANTRY_PALLAS_CHECK: report faults, see kernel_check.h */
    uint64_t seed; /* not 0: DMAs are delayed and reordered within the limits of semaphores */
};

/* Runs the kernel to its end on all devices. Errors name the kernel, the operation and its source
 * line: INVALID_ARGUMENT for an access out of bounds, FAILED_PRECONDITION for a deadlock and for
 * faults that the checker finds. Results are undefined after an error. */
struct error *kernel_machine_run(const struct kernel_machine *machine,
                                 const struct kernel_launch *launch);

#endif
