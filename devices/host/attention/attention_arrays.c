/* attention_arrays.c: see attention_arrays.h. */
#include "devices/host/attention/attention_arrays.h"

#include <string.h>

enum {
    WORDS = 16,
    USUAL = 127 + 57, /* read at once; the exponent of 2^57 and its bias */
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

void attention_array_load(const struct attention_array *from, int64_t rows, int64_t columns,
                          void *to)
{
    int bytes = dtype_bytes(from->dtype);
    for (int64_t r = 0; r < rows; r++)
        gather((const char *)from->at + r * from->row_stride * bytes, from->column_stride, columns,
               bytes, (char *)to + r * columns * bytes);
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
/* Sets the sign of words[i] if a magnitude in some word i of those at `from` is USUAL or more: of
 * f32, or, with `has_halves`, of both halves. */
static void note_unusual(uint32_t *words, const void *from, bool has_halves)
{
    const uint32_t up = (UINT32_C(1) << 31) - ((uint32_t)USUAL << 23);
    uint32_t read[WORDS];
    memcpy(read, from, sizeof read);
    for (int i = 0; i < WORDS; i++)
        words[i] |= (read[i] & INT32_MAX) + up;
    for (int i = 0; i < WORDS && has_halves; i++)
        words[i] |= (read[i] << 16 & INT32_MAX) + up;
}

bool attention_array_is_usual(enum dtype dtype, const void *numbers, int64_t count)
{
    const bool has_halves = dtype == DTYPE_BF16;
    uint32_t words[WORDS] = {0}, last[WORDS] = {0}, any = 0;
    const char *bytes = numbers;
    size_t size = (size_t)(count * dtype_bytes(dtype)), whole = size / sizeof last * sizeof last;
    for (size_t i = 0; i < whole; i += sizeof last)
        note_unusual(words, bytes + i, has_halves);
    memcpy(last, bytes + whole, size - whole);
    note_unusual(words, last, has_halves);
    for (int i = 0; i < WORDS; i++)
        any |= words[i];
    return any >> 31 == 0;
}
