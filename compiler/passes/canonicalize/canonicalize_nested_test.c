#include "compiler/passes/canonicalize/canonicalize_nested.h"

#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_nested, .init = fixture_begin, .fini = fixture_end);

/* A sum over dimension `inner` of the argument, reshaped to `rank` dimensions, and its reduction
 * over dimension `outer`. */
static struct value *nested(int inner, int rank, const int64_t *dims, int outer, enum op_code code)
{
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *a = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){inner});
    struct value *b = build_reshape(&fixture, a, rank, dims);
    return build_reduce(&fixture, b, zero, code, 1, (int64_t[]){outer});
}

static const struct op *canonical(struct value *value)
{
    RETURN(value);
    fixture_run(canonicalize_run);
    return fixture.block->last->operands[0]->def;
}

Test(canonicalize_nested, sums_of_sums_are_one)
{
    MAIN("f32 128 1000 2");
    const struct op *sum = canonical(nested(2, 3, (int64_t[]){64, 2, 1000}, 1, OP_add));
    const struct dims reduced = sum->attrs.dimensions.dimensions;
    cr_assert_eq(sum->code, OP_reduce);
    cr_assert(reduced.count == 2 && reduced.at[0] == 1 && reduced.at[1] == 3);
    cr_assert_eq(sum->operands[0]->def->code, OP_reshape);
    cr_assert_eq(sum->operands[0]->def->operands[0], argument(0));
    cr_assert(
        shape_same_dims(&sum->operands[0]->type->shape, &fixture_type("f32 64 2 1000 2")->shape));
}

Test(canonicalize_nested, reduced_dimensions_are_put_between_those_that_merge)
{
    MAIN("f32 4 3 6 5");
    const struct op *sum = canonical(nested(1, 3, (int64_t[]){4, 2, 15}, 1, OP_add));
    const struct dims reduced = sum->attrs.dimensions.dimensions;
    cr_assert(reduced.count == 2 && reduced.at[0] == 1 && reduced.at[1] == 2);
    cr_assert(
        shape_same_dims(&sum->operands[0]->type->shape, &fixture_type("f32 4 3 2 15")->shape));
}

static void expect_two(struct value *value)
{
    const struct op *outer = canonical(value);
    cr_assert_eq(outer->code, OP_reduce);
    cr_assert_eq(outer->attrs.dimensions.dimensions.count, 1);
}

Test(canonicalize_nested, a_dimension_across_the_reduced_one)
{
    MAIN("f32 6 3 4");
    expect_two(nested(1, 2, (int64_t[]){3, 8}, 0, OP_add));
}

Test(canonicalize_nested, a_maximum_of_sums)
{
    MAIN("f32 6 3 4");
    expect_two(nested(1, 2, (int64_t[]){6, 4}, 0, OP_maximum));
}

Test(canonicalize_nested, many_terms)
{
    MAIN("f32 6 100 4");
    expect_two(nested(1, 2, (int64_t[]){6, 4}, 0, OP_add));
}
