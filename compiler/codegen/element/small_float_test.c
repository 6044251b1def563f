/* small_float_test.c: every float of 16 bits as a smaller one. */
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
