/* Transforms against their definition in higher precision, for lengths that use every kind of
 * stage, and round trips. */
#include <complex.h>

#include "compiler/codegen/codegen_fixture.h"

static struct fixture *transform(enum dtype dtype, bool inverse, int rows, int n)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 2, rows, n);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 1, (const struct type *const[]){type}, arena);
    struct op *op = fixture_op(f, f->block, OP_fft, type, 1, fixture_arg(f, 0));
    op->attrs.fft.fft_type = inverse ? FFT_IFFT : FFT_FFT;
    op->attrs.fft.fft_length = fixture_dims(f, 1, n);
    fixture_return(f, 1, &op->results[0]);
    return f;
}

static double complex get(enum dtype dtype, const void *array, int64_t i)
{
    return dtype == DTYPE_C64 ? (double complex)((const float complex *)array)[i]
                              : ((const double complex *)array)[i];
}

/* The n-th roots of unity, which the caller frees. */
static long double complex *roots_of(int n, bool inverse)
{
    long double complex *roots = malloc((size_t)n * sizeof *roots);
    for (int k = 0; k < n; k++) {
        long double angle = 2 * 3.14159265358979323846264338327950288L * k / n;
        roots[k] = CMPLXL(cosl(angle), inverse ? sinl(angle) : -sinl(angle));
    }
    return roots;
}

/* The largest error against the definition, relative to the norm of the row. Samples the results if
 * there are many. */
static double error_of(enum dtype dtype, bool inverse, int rows, int n, const void *in,
                       const void *out)
{
    double worst = 0;
    long double complex *roots = roots_of(n, inverse);
    for (int row = 0; row < rows; row++) {
        double norm = 0;
        for (int j = 0; j < n; j++)
            norm += pow(cabs(get(dtype, in, (int64_t)row * n + j)), 2);
        for (int k = row % 7; k < n; k += n > 500 ? n / 50 : 1) {
            long double complex sum = 0;
            for (int64_t j = 0; j < n; j++)
                sum += roots[j * k % n] * get(dtype, in, row * n + j);
            double complex expected = (double complex)(inverse ? sum / n : sum);
            double error = cabs(get(dtype, out, (int64_t)row * n + k) - expected);
            worst = fmax(worst, error / sqrt(norm) * (inverse ? n : 1));
        }
    }
    free(roots);
    return worst;
}

static void check(enum dtype dtype, bool inverse, int rows, int n)
{
    struct fixture *f = transform(dtype, inverse, rows, n);
    size_t bytes = (size_t)type_bytes(f->fusion->results[0].type);
    void *in = fixture_memory(f, bytes), *out = fixture_memory(f, bytes);
    uint64_t state = 11;
    for (size_t i = 0; i < (size_t)rows * (size_t)n * 2; i++)
        if (dtype == DTYPE_C64)
            ((float *)in)[i] = fixture_random(&state);
        else
            ((double *)in)[i] = (double)fixture_random(&state);
    void *scratch = fixture_memory(f, codegen_scratch_size(f->fusion, &f->target));
    fixture_run(f, 1, 1, (void *[]){in, out, scratch}, NULL);
    fixture_guarded(out, bytes);
    fixture_guarded(scratch, codegen_scratch_size(f->fusion, &f->target));
    double error = error_of(dtype, inverse, rows, n, in, out);
    cr_expect(error <= (dtype == DTYPE_C64 ? 1.2e-6 : 2.5e-15), "%s %s of %d x %d: %g",
              dtype_name(dtype), inverse ? "ifft" : "fft", rows, n, error);
    arena_destroy(f->arena);
}

Test(fft_emit, lengths_of_every_kind)
{
    static const int lengths[] = {1,   2,   3,    4,    5,    6,    7,    8,   9,   11,  12,
                                  13,  14,  15,   16,   17,   18,   20,   24,  25,  27,  31,
                                  32,  34,  48,   49,   60,   64,   81,   96,  97,  100, 121,
                                  125, 127, 128,  169,  180,  210,  243,  254, 256, 360, 500,
                                  512, 729, 1000, 1024, 1155, 2048, 4096, 6000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        int n = lengths[i], rows = n < 40 ? 40 : 2;
        check(DTYPE_C64, i % 2, rows, n);
        check(DTYPE_C128, i % 3 == 0, rows, n);
    }
}

/* Real rows against the complex transform of the same numbers. */
static void check_real(enum dtype dtype, int rows, int n)
{
    struct arena *arena = fixture_arena();
    enum dtype part = dtype_real_part(dtype);
    const struct type *from = fixture_type(arena, part, 2, rows, n),
                      *to = fixture_type(arena, dtype, 2, rows, n / 2 + 1);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 1, (const struct type *const[]){from}, arena);
    struct op *op = fixture_op(f, f->block, OP_fft, to, 1, fixture_arg(f, 0));
    op->attrs.fft.fft_type = FFT_RFFT;
    op->attrs.fft.fft_length = fixture_dims(f, 1, n);
    fixture_return(f, 1, &op->results[0]);
    void *in = fixture_memory(f, (size_t)type_bytes(from));
    void *out = fixture_memory(f, (size_t)type_bytes(to));
    uint64_t state = 5;
    for (int i = 0; i < rows * n; i++)
        if (part == DTYPE_F32)
            ((float *)in)[i] = fixture_random(&state);
        else
            ((double *)in)[i] = (double)fixture_random(&state);
    void *scratch = fixture_memory(f, codegen_scratch_size(f->fusion, &f->target));
    fixture_run(f, 1, 1, (void *[]){in, out, scratch}, NULL);
    fixture_guarded(out, (size_t)type_bytes(to));
    fixture_guarded(scratch, codegen_scratch_size(f->fusion, &f->target));
    long double complex *roots = roots_of(n, false);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k <= n / 2; k++) {
            double complex sum = 0;
            for (int j = 0; j < n; j++) {
                double x = part == DTYPE_F32 ? (double)((float *)in)[r * n + j]
                                             : ((double *)in)[r * n + j];
                sum += x * (double complex)roots[(int64_t)j * k % n];
            }
            double error = cabs(get(dtype, out, (int64_t)r * (n / 2 + 1) + k) - sum);
            cr_assert(error <= (dtype == DTYPE_C64 ? 2e-6 : 2e-14) * sqrt(n),
                      "%s of %d x %d: %g at %d", dtype_name(dtype), rows, n, error, k);
        }
    free(roots);
    arena_destroy(arena);
}

Test(fft_emit, real_rows)
{
    static const int lengths[] = {4,  6,  8,  10,  12,  14,  16,  30,
                                  32, 34, 64, 100, 250, 254, 512, 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        check_real(DTYPE_C64, 5, lengths[i]);
        check_real(DTYPE_C128, 2, lengths[i]);
    }
}

/* Each buffer between stages has both parts of a row, and nothing else. */
Test(fft_emit, scratch)
{
    struct fixture *f = transform(DTYPE_C64, false, 1, 16);
    cr_expect_eq(codegen_scratch_size(f->fusion, &f->target), 16 * 2 * sizeof(float));
    arena_destroy(f->arena);
}
