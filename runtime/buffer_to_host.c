#include "runtime/buffer_to_host.h"

#include "runtime/array_layout.h"
#include "runtime/buffer_sizes.h"
#include "runtime/copy.h"

static struct error *check_destination(const void *destination, uint64_t size, uint64_t needed)
{
    if (size < needed)
        return ERROR(INVALID_ARGUMENT, "the destination has %llu bytes, the array needs %llu",
                     (unsigned long long)size, (unsigned long long)needed);
    if (!destination && needed)
        return ERROR(INVALID_ARGUMENT, "the destination is NULL, but the array has %llu bytes",
                     (unsigned long long)needed);
    return NULL;
}

struct error *buffer_to_host(struct buffer *buffer, const struct shape *shape, void *destination,
                             uint64_t size, struct event **done)
{
    struct shape real;
    *done = NULL;
    TRY(buffer_sizes_shape(buffer, &real));
    struct shape row_major = shape_without_layout(&real);
    uint64_t bytes = (uint64_t)shape_bytes(&real);
    if (shape)
        TRY(array_layout_check_host(shape, &real));
    TRY(check_destination(destination, size, bytes));
    struct copy copy = {
        .request = {.from = {.shape = &real},
                    .to = copy_end_host(destination, shape ? shape : &row_major, NULL),
                    .size = bytes}};
    return buffer_copy_out(buffer, &copy, done);
}

/* Adds the remaining dimension with the smallest stride. Elements do not overlap if each stride
 * spans all dimensions with smaller strides. Returns false when they may overlap, or on
 * overflow. */
static bool add_dimension(const struct shape *shape, const int64_t *strides, uint32_t *left,
                          int64_t *extent)
{
    int smallest = -1;
    for (int i = 0; i < shape->rank; i++)
        if (*left >> i & 1 && (smallest < 0 || strides[i] < strides[smallest]))
            smallest = i;
    *left &= ~(1U << smallest);
    int64_t size = shape->dims[smallest], reach;
    return size == 1 || (strides[smallest] >= *extent &&
                         !__builtin_mul_overflow(size - 1, strides[smallest], &reach) &&
                         !__builtin_add_overflow(reach, *extent, extent));
}

struct error *buffer_strided_size(struct buffer *buffer, const int64_t *byte_strides, uint64_t *out)
{
    struct shape shape;
    TRY(buffer_sizes_shape(buffer, &shape));
    int64_t extent = dtype_bytes(shape.dtype);
    uint32_t left = shape.rank ? UINT32_MAX >> (SHAPE_MAX_RANK - shape.rank) : 0;
    *out = 0;
    if (!shape_bytes(&shape))
        return NULL;
    while (left)
        if (!add_dimension(&shape, byte_strides, &left, &extent))
            return ERROR(INVALID_ARGUMENT, "the byte strides of the destination are negative, very "
                                           "large, or let elements overlap: each element needs its "
                                           "own bytes at or after the destination's address");
    *out = (uint64_t)extent;
    return NULL;
}

struct error *buffer_to_host_strided(struct buffer *buffer, const int64_t *byte_strides,
                                     void *destination, uint64_t size, struct event **done)
{
    uint64_t needed;
    *done = NULL;
    TRY(buffer_strided_size(buffer, byte_strides, &needed));
    TRY(check_destination(destination, size, needed));
    struct shape real;
    TRY(buffer_sizes_shape(buffer, &real));
    struct shape strided = shape_without_layout(&real);
    struct copy copy = {.request = {.from = {.shape = &real},
                                    .to = copy_end_host(destination, &strided, byte_strides),
                                    .size = (uint64_t)shape_bytes(&real)}};
    return buffer_copy_out(buffer, &copy, done);
}

struct error *buffer_check_range(uint64_t bytes, uint64_t offset, uint64_t size)
{
    if (offset <= bytes && size <= bytes - offset)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "a range of %lld bytes from byte %lld: the array has %llu bytes",
                 (long long)size, (long long)offset, (unsigned long long)bytes);
}

struct error *buffer_raw_to_host(struct buffer *buffer, void *destination, uint64_t offset,
                                 uint64_t size, struct event **done)
{
    *done = NULL;
    TRY(buffer_check_range(buffer_bytes(buffer), offset, size));
    if (!destination && size)
        return ERROR(INVALID_ARGUMENT, "the destination of %llu bytes is NULL",
                     (unsigned long long)size);
    struct copy copy = {.request = {.from = {.offset = offset},
                                    .to = copy_end_host(destination, NULL, NULL),
                                    .size = size}};
    return buffer_copy_out(buffer, &copy, done);
}
