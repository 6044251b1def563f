/* small_float_test.c: every float of 16 bits as a smaller one; every float of 8 bits negated and
 * rounded. */
#include <math.h>

#include "compiler/codegen/codegen_fixture.h"

enum { ALL = 1 << 16 };

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
    fixture_run(f, tier, tier, (void *[]){(void *)bits, got}, NULL);
    for (int i = 0; i < ALL; i++) {
        dtype_from_double(to, dtype_to_double(from, &bits[i]), &want);
        cr_assert_eq(got[i], want, "%s %#x as %s: %#x, not %#x", dtype_name(from), bits[i],
                     dtype_name(to), got[i], want);
    }
    arena_destroy(arena);
}

Test(small_float, narrower_ones)
{
    static const enum dtype to[] = {DTYPE_F8E5M2, DTYPE_F8E4M3FN, DTYPE_F8E5M2FNUZ};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
            convert_all(DTYPE_F16, to[i], tier);
            convert_all(DTYPE_BF16, to[i], tier);
        }
}

static const struct rounding {
    enum op_code code;
    double (*apply)(double);
} roundings[] = {{OP_negate, NULL},
                 {OP_floor, floor},
                 {OP_ceil, ceil},
                 {OP_round_nearest_afz, round},
                 {OP_round_nearest_even, nearbyint}};

enum { BYTES = 1 << 8 };

/* The operation's result as f32: no more than the type has, although nothing stores it. */
static void round_all(enum dtype dtype, const struct rounding *rounding, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, dtype, 1, BYTES),
                      *out = fixture_type(arena, DTYPE_F32, 1, BYTES);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    struct value *rounded = fixture_value(f, rounding->code, in, fixture_arg(f, 0), NULL);
    fixture_return(f, 1, fixture_value(f, OP_convert, out, rounded, NULL));
    uint8_t *bytes = fixture_memory(f, BYTES), result;
    float *got = fixture_memory(f, BYTES * sizeof *got);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)i;
    fixture_run(f, tier, tier, (void *[]){bytes, got}, NULL);
    for (int i = 0; i < BYTES; i++) {
        double x = dtype_to_double(dtype, &bytes[i]);
        dtype_from_double(dtype, rounding->apply ? rounding->apply(x) : -x, &result);
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
    static const enum dtype of[] = {DTYPE_F8E3M4,        DTYPE_F8E4M3,     DTYPE_F8E4M3FN,
                                    DTYPE_F8E4M3B11FNUZ, DTYPE_F8E4M3FNUZ, DTYPE_F8E5M2,
                                    DTYPE_F8E5M2FNUZ};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (size_t k = 0; k < sizeof roundings / sizeof *roundings; k++)
            round_all(of[i], &roundings[k], (int)(k % CODEGEN_TIERS));
}
