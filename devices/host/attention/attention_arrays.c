/* attention_arrays.c: see attention_arrays.h. */
#include "devices/host/attention/attention_arrays.h"

#include <string.h>

enum {
    USUAL = 127 + 57, /* the exponent of 2^57 and its bias */
    CACHE_LINE = 64
};

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
static void fetch_line(const char *from, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += CACHE_LINE)
        __builtin_prefetch(from + i, 0, 2);
}

void attention_array_fetch(const struct attention_array *array, int64_t rows, int64_t columns,
                           int64_t part, int64_t parts)
{
    const int bytes = dtype_bytes(array->dtype);
    const bool by_rows = array->column_stride == 1;
    const int64_t lines = by_rows ? rows : columns, length = by_rows ? columns : rows,
                  stride = by_rows ? array->row_stride : array->column_stride;
    if (!by_rows && array->row_stride != 1)
        return;
    for (int64_t i = lines * part / parts; i < lines * (part + 1) / parts; i++)
        fetch_line((const char *)array->at + i * stride * bytes, length * bytes);
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
typedef uint32_t quad __attribute__((vector_size(16)));

/* Sets the signs of words whose magnitude, of f32 or with `has_halves` of one of both halves, is
 * USUAL or more. */
static inline quad unusual(quad words, bool has_halves)
{
    const uint32_t up = (UINT32_C(1) << 31) - ((uint32_t)USUAL << 23);
    const quad found = (words & INT32_MAX) + up;
    return has_halves ? found | ((words << 16 & INT32_MAX) + up) : found;
}

static quad unusual_in_row(const char *row, size_t size, bool has_halves)
{
    quad words, last = {0}, found = {0};
    size_t i = 0;
    for (; i + sizeof words <= size; i += sizeof words) {
        memcpy(&words, row + i, sizeof words);
        found |= unusual(words, has_halves);
    }
    memcpy(&last, row + i, size - i);
    return found | unusual(last, has_halves);
}

bool attention_array_is_usual(const struct attention_array *array, int64_t rows, int64_t columns)
{
    const int bytes = dtype_bytes(array->dtype);
    quad found = {0};
    for (int64_t r = 0; r < rows; r++)
        found |= unusual_in_row((const char *)array->at + r * array->row_stride * bytes,
                                (size_t)(columns * bytes), array->dtype == DTYPE_BF16);
    return (found[0] | found[1] | found[2] | found[3]) >> 31 == 0;
}
