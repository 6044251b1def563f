/* kernel_lanes.h: loops over the numbers of vectors, one for each operation and type, and the
 * conversions between types. Floats are computed in f32; narrower ones are widened and rounded by
 * the caller (kernel_elementwise.h). There is one set for each instruction set. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_LANES_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_LANES_H

#include "devices/host/kernel_machine/kernel_listing.h"

/* The loop of an elementwise operation over numbers of `dtype` (f32 for all floats); predicate is
 * that of comparisons. NULL: none. */
kernel_loop kernel_lanes_find(enum kernel_code code, enum dtype dtype, int64_t predicate);

/* Numbers of one type as another: floats round to nearest even, integers are sign-extended
 * (`is_unsigned`: zero-extended) or cut off, floats to integers saturate, NaN becomes 0. NULL:
 * none. */
kernel_loop kernel_lanes_convert(enum dtype from, enum dtype to, bool is_unsigned);

/* Floats to f32 and back; NULL for f32 itself and for types that are not floats. */
kernel_loop kernel_lanes_widen(enum dtype from);
kernel_loop kernel_lanes_narrow(enum dtype to);

/* f32 rounded to the nearest bf16, as f32: the operands of a matrix unit. */
void kernel_lanes_round(float *out, const float *a, int64_t count);

#endif
