#include "compiler/frontend/argument_shapes.h"

#include <string.h>

static struct error *refuse(const char *part, size_t size)
{
    return ERROR(
        INVALID_ARGUMENT,
        "gantry_argument_shapes: '%.*s' is not a type; allowed: sizes and an element type, "
        "like 3x4xf32 or s32",
        (int)(size < 60 ? size : 60), part);
}

/* A size and the x behind it; false where there is none. */
static bool read_size(const char **at, const char *end, int64_t *out)
{
    const char *digit = *at;
    bool fits = true;
    for (*out = 0; digit < end && *digit >= '0' && *digit <= '9'; digit++)
        fits = fits && !__builtin_mul_overflow(*out, 10, out) &&
               !__builtin_add_overflow(*out, *digit - '0', out);
    if (digit == *at || digit == end || *digit != 'x' || !fits)
        return false;
    *at = digit + 1;
    return true;
}

static struct error *read_type(struct arena *arena, const char *part, size_t size,
                               const struct type **out)
{
    const char *at = part, *end = part + size;
    int64_t dims[SHAPE_MAX_RANK];
    int rank = 0;
    while (rank < SHAPE_MAX_RANK && read_size(&at, end, &dims[rank]))
        rank++;
    enum dtype dtype = dtype_from_name(at, (size_t)(end - at));
    if (dtype == DTYPE_INVALID)
        dtype = dtype_from_mlir(at, (size_t)(end - at));
    if (dtype == DTYPE_INVALID)
        return refuse(part, size);
    *out = type_tensor(arena, dtype, rank, dims);
    return NULL;
}

struct error *argument_shapes_read(struct arena *arena, const char *text, int *count,
                                   const struct type *const **out)
{
    size_t parts = *text != 0;
    for (const char *at = text; *at; at++)
        parts += *at == ',';
    const struct type **types = ARENA_ARRAY(arena, const struct type *, parts);
    for (size_t i = 0; i < parts; i++) {
        size_t size = strcspn(text, ",");
        TRY(read_type(arena, text, size, &types[i]));
        text += size + (text[size] == ',');
    }
    *count = (int)parts;
    *out = types;
    return NULL;
}
