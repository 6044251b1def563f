/* Tests of model_fft.h: a unit that makes 2 x 6 / 0.9 flops a second, so a product of real numbers
 * takes n seconds for each number and factor of n. */
#include "compiler/model/units/model_fft.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(model_fft, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator accelerator = {
    .bf16_rate = 2 * 6 / 0.9, .f32_passes_highest = 6, .vmem_for_values = 6 * 128 * 4};

static struct model_fft of(const char *operand, const char *result, int count, const int64_t *sizes)
{
    MAIN("f32 1");
    const struct type *types[] = {fixture_type(operand), fixture_type(result)};
    struct value in = {.type = types[0]}, *operands[] = {&in};
    struct op *op = ir_op(fixture_module, OP_fft, 1, operands, 1, &types[1], 0);
    op->attrs.fft.fft_length = (struct dims){count, sizes};
    return model_fft(&accelerator, op);
}

Test(model_fft, short_ones_are_one_product)
{
    static const int64_t length = 64;
    struct model_fft fft = of("c64 2 64", "c64 2 64", 1, &length);
    cr_expect_float_eq(fft.seconds, 3 * 128 * 64, 1e-6);
    cr_expect_eq(fft.flops, 2 * 3 * 128 * 64);
    cr_expect_eq(fft.hbm_bytes, 0, "it fits in vector memory");
    fft = of("c64 3 64", "c64 3 64", 1, &length);
    cr_expect_eq(fft.hbm_bytes, (14 - 3) * 192 * 4);
}

Test(model_fft, long_ones_have_factors)
{
    static const int64_t length = 4096;
    struct model_fft fft = of("f32 4096", "c64 2049", 1, &length);
    cr_expect_float_eq(fft.seconds, 3.0 * 4096 * (128 + 32), 1e-6);
    cr_expect_eq(fft.hbm_bytes, (3 + 4 + 14 - 3) * 4096 * 4,
                 "the first product is of real numbers");
}

Test(model_fft, dimensions_add_up)
{
    static const int64_t lengths[] = {64, 128};
    struct model_fft fft = of("c64 64 128", "c64 64 128", 2, lengths);
    cr_expect_float_eq(fft.seconds, 3.0 * 64 * 128 * (128 + 64), 1e-6);
    cr_expect_eq(fft.hbm_bytes, (14 + 14 - 3) * 64 * 128 * 4);
}
