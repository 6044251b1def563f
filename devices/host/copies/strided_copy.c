#include "devices/host/copies/strided_copy.h"

#include <string.h>

#include "base/pool.h"

enum {
    TILE = 32,                /* side of a transpose tile, in elements */
    WIDE_TILE = 64,           /* the same if elements are adjacent, or the number of elements in */
    WIDE_TILE_BYTES = 256,    /* this many bytes */
    PARALLEL_BYTES = 4 << 20, /* smaller copies run on the calling thread only */
    DENSE_GRAIN = 1 << 20,    /* bytes of a dense copy per parallel task */
};

struct axis {
    int64_t size, to, from; /* strides in bytes */
};

struct copy { /* the axes, outermost first, after merging; axes[rank - 1] is the inner loop's */
    char *to;
    const char *from;
    int rank, element_bytes;
    struct axis axes[SHAPE_MAX_RANK];
};

/* ---- one row ----- */
#define LINE(type)                                                                                 \
    static void line_##type(char *to, int64_t to_stride, const char *from, int64_t from_stride,    \
                            int64_t count)                                                         \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++) {                                                      \
            type element;                                                                          \
            memcpy(&element, from + i * from_stride, sizeof element);                              \
            memcpy(to + i * to_stride, &element, sizeof element);                                  \
        }                                                                                          \
    }
typedef struct {
    uint64_t low, high;
} pair_t;
LINE(uint8_t)
LINE(uint16_t)
LINE(uint32_t)
LINE(uint64_t)
LINE(pair_t)

static void copy_line(const struct copy *copy, char *to, int64_t to_stride, const char *from,
                      int64_t from_stride, int64_t count)
{
    if (to_stride == copy->element_bytes && from_stride == copy->element_bytes) {
        memcpy(to, from, (size_t)(count * copy->element_bytes));
        return;
    }
    switch (copy->element_bytes) {
    case 1: line_uint8_t(to, to_stride, from, from_stride, count); break;
    case 2: line_uint16_t(to, to_stride, from, from_stride, count); break;
    case 4: line_uint32_t(to, to_stride, from, from_stride, count); break;
    case 8: line_uint64_t(to, to_stride, from, from_stride, count); break;
    default: line_pair_t(to, to_stride, from, from_stride, count); break;
    }
}

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/* Copies a tile of the innermost two axes through a buffer: rows of the source are far apart, often
 * by a power of two, so their cache lines would evict each other while the tile is written. */
static void copy_tile(const struct copy *copy, const struct axis *row, const struct axis *column,
                      char *to, const char *from)
{
    char buffer[WIDE_TILE * WIDE_TILE_BYTES];
    size_t bytes = (size_t)(row->size * copy->element_bytes);
    for (int64_t j = 0; j < column->size; j++)
        memcpy(buffer + j * WIDE_TILE_BYTES, from + j * column->from, bytes);
    for (int64_t k = 0; k < row->size; k++)
        copy_line(copy, to + k * row->to, column->to, buffer + k * copy->element_bytes,
                  WIDE_TILE_BYTES, column->size);
}

/* Copies the innermost two axes if the source is dense along the outer one. */
static void copy_transposed(const struct copy *copy, const struct axis *row,
                            const struct axis *column, char *to, const char *from)
{
    int64_t tile = at_most(WIDE_TILE, WIDE_TILE_BYTES / copy->element_bytes);
    for (int64_t i = 0; i < row->size; i += tile)
        for (int64_t j = 0; j < column->size; j += tile) {
            struct axis rows = *row, columns = *column;
            rows.size = at_most(tile, row->size - i);
            columns.size = at_most(tile, column->size - j);
            copy_tile(copy, &rows, &columns, to + i * row->to + j * column->to,
                      from + i * row->from + j * column->from);
        }
}

/* Copies the innermost two axes, in tiles if the two arrays have them in different orders. */
static void copy_plane(const struct copy *copy, const struct axis *row, const struct axis *column,
                       char *to, const char *from)
{
    bool transposes = magnitude(row->from) < magnitude(column->from) && row->from != 0;
    if (row->from == copy->element_bytes && transposes) {
        copy_transposed(copy, row, column, to, from);
        return;
    }
    int64_t tile = transposes ? TILE : column->size, rows = transposes ? TILE : row->size;
    for (int64_t i = 0; i < row->size; i += rows)
        for (int64_t j = 0; j < column->size; j += tile)
            for (int64_t k = i; k < at_most(i + rows, row->size); k++)
                copy_line(copy, to + k * row->to + j * column->to, column->to,
                          from + k * row->from + j * column->from, column->from,
                          at_most(tile, column->size - j));
}

static void copy_axes(const struct copy *copy, int axis, char *to, const char *from)
{
    const struct axis *at = &copy->axes[axis];
    if (copy->rank - axis == 2)
        copy_plane(copy, at, at + 1, to, from);
    else if (copy->rank - axis == 1)
        copy_line(copy, to, at->to, from, at->from, at->size);
    else
        for (int64_t i = 0; i < at->size; i++)
            copy_axes(copy, axis + 1, to + i * at->to, from + i * at->from);
}

/* ---- preparation -- */
/* Sorts the axes by the strides of the destination, so that writes are as sequential as
 * possible. */
static void sort_axes(struct copy *copy)
{
    for (int i = 1; i < copy->rank; i++)
        for (int j = i; j > 0; j--) {
            struct axis *a = &copy->axes[j - 1], *b = &copy->axes[j], swap = *a;
            if (magnitude(a->to) >= magnitude(b->to))
                break;
            *a = *b, *b = swap;
        }
}

/* Merges adjacent axes if the outer one continues where the inner one ends, on both sides. */
static void merge_axes(struct copy *copy)
{
    int count = 0;
    for (int i = 0; i < copy->rank; i++) {
        struct axis *last = count ? &copy->axes[count - 1] : NULL, axis = copy->axes[i];
        if (axis.size == 1)
            continue;
        if (last && last->to == axis.to * axis.size && last->from == axis.from * axis.size)
            *last = (struct axis){last->size * axis.size, axis.to, axis.from};
        else
            copy->axes[count++] = axis;
    }
    if (!count)
        copy->axes[count++] = (struct axis){1, copy->element_bytes, copy->element_bytes};
    copy->rank = count;
}

static void copy_part(void *context, int64_t begin, int64_t end)
{
    struct copy part = *(const struct copy *)context;
    part.to += begin * part.axes[0].to;
    part.from += begin * part.axes[0].from;
    part.axes[0].size = end - begin;
    copy_axes(&part, 0, part.to, part.from);
}

void strided_copy(const struct shape *shape, void *to, const int64_t *to_strides, const void *from,
                  const int64_t *from_strides)
{
    int64_t bytes = dtype_bytes(shape->dtype);
    struct copy copy = {.to = to, .from = from, .rank = shape->rank, .element_bytes = (int)bytes};
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] != 1) /* strides of one element may be any number */
            copy.axes[i] = (struct axis){shape->dims[i], to_strides[i], from_strides[i]};
        else
            copy.axes[i] = (struct axis){1, 0, 0};
        bytes *= shape->dims[i];
    }
    if (!bytes)
        return;
    sort_axes(&copy);
    merge_axes(&copy);
    int64_t outer = copy.axes[0].size;
    if (bytes < PARALLEL_BYTES || outer == 1)
        copy_part(&copy, 0, outer);
    else
        pool_parallel(pool_shared(), outer, at_most(outer / 64 + 1, outer), copy_part, &copy);
}

static void copy_large(void *to, const void *from, uint64_t size)
{
    struct copy copy = {to, from, 1, 1, {{(int64_t)size, 1, 1}}};
    pool_parallel(pool_shared(), (int64_t)size, DENSE_GRAIN, copy_part, &copy);
}

void strided_copy_dense(void *to, const void *from, uint64_t size)
{
    if (size < PARALLEL_BYTES)
        memcpy(to, from, size);
    else
        copy_large(to, from, size);
}

void strided_copy_normalize(enum dtype dtype, void *bytes, uint64_t count)
{
    const struct dtype_info *info = dtype_info(dtype);
    if (info->bits >= 8 || !info->bits)
        return;
    int unused = 8 - info->bits;
    uint8_t *at = bytes;
    if (info->class == CLASS_SIGNED)
        for (uint64_t i = 0; i < count; i++)
            at[i] = (uint8_t)((int8_t)(uint8_t)(at[i] << unused) >> unused);
    else
        for (uint64_t i = 0; i < count; i++)
            at[i] = (uint8_t)(at[i] << unused) >> unused;
}
