#include "plugin/places.h"

#include "plugin/api_args.h"

struct error *places_memory(PJRT_Memory *memory, PJRT_Device *device, struct client_memory **out)
{
    if (!memory && !device)
        return ERROR(INVALID_ARGUMENT,
                     "neither a memory nor a device says where the buffer should be");
    *out = memory ? memory_of(memory) : &device_of(device)->memories[0];
    return NULL;
}

struct error *places_default_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank)
{
    const int64_t *minor_to_major, *strides;
    TRY(api_args_layout(layout, rank, &minor_to_major, &strides));
    if (strides)
        return ERROR(UNIMPLEMENTED,
                     "device layouts by strides are not served: Gantry's devices are row-major");
    for (size_t i = 0; minor_to_major && i < rank; i++)
        if (minor_to_major[i] != (int64_t)(rank - 1 - i))
            return ERROR(UNIMPLEMENTED,
                         "only row-major device layouts are served: minor_to_major[%zu] is %lld", i,
                         (long long)minor_to_major[i]);
    return NULL;
}

int places_rank(size_t rank)
{
    return rank > INT32_MAX ? INT32_MAX : (int)rank;
}
