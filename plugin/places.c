#include "plugin/places.h"

#include "plugin/api_args.h"
#include "runtime/strided_copy.h"

struct error *places_memory(PJRT_Memory *memory, PJRT_Device *device, struct client_memory **out)
{
    if (!memory && !device)
        return ERROR(INVALID_ARGUMENT,
                     "neither a memory nor a device says where the buffer should be");
    *out = memory ? memory_of(memory) : &device_of(device)->memories[0];
    return NULL;
}

struct error *places_order(const PJRT_Buffer_MemoryLayout *layout, size_t rank, const int64_t **out)
{
    const int64_t *minor_to_major, *strides;
    bool row_major = true;
    *out = NULL;
    TRY(api_args_layout(layout, rank, &minor_to_major, &strides));
    if (strides)
        return ERROR(UNIMPLEMENTED,
                     "device layouts by strides are not served: by minor_to_major they are");
    if (rank > STRIDED_COPY_MAX_RANK || !strided_copy_is_order((int)rank, minor_to_major))
        return ERROR(INVALID_ARGUMENT, "minor_to_major is no permutation of %zu dimensions", rank);
    for (size_t i = 0; minor_to_major && i < rank; i++)
        row_major &= minor_to_major[i] == (int64_t)(rank - 1 - i);
    if (!row_major)
        *out = minor_to_major;
    return NULL;
}

struct error *places_default_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank)
{
    const int64_t *order;
    TRY(places_order(layout, rank, &order));
    return order ? ERROR(UNIMPLEMENTED, "only row-major device layouts are served here") : NULL;
}

int places_rank(size_t rank)
{
    return rank > INT32_MAX ? INT32_MAX : (int)rank;
}
