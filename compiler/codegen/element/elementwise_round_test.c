/* elementwise_round_test.c: operations on bf16 and f16 that share a kernel are rounded one by one,
 * unless the target has excess precision. */
#include "base/fpu.h"
#include "compiler/codegen/codegen_fixture.h"

enum { COUNT = 171 };

static const enum dtype types[] = {DTYPE_BF16, DTYPE_F16};
static const enum op_code codes[] = {OP_add, OP_subtract, OP_multiply, OP_divide};
static const double special[] = {
    0,     -0.0,  1,        -1,   2,    0.5,       3,   1e-3,   100,   -100, 60000,   65504, 3e38,
    -3e38, 2e-38, INFINITY, 6e-8, 3e-5, -INFINITY, NAN, 1.0625, -1e-3, 1e20, 1.03125, 7,     -7};

/* What the kernel (x `first` y) `second` y gives, or with `scale` (x `first` y) * scale. */
struct kernel {
    enum dtype dtype;
    enum op_code first, second;
    double scale; /* 0: none */
    bool excess;
};

static double value_of(int i)
{
    enum { N = sizeof special / sizeof *special };
    return i < N ? special[i] : sin(i) * pow(2, i % 20 - 10);
}

static double rounded(enum dtype dtype, double value)
{
    uint64_t bits = 0;
    dtype_from_double(dtype, value, &bits);
    return dtype_to_double(dtype, &bits);
}

/* In f32, as the kernel computes; denormal results are zero but for f16. */
static double apply(enum dtype dtype, enum op_code code, double x, double y)
{
    float a = (float)x, b = (float)y;
    struct fpu_mode mode = fpu_enter();
    volatile float result = code == OP_add        ? a + b
                            : code == OP_subtract ? a - b
                            : code == OP_multiply ? a * b
                                                  : a / b;
    float value = result;
    fpu_restore(mode);
    return rounded(dtype, (double)value);
}

static void *run(const struct kernel *k, const void *x, const void *y, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, k->dtype, 1, COUNT);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
    f->target.excess_precision = k->excess;
    struct value *value = fixture_value(f, k->first, type, fixture_arg(f, 0), fixture_arg(f, 1)),
                 *factor = k->scale ? fixture_constant(f, type, k->scale) : fixture_arg(f, 1);
    fixture_return(f, 1, fixture_value(f, k->scale ? OP_multiply : k->second, type, value, factor));
    struct fixture_kernel kernel = fixture_compile(f, tier, NULL);
    size_t size = (size_t)(COUNT * dtype_bytes(k->dtype));
    void *result = fixture_memory(f, size), *copy = malloc(size);
    struct fpu_mode mode = fpu_enter();
    fixture_execute(kernel, 0, (void *[]){(void *)x, (void *)y, result});
    fpu_restore(mode);
    memcpy(copy, result, size);
    fixture_release(kernel);
    arena_destroy(arena);
    return copy;
}

static void fill(enum dtype dtype, char *x, char *y)
{
    enum { N = sizeof special / sizeof *special };
    for (int i = 0; i < COUNT; i++) {
        dtype_from_double(dtype, value_of(i), x + i * dtype_bytes(dtype));
        dtype_from_double(dtype, value_of(i * 7 % N), y + i * dtype_bytes(dtype));
    }
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void expect(const struct kernel *k, int tier)
{
    _Alignas(64) char x[COUNT * 2], y[COUNT * 2];
    fill(k->dtype, x, y);
    char *out = run(k, x, y, tier);
    for (int i = 0; i < COUNT; i++) {
        double a = dtype_to_double(k->dtype, x + 2 * i), b = dtype_to_double(k->dtype, y + 2 * i);
        double first = apply(k->dtype, k->first, a, b);
        double want = k->scale ? apply(k->dtype, OP_multiply, first, k->scale)
                               : apply(k->dtype, k->second, first, b);
        double got = dtype_to_double(k->dtype, out + 2 * i);
        cr_expect(same(got, want), "%s: (%g %s %g) %s: %g instead of %g", dtype_name(k->dtype), a,
                  op_info(k->first)->name, b, op_info(k->second)->name, got, want);
    }
    free(out);
}

Test(elementwise_round, each_result_is_rounded)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                for (int tier = 0; tier < 2; tier++)
                    expect(&(struct kernel){types[t], codes[i], codes[j], 0, false}, tier);
}

/* Products with powers of two round where the type needs it. */
Test(elementwise_round, scaled_results)
{
    static const double scales[] = {2, 0.5, -4, 1024, 0x1p-14};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
            expect(&(struct kernel){types[t], OP_add, OP_multiply, scales[s], false}, 1);
}

/* (x + y) - y of 1 and 2^-12 is 1 where the sum keeps it, and 0 where it is rounded. */
Test(elementwise_round, excess_precision)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int excess = 0; excess < 2; excess++) {
            struct kernel k = {types[t], OP_add, OP_subtract, 0, excess};
            _Alignas(64) char x[COUNT * 2], y[COUNT * 2];
            for (int i = 0; i < COUNT; i++) {
                dtype_from_double(k.dtype, 0x1p-12, x + 2 * i);
                dtype_from_double(k.dtype, 1, y + 2 * i);
            }
            char *out = run(&k, x, y, 1);
            cr_expect_eq(dtype_to_double(k.dtype, out), excess ? 0x1p-12 : 0);
            free(out);
        }
}
