/* Integers minus zero points of s32: differences have 32 bits, wrap around, and are rounded to f32
 * afterwards, whatever decodes them. */
#include "devices/host/thin/thin_step.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "compiler/program/thin_dot_spec.h"

enum { K = 64, N = 96, GROUP = 16, MOST_ROWS = 20 };

static float lhs[MOST_ROWS * K], scale[N], offset[N], out[MOST_ROWS * N];
static uint8_t rhs[K * N];
static int32_t zero[K / GROUP * N];

/* Zero points of which all are small, or the first columns have others. */
static void fill(const int32_t *large, int count)
{
    for (int i = 0; i < MOST_ROWS * K; i++)
        lhs[i] = (float)(i * 7 % 5 - 2);
    for (int i = 0; i < K * N; i++)
        rhs[i] = (uint8_t)(i * 37 + i / 11);
    for (int i = 0; i < K / GROUP * N; i++)
        zero[i] = i % N < count ? large[i % N] : i % 9;
    for (int i = 0; i < N; i++)
        scale[i] = (float)(i % 3 + 1), offset[i] = (float)(i % 4);
}

/* Where number (k, n) is: columns are adjacent, or terms. */
static int place_of(bool is_by_rows, int k, int n)
{
    return is_by_rows ? k * N + n : n * K + k;
}

static int32_t number_at(const struct thin_dot_spec *spec, int k, int n)
{
    const bool is_by_rows = spec->dot.rhs_n_stride == 1;
    const int place = place_of(is_by_rows, k, n);
    if (spec->packing.count)
        return rhs[place / 2] >> place % 2 * 4 & 15;
    return spec->dot.rhs == DTYPE_S8 ? (int8_t)rhs[place] : rhs[place];
}

static double decoded(const struct thin_dot_spec *spec, int k, int n)
{
    const uint32_t difference = (uint32_t)number_at(spec, k, n) - (uint32_t)zero[k / GROUP * N + n];
    const double scaled = (double)(float)(int32_t)difference * (double)scale[n];
    return spec->offset.dtype ? scaled + (double)offset[n] : scaled;
}

static struct thin_dot_spec spec_of(enum dtype dtype, bool is_by_rows, int rows, bool has_offset)
{
    struct thin_dot_spec spec = {.dot = {.lhs = DTYPE_F32,
                                         .rhs = dtype,
                                         .out = DTYPE_F32,
                                         .batch = 1,
                                         .m = rows,
                                         .n = N,
                                         .k = K,
                                         .lhs_m_stride = K,
                                         .lhs_k_stride = 1,
                                         .rhs_k_stride = is_by_rows ? N : 1,
                                         .rhs_n_stride = is_by_rows ? 1 : K,
                                         .out_m_stride = N,
                                         .out_n_stride = 1,
                                         .outer = 1},
                                 .zero = {DTYPE_S32, 0, GROUP, N, 1, 1},
                                 .scale = {DTYPE_F32, 0, K, 0, 1, 1}};
    if (has_offset)
        spec.offset = (struct thin_parameter){DTYPE_F32, 0, K, 0, 1, 1};
    if (dtype == DTYPE_U4) {
        spec.packing = (struct thin_packing){2, 1, !is_by_rows, {0, 4}};
        *(is_by_rows ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) /= 2;
    }
    return spec;
}

static void check(const struct thin_dot_spec *spec)
{
    void *buffers[6] = {lhs, rhs, zero, scale, offset, out};
    atomic_uint stop = 0;
    buffers[spec->offset.dtype ? 5 : 4] = out;
    cr_assert(thin_dot_spec_is_supported(spec));
    cr_assert_null(thin_step_run(spec, buffers, &stop, 2));
    for (int m = 0; m < spec->dot.m; m++)
        for (int n = 0; n < N; n++) {
            double sum = 0, size = 1e-6;
            for (int k = 0; k < K; k++) {
                const double term = (double)lhs[m * K + k] * decoded(spec, k, n);
                sum += term, size += fabs(term);
            }
            cr_expect_float_eq((double)out[m * N + n], sum, 1e-6 * size, "%s, row %d, column %d",
                               dtype_name(spec->dot.rhs), m, n);
        }
}

static void check_all(void)
{
    static const enum dtype types[] = {DTYPE_U8, DTYPE_S8, DTYPE_U4};
    static const int rows[] = {1, 4, MOST_ROWS};
    for (int i = 0; i < 3 * 3 * 4; i++) {
        const struct thin_dot_spec spec = spec_of(types[i % 3], i / 9 & 1, rows[i / 3 % 3], i / 18);
        check(&spec);
    }
}

Test(thin_zero, small_zero_points)
{
    fill(NULL, 0);
    check_all();
}

/* The difference of 127 and the last one is 2^31 - 1 or wraps around, as those of others do. */
Test(thin_zero, zero_points_of_all_integers)
{
    static const int32_t large[] = {INT32_MIN,     INT32_MIN + 3,  INT32_MAX, INT32_MAX - 200,
                                    (1 << 24) + 1, -(1 << 25) - 3, 70000,     INT32_MIN + 128};
    fill(large, sizeof large / sizeof *large);
    check_all();
}
