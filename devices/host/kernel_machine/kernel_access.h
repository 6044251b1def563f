/* kernel_access.h: loads and stores of vectors and scalars through references, with strides, masks,
 * indices, and elements that are packed otherwise than their type says. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_ACCESS_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_ACCESS_H

#include "devices/host/kernel_machine/kernel_core.h"

struct error *kernel_access_select(struct arena *arena, const struct kernel_op *op,
                                   struct kernel_instr *in);

/* Moves the view's start by `start` elements along a dimension. */
void kernel_access_advance(struct kernel_view *view, int dim, int64_t start);

/* Copies between views of equal sizes whose elements may be packed. */
void kernel_access_copy(const struct kernel_view *from, const struct kernel_view *to, int element);

/* The box of memory that an access touches, for the checker: a view whose dimensions are the
 * vector's. INVALID_ARGUMENT with its reason where it is out of bounds. */
struct kernel_access {
    int value, base, first_index, mask; /* operands; -1: none */
    bool stores;
    bool is_row; /* of tpu.load and store: rows of sublanes */
};

#endif
