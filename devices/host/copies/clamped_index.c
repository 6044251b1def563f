/* clamped_index.c: see clamped_index.h. */
#include "devices/host/copies/clamped_index.h"

#include <stdbool.h>
#include <string.h>

/* Unsigned indices above INT64_MAX saturate. */
static int64_t read_index(const void *at, enum dtype dtype)
{
    int64_t value = 0;
    int bytes = (int)dtype_bytes(dtype);
    bool is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
    memcpy(&value, at, (size_t)bytes);
    if (bytes == 8)
        return value < 0 && !is_signed ? INT64_MAX : value;
    int unused = 64 - 8 * bytes;
    return is_signed ? (int64_t)((uint64_t)value << unused) >> unused : value;
}

int64_t clamped_index(const void *at, enum dtype dtype, int64_t last)
{
    return clamped_index_of(read_index(at, dtype), last);
}

void clamped_index_move(const struct slice_offset *offset, const void *at, void **buffers)
{
    char *begin = buffers[offset->slice];
    if (begin)
        buffers[offset->slice] =
            begin + clamped_index(at, offset->dtype, offset->last) * offset->stride;
}
