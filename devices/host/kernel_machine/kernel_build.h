/* kernel_build.h: makes the listing of a function: operations in order, control as jumps, offsets
 * for values. Values whose operation has no effect and whose results nothing uses are not computed
 * (stores in Pallas load the old content first, which is rarely used). */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_BUILD_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_BUILD_H

#include "base/vec.h"
#include "devices/host/kernel_machine/kernel_core.h"

struct kernel_slot { /* what a value needs in the frame */
    int64_t bytes;
    int start, end; /* first and last instruction that touch it; start -1: not defined yet */
    int same;       /* id of the value whose place it has, or its own */
    bool is_used, is_constant;
};

struct kernel_loop_scope {
    int start;
    VEC(int) outer; /* values from outside that the loop uses */
};

struct kernel_builder {
    struct arena *arena;
    struct kernel_machine *machine;
    const struct kernel_function *function;
    VEC(struct kernel_instr) instrs;
    VEC(struct kernel_loop_scope) loops; /* that enclose what is built, outermost first */
    struct kernel_slot *slots;           /* by id of the value */
};

/* Builds the listing; everything is in the arena. UNIMPLEMENTED names the operation and its source
 * line; RESOURCE_EXHAUSTED for frames beyond KERNEL_MAX_FRAME. */
struct error *kernel_build(struct arena *arena, struct kernel_machine *machine,
                           const struct kernel_function *function, struct kernel_listing *out);

#define KERNEL_MAX_FRAME ((int64_t)8 << 30)

/* Bytes of a value in a frame. */
int64_t kernel_build_bytes(const struct kernel_type *type);

#endif
