/* small_float_test.c: every float of 16 bits as a smaller one; every float of 8 bits negated and
 * rounded. */
#include <math.h>

#include "base/fpu.h"
#include "compiler/codegen/codegen_fixture.h"

enum { ALL = 1 << 16, BYTES = 1 << 8, HALVES = 3 * BYTES };

static const enum dtype bytes[] = {DTYPE_F8E3M4,        DTYPE_F8E4M3,     DTYPE_F8E4M3FN,
                                   DTYPE_F8E4M3B11FNUZ, DTYPE_F8E4M3FNUZ, DTYPE_F8E5M2,
                                   DTYPE_F8E5M2FNUZ};

static void *all_bits(struct fixture *f)
{
    uint16_t *bits = fixture_memory(f, ALL * sizeof *bits);
    for (int i = 0; i < ALL; i++)
        bits[i] = (uint16_t)i;
    return bits;
}

static void convert_all(enum dtype from, enum dtype to, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, from, 1, ALL),
                      *out = fixture_type(arena, to, 1, ALL);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    fixture_return(f, 1, fixture_value(f, OP_convert, out, fixture_arg(f, 0), NULL));
    const uint16_t *bits = all_bits(f);
    uint8_t *got = fixture_memory(f, ALL), want;
    struct fpu_mode before = fpu_enter(); /* as programs run: denormals are taken for zero */
    fixture_run(f, tier, tier, (void *[]){(void *)bits, got}, NULL);
    fpu_restore(before);
    for (int i = 0; i < ALL; i++) {
        dtype_from_double(to, dtype_to_double(from, &bits[i]), &want);
        cr_assert_eq(got[i], want, "%s %#x as %s: %#x, not %#x", dtype_name(from), bits[i],
                     dtype_name(to), got[i], want);
    }
    arena_destroy(arena);
}

Test(small_float, narrower_ones)
{
    static const enum dtype to[] = {DTYPE_F8E5M2, DTYPE_F8E4M3FN, DTYPE_F8E5M2FNUZ,
                                    DTYPE_F8E8M0FNU};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
            convert_all(DTYPE_F16, to[i], tier);
            convert_all(DTYPE_BF16, to[i], tier);
        }
}

/* Halfway between two neighbours, and the f64 beside that: f32 has no place for the difference. */
static void convert_halves(enum dtype to, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_F64, 1, HALVES),
                      *out = fixture_type(arena, to, 1, HALVES);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    fixture_return(f, 1, fixture_value(f, OP_convert, out, fixture_arg(f, 0), NULL));
    double *x = fixture_memory(f, HALVES * sizeof *x);
    uint8_t *got = fixture_memory(f, HALVES), want;
    for (int i = 0; i < HALVES; i++) {
        uint8_t code = (uint8_t)(i / 3), next = (uint8_t)(code + 1);
        double half = (dtype_to_double(to, &code) + dtype_to_double(to, &next)) / 2;
        x[i] = i % 3 ? nextafter(half, i % 3 == 1 ? INFINITY : -INFINITY) : half;
    }
    fixture_run(f, tier, tier, (void *[]){x, got}, NULL);
    for (int i = 0; i < HALVES; i++) {
        dtype_from_double(to, x[i], &want);
        cr_assert(got[i] == want || isnan(x[i]), "%.17g as %s: %#x, not %#x", x[i], dtype_name(to),
                  got[i], want);
    }
    arena_destroy(arena);
}

Test(small_float, f64_is_rounded_once)
{
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        for (int tier = 0; tier < CODEGEN_TIERS; tier++)
            convert_halves(bytes[i], tier);
}

static const struct rounding {
    enum op_code code;
    double (*apply)(double);
} roundings[] = {{OP_negate, NULL},
                 {OP_floor, floor},
                 {OP_ceil, ceil},
                 {OP_round_nearest_afz, round},
                 {OP_round_nearest_even, nearbyint}};

/* The operation's result as f32: no more than the type has, although nothing stores it. */
static void round_all(enum dtype dtype, const struct rounding *rounding, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, dtype, 1, BYTES),
                      *out = fixture_type(arena, DTYPE_F32, 1, BYTES);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    struct value *rounded = fixture_value(f, rounding->code, in, fixture_arg(f, 0), NULL);
    fixture_return(f, 1, fixture_value(f, OP_convert, out, rounded, NULL));
    uint8_t *x = fixture_memory(f, BYTES), result;
    float *got = fixture_memory(f, BYTES * sizeof *got);
    for (int i = 0; i < BYTES; i++)
        x[i] = (uint8_t)i;
    fixture_run(f, tier, tier, (void *[]){x, got}, NULL);
    for (int i = 0; i < BYTES; i++) {
        double value = dtype_to_double(dtype, &x[i]);
        dtype_from_double(dtype, rounding->apply ? rounding->apply(value) : -value, &result);
        double want = dtype_to_double(dtype, &result);
        bool is_same = isnan(want) ? isnan(got[i]) : (float)want == got[i];
        cr_assert(is_same && (isnan(want) || !signbit(want) == !signbit(got[i])),
                  "%s of %s %#x: %g, not %g", op_info(rounding->code)->name, dtype_name(dtype), i,
                  (double)got[i], want);
    }
    arena_destroy(arena);
}

/* Some types have no -0, and 16 is beyond f8e3m4. */
Test(small_float, roundings)
{
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        for (size_t k = 0; k < sizeof roundings / sizeof *roundings; k++)
            round_all(bytes[i], &roundings[k], (int)(k % CODEGEN_TIERS));
}
