/* thin_fixture.h: products of few rows, and sums of f64 that they are compared with; for tests. Not
 * thread-safe: operands are arrays of a test's process. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_FIXTURE_H
#define GANTRY_DEVICES_HOST_THIN_THIN_FIXTURE_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "compiler/program/thin_dot_spec.h"
#include "devices/host/thin/thin_part.h"
#include "devices/host/thin/thin_step.h"

enum { MOST = (1 << 18) + (1 << 14) };

static char lhs[MOST], rhs[MOST], zero[MOST], scale[MOST], offset[MOST], table[MOST];
static float out[MOST], again[MOST];

/* Small numbers, which every type has, in an array of them. */
static inline void fill(enum dtype dtype, int low, int high, char *to)
{
    const int bytes = dtype_bytes(dtype);
    for (int i = 0; i < MOST / bytes; i++)
        dtype_from_double(dtype, low + (i * 37 + i / 11) % (high - low + 1), to + i * bytes);
}

static inline double at(enum dtype dtype, const char *from, int64_t i)
{
    return dtype_to_double(dtype, from + i * dtype_bytes(dtype));
}

/* The bits of a number that is a field of an element. */
static inline uint8_t field_of(const struct thin_dot_spec *spec, int64_t element, int64_t field)
{
    const int bits = dtype_info(spec->dot.rhs)->bits, shift = spec->packing.shift[field];
    const int64_t bytes = spec->packing.count * bits / 8;
    uint32_t word = 0;
    memcpy(&word, rhs + element * bytes, (size_t)bytes);
    const uint8_t number = (uint8_t)(word >> shift & ((1U << bits) - 1));
    return spec->dot.rhs == DTYPE_S4 && number & 8 ? number | 0xf0 : number;
}

/* A number of the right side, perhaps in an element that it shares. */
static inline double right_at(const struct thin_dot_spec *spec, int64_t b, int64_t k, int64_t n)
{
    const struct dot_spec *s = &spec->dot;
    const struct thin_packing *packing = &spec->packing;
    int64_t *shared = packing->along_k ? &k : &n, number = *shared, inner = packing->inner;
    if (packing->count)
        *shared = number / (packing->count * inner) * inner + number % inner;
    const int64_t element = b * s->rhs_batch_stride + k * s->rhs_k_stride + n * s->rhs_n_stride;
    if (packing->count == 0)
        return at(s->rhs, rhs, element);
    const uint8_t bits = field_of(spec, element, number / inner % packing->count);
    return dtype_to_double(s->rhs, &bits);
}

/* The number of the table, if there is one. */
static inline double number_at(const struct thin_dot_spec *spec, int64_t b, int64_t k, int64_t n)
{
    const double number = right_at(spec, b, k, n);
    return spec->table ? at(spec->table, table, (int64_t)number) : number;
}

static inline double parameter(const struct thin_parameter *p, const char *from, int64_t b,
                               int64_t k, int64_t n, double otherwise)
{
    return p->dtype ? at(p->dtype, from,
                         b * p->batch_stride + k / p->k_group * p->k_stride +
                             n / p->n_group * p->n_stride)
                    : otherwise;
}

/* Those of a step: THIN_SLICES are enough. */
static inline void set_buffers(const struct thin_dot_spec *spec, float *to, void **buffers)
{
    int count = 0;
    buffers[count++] = lhs;
    buffers[count++] = rhs;
    if (spec->zero.dtype)
        buffers[count++] = zero;
    if (spec->scale.dtype)
        buffers[count++] = scale;
    if (spec->offset.dtype)
        buffers[count++] = offset;
    if (spec->table)
        buffers[count++] = table;
    buffers[count] = to;
}

static inline void run(const struct thin_dot_spec *spec, float *to, int threads)
{
    void *buffers[THIN_SLICES];
    atomic_uint stop = 0;
    set_buffers(spec, to, buffers);
    cr_assert(thin_dot_spec_is_supported(spec));
    cr_assert_null(thin_step_run(spec, buffers, &stop, threads));
}

/* The decoded right side of a batch, and the left one: right[k][n] and left[m][k]. */
static double right[MOST], left[MOST];

static inline void decode(const struct thin_dot_spec *spec, int64_t b)
{
    const struct dot_spec *s = &spec->dot;
    cr_assert(s->k * s->n <= MOST && s->m * s->k <= MOST);
    for (int64_t k = 0; k < s->k; k++)
        for (int64_t n = 0; n < s->n; n++)
            right[k * s->n + n] =
                (number_at(spec, b, k, n) - parameter(&spec->zero, zero, b, k, n, 0)) *
                    parameter(&spec->scale, scale, b, k, n, 1) +
                parameter(&spec->offset, offset, b, k, n, 0);
    for (int64_t m = 0; m < s->m; m++)
        for (int64_t k = 0; k < s->k; k++)
            left[m * s->k + k] = at(
                s->lhs, lhs, b * s->lhs_batch_stride + m * s->lhs_m_stride + k * s->lhs_k_stride);
}

static inline void check_row(const struct thin_dot_spec *spec, int64_t b, int64_t m,
                             double exactness)
{
    const struct dot_spec *s = &spec->dot;
    for (int64_t n = 0; n < s->n; n++) {
        double sum = 0, size = 1e-6;
        for (int64_t k = 0; k < s->k; k++) {
            const double term = left[m * s->k + k] * right[k * s->n + n];
            sum += term, size += fabs(term);
        }
        cr_assert_float_eq(out[(b * s->m + m) * s->n + n], sum, exactness * size,
                           "%s, m %d n %d k %d: row %d column %d", dtype_name(s->rhs), (int)s->m,
                           (int)s->n, (int)s->k, (int)m, (int)n);
    }
}

static inline void check_within(const struct thin_dot_spec *spec, double exactness)
{
    const struct dot_spec *s = &spec->dot;
    const size_t bytes = sizeof(float) * (size_t)(s->batch * s->m * s->n);
    memset(out, 0xff, bytes);
    run(spec, out, 1);
    for (int64_t b = 0; b < s->batch; b++) {
        decode(spec, b);
        for (int64_t m = 0; m < s->m; m++)
            check_row(spec, b, m, exactness);
    }
    run(spec, again, 4);
    cr_assert_arr_eq(out, again, bytes);
}

#define check(spec) check_within(spec, 1e-6)

static inline struct thin_dot_spec spec_of(enum dtype dtype, bool adjacent_columns, int64_t batch,
                                           int64_t m, int64_t n, int64_t k)
{
    return (struct thin_dot_spec){.dot = {.lhs = DTYPE_F32,
                                          .rhs = dtype,
                                          .out = DTYPE_F32,
                                          .batch = batch,
                                          .m = m,
                                          .n = n,
                                          .k = k,
                                          .lhs_batch_stride = m * k,
                                          .lhs_m_stride = k,
                                          .lhs_k_stride = 1,
                                          .rhs_batch_stride = k * n,
                                          .rhs_k_stride = adjacent_columns ? n : 1,
                                          .rhs_n_stride = adjacent_columns ? 1 : k,
                                          .out_batch_stride = m * n,
                                          .out_m_stride = n,
                                          .out_n_stride = 1,
                                          .outer = 1}};
}

static inline void setup(void)
{
    fill(DTYPE_F32, -3, 3, lhs);
    fill(DTYPE_F32, 1, 9, scale);
    fill(DTYPE_BF16, -5, 5, offset);
    fill(DTYPE_U8, 0, 7, zero);
}
/* Groups of rows and columns; 0: all of them. */
static inline struct thin_parameter grouped(enum dtype dtype, const struct dot_spec *s,
                                            int64_t rows, int64_t columns)
{
    const int64_t k = rows ? rows : s->k, n = columns ? columns : s->n, row = (s->n + n - 1) / n;
    return (struct thin_parameter){dtype, (s->k + k - 1) / k * row, k, rows ? row : 0,
                                   n,     columns ? 1 : 0};
}

static inline struct thin_packing halves_of(int64_t inner, bool along_k, bool high_first)
{
    return (struct thin_packing){
        2, inner, along_k, {(uint8_t)(high_first ? 4 : 0), (uint8_t)(high_first ? 0 : 4)}};
}

#endif
