/* attention_arrays.c: see attention_arrays.h. */
#include "devices/host/attention/attention_arrays.h"

#include <string.h>

#include "devices/host/tiles/tile_sizes.h"

enum { CACHE_LINE = 64 };

/* ---- places ---------------------------------------------------------------------------------- */
static struct attention_array array_of(const struct dot_spec *s, void *array, enum dtype dtype,
                                       int64_t batch, int64_t outer_stride, int64_t batch_stride)
{
    int64_t number = batch / s->batch * outer_stride + batch % s->batch * batch_stride;
    return (struct attention_array){.at = (char *)array + number * dtype_bytes(dtype),
                                    .dtype = dtype};
}

struct attention_array attention_array_lhs(const struct dot_spec *s, void *array, int64_t batch)
{
    struct attention_array a =
        array_of(s, array, s->lhs, batch, s->lhs_outer_stride, s->lhs_batch_stride);
    a.row_stride = s->lhs_m_stride, a.column_stride = s->lhs_k_stride;
    return a;
}

struct attention_array attention_array_rhs(const struct dot_spec *s, void *array, int64_t batch)
{
    struct attention_array a =
        array_of(s, array, s->rhs, batch, s->rhs_outer_stride, s->rhs_batch_stride);
    a.row_stride = s->rhs_k_stride, a.column_stride = s->rhs_n_stride;
    return a;
}

struct attention_array attention_array_out(const struct dot_spec *s, void *array, int64_t batch)
{
    struct attention_array a =
        array_of(s, array, s->out, batch, s->out_outer_stride, s->out_batch_stride);
    a.row_stride = s->out_m_stride, a.column_stride = s->out_n_stride;
    return a;
}

struct attention_array attention_array_from(const struct attention_array *array, int64_t row)
{
    struct attention_array from = *array;
    from.at = (char *)array->at + row * array->row_stride * dtype_bytes(array->dtype);
    return from;
}

/* ---- fetching ahead -------------------------------------------------------------------------- */
/* Part `part` of `parts` of an array in pieces of memory; none, if no stride is 1. */
static struct tile_ahead pieces_of(const struct attention_array *array, int64_t rows,
                                   int64_t columns, int64_t part, int64_t parts)
{
    const int bytes = dtype_bytes(array->dtype);
    const bool by_rows = array->column_stride == 1;
    const int64_t count = by_rows ? rows : columns, length = by_rows ? columns : rows,
                  stride = (by_rows ? array->row_stride : array->column_stride) * bytes,
                  first = count * part / parts, end = count * (part + 1) / parts;
    if (!by_rows && array->row_stride != 1)
        return (struct tile_ahead){0};
    return (struct tile_ahead){.at = (const char *)array->at + first * stride,
                               .piece = length * bytes,
                               .stride = stride,
                               .pieces = end - first};
}

void attention_array_fetch(const struct attention_array *array, int64_t rows, int64_t columns,
                           int64_t part, int64_t parts)
{
    const struct tile_ahead pieces = pieces_of(array, rows, columns, part, parts);
    for (int64_t piece = 0; piece < pieces.pieces; piece++)
        for (int64_t i = 0; i < pieces.piece; i += CACHE_LINE)
            __builtin_prefetch(pieces.at + piece * pieces.stride + i, 0, 2);
}

void attention_ahead_add(struct attention_ahead *ahead, const struct attention_array *array,
                         int64_t rows, int64_t columns, int64_t part, int64_t parts)
{
    const struct tile_ahead added = pieces_of(array, rows, columns, part, parts);
    if (added.pieces <= 0 || ahead->count == ATTENTION_AHEAD)
        return;
    ahead->lines += added.pieces * tile_divide_up(added.piece, CACHE_LINE);
    ahead->parts[ahead->count++] = added;
}

struct tile_ahead *attention_ahead_begin(struct attention_ahead *ahead, int64_t steps)
{
    for (int i = 0; i < ahead->count; i++) {
        ahead->parts[i].lines = tile_divide_up(ahead->lines, steps);
        ahead->parts[i].next = i + 1 < ahead->count ? &ahead->parts[i + 1] : NULL;
    }
    return ahead->count ? ahead->parts : NULL;
}

/* ---- copies ---------------------------------------------------------------------------------- */
/* Copies `count` numbers to adjacent ones. */
static void gather(const char *from, int64_t stride, int64_t count, int bytes, char *to)
{
    if (stride == 1)
        memcpy(to, from, (size_t)(count * bytes));
    else if (bytes == sizeof(float))
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * 4, from + i * stride * 4, 4);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * 2, from + i * stride * 2, 2);
}

struct attention_array attention_array_load(const struct attention_array *from, int64_t rows,
                                            int64_t columns, void *copy)
{
    int bytes = dtype_bytes(from->dtype);
    if (from->column_stride == 1 && rows % TILE_ROWS == 0)
        return *from;
    for (int64_t r = 0; r < rows; r++)
        gather((const char *)from->at + r * from->row_stride * bytes, from->column_stride, columns,
               bytes, (char *)copy + r * columns * bytes);
    return (struct attention_array){copy, from->dtype, columns, 1};
}

static void store_f32(const float *from, int64_t count, float *to, int64_t stride)
{
    if (stride == 1)
        memcpy(to, from, (size_t)count * sizeof *to);
    else
        for (int64_t i = 0; i < count; i++)
            to[i * stride] = from[i];
}

static void store_bf16(const struct tile_product *product, const float *from, int64_t count,
                       uint16_t *to, int64_t stride)
{
    if (stride == 1)
        product->narrow(from, count, to);
    else
        for (int64_t i = 0; i < count; i++)
            product->narrow(from + i, 1, to + i * stride);
}

void attention_array_store(const struct tile_product *product, const float *from,
                           int64_t from_stride, int64_t rows, int64_t columns,
                           const struct attention_array *to)
{
    for (int64_t r = 0; r < rows; r++, from += from_stride)
        if (to->dtype == DTYPE_F32)
            store_f32(from, columns, (float *)to->at + r * to->row_stride, to->column_stride);
        else
            store_bf16(product, from, columns, (uint16_t *)to->at + r * to->row_stride,
                       to->column_stride);
}

/* ---- magnitudes ------------------------------------------------------------------------------ */
bool attention_array_is_usual(const struct tile_product *product,
                              const struct attention_array *array, int64_t rows, int64_t columns)
{
    const int bytes = dtype_bytes(array->dtype);
    for (int64_t r = 0; r < rows; r++)
        if (!product->is_usual((const char *)array->at + r * array->row_stride * bytes, columns))
            return false;
    return true;
}
