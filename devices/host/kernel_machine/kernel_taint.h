/* kernel_taint.h: which elements of vectors are undefined or come from undefined ones. Moves and
 * selections preserve the state of an element; arithmetic poisons it. Vectors whose elements are
 * all defined have no taint, so kernels without undefined reads pay one test per operand. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_TAINT_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_TAINT_H

#include "base/arena.h"
#include "devices/host/kernel_machine/kernel_shadow.h"

struct kernel_origin { /* the read that found undefined elements */
    const struct kernel_op *op;
    struct kernel_buffer *buffer;
    int64_t step;
    bool is_revisited; /* of a block of an output that had been left before */
    bool is_parallel;  /* of memory that steps of another parallel index may have written */
    bool is_outside;   /* of the reference */
};

struct kernel_taint {
    uint8_t *states; /* enum kernel_definedness of each element; NULL: no taint */
    int64_t count;
    int64_t capacity;
    struct kernel_origin origin;
};

struct kernel_taints { /* of a core's frame, by offset / 64 */
    struct arena *arena;
    struct kernel_taint *at;
    size_t constant_bytes;
    struct kernel_taint *spare; /* of values that move together */
    int spare_count;
    uint8_t *scratch;
    size_t scratch_capacity;
};

void kernel_taint_begin(struct arena *arena, const struct kernel_machine *machine,
                        struct kernel_taints *out);

/* That of a place; NULL where all elements are defined. */
const struct kernel_taint *kernel_taint_get(const struct kernel_taints *taints, size_t offset);

/* Makes room for `count` states at a place, which the caller writes. */
struct kernel_taint *kernel_taint_set(struct kernel_taints *taints, size_t offset, int64_t count,
                                      const struct kernel_origin *origin);
void kernel_taint_clear(struct kernel_taints *taints, size_t offset);

/* Copies of undefined elements become poisoned: they are used. */
void kernel_taint_poison(struct kernel_taints *taints, size_t offset);

/* After an instruction: sets the taint of its result. Returns the taint of an operand that controls
 * execution (a condition, an index, an amount), or NULL. */
const struct kernel_taint *kernel_taint_step(struct kernel_taints *taints, struct kernel_core *core,
                                             const struct kernel_instr *in);

#endif
