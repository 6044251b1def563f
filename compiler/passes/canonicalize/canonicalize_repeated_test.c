#include "compiler/passes/canonicalize/canonicalize_repeated.h"

#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_repeated, .init = fixture_begin, .fini = fixture_end);

/* The sine of the first argument, which has dimensions 0 and 2 of f32 4 x 6 x 5 x 3. */
static struct value *sine(const char *type)
{
    struct value *wide =
        build_broadcast(&fixture, argument(0), fixture_type(type), 2, (int64_t[]){0, 2});
    return build_unary(&fixture, OP_sine, wide);
}

static struct value *reduced(struct value *value, enum op_code code, int count,
                             const int64_t *dimensions)
{
    struct value *initial = build_scalar(&fixture, value->type->shape.dtype, 0);
    return build_reduce(&fixture, value, initial, code, count, dimensions);
}

static const struct op *canonical(struct value *value)
{
    RETURN(value);
    fixture_run(canonicalize_run);
    return fixture.block->last->operands[0]->def;
}

Test(canonicalize_repeated, a_sum_of_equal_terms_is_a_product)
{
    MAIN("f32 4 5");
    const struct op *add = canonical(reduced(sine("f32 4 6 5 3"), OP_add, 2, (int64_t[]){1, 3}));
    cr_assert_eq(add->code, OP_add, "of the initial value");
    const struct op *product = add->operands[1]->def;
    cr_assert_eq(product->code, OP_multiply);
    cr_assert_eq(dtype_to_double(DTYPE_F32, product->operands[1]->def->attrs.constant.value->bytes),
                 18);
    cr_assert_eq(product->operands[0]->def->code, OP_sine);
    cr_assert(type_same(product->operands[0]->type, argument(0)->type));
}

Test(canonicalize_repeated, other_dimensions_stay_reduced)
{
    MAIN("f32 4 5");
    const struct op *add = canonical(reduced(sine("f32 4 6 5 3"), OP_add, 3, (int64_t[]){1, 2, 3}));
    cr_assert_eq(add->code, OP_add, "of the initial value");
    cr_assert_eq(add->operands[1]->def->code, OP_multiply,
                 "of the sum, which opposite terms cancel");
    const struct op *sum = add->operands[1]->def->operands[0]->def;
    const struct dims dimensions = sum->attrs.dimensions.dimensions;
    cr_assert_eq(sum->code, OP_reduce);
    cr_assert(dimensions.count == 1 && dimensions.at[0] == 1);
    cr_assert(shape_same_dims(&sum->operands[0]->type->shape, &argument(0)->type->shape));
}

Test(canonicalize_repeated, a_maximum_is_the_term)
{
    MAIN("f32 4 5");
    const struct op *maximum =
        canonical(reduced(sine("f32 4 900 5 3"), OP_maximum, 2, (int64_t[]){1, 3}));
    cr_assert_eq(maximum->code, OP_maximum);
    cr_assert_eq(maximum->operands[1]->def->code, OP_sine);
}

/* One rounding, of a sum that may be beyond the type in between: 2 * 40000 - 60000 of f16. */
Test(canonicalize_repeated, narrow_sums_are_f32)
{
    MAIN("bf16 4 5");
    const struct op *narrow =
        canonical(reduced(sine("bf16 4 900 5 3"), OP_add, 2, (int64_t[]){0, 1}));
    cr_assert_eq(narrow->code, OP_convert);
    const struct op *add = narrow->operands[0]->def;
    cr_assert_eq(add->code, OP_add);
    cr_assert_eq(add->results[0].type->shape.dtype, DTYPE_F32);
    cr_assert_eq(add->operands[1]->def->operands[0]->def->operands[0]->def->code, OP_convert);
}

/* 2 x may be infinite where -y + x + x is not; and -0 + -0 is not what 0 + 2 * -0 is. */
Test(canonicalize_repeated, sums_of_floats_that_start_with_zero)
{
    double initials[] = {-1, -0.0};
    for (int i = 0; i < 2; i++) {
        fixture_end();
        fixture_begin();
        MAIN("f32 4 5");
        struct value *initial = build_scalar(&fixture, DTYPE_F32, initials[i]);
        cr_assert_eq(canonical(build_reduce(&fixture, sine("f32 4 6 5 3"), initial, OP_add, 1,
                                            (int64_t[]){1}))
                         ->code,
                     OP_reduce);
    }
}

Test(canonicalize_repeated, values_that_change_or_are_used_as_a_whole)
{
    MAIN("f32 4 5");
    struct value *value = sine("f32 4 6 5 3");
    struct value *changing = build_declared(&fixture, OP_iota, 0, NULL, value->type,
                                            &(union attrs){.iota = {.iota_dimension = 1}});
    struct value *sum = build_binary(&fixture, OP_add, value, changing);
    RETURN(reduced(sum, OP_add, 1, (int64_t[]){1}), sum);
    fixture_run(canonicalize_run);
    const struct op *ret = fixture.block->last;
    cr_assert_eq(ret->operands[0]->def->code, OP_reduce);
}

/* What a sum of integers becomes. */
static enum op_code code_of_sum(const char *operand, const char *type)
{
    fixture_end();
    fixture_begin();
    MAIN(operand);
    struct value *wide =
        build_broadcast(&fixture, argument(0), fixture_type(type), 1, (int64_t[]){1});
    return canonical(reduced(wide, OP_add, 1, (int64_t[]){0}))->code;
}

Test(canonicalize_repeated, small_integers_have_few_numbers)
{
    cr_expect_eq(code_of_sum("s4 5", "s4 7 5"), OP_add);
    cr_expect_eq(code_of_sum("s4 5", "s4 8 5"), OP_reduce);
    cr_expect_eq(code_of_sum("s2 5", "s2 2 5"), OP_reduce);
    cr_expect_eq(code_of_sum("s8 5", "s8 15 5"), OP_add);
    cr_expect_eq(code_of_sum("s8 5", "s8 200 5"), OP_reduce);
}

Test(canonicalize_repeated, complex_numbers)
{
    MAIN("c64 4 5");
    const struct op *sum = canonical(reduced(sine("c64 4 6 5 3"), OP_add, 1, (int64_t[]){1}));
    cr_assert_eq(sum->code, OP_reduce);
}
