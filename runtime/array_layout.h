/* array_layout.h: the layout of arrays on a device. Clients leave it to the device or request an
 * order of dimensions, optionally with tiles; the device completes the layout (device_ops.lay_out).
 * Pure functions, thread-safe. */
#ifndef GANTRY_RUNTIME_ARRAY_LAYOUT_H
#define GANTRY_RUNTIME_ARRAY_LAYOUT_H

#include "devices/device.h"

/* Checks a client's shape (shape_check) and gives it the layout that the array has on the device.
 * minor_to_major NULL means that the client asks for no order; a row-major order is spelled out.
 * On return it is NULL if the order is row-major; arrays are the given ones or in `room`.
 * INVALID_ARGUMENT for what shape_check() rejects. */
struct error *array_layout_complete(const struct device *device, struct shape *shape,
                                    struct shape_layout *room);

/* Gives an array's shape the memory kind and the layout of its copy in a memory of `kind`: the same
 * layout, or the device's default one if only one of the two memories has tiles. As above. */
struct error *array_layout_copied(const struct device *device, enum memory_kind kind,
                                  struct shape *shape, struct shape_layout *room);

/* The shape with the layout of the bytes in the device's memory. Borrows the arrays of `shape`. */
struct shape array_layout_stored(const struct device *device, const struct shape *shape);

/* INVALID_ARGUMENT unless a client's host array has the buffer's element type and dimensions and a
 * plausible layout, if it has one; its other fields don't count. */
struct error *array_layout_check_host(const struct shape *host, const struct shape *buffer);

/* INVALID_ARGUMENT unless an array with these strides (NULL: none), which may be negative or 0,
 * spans at most 2^62 bytes: distances between its elements do not overflow. Those of dimensions of
 * one element don't count. */
struct error *array_layout_check_strides(const struct shape *shape, const int64_t *byte_strides);

#endif
