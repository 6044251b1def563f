/* kernel_memory.h: references to memory: views of views, loads and stores. Every access is checked
 * against the reference's sizes, whether the checker is on or not. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MEMORY_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MEMORY_H

#include "devices/host/kernel_machine/kernel_core.h"

struct error *kernel_memory_select(const struct kernel_op *op, struct kernel_instr *in);

/* A reference to a whole buffer, row-major, of the type's sizes. */
void kernel_memory_view(struct kernel_buffer *buffer, const struct kernel_type *type,
                        struct kernel_view *out);

/* Bytes of a view's elements. */
int64_t kernel_memory_bytes(const struct kernel_view *view, int element);

/* Copies all elements of a view to another of equal sizes. */
void kernel_memory_copy(const struct kernel_view *from, const struct kernel_view *to, int element);

/* A view of the same buffer on another core. */
struct kernel_view kernel_memory_on(const struct kernel_view *view, struct kernel_core *core);

#endif
