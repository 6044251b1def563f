#include "plugin/placement.h"

#include "plugin/api_args.h"

struct error *placement_memory(PJRT_Client *client, PJRT_Memory *memory, PJRT_Device *device,
                               struct client_memory **out)
{
    *out = NULL;
    if (!memory && !device)
        return ERROR(INVALID_ARGUMENT, "neither a memory nor a device is given for the buffer");
    if (!memory)
        TRY(client_check_local(device_of(device)));
    struct client_memory *found = memory ? memory_of(memory) : &device_of(device)->memories[0];
    if (found->client != client_of(client))
        return ERROR(INVALID_ARGUMENT, "the memory %s belongs to a different client", found->text);
    *out = found;
    return NULL;
}

struct error *placement_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t num_dims,
                              const PJRT_Buffer_MemoryLayout *layout,
                              struct shape_tile tiles[SHAPE_MAX_TILES], struct shape *out,
                              const int64_t **byte_strides)
{
    const int64_t *strides;
    if (num_dims > SHAPE_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "rank %zu; allowed: 0 to %d", num_dims, SHAPE_MAX_RANK);
    *out = (struct shape){.dtype = dtype_from_pjrt(type),
                          .rank = (int)num_dims,
                          .dims = num_dims ? dims : NULL,
                          .tiles = tiles};
    TRY(api_args_layout(layout, num_dims, &out->minor_to_major, &strides));
    if (strides && !byte_strides)
        return ERROR(UNIMPLEMENTED,
                     "layouts with strides are unsupported here; use minor_to_major");
    TRY(api_args_tiles(layout, tiles, &out->tile_count));
    if (byte_strides)
        *byte_strides = strides;
    return NULL;
}
