/* kernel_shape.h: instructions that move the elements of vectors: by boxes that are known when the
 * kernel is built, or as operands say. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_SHAPE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_SHAPE_H

#include "devices/host/kernel_machine/kernel_core.h"

struct error *kernel_shape_select(struct arena *arena, const struct kernel_op *op,
                                  struct kernel_instr *in);

/* Whether in->plan is a list of moves (kernel_listing.h), and the first operand is the result
 * before them (`inserts`). */
bool kernel_shape_is_moves(const struct kernel_instr *in);

/* Moves states of the first operand's elements (kernel_shadow.h) as the instruction moves the
 * elements; false: it is none of those that can (rotations, gathers, bitcasts). */
bool kernel_shape_move_states(const struct kernel_core *core, const struct kernel_instr *in,
                              const uint8_t *from, uint8_t *to);

/* The first element that vector.extract takes. INVALID_ARGUMENT where it is outside. */
struct error *kernel_shape_position(struct kernel_core *core, const struct kernel_instr *in,
                                    int64_t *out);

#endif
