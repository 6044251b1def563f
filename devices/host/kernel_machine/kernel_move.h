/* kernel_move.h: moves boxes of numbers between vectors and memory. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MOVE_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_MOVE_H

#include "devices/host/kernel_machine/kernel_listing.h"

/* A box between two places of memory; strides in bytes. */
struct kernel_box {
    int rank;
    int64_t dims[KERNEL_MAX_RANK], from[KERNEL_MAX_RANK], to[KERNEL_MAX_RANK];
};

/* Drops dimensions of size 1 and merges those that are adjacent on both sides. */
void kernel_move_simplify(struct kernel_box *box);

/* Copies numbers of 1, 2, 4 or 8 bytes; the sides do not overlap. */
void kernel_move_box(const struct kernel_box *box, const char *from, char *to, int bytes);

/* A move (kernel_listing.h) of numbers of `bytes` bytes; `from` and `to` are the vectors. */
void kernel_move_run(const struct kernel_move *move, const char *from, char *to, int bytes);

#endif
