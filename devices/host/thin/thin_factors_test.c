/* Parameters that are taken out of the right side change no result by more than rounding: numbers
 * near their zero points, numbers so large that a scale has to come first, and sums of 0. */
#include "devices/host/thin/thin_factors.h"

#include <criterion/criterion.h>
#include <math.h>

#include "compiler/program/thin_dot_spec.h"
#include "devices/host/thin/thin_step.h"

enum { M = 3, K = 70, N = 90 };

static float lhs[M * K], rhs[K * N], out[M * N], ones[N] = {[0 ... N - 1] = 1};
static int8_t integers[K * N];

/* Numbers of which those of a row, or of a column, have a scale in common. */
static struct thin_dot_spec spec_of(enum dtype dtype, bool of_rows)
{
    const struct thin_parameter scale = {DTYPE_F32,       0,       of_rows ? 1 : K, of_rows,
                                         of_rows ? N : 1, !of_rows};
    return (struct thin_dot_spec){.dot = {.lhs = DTYPE_F32,
                                          .rhs = dtype,
                                          .out = DTYPE_F32,
                                          .batch = 1,
                                          .m = M,
                                          .n = N,
                                          .k = K,
                                          .lhs_m_stride = K,
                                          .lhs_k_stride = 1,
                                          .rhs_k_stride = N,
                                          .rhs_n_stride = 1,
                                          .out_m_stride = N,
                                          .out_n_stride = 1,
                                          .outer = 1},
                                  .scale = scale};
}

static void run(const struct thin_dot_spec *spec, void *const *buffers)
{
    atomic_uint stop = 0;
    cr_assert(thin_dot_spec_is_supported(spec));
    cr_assert_null(thin_step_run(spec, buffers, &stop, 1));
}

/* As of activations that are normalized by their features: differences are small numbers. */
Test(thin_factors, floats_near_their_zero_points)
{
    struct thin_dot_spec spec = spec_of(DTYPE_F32, true);
    float zero[K];
    spec.zero = spec.scale;
    for (int k = 0; k < K; k++)
        zero[k] = (float)(1000 + k);
    for (int i = 0; i < K * N; i++)
        rhs[i] = zero[i / N] + (float)(i % 3 - 1) / 1024;
    for (int i = 0; i < M * K; i++)
        lhs[i] = (float)(i * 7 % 5 - 2) * 0.3F;
    run(&spec, (void *[]){lhs, rhs, zero, ones, out});
    for (int i = 0; i < M * N; i++) {
        double sum = 0, size = 0;
        for (int k = 0; k < K; k++) {
            const double term = (double)lhs[i / N * K + k] * ((k * N + i % N) % 3 - 1) / 1024;
            sum += term, size += fabs(term);
        }
        cr_expect_float_eq((double)out[i], sum, 1e-6 * size, "row %d, column %d", i / N, i % N);
    }
}

/* What the scale is multiplied by otherwise would be 0: 1e-30 * 1e-20. */
Test(thin_factors, numbers_as_large_as_scales_are_small)
{
    const struct thin_dot_spec spec = spec_of(DTYPE_F32, true);
    float scale[K];
    for (int k = 0; k < K; k++)
        scale[k] = 1e-30F;
    for (int i = 0; i < K * N; i++)
        rhs[i] = 1e30F;
    for (int i = 0; i < M * K; i++)
        lhs[i] = 1e-20F;
    run(&spec, (void *[]){lhs, rhs, scale, out});
    for (int i = 0; i < M * N; i++)
        cr_expect_float_eq((double)out[i], K * 1e-20, K * 1e-26, "row %d, column %d", i / N, i % N);
}

/* 0 plus products that are -0. */
Test(thin_factors, sums_of_zeros_are_positive)
{
    for (int of_rows = 0; of_rows < 2; of_rows++) {
        const struct thin_dot_spec spec = spec_of(DTYPE_S8, of_rows);
        float scale[N];
        for (int i = 0; i < N; i++)
            scale[i] = -0.5F;
        for (int i = 0; i < K * N; i++)
            integers[i] = (int8_t)(i % 5 + 1);
        run(&spec, (void *[]){lhs, integers, scale, out});
        for (int i = 0; i < M * N; i++)
            cr_expect(out[i] == 0 && !signbit(out[i]), "row %d, column %d", i / N, i % N);
    }
}
