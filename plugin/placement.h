/* placement.h: where a client wants a buffer, and its shape with the layout it should have there.
 * Pure. */
#ifndef GANTRY_PLUGIN_PLACEMENT_H
#define GANTRY_PLUGIN_PLACEMENT_H

#include "base/shape.h"
#include "plugin/handles.h"

/* The memory named by either handle: `memory` wins, `device` means its default memory;
 * INVALID_ARGUMENT when both are NULL. *out is borrowed from the client. */
struct error *placement_memory(PJRT_Memory *memory, PJRT_Device *device,
                               struct client_memory **out);

/* The shape of a client's array. Its arrays are borrowed from the client's; minor_to_major is NULL
 * for a row-major layout. The shape is not checked further: runtime/ does that (buffer.h).
 * UNIMPLEMENTED for tiles, and for strides unless `byte_strides` is there to receive them;
 * INVALID_ARGUMENT for lists that are missing. */
struct error *placement_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t num_dims,
                              const PJRT_Buffer_MemoryLayout *layout, struct shape *out,
                              const int64_t **byte_strides);

#endif
