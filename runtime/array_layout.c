#include "runtime/array_layout.h"

#define MAX_REACH (INT64_C(1) << 62) /* bytes */

static bool is_descending(const struct shape *shape)
{
    for (int i = 0; i < shape->rank; i++)
        if (shape_minor_to_major(shape, i) != shape->rank - 1 - i)
            return false;
    return true;
}

struct error *array_layout_complete(const struct device *device, struct shape *shape,
                                    struct shape_layout *room)
{
    TRY(shape_check(shape, "the array"));
    if (!shape->tile_count && device->ops->lay_out) {
        device->ops->lay_out(device, shape->minor_to_major != NULL, shape, room);
        TRY(shape_check(shape, "the array with the padding of its tiles"));
    }
    if (is_descending(shape))
        shape->minor_to_major = NULL;
    return NULL;
}

struct error *array_layout_copied(const struct device *device, enum memory_kind kind,
                                  struct shape *shape, struct shape_layout *room)
{
    shape->memory = kind;
    if (!device->ops->lay_out)
        return NULL;
    struct shape default_shape = shape_without_layout(shape);
    TRY(array_layout_complete(device, &default_shape, room));
    if (!default_shape.tile_count != !shape->tile_count)
        *shape = default_shape;
    return NULL;
}

struct shape array_layout_stored(const struct device *device, const struct shape *shape)
{
    struct shape stored = device->ops->lay_out ? shape_without_layout(shape) : *shape;
    stored.tile_count = 0;
    return stored;
}

struct error *array_layout_check_strides(const struct shape *shape, const int64_t *byte_strides)
{
    int64_t reach = 0, span;
    if (!byte_strides || !shape_elements(shape))
        return NULL;
    for (int i = 0; i < shape->rank; i++) {
        int64_t stride = shape->dims[i] == 1 ? 0 : byte_strides[i];
        if (stride == INT64_MIN ||
            __builtin_mul_overflow(shape->dims[i], stride < 0 ? -stride : stride, &span) ||
            __builtin_add_overflow(reach, span, &reach) || reach > MAX_REACH)
            return ERROR(INVALID_ARGUMENT,
                         "byte stride %d of the host array is %lld, for %lld elements: the array "
                         "would span more than 2^62 bytes",
                         i, (long long)byte_strides[i], (long long)shape->dims[i]);
    }
    return NULL;
}

struct error *array_layout_check_host(const struct shape *host, const struct shape *buffer)
{
    if (host->dtype != buffer->dtype || !shape_same_dims(host, buffer))
        return ERROR(INVALID_ARGUMENT,
                     "the host array and the buffer have different types or shapes");
    return host->minor_to_major || host->tile_count ? shape_check(host, "the host array") : NULL;
}
