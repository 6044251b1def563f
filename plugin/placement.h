/* placement.h: the requested memory of a buffer, and its shape with the requested layout. Pure
 * functions. */
#ifndef GANTRY_PLUGIN_PLACEMENT_H
#define GANTRY_PLUGIN_PLACEMENT_H

#include "base/shape.h"
#include "plugin/handles.h"

/* The memory named by either handle: `memory` has precedence, and `device` means its default
 * memory. INVALID_ARGUMENT when both are NULL, or when it belongs to another client. *out is
 * borrowed from the client. */
struct error *placement_memory(PJRT_Client *client, PJRT_Memory *memory, PJRT_Device *device,
                               struct client_memory **out);

/* The shape of a client's array. The shape borrows the client's arrays, and `tiles` for its tiles;
 * minor_to_major is NULL if the client asks for no order of dimensions. The shape is not checked
 * further: runtime/ does that (buffer.h). UNIMPLEMENTED for strides if `byte_strides` is NULL;
 * INVALID_ARGUMENT for missing lists. */
struct error *placement_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t num_dims,
                              const PJRT_Buffer_MemoryLayout *layout,
                              struct shape_tile tiles[SHAPE_MAX_TILES], struct shape *out,
                              const int64_t **byte_strides);

#endif
