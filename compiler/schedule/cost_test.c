#include "compiler/schedule/cost.h"

#include "compiler/loop_fixture.h"
#include "compiler/passes/fusion/fusion.h"

TestSuite(cost, .init = fixture_begin, .fini = fixture_end);

Test(cost, loops_multiply)
{
    MAIN("f32 1000");
    double one = cost_of_op(fixture_loop(DTYPE_S32, 0, 1, 1)),
           ten = cost_of_op(fixture_loop(DTYPE_S32, 0, 10, 1));
    cr_expect(one >= 1000);
    cr_expect(ten > 9.9 * one && ten < 10.1 * one);
}

/* A loop over a stacked array reads one slice per iteration. */
Test(cost, slices_read_what_they_give)
{
    MAIN("f32 1000 64", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    union attrs attrs = {.dynamic_slice = {.slice_sizes = DIMS(1, 64)}};
    struct value *operands[] = {argument(0), argument(1), zero};
    struct op *slice = build_op(&fixture, OP_dynamic_slice, 3, operands, 1, &attrs);
    RETURN(build_unary(&fixture, OP_negate, &slice->results[0]));
    static const struct target target = {.name = "test", .cores = 2, .alignment = 64};
    cr_assert_null(fusion_run(fixture_module, &target));
    const struct op *fusion = fixture.block->last->operands[0]->def;
    cr_assert_eq(fusion->code, OP_fusion);
    cr_expect_lt(cost_of_op(fusion), 200);
}

/* The cost of a kernel that stores rows of two arguments side by side, for each element. */
static double cost_of_joined_element(void)
{
    struct value *operands[] = {argument(0), argument(1)};
    union attrs attrs = {.dimension = {.dimension = 1}};
    struct op *joined = build_op(&fixture, OP_concatenate, 2, operands, 1, &attrs);
    const struct type *type = joined->results[0].type;
    RETURN(&joined->results[0]);
    static const struct target target = {.name = "test", .cores = 2, .alignment = 64};
    cr_assert_null(fusion_run(fixture_module, &target));
    const struct op *fusion = fixture.block->last->operands[0]->def;
    cr_assert_eq(fusion->code, OP_fusion);
    return cost_of_op(fusion) / (double)type_elements(type);
}

Test(cost, long_parts_of_rows_are_copied)
{
    MAIN("f32 1000 64", "f32 1000 64");
    cr_expect_leq(cost_of_joined_element(), 2);
}

Test(cost, short_parts_of_rows_are_selected)
{
    MAIN("f32 32000 2", "f32 32000 2");
    cr_expect_geq(cost_of_joined_element(), 4);
}
