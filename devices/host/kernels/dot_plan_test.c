/* Tests dot plans against simple loops, for various shapes, strides, element types and numbers of
 * threads. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/kernels.h"

struct layout {
    const char *name;
    bool lhs_transposed, rhs_transposed, out_transposed, spread;
};

static struct dot_spec spec_of(enum dtype dtype, enum dtype out, int64_t b, int64_t m, int64_t n,
                               int64_t k, const struct layout *l)
{
    int64_t step = l->spread ? 2 : 1; /* no dimension has unit stride */
    return (struct dot_spec){.lhs = dtype,
                             .rhs = dtype,
                             .out = out,
                             .batch = b,
                             .m = m,
                             .n = n,
                             .k = k,
                             .lhs_batch_stride = m * k * step,
                             .lhs_m_stride = (l->lhs_transposed ? 1 : k) * step,
                             .lhs_k_stride = (l->lhs_transposed ? m : 1) * step,
                             .rhs_batch_stride = n * k * step,
                             .rhs_k_stride = (l->rhs_transposed ? 1 : n) * step,
                             .rhs_n_stride = (l->rhs_transposed ? k : 1) * step,
                             .out_batch_stride = m * n * step,
                             .out_m_stride = (l->out_transposed ? 1 : n) * step,
                             .out_n_stride = (l->out_transposed ? m : 1) * step};
}

static void *filled(enum dtype dtype, int64_t count, int seed)
{
    char *bytes = NULL;
    cr_assert_null(alloc_zeroed((size_t)(count + 1) * (size_t)dtype_bytes(dtype) + 64, &bytes));
    for (int64_t i = 0; i < count; i++)
        dtype_from_double(dtype, (double)((i * 7 + seed * 13) % 11 - 5),
                          bytes + i * dtype_bytes(dtype));
    return bytes;
}

/* The elements as doubles; owned: alloc_free. */
static double *as_doubles(enum dtype dtype, const char *bytes, int64_t count)
{
    double *out = NULL;
    cr_assert_null(alloc_zeroed((size_t)(count + 1) * sizeof *out, &out));
    for (int64_t i = 0; i < count; i++)
        out[i] = dtype_to_double(dtype, bytes + i * dtype_bytes(dtype));
    return out;
}

static double expected(const struct dot_spec *s, const double *lhs, const double *rhs, int64_t b,
                       int64_t m, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; k < s->k; k++)
        sum += lhs[b * s->lhs_batch_stride + m * s->lhs_m_stride + k * s->lhs_k_stride] *
               rhs[b * s->rhs_batch_stride + k * s->rhs_k_stride + n * s->rhs_n_stride];
    return sum;
}

static void check(const struct dot_spec *s, int threads)
{
    struct plan *plan;
    struct error *error = kernels_dot_plan(s, threads, &plan);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    char *lhs = filled(s->lhs, s->batch * s->m * s->k * 2, 1),
         *rhs = filled(s->rhs, s->batch * s->n * s->k * 2, 2);
    char *out = filled(s->out, s->batch * s->m * s->n * 2, 3), *scratch = NULL;
    cr_assert_null(alloc_zeroed(plan->scratch_bytes + 64, &scratch));
    double *left = as_doubles(s->lhs, lhs, s->batch * s->m * s->k * 2),
           *right = as_doubles(s->rhs, rhs, s->batch * s->n * s->k * 2);
    char *aligned = (char *)(((uintptr_t)scratch + 63) & ~(uintptr_t)63);
    for (int64_t part = 0; part < plan->work; part++)
        cr_assert_null(plan->run(plan, (void *[]){lhs, rhs, out}, aligned, part, part + 1));
    for (int64_t b = 0; b < s->batch; b++)
        for (int64_t m = 0; m < s->m; m++)
            for (int64_t n = 0; n < s->n; n++) {
                double want = expected(s, left, right, b, m, n);
                double got =
                    dtype_to_double(s->out, out + (b * s->out_batch_stride + m * s->out_m_stride +
                                                   n * s->out_n_stride) *
                                                      dtype_bytes(s->out));
                double allowed =
                    dtype_info(s->out)->significand_bits == 8 ? 8e-3 * (1 + fabs(want)) : 1e-3;
                cr_assert(fabs(got - want) <= allowed,
                          "%s %ldx%ldx%ldx%ld [%ld,%ld,%ld]: %g, want %g", dtype_name(s->lhs),
                          (long)s->batch, (long)s->m, (long)s->n, (long)s->k, (long)b, (long)m,
                          (long)n, got, want);
            }
    plan->destroy(plan);
    alloc_free(lhs), alloc_free(rhs), alloc_free(out), alloc_free(scratch);
    alloc_free(left), alloc_free(right);
}

static const struct layout layouts[] = {{"plain", 0, 0, 0, 0}, {"lhs^T", 1, 0, 0, 0},
                                        {"rhs^T", 0, 1, 0, 0}, {"out^T", 0, 0, 1, 0},
                                        {"all^T", 1, 1, 1, 0}, {"spread", 0, 1, 0, 1}};

static void sweep(enum dtype dtype, enum dtype out)
{
    static const int64_t shapes[][4] = {
        {1, 1, 1, 1}, {1, 1, 7, 33}, {1, 9, 1, 5}, {3, 17, 19, 23},  {1, 64, 48, 32}, {2, 0, 3, 4},
        {1, 4, 5, 0}, {1, 1, 1, 40}, {5, 1, 3, 2}, {2, 20, 256, 17}, {2, 256, 20, 17}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            struct dot_spec s = spec_of(dtype, out, shapes[i][0], shapes[i][1], shapes[i][2],
                                        shapes[i][3], &layouts[l]);
            check(&s, 1);
            check(&s, 3);
        }
}

Test(dot_plan, f32)
{
    sweep(DTYPE_F32, DTYPE_F32);
}
Test(dot_plan, f64)
{
    sweep(DTYPE_F64, DTYPE_F64);
}
Test(dot_plan, c64)
{
    sweep(DTYPE_C64, DTYPE_C64);
}
Test(dot_plan, s8)
{
    sweep(DTYPE_S8, DTYPE_S32);
}

static bool multiplies_integers(void)
{
    return cpu_features()->avx2 && cpu_features()->fma;
}

Test(dot_plan, integers)
{
    static const enum dtype types[] = {DTYPE_S32, DTYPE_U32, DTYPE_S64, DTYPE_U64};
    for (int i = 0; i < 4 && multiplies_integers(); i++)
        sweep(types[i], types[i]);
}

/* The compiler queries support before it creates a library step: a supported product must have a
 * working plan. */
static int sweep_supported(enum dtype dtype, enum dtype out)
{
    static const int64_t shapes[][4] = {
        {1, 1, 7, 33}, {3, 17, 19, 23}, {1, 64, 48, 32}, {1, 300, 310, 40}};
    int supported = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
            for (int threads = 1; threads < 6; threads += 4) {
                struct dot_spec s = spec_of(dtype, out, shapes[i][0], shapes[i][1], shapes[i][2],
                                            shapes[i][3], &layouts[l]);
                if (kernels_dot_supported(&s, threads))
                    check(&s, threads), supported++;
            }
    return supported;
}

Test(dot_plan, bf16_is_supported_with_instructions_for_it)
{
    int supported =
        sweep_supported(DTYPE_BF16, DTYPE_BF16) + sweep_supported(DTYPE_BF16, DTYPE_F32);
    cr_assert_eq(supported > 0, cpu_features()->avx512_bf16);
}

Test(dot_plan, f16_is_supported_with_avx512_fp16)
{
    int supported = sweep_supported(DTYPE_F16, DTYPE_F16) + sweep_supported(DTYPE_F16, DTYPE_F32);
    cr_assert_eq(supported > 0, cpu_features()->avx512_fp16);
}

Test(dot_plan, f32_f64_and_complex_are_always_supported)
{
    cr_assert_eq(sweep_supported(DTYPE_F32, DTYPE_F32), 4 * 6 * 2);
    cr_assert_eq(sweep_supported(DTYPE_F64, DTYPE_F64), 4 * 6 * 2);
    cr_assert_eq(sweep_supported(DTYPE_C64, DTYPE_C64), 4 * 6 * 2);
    cr_assert_eq(sweep_supported(DTYPE_C128, DTYPE_C128), 4 * 6 * 2);
}

Test(dot_plan, integers_are_supported_with_vectors_of_32_bytes)
{
    int all = multiplies_integers() ? 4 * 6 * 2 : 0;
    cr_assert_eq(sweep_supported(DTYPE_S32, DTYPE_S32), all);
    cr_assert_eq(sweep_supported(DTYPE_U32, DTYPE_U32), all);
    cr_assert_eq(sweep_supported(DTYPE_S64, DTYPE_S64), all);
    cr_assert_eq(sweep_supported(DTYPE_U64, DTYPE_U64), all);
    cr_assert_eq(sweep_supported(DTYPE_S16, DTYPE_S16), 0);
}

/* Without VNNI, products of one row or column are not. */
Test(dot_plan, s8_is_supported_with_vnni_or_avx2)
{
    int supported = sweep_supported(DTYPE_S8, DTYPE_S32);
    const struct cpu_features *features = cpu_features();
    cr_assert_eq(supported, features->avx512_vnni ? 4 * 6 * 2 : features->avx2 ? 3 * 6 * 2 : 0);
}

/* Beyond one pass of each loop of dot_s8.c and of what it calls. */
Test(dot_plan, products_of_s8_are_cut_and_packed)
{
    static const int64_t shapes[][4] = {
        {1, 100, 800, 300}, {2, 13, 40, 513}, {1, 7, 17, 1},   {3, 97, 9, 2},   {1, 5, 769, 257},
        {1, 33, 47, 37},    {2, 16, 16, 32},  {1, 40, 13, 95}, {1, 18, 64, 16}, {1, 17, 81, 15}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            struct dot_spec s = spec_of(DTYPE_S8, DTYPE_S32, shapes[i][0], shapes[i][1],
                                        shapes[i][2], shapes[i][3], &layouts[l]);
            check(&s, 1), check(&s, 4);
        }
}

/* Each number of rows and columns of which one side is packed; sums of more than one pass. */
Test(dot_plan, products_of_s8_with_few_rows_or_columns)
{
    static const int64_t depths[] = {1, 15, 16, 17, 100};
    for (int few = 2; few <= 13; few++)
        for (size_t i = 0; i < 2 * sizeof depths / sizeof *depths; i++) {
            int64_t m = i % 2 ? few : 35, n = i % 2 ? 35 : few;
            for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
                struct dot_spec s =
                    spec_of(DTYPE_S8, DTYPE_S32, 2, m, n, depths[i / 2], &layouts[l]);
                check(&s, 1);
            }
        }
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        struct dot_spec s = spec_of(DTYPE_S8, DTYPE_S32, 1, 6, 5, 8200, &layouts[l]);
        check(&s, 1);
    }
}

/* The sums of pairs of products overflow 16 bits, which is how oneDNN adds them without VNNI. */
Test(dot_plan, supported_products_of_the_largest_s8_are_exact)
{
    enum { N = 48 };
    struct dot_spec s = spec_of(DTYPE_S8, DTYPE_S32, 1, N, N, N, &layouts[0]);
    struct plan *plan;
    signed char lhs[N * N], rhs[N * N];
    int out[N * N];
    void *scratch = NULL;
    if (!kernels_dot_supported(&s, 1)) {
        cr_assert_not(cpu_features()->avx2);
        return;
    }
    memset(lhs, -128, sizeof lhs), memset(rhs, 127, sizeof rhs);
    cr_assert_null(kernels_dot_plan(&s, 1, &plan));
    cr_assert_null(alloc_aligned(plan->scratch_bytes + 64, &scratch));
    cr_assert_null(plan->run(plan, (void *[]){lhs, rhs, out}, scratch, 0, plan->work));
    for (int i = 0; i < N * N; i++)
        cr_assert_eq(out[i], -128 * 127 * N);
    plan->destroy(plan);
    alloc_free(scratch);
}

Test(dot_plan, large_products_are_cut_and_packed)
{
    struct dot_spec s = spec_of(DTYPE_F32, DTYPE_F32, 1, 300, 1100, 520, &layouts[0]);
    check(&s, 4);
}

/* Beyond one pass of each loop of dot_direct.c, with sides that are packed or read in place. */
Test(dot_plan, direct_products_are_cut_and_packed)
{
    static const int64_t shapes[][4] = {
        {1, 100, 150, 300}, {2, 13, 800, 9}, {1, 7, 65, 520}, {1, 103, 128, 64}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            struct dot_spec s = spec_of(DTYPE_F64, DTYPE_F64, shapes[i][0], shapes[i][1],
                                        shapes[i][2], shapes[i][3], &layouts[l]);
            check(&s, 1);
            s.lhs = s.rhs = s.out = DTYPE_F32;
            check(&s, 2);
            s.lhs = s.rhs = s.out = DTYPE_S64;
            if (multiplies_integers())
                check(&s, 2);
        }
}

/* Bits of products and sums beyond the type's are lost, those of both factors count. */
Test(dot_plan, integers_wrap_around)
{
    enum { M = 7, N = 21, K = 5 };
    struct dot_spec wide = spec_of(DTYPE_U64, DTYPE_U64, 1, M, N, K, &layouts[0]),
                    narrow = spec_of(DTYPE_S32, DTYPE_S32, 1, M, N, K, &layouts[0]);
    uint64_t lhs[M * K], rhs[K * N], out[M * N];
    uint32_t lhs_32[M * K], rhs_32[K * N], out_32[M * N];
    if (!multiplies_integers())
        return;
    for (uint64_t i = 0; i < K * N; i++) {
        rhs[i] = (i + 1) * 0x9e3779b97f4a7c15u, rhs_32[i] = (uint32_t)rhs[i];
        if (i < M * K)
            lhs[i] = (i + 3) * 0xd1b54a32d192ed03u, lhs_32[i] = (uint32_t)lhs[i];
    }
    struct plan *plans[2];
    cr_assert_null(kernels_dot_plan(&wide, 1, &plans[0]));
    cr_assert_null(kernels_dot_plan(&narrow, 1, &plans[1]));
    cr_assert_null(plans[0]->run(plans[0], (void *[]){lhs, rhs, out}, NULL, 0, 1));
    cr_assert_null(plans[1]->run(plans[1], (void *[]){lhs_32, rhs_32, out_32}, NULL, 0, 1));
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            uint64_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += lhs[m * K + k] * rhs[k * N + n];
            cr_assert_eq(out[m * N + n], sum);
            cr_assert_eq(out_32[m * N + n], (uint32_t)sum);
        }
    plans[0]->destroy(plans[0]), plans[1]->destroy(plans[1]);
}

/* Products of few columns are transposed, and their results copied; those of few rows read a large
 * right side in place. */
Test(dot_plan, few_rows_and_few_columns)
{
    static const int64_t shapes[][4] = {{1, 300, 7, 40},   {2, 70, 2, 33},   {3, 32, 15, 32},
                                        {1, 600, 12, 300}, {1, 500, 3, 2},   {2, 31, 5, 40},
                                        {1, 13, 700, 270}, {2, 7, 300, 35},  {1, 47, 300, 260},
                                        {1, 300, 32, 300}, {1, 9, 3, 800},   {1, 1000, 2, 1},
                                        {1, 16, 300, 40},  {2, 32, 70, 300}, {1, 32, 256, 1024}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            struct dot_spec s = spec_of(DTYPE_F32, DTYPE_F32, shapes[i][0], shapes[i][1],
                                        shapes[i][2], shapes[i][3], &layouts[l]);
            check(&s, 1), check(&s, 4);
            cr_assert(kernels_dot_supported(&s, 4));
        }
}

/* Rows so far apart that a library packs them, and sums of rows on both sides. */
Test(dot_plan, rows_far_apart_and_long_sums)
{
    static const int64_t shapes[][4] = {{1, 9, 1024, 512},
                                        {2, 32, 512, 600},
                                        {1, 512, 70, 530},
                                        {1, 70, 66, 300},
                                        {1, 64, 64, 700}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int l = 0; l < 3; l++) {
            struct dot_spec s = spec_of(DTYPE_F32, DTYPE_F32, shapes[i][0], shapes[i][1],
                                        shapes[i][2], shapes[i][3], &layouts[l]);
            check(&s, 1), check(&s, 3);
        }
}

/* Numbers of which sums are rounded. */
static double *random_doubles(int64_t count, uint64_t seed)
{
    double *out = NULL;
    cr_assert_null(alloc_zeroed((size_t)count * sizeof *out, &out));
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        out[i] = (double)(int64_t)seed * 0x1p-63;
    }
    return out;
}

Test(dot_plan, bits_do_not_depend_on_the_number_of_threads)
{
    enum { M = 131, N = 150, K = 300 };
    double *lhs = random_doubles(M * K, 1), *rhs = random_doubles(K * N, 2), *out[2];
    for (int l = 0; l < 3; l++) {
        struct dot_spec s = spec_of(DTYPE_F64, DTYPE_F64, 1, M, N, K, &layouts[l]);
        for (int i = 0; i < 2; i++) {
            struct plan *plan;
            void *scratch = NULL;
            out[i] = random_doubles(M * N, 3);
            cr_assert_null(kernels_dot_plan(&s, i ? 5 : 1, &plan));
            cr_assert_eq(plan->work > 1, i);
            cr_assert_null(alloc_aligned(plan->scratch_bytes + 64, &scratch));
            cr_assert_null(plan->run(plan, (void *[]){lhs, rhs, out[i]}, scratch, 0, plan->work));
            plan->destroy(plan);
            alloc_free(scratch);
        }
        cr_assert_arr_eq(out[0], out[1], M * N * sizeof(double));
        alloc_free(out[0]), alloc_free(out[1]);
    }
    alloc_free(lhs), alloc_free(rhs);
}

static int64_t grain_of(int64_t size)
{
    struct dot_spec s = spec_of(DTYPE_F32, DTYPE_F32, 1, size, size, size, &layouts[0]);
    struct plan *plan;
    cr_assert_null(kernels_dot_plan(&s, 4, &plan));
    int64_t grain = plan->grain;
    plan->destroy(plan);
    return grain;
}

/* Products of an outer batch may run on several threads, if that is worth it. */
Test(dot_plan, cheap_products_are_one_threads)
{
    cr_expect_geq(grain_of(16), 100);
    cr_expect_geq(grain_of(32), 16);
    cr_expect_eq(grain_of(256), 1);
}

/* Of a product of few rows, whose tiles for one thread a library would compute another way. */
Test(dot_plan, bits_of_few_rows_do_not_depend_on_the_number_of_threads)
{
    enum { M = 16, N = 256, K = 1024 };
    double *numbers = random_doubles(M * K + K * N, 1);
    float lhs[M * K], out[2][M * N], *rhs = NULL;
    struct dot_spec s = spec_of(DTYPE_F32, DTYPE_F32, 1, M, N, K, &layouts[2]);
    if (!cpu_features()->avx2 || !cpu_features()->fma)
        cr_skip_test("few rows are not transposed");
    cr_assert_null(alloc_aligned(K * N * sizeof *rhs, &rhs));
    for (int i = 0; i < M * K + K * N; i++)
        *(i < M * K ? &lhs[i] : &rhs[i - M * K]) = (float)numbers[i];
    for (int i = 0; i < 2; i++) {
        struct plan *plan;
        void *scratch = NULL;
        cr_assert_null(kernels_dot_plan(&s, i ? 2 : 1, &plan));
        cr_assert_eq(plan->work > 1, i);
        cr_assert_null(alloc_aligned(plan->scratch_bytes + 64, &scratch));
        cr_assert_null(plan->run(plan, (void *[]){lhs, rhs, out[i]}, scratch, 0, plan->work));
        plan->destroy(plan);
        alloc_free(scratch);
    }
    cr_assert_arr_eq(out[0], out[1], sizeof out[0]);
    alloc_free(rhs), alloc_free(numbers);
}

/* A result whose rows are `ROW` apart, further than their columns need. */
static void check_gaps(int m, int n, const struct layout *layout)
{
    enum { MOST_M = 50, MOST_N = 21, K = 35, ROW = 32 };
    float lhs[MOST_M * K], rhs[K * MOST_N], out[MOST_M * ROW], *scratch = NULL;
    struct dot_spec s = spec_of(DTYPE_F32, DTYPE_F32, 1, m, n, K, layout);
    struct plan *plan;
    s.out_m_stride = ROW;
    for (int i = 0; i < m * K; i++)
        lhs[i] = 1;
    for (int i = 0; i < K * n; i++)
        rhs[i] = 2;
    for (int i = 0; i < m * ROW; i++)
        out[i] = -1;
    cr_assert_null(kernels_dot_plan(&s, 1, &plan));
    cr_assert_null(alloc_aligned(plan->scratch_bytes + 64, (void **)&scratch));
    cr_assert_null(plan->run(plan, (void *[]){lhs, rhs, out}, scratch, 0, plan->work));
    for (int i = 0; i < m * ROW; i++)
        cr_assert_eq(out[i], i % ROW < n ? 2 * K : -1);
    plan->destroy(plan);
    alloc_free(scratch);
}

Test(dot_plan, nothing_between_the_rows_of_a_result_is_written)
{
    for (int l = 0; l < 3; l++) {
        check_gaps(13, 21, &layouts[l]);
        check_gaps(50, 5, &layouts[l]);
    }
}

Test(dot_plan, unknown_types_are_refused)
{
    struct dot_spec s = spec_of(DTYPE_S16, DTYPE_S16, 1, 2, 2, 2, &layouts[0]);
    struct plan *plan;
    struct error *error = kernels_dot_plan(&s, 1, &plan);
    cr_assert_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    cr_assert_null(plan);
    cr_assert_not(kernels_dot_supported(&s, 1));
    error_free(error);
}
