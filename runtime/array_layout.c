#include "runtime/array_layout.h"

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
    if (shape->tile_count && !device->ops->lay_out)
        return ERROR(UNIMPLEMENTED, "%s has no tiled layouts: use a layout without tiles",
                     device->text);
    if (!shape->tile_count && device->ops->lay_out) {
        device->ops->lay_out(device, shape->minor_to_major != NULL, shape, room);
        TRY(shape_check(shape, "the array with the padding of its tiles"));
    }
    if (is_descending(shape))
        shape->minor_to_major = NULL;
    return NULL;
}

struct shape array_layout_stored(const struct device *device, const struct shape *shape)
{
    return device->ops->lay_out ? shape_without_layout(shape) : *shape;
}
