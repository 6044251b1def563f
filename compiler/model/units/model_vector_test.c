/* Tests of model_vector.h: units of 8 x 128 elements with four slots and a clock of 1 GHz. */
#include "compiler/model/units/model_vector.h"

#include "compiler/model/accelerator_fixture.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_vector, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator small = {ACCELERATOR_FIXTURE, .cores = 1};

static struct accelerator with_large_units(void)
{
    struct accelerator large = small;
    large.matrix_unit_size = 256;
    return large;
}

/* Cycles for each vector of f32[1024,1024], or of bf16 with as many elements. */
static double cycles_of(const struct accelerator *a, const struct model_vector *work)
{
    return model_vector_seconds(a, work) * a->clock_hz / 1024;
}

static double unary_cycles(const struct accelerator *a, enum op_code code, const char *type)
{
    struct model_vector work = {0};
    MAIN(type);
    model_vector_add(a, build_unary(&fixture, code, argument(0))->def, &work);
    return cycles_of(a, &work);
}

Test(model_vector, one_transcendental_function_begins_in_a_cycle)
{
    cr_expect_float_eq(unary_cycles(&small, OP_exponential, "f32 1024 1024"), 1, 0.01);
    cr_expect_float_eq(unary_cycles(&small, OP_tanh, "f32 1024 1024"), 1, 0.01);
}

Test(model_vector, arithmetic_fills_the_slots)
{
    cr_expect_float_eq(unary_cycles(&small, OP_negate, "f32 1024 1024"), 0.25, 0.03);
    cr_expect_gt(unary_cycles(&small, OP_rsqrt, "f32 1024 1024"), 2, "it is corrected");
}

Test(model_vector, functions_beside_large_units_need_no_correction)
{
    const struct accelerator large = with_large_units();
    cr_expect_float_eq(unary_cycles(&large, OP_rsqrt, "f32 1024 1024"), 1, 0.01);
    cr_expect_float_eq(unary_cycles(&large, OP_erf, "f32 1024 1024"), 1, 0.01);
    cr_expect_gt(unary_cycles(&small, OP_erf, "f32 1024 1024"), 8);
}

static double quotient_cycles(const char *type)
{
    struct model_vector work = {0};
    MAIN(type);
    model_vector_add(&small, build_binary(&fixture, OP_divide, argument(0), argument(0))->def,
                     &work);
    return cycles_of(&small, &work);
}

Test(model_vector, quotients_of_narrow_types_are_not_corrected)
{
    cr_expect_gt(quotient_cycles("f32 1024 1024"), 3);
    cr_expect_float_eq(quotient_cycles("bf16 1024 1024"), 1, 0.01);
    cr_expect_gt(quotient_cycles("s32 1024 1024"), 30, "a sequence of subtractions");
}

Test(model_vector, padding_is_computed_too)
{
    double whole = unary_cycles(&small, OP_negate, "f32 8 1024");
    cr_expect_float_eq(unary_cycles(&small, OP_negate, "f32 5 1024"), whole, 1e-9);
}

Test(model_vector, narrow_elements_are_unpacked_and_packed)
{
    struct model_vector work = {0};
    model_vector_add_read(DTYPE_F32, 1024, &work);
    model_vector_add_written(DTYPE_F32, 1024, &work);
    cr_expect_eq(work.arithmetic, 0);
    model_vector_add_read(DTYPE_BF16, 1024, &work);
    cr_expect_eq(work.arithmetic, 1024);
    model_vector_add_written(DTYPE_BF16, 1024, &work);
    cr_expect_eq(work.arithmetic, 1024 + 512);
}

Test(model_vector, a_conversion_between_floats_is_part_of_reading_and_writing)
{
    struct model_vector work = {0};
    MAIN("bf16 1024 1024", "s32 1024 1024");
    model_vector_add(&small, build_convert(&fixture, argument(0), DTYPE_F32)->def, &work);
    cr_expect_eq(work.arithmetic, 0);
    model_vector_add(&small, build_convert(&fixture, argument(1), DTYPE_F32)->def, &work);
    cr_expect_eq(work.arithmetic, 1024 * 1024);
}

Test(model_vector, a_reduction_takes_its_reducers_instructions)
{
    struct model_vector work = {0};
    int64_t last = 1;
    MAIN("f32 1024 1024");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, argument(0), zero, OP_add, 1, &last);
    model_vector_add(&small, sum->def, &work);
    cr_expect_eq(work.arithmetic, 1024 * 1024, "of the operand, not of the result");
    cr_expect_eq(work.transcendental, 0);
}

Test(model_vector, the_index_of_the_largest_element_takes_ten_instructions)
{
    struct model_vector work = {0};
    MAIN("f32 1024 1024", "s32 1024 1024");
    struct value *operands[] = {argument(0), argument(1), build_scalar(&fixture, DTYPE_F32, 0),
                                build_scalar(&fixture, DTYPE_S32, 0)};
    const struct type *types[] = {fixture_type("f32 1024"), fixture_type("s32 1024")};
    struct op *op = ir_op(fixture_module, OP_reduce, 4, operands, 2, types, 1);
    model_vector_add(&small, op, &work);
    cr_expect_eq(work.arithmetic, 10 * 1024 * 1024);
}

/* ---- reductions ------------------------------------------------------------------------------ */
/* Cycles for each 8 rows of f32[8192,128] that are summed over the dimension. */
static double cycles_of_sums(int64_t dimension)
{
    struct model_vector work = {0};
    MAIN("f32 8192 128");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sums = build_reduce(&fixture, argument(0), zero, OP_add, 1, &dimension);
    model_vector_add(&small, sums->def, &work);
    return cycles_of(&small, &work);
}

Test(model_vector, sums_along_the_lanes_take_two_cycles_for_8_rows)
{
    cr_expect_float_eq(cycles_of_sums(1), 2, 0.01);
    cr_expect_float_eq(cycles_of_sums(0), 0.25, 0.03);
}
