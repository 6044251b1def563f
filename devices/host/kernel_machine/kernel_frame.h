/* kernel_frame.h: offsets of values in a frame. Space of dead values is reused, by size classes, so
 * that vectors stay in caches. Linear in the number of values. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_FRAME_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_FRAME_H

#include "devices/host/kernel_machine/kernel_build.h"

/* Sets offsets, constants and the frame's size of *out, and replaces ids by offsets in the
 * instructions. */
struct error *kernel_frame_assign(struct kernel_builder *b, struct kernel_listing *out);

#endif
