/* Products of few rows against sums of f64: every type of numbers, both layouts, sizes that vectors
 * and groups do not divide, parameters of each kind. Any number of threads gives the same bits. */
#include <pthread.h>

#include "base/alloc.h"
#include "devices/host/thin/thin_factors.h"
#include "devices/host/thin/thin_fixture.h"
#include "devices/host/thin/thin_plan.h"

TestSuite(thin_step, .init = setup);

static const int64_t sizes[][3] = {{1, 64, 32},  {2, 65, 48},  {3, 7, 1},    {4, 130, 96},
                                   {5, 17, 530}, {16, 70, 33}, {7, 200, 64}, {16, 16, 16}};
enum { SIZES = sizeof sizes / sizeof *sizes };

Test(thin_step, numbers_of_every_type)
{
    for (enum dtype dtype = DTYPE_INVALID + 1; dtype < DTYPE_COUNT; dtype++) {
        struct thin_dot_spec spec = spec_of(dtype, true, 1, 3, 70, 33);
        if (!thin_dot_spec_is_supported(&spec))
            continue;
        const bool is_signed = dtype_is_float(dtype) || dtype_info(dtype)->class == CLASS_SIGNED;
        const bool is_power = dtype == DTYPE_F8E8M0FNU;
        fill(dtype, is_power ? 1 : is_signed ? -2 : 0, is_power ? 2 : 1, rhs);
        check(&spec);
        spec = spec_of(dtype, false, 2, 3, 70, 33);
        check(&spec);
    }
}

Test(thin_step, scales_of_columns_groups_and_blocks)
{
    static const int64_t groups[][2] = {{0, 0}, {0, 1}, {32, 1},  {16, 1}, {8, 1},   {24, 1},
                                        {1, 0}, {1, 1}, {32, 32}, {0, 16}, {512, 1}, {1024, 1}};
    fill(DTYPE_S8, -100, 100, rhs);
    for (int i = 0; i < SIZES; i++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (int adjacent = 0; adjacent < 2; adjacent++) {
                struct thin_dot_spec spec =
                    spec_of(DTYPE_S8, adjacent, 2, sizes[i][0], sizes[i][1], sizes[i][2]);
                spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g][0], groups[g][1]);
                check(&spec);
            }
}

Test(thin_step, zero_points_and_offsets)
{
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < SIZES; i++)
        for (int which = 1; which < 8; which++)
            for (int adjacent = 0; adjacent < 2; adjacent++) {
                struct thin_dot_spec spec =
                    spec_of(DTYPE_U8, adjacent, 1, sizes[i][0], sizes[i][1], sizes[i][2]);
                if (which & 1)
                    spec.zero = grouped(DTYPE_U8, &spec.dot, 32, 1);
                if (which & 2)
                    spec.scale = grouped(DTYPE_F32, &spec.dot, 16, 1);
                if (which & 4)
                    spec.offset = grouped(DTYPE_BF16, &spec.dot, 0, 1);
                check(&spec);
            }
}

/* Scales and zero points of rows, or of columns, alone, which are not powers of two: they are taken
 * out of the right side (thin_factors.h). Numbers of each packing; and so many rows that these are
 * decoded to panels. */
Test(thin_step, scales_of_rows_or_columns)
{
    static const int64_t rows[] = {1, 3, 4, 16, 33}, scales[][2] = {{1, 0}, {0, 1}, {8, 0}, {0, 7}};
    for (int i = 0; i < MOST / 4; i++)
        ((float *)(void *)scale)[i] = 0.1f + 0.01f * (float)(i % 37);
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 5 * 4 * 8; i++) {
        const bool adjacent = i & 1, packed = i & 2, has_zero = i & 4;
        const int64_t *groups = scales[i / 8 % 4];
        struct thin_dot_spec spec =
            spec_of(packed ? DTYPE_U4 : DTYPE_S8, adjacent, 2, rows[i / 32], 78, 646);
        if (packed) {
            spec.packing = halves_of(1, !adjacent, false);
            *(adjacent ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) /= 2;
        }
        spec.scale = grouped(DTYPE_F32, &spec.dot, groups[0], groups[1]);
        if (has_zero)
            spec.zero = grouped(DTYPE_U8, &spec.dot, groups[0], groups[1]);
        check_within(&spec, 4e-6);
    }
}

/* What is taken out is infinite, or so large that sums of numbers would be. */
Test(thin_step, large_scales_of_rows_or_columns)
{
    fill(DTYPE_S8, 1, 9, rhs);
    for (int i = 0; i < 8; i++) {
        const bool of_rows = i & 1, adjacent = i & 2;
        struct thin_dot_spec spec = spec_of(DTYPE_S8, adjacent, 1, 3, 40, 24);
        spec.scale = grouped(DTYPE_F32, &spec.dot, of_rows, !of_rows);
        fill(DTYPE_F32, i & 4 ? 1 : -3, 3, lhs);
        for (int j = 0; j < 72; j++) {
            ((float *)(void *)scale)[j] = i & 4 ? 1e-30f : 1e30f;
            ((float *)(void *)lhs)[j] *= i & 4 ? 1e37f : 1;
        }
        check(&spec);
        ((float *)(void *)scale)[1] = INFINITY;
        run(&spec, out, 1);
        for (int n = 0; n < spec.dot.n; n++)
            cr_expect_eq(isfinite(out[n]), !of_rows && n != 1, "column %d", n);
    }
}

/* More terms than the left side has at once, in groups that end elsewhere. */
Test(thin_step, many_terms)
{
    static const int64_t groups[] = {0, 32, 48, 9008, 7};
    fill(DTYPE_S8, -9, 9, rhs);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (int i = 0; i < 4; i++) {
            struct thin_dot_spec spec = spec_of(DTYPE_S8, i & 1, 1, i & 2 ? 3 : 1, 6, 9030);
            spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g], 1);
            check(&spec);
            spec.dot.rhs = DTYPE_U4;
            spec.packing = halves_of(1, !(i & 1), false);
            spec.dot.rhs_k_stride = i & 1 ? 3 : 1, spec.dot.rhs_n_stride = i & 1 ? 1 : 9030 / 2;
            spec.scale = grouped(DTYPE_F32, &spec.dot, groups[g], 1);
            check(&spec);
        }
}

/* More rows than registers have sums for, of numbers of each packing: blocks of terms, columns and
 * rows that end within one, and bytes that are not floats behind the last of them. */
Test(thin_step, many_rows)
{
    static const int64_t some[][3] = {{9, 130, 33}, {17, 70, 600}, {64, 200, 96}, {61, 17, 290}};
    static const int64_t groups[][2] = {{0, 1}, {32, 1}, {7, 1}, {48, 2}};
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < 4 * 4 * 8; i++) {
        const int64_t *size = some[i % 4], *group = groups[i / 4 % 4];
        const bool adjacent = i & 16, packed = i & 32, along_k = i & 64;
        struct thin_dot_spec spec = spec_of(packed ? DTYPE_U4 : DTYPE_S8, adjacent, 1, size[0],
                                            size[1] + (size[1] & 1), size[2] + (size[2] & 1));
        if (packed) {
            spec.packing = halves_of(1, along_k, i & 4);
            *(adjacent ? &spec.dot.rhs_k_stride : &spec.dot.rhs_n_stride) =
                adjacent ? (along_k ? spec.dot.n : spec.dot.n / 2)
                         : (along_k ? spec.dot.k / 2 : spec.dot.k);
        }
        spec.scale = grouped(DTYPE_F32, &spec.dot, group[0], group[1]);
        if (i & 1)
            spec.zero = grouped(DTYPE_U8, &spec.dot, group[0], group[1]);
        if (i & 2)
            spec.offset = grouped(DTYPE_BF16, &spec.dot, 0, 1);
        check(&spec);
    }
}

/* As many columns as a task has sums for: of whole vectors, whatever the number of rows. */
Test(thin_step, many_columns)
{
    fill(DTYPE_S8, -100, 100, rhs);
    for (int m = 1; m <= 16; m++)
        for (int adjacent = 0; adjacent < 2; adjacent++) {
            struct thin_dot_spec spec = spec_of(DTYPE_S8, adjacent, 1, m, 4500, 18);
            spec.scale = grouped(DTYPE_F32, &spec.dot, 0, 1);
            check(&spec);
        }
}

/* Products of floats whose tasks are ranges of terms, which streams do not divide, as vectors do
 * not divide columns. */
static struct thin_dot_spec spec_of_ranges(int64_t m, int64_t n, bool is_affine)
{
    struct thin_dot_spec spec = spec_of(is_affine ? DTYPE_U8 : DTYPE_S8, true, 1, m, n, 1039);
    if (is_affine)
        spec.zero = grouped(DTYPE_U8, &spec.dot, 0, 1);
    spec.scale = grouped(DTYPE_F32, &spec.dot, is_affine ? 300 : 0, 1);
    return spec;
}

static int64_t ranges_of(const struct thin_dot_spec *spec)
{
    struct thin_factors factors;
    void *buffers[THIN_SLICES];
    set_buffers(spec, out, buffers);
    thin_factors_take(spec, buffers, NULL, &factors);
    struct thin_task task = {.spec = &factors.spec,
                             .buffers = factors.buffers,
                             .factors = &factors,
                             .set = thin_set(),
                             .most_ranges = THIN_RANGES};
    thin_plan(&task, THIN_FAST, 1);
    return task.ranges;
}

Test(thin_step, ranges_of_floats)
{
    static const int64_t rows[] = {1, 3, 8};
    fill(DTYPE_S8, -100, 100, rhs);
    for (int i = 0; i < 3 * 2; i++) {
        const struct thin_dot_spec spec = spec_of_ranges(rows[i % 3], 264, i / 3);
        cr_assert_eq(ranges_of(&spec), spec.dot.m == 1 ? 2 : 1);
        check_within(&spec, 4e-6);
    }
}

/* Without memory for the sums of ranges there are none. */
Test(thin_step, ranges_without_memory)
{
    const struct thin_dot_spec spec = spec_of_ranges(1, 264, false);
    fill(DTYPE_S8, -100, 100, rhs);
    void *buffers[THIN_SLICES];
    atomic_uint stop = 0;
    set_buffers(&spec, out, buffers);
    alloc_fail_at(1);
    cr_assert_null(thin_step_run(&spec, buffers, &stop, 1));
    alloc_fail_at(0);
    decode(&spec, 0);
    check_row(&spec, 0, 0, 4e-6);
}

/* Sums that are rounded, of columns that more threads divide into more parts. */
Test(thin_step, same_bits_of_rounded_sums)
{
    fill(DTYPE_U8, 0, 255, rhs);
    for (int i = 0; i < MOST / 4; i++)
        ((float *)(void *)lhs)[i] = (float)((i * 37 + i / 11) % 1001 - 500) / 499;
    for (int i = 0; i < 2 * 7; i++) {
        struct thin_dot_spec spec = spec_of(DTYPE_U8, i & 1, 1, 1 << i / 2, 1000, 130);
        for (int has_offset = 0; has_offset < 2; has_offset++) {
            if (has_offset)
                spec.offset = grouped(DTYPE_BF16, &spec.dot, 0, 1);
            run(&spec, out, 1);
            for (int threads = 2; threads < 9; threads++) {
                run(&spec, again, threads);
                cr_expect_arr_eq(out, again, sizeof(float) * (size_t)(spec.dot.m * spec.dot.n),
                                 "%d rows, %d threads", (int)spec.dot.m, threads);
            }
        }
    }
}

static void *run_often(void *context)
{
    const struct thin_dot_spec *spec = context;
    float own[200];
    for (int i = 0; i < 25; i++) {
        run(spec, own, 1 + i % 4);
        if (memcmp(own, out, sizeof own))
            return context;
    }
    return NULL;
}

Test(thin_step, same_bits_from_many_threads)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    fill(DTYPE_S8, -100, 100, rhs);
    struct thin_dot_spec spec = spec_of(DTYPE_S8, true, 1, 1, 200, 320);
    spec.scale = grouped(DTYPE_F32, &spec.dot, 32, 1);
    check(&spec);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, run_often, &spec), 0);
    for (int i = 0; i < THREADS; i++) {
        void *different;
        cr_assert_eq(pthread_join(threads[i], &different), 0);
        cr_assert_null(different);
    }
}

/* Rows of the left side may be adjacent, and the result transposed. */
Test(thin_step, other_strides)
{
    fill(DTYPE_BF16, -9, 9, rhs);
    struct thin_dot_spec spec = spec_of(DTYPE_BF16, false, 1, 5, 64, 40);
    spec.dot.lhs_m_stride = 1, spec.dot.lhs_k_stride = 5;
    check(&spec);
}

/* Scales that no finite product has: of columns that they belong to alone. */
Test(thin_step, infinities_and_nans_stay_in_their_columns)
{
    fill(DTYPE_S8, 1, 3, rhs);
    struct thin_dot_spec spec = spec_of(DTYPE_S8, true, 1, 2, 40, 32);
    spec.scale = grouped(DTYPE_F32, &spec.dot, 0, 1);
    ((float *)(void *)scale)[3] = INFINITY, ((float *)(void *)scale)[20] = NAN;
    for (int i = 0; i < 64; i++)
        ((float *)(void *)lhs)[i] = 1;
    run(&spec, out, 1);
    for (int i = 0; i < 80; i++)
        if (i % 40 == 3)
            cr_assert_eq(out[i], INFINITY);
        else if (i % 40 == 20)
            cr_assert(isnan(out[i]));
        else
            cr_assert(isfinite(out[i]));
}

/* Numbers are scaled, not their sums: 3e38 times 3 is infinite, and times 0 it is 0. */
Test(thin_step, scales_that_are_as_large_as_possible)
{
    for (int m = 1; m <= 2; m++)
        for (int i = 0; i < 2; i++) {
            struct thin_dot_spec spec = spec_of(DTYPE_S8, i, 1, m, 80, 64);
            spec.scale = grouped(DTYPE_F32, &spec.dot, 0, 1);
            fill(DTYPE_S8, -3, 4, rhs);
            ((float *)(void *)scale)[3] = 3e38f;
            ((float *)(void *)scale)[5] = INFINITY;
            run(&spec, out, 1);
            run(&spec, again, 4);
            cr_assert_arr_eq(out, again, sizeof(float) * (size_t)m * 80);
            for (int n = 0; n < m * 80; n++)
                cr_expect_eq(isnan(out[n]), n % 80 == 3 || n % 80 == 5, "column %d", n);
            setup();
        }
}

/* Numbers whose sums are infinite, or 0, unless they are scaled first; and terms of the left side
 * with which sums of integers are. */
Test(thin_step, scales_that_make_sums_finite)
{
    static const struct {
        enum dtype dtype;
        double number, scale, left;
    } some[] = {{DTYPE_BF16, 1e30, 1e-25, 1e15},
                {DTYPE_F32, 1e30, 1e-25, 1e15},
                {DTYPE_BF16, 1e-30, 1e25, 1e-15},
                {DTYPE_S8, 100, 1e-5, 1e37}};
    for (int i = 0; i < 4 * 2 * 4; i++) {
        const enum dtype dtype = some[i / 8].dtype;
        struct thin_dot_spec spec = spec_of(dtype, i & 1, 1, i & 2 ? 3 : 1, 80, 64);
        spec.scale = grouped(DTYPE_F32, &spec.dot, i & 4 ? 32 : 0, 1);
        for (int j = 0; j < 80 * 64; j++)
            dtype_from_double(dtype, some[i / 8].number, rhs + j * dtype_bytes(dtype));
        for (int j = 0; j < 3 * 80; j++) {
            ((float *)(void *)scale)[j] = (float)some[i / 8].scale;
            ((float *)(void *)lhs)[j] = (float)some[i / 8].left;
        }
        run(&spec, out, 1);
        const double sum = 64 * some[i / 8].number * some[i / 8].scale * some[i / 8].left;
        for (int n = 0; n < spec.dot.m * 80; n++)
            cr_expect_float_eq(out[n], sum, 0.01 * sum, "%s, case %d: %g, not %g",
                               dtype_name(dtype), i, (double)out[n], sum);
    }
}
