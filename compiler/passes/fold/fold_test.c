#include "compiler/passes/fold/fold.h"

#include <math.h>

#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/fold/fold_eval.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(fold, .init = fixture_begin, .fini = fixture_end);

static struct value *scalar(enum dtype dtype, double value)
{
    return build_scalar(&fixture, dtype, value);
}

static struct value *binary(enum op_code code, struct value *a, struct value *b)
{
    return build_binary(&fixture, code, a, b);
}

/* Folds one operation on scalars of `dtype` and returns the constant's value, or NAN if it is not
 * folded. */
static double folded(enum op_code code, enum dtype dtype, double a, double b)
{
    struct value *value = binary(code, scalar(dtype, a), scalar(dtype, b));
    const struct literal *literals[] = {value->def->operands[0]->def->attrs.constant.value,
                                        value->def->operands[1]->def->attrs.constant.value};
    const struct literal *result = fold_eval_op(fixture_arena, value->def, literals);
    return result ? dtype_to_double(dtype, result->bytes) : NAN;
}

Test(fold, integers_wrap_and_saturate_as_the_machine_does)
{
    MAIN("f32");
    cr_expect_eq(folded(OP_add, DTYPE_S8, 127, 1), -128);
    cr_expect_eq(folded(OP_multiply, DTYPE_U8, 16, 17), 16);
    cr_expect_eq(folded(OP_subtract, DTYPE_S4, -8, 1), 7);
    cr_expect_eq(folded(OP_divide, DTYPE_S32, -7, 2), -3);
    cr_expect_eq(folded(OP_remainder, DTYPE_S32, -7, 2), -1);
    cr_expect_eq(folded(OP_divide, DTYPE_S8, -128, -1), -128);
    cr_expect(isnan(folded(OP_divide, DTYPE_S32, 1, 0)));
    cr_expect_eq(folded(OP_shift_left, DTYPE_S8, 1, 8), 0);
    cr_expect_eq(folded(OP_shift_right_arithmetic, DTYPE_S8, -128, 9), -1);
    cr_expect_eq(folded(OP_shift_right_logical, DTYPE_S8, -128, 7), 1);
    cr_expect_eq(folded(OP_power, DTYPE_S32, -3, 3), -27);
    cr_expect_eq(folded(OP_maximum, DTYPE_U8, 200, 100), 200);
}

/* Folded results equal executed ones; operations without a defined result are not folded. */
Test(fold, integers_at_their_ends)
{
    MAIN("f32");
    for (int t = 1; t < DTYPE_COUNT; t++) {
        enum dtype dtype = (enum dtype)t;
        if (!dtype_is_integer(dtype))
            continue;
        int bits = dtype_info(dtype)->bits;
        bool is_signed = dtype_info(dtype)->class == CLASS_SIGNED;
        double least = is_signed ? -ldexp(1, bits - 1) : 0;
        cr_expect(isnan(folded(OP_divide, dtype, 1, 0)), "%s", dtype_name(dtype));
        cr_expect(isnan(folded(OP_remainder, dtype, 1, 0)), "%s", dtype_name(dtype));
        if (is_signed) {
            cr_expect_eq(folded(OP_divide, dtype, least, -1), least, "%s", dtype_name(dtype));
            cr_expect_eq(folded(OP_remainder, dtype, least, -1), 0, "%s", dtype_name(dtype));
        }
        double beyond = bits == 2 ? (is_signed ? -1 : 3) : bits == 4 && is_signed ? 7 : bits;
        cr_expect_eq(folded(OP_shift_left, dtype, 1, beyond), 0, "%s", dtype_name(dtype));
        cr_expect_eq(folded(OP_shift_right_logical, dtype, 1, beyond), 0, "%s", dtype_name(dtype));
        cr_expect_eq(folded(OP_shift_right_arithmetic, dtype, least, beyond), is_signed ? -1 : 0,
                     "%s", dtype_name(dtype));
    }
}

Test(fold, floats_round_in_their_own_precision)
{
    MAIN("f32");
    cr_expect_eq(folded(OP_add, DTYPE_F32, 16777216, 1), 16777216);
    cr_expect_eq(folded(OP_add, DTYPE_F64, 16777216, 1), 16777217);
    cr_expect_eq(folded(OP_multiply, DTYPE_F32, 0.1, 0.1), (double)(0.1f * 0.1f));
    cr_expect_eq(folded(OP_add, DTYPE_BF16, 256, 1), 256);
    cr_expect(isinf(folded(OP_divide, DTYPE_F32, 1, 0)));
    double zero = folded(OP_maximum, DTYPE_F32, -0.0, 0.0);
    cr_expect(zero == 0 && !signbit(zero));
    cr_expect(isnan(folded(OP_power, DTYPE_F32, 2, 3)), "left to the machine");
}

/* Of any size: nothing is written out. */
Test(fold, equal_splats_are_concatenated)
{
    MAIN("f32");
    struct value *joined = build_splat(&fixture, fixture_type("f32 2 3"), 7);
    union attrs attrs = {.dimension = {.dimension = 1}};
    for (int i = 0; i < 30; i++)
        joined = build_declared(&fixture, OP_concatenate, 2, (struct value *[]){joined, joined},
                                NULL, &attrs);
    RETURN(joined);
    fixture_run(fold_run);
    const struct literal *literal = constants_literal(fixture.block->last->operands[0]);
    cr_assert(literal && literal->splat && literal_is_splat_of(literal, 7));
    cr_expect_eq(literal->type->shape.dims[1], INT64_C(3) << 30);
}

/* (-x) c, -(x c) and (x c)(-1) become one product, unless x c has other uses. */
Test(fold, signs_go_into_constant_factors)
{
    MAIN("f32 4");
    struct value *x = argument(0), *scale = build_splat(&fixture, x->type, 0.5);
    struct value *minus = build_splat(&fixture, x->type, -1);
    struct value *first = binary(OP_multiply, build_unary(&fixture, OP_negate, x), scale);
    struct value *second = build_unary(&fixture, OP_negate, binary(OP_multiply, x, scale));
    struct value *third = binary(OP_multiply, binary(OP_multiply, x, scale), minus);
    struct value *kept = binary(OP_multiply, x, build_splat(&fixture, x->type, 0.25));
    RETURN(first, second, third, kept, build_unary(&fixture, OP_negate, kept));
    fixture_run(fold_run);
    const struct op *ret = fixture.block->last;
    for (int i = 0; i < 3; i++) {
        const struct op *product = ret->operands[i]->def;
        cr_expect_eq(product->code, OP_multiply, "%d", i);
        cr_expect_eq(product->operands[0], x);
        cr_expect(constants_is_splat_of(product->operands[1], -0.5), "%d", i);
    }
    cr_expect_eq(ret->operands[4]->def->code, OP_negate);
}

/* Where the mask is false, -(mask c) is -0, but mask (-c), which selects, +0. */
Test(fold, signs_do_not_go_into_the_factors_of_masks)
{
    MAIN("pred 4", "f32 4");
    const struct type *f = argument(1)->type;
    struct value *mask = build_convert(&fixture, argument(0), DTYPE_F32);
    struct value *scale = build_splat(&fixture, f, 3);
    struct value *first = build_unary(&fixture, OP_negate, binary(OP_multiply, mask, scale));
    struct value *minus = build_unary(&fixture, OP_negate, mask);
    RETURN(first, binary(OP_multiply, minus, scale));
    fixture_run(fold_run);
    const struct op *ret = fixture.block->last;
    cr_expect_eq(ret->operands[0]->def->code, OP_negate);
    cr_expect_eq(ret->operands[1]->def->operands[0], minus);
}

Test(fold, algebra_keeps_what_floats_tell_apart)
{
    MAIN("f32 4", "s32 4");
    const struct type *f = argument(0)->type, *s = argument(1)->type;
    struct value *plus_zero = binary(OP_add, argument(0), build_splat(&fixture, f, 0.0));
    struct value *minus_zero = binary(OP_add, argument(0), build_splat(&fixture, f, -0.0));
    struct value *times_zero = binary(OP_multiply, build_splat(&fixture, s, 0), argument(1));
    struct value *half = binary(OP_divide, argument(0), build_splat(&fixture, f, 2));
    struct value *third = binary(OP_divide, argument(0), build_splat(&fixture, f, 3));
    struct value *same = build_compare(&fixture, COMPARE_EQ, argument(0), argument(0));
    RETURN(plus_zero, minus_zero, times_zero, half, third, same);
    fixture_run(fold_run);
    const struct op *ret = fixture.block->last;
    cr_expect_eq(ret->operands[0]->def->code, OP_add);
    cr_expect_eq(ret->operands[1], argument(0));
    cr_expect_eq(ret->operands[2]->def->code, OP_constant);
    cr_expect_eq(ret->operands[3]->def->code, OP_multiply);
    cr_expect_eq(ret->operands[4]->def->code, OP_divide);
    cr_expect_eq(ret->operands[5]->def->code, OP_compare, "NaN is not itself");
}

Test(fold, conversions_that_lose_nothing_vanish)
{
    MAIN("bf16 4", "f32 4");
    struct value *wide = build_convert(&fixture, argument(0), DTYPE_F32);
    struct value *back = build_convert(&fixture, wide, DTYPE_BF16);
    struct value *narrow = build_convert(&fixture, argument(1), DTYPE_BF16);
    struct value *lost = build_convert(&fixture, narrow, DTYPE_F32);
    RETURN(back, lost);
    fixture_run(fold_run);
    cr_expect_eq(fixture.block->last->operands[0], argument(0));
    cr_expect_eq(fixture.block->last->operands[1]->def->code, OP_convert);
}

Test(fold, shapes_of_constants)
{
    MAIN("f32");
    static const int32_t numbers[] = {1, 2, 3, 4, 5, 6};
    const struct type *type = fixture_type("s32 2 3");
    struct value *matrix = build_constant(&fixture, literal_dense(fixture_arena, type, numbers));
    struct value *transposed = build_transpose(&fixture, matrix, (int64_t[]){1, 0});
    struct value *cut =
        build_slice(&fixture, transposed, (int64_t[]){0, 1}, (int64_t[]){3, 2}, (int64_t[]){2, 1});
    struct value *flat = build_reshape(&fixture, cut, 1, (int64_t[]){2});
    RETURN(flat);
    fixture_run(fold_run);
    const int32_t *got = fixture.block->last->operands[0]->def->attrs.constant.value->bytes;
    cr_expect_eq(got[0], 4);
    cr_expect_eq(got[1], 6);
}

/* As of the coefficients that an unrolled loop reads. Starts are clamped; no number is too
 * large. */
Test(fold, windows_of_constants)
{
    MAIN("f32");
    static const int32_t numbers[] = {1, 2, 3, 4, 5, 6};
    const struct type *type = fixture_type("s32 2 3");
    struct value *matrix = build_constant(&fixture, literal_dense(fixture_arena, type, numbers));
    static const double starts[][2] = {{1, 0}, {0, 1}, {7, -2}, {-1, 4e9}, {1e19, 0}};
    static const int32_t expected[][2] = {{4, 5}, {2, 3}, {4, 5}, {2, 3}, {4, 5}};
    union attrs attrs = {.dynamic_slice = {.slice_sizes = {2, (int64_t[]){1, 2}}}};
    struct value *cut[5];
    for (int i = 0; i < 5; i++) {
        enum dtype dtype = i < 4 ? DTYPE_S64 : DTYPE_U64;
        struct value *operands[] = {matrix, scalar(dtype, starts[i][0]),
                                    scalar(dtype, starts[i][1])};
        cut[i] = build_declared(&fixture, OP_dynamic_slice, 3, operands, NULL, &attrs);
    }
    RETURN(cut[0], cut[1], cut[2], cut[3], cut[4]);
    fixture_run(fold_run);
    for (int i = 0; i < 5; i++) {
        const struct op *def = fixture.block->last->operands[i]->def;
        cr_assert_eq(def->code, OP_constant, "%d", i);
        cr_expect_arr_eq(def->attrs.constant.value->bytes, expected[i], sizeof expected[i], "%d",
                         i);
    }
}

Test(fold, constants_move_into_the_regions_that_use_them)
{
    MAIN("f32 8");
    struct value *zero = scalar(DTYPE_F32, 0), *two = scalar(DTYPE_F32, 2);
    struct value *sum = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){0});
    struct op *add = sum->def->regions[0]->first;
    ir_set_operand(fixture_module, add, 1, two);
    RETURN(sum);
    fixture_run(fold_run);
    cr_expect_eq(add->operands[1]->def->block, sum->def->regions[0]);
}

Test(fold, a_choice_of_true_and_false_is_its_predicate)
{
    MAIN("pred 5", "pred 5");
    struct value *yes = build_splat(&fixture, argument(0)->type, 1);
    struct value *no = build_splat(&fixture, argument(0)->type, 0);
    RETURN(build_select(&fixture, argument(0), yes, no),
           build_select(&fixture, argument(0), no, yes),
           build_select(&fixture, argument(0), yes, argument(1)));
    fixture_run(fold_run);
    const struct op *end = fixture.block->last;
    cr_expect_eq(end->operands[0], argument(0));
    cr_expect_eq(end->operands[1]->def->code, OP_select);
    cr_expect_eq(end->operands[2]->def->code, OP_select);
}
