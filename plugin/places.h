/* places.h: where a client wants a buffer and how it should lie there. Pure. */
#ifndef GANTRY_PLUGIN_PLACES_H
#define GANTRY_PLUGIN_PLACES_H

#include "plugin/handles.h"

/* The memory named by either handle: `memory` wins, `device` means its default memory;
 * INVALID_ARGUMENT when both are NULL. *out is borrowed from the client. */
struct error *places_memory(PJRT_Memory *memory, PJRT_Device *device, struct client_memory **out);

/* The order of dimensions, minor to major, that a client asks for on the device: borrowed from the
 * layout, NULL for row-major. UNIMPLEMENTED for tiles and strides, INVALID_ARGUMENT for what is no
 * order. */
struct error *places_order(const PJRT_Buffer_MemoryLayout *layout, size_t rank,
                           const int64_t **out);
/* UNIMPLEMENTED unless it is row-major. */
struct error *places_default_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank);

/* A rank that is refused later when the client's is absurd. */
int places_rank(size_t rank);

#endif
