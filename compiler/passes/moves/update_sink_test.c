/* update_sink_test.c: below what updates move, and where they stay. */
#include "compiler/passes/moves/update_sink.h"

#include "compiler/loop_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

TestSuite(update_sink, .init = fixture_begin, .fini = fixture_end);

/* `part` at the start of the array's row `row`. */
static struct value *updated(struct value *array, struct value *part, struct value *row)
{
    struct value *operands[] = {array, part, row, build_scalar(&fixture, DTYPE_S32, 0)};
    return build_declared(&fixture, OP_dynamic_update_slice, 4, operands, NULL, NULL);
}

static const struct op *result(int i)
{
    return fixture.block->last->operands[i]->def;
}

Test(update_sink, functions_move_in_front_of_an_update)
{
    MAIN("f32 40 30", "f32 1 30", "s32", "f32 40 30");
    struct value *all = updated(argument(0), argument(1), argument(2));
    struct value *two = build_splat(&fixture, all->type, 2);
    struct value *scaled = build_binary(&fixture, OP_multiply, all, two);
    RETURN(build_binary(&fixture, OP_subtract, argument(3), scaled));
    fixture_run(update_sink_run);
    const struct op *update = result(0);
    cr_assert_eq(update->code, OP_dynamic_update_slice);
    cr_expect_eq(update->operands[2], argument(2));
    const struct op *whole = update->operands[0]->def, *part = update->operands[1]->def;
    cr_assert_eq(whole->code, OP_subtract);
    cr_expect_eq(whole->operands[0], argument(3));
    cr_expect_eq(whole->operands[1]->def->operands[0], argument(0));
    cr_assert_eq(part->code, OP_subtract);
    cr_expect_eq(part->operands[0]->def->code, OP_dynamic_slice);
    cr_expect_eq(part->operands[0]->def->operands[1], argument(2));
    cr_expect_eq(part->operands[1]->def->operands[0], argument(1));
}

/* The edges of a grid: the function moves in front of both updates. */
Test(update_sink, functions_move_in_front_of_several_updates)
{
    MAIN("f32 40 30", "f32 1 30", "s32", "s32");
    struct value *wave = build_unary(&fixture, OP_sine, argument(0));
    struct value *edge = updated(wave, argument(1), argument(2));
    struct value *edges = updated(edge, argument(1), argument(3));
    RETURN(build_binary(&fixture, OP_multiply, edges, edges));
    fixture_run(update_sink_run);
    const struct op *second = result(0);
    cr_assert_eq(second->code, OP_dynamic_update_slice);
    cr_expect_eq(second->operands[2], argument(3));
    const struct op *first = second->operands[0]->def;
    cr_assert_eq(first->code, OP_dynamic_update_slice);
    cr_expect_eq(first->operands[2], argument(2));
    cr_assert_eq(first->operands[0]->def->code, OP_multiply);
    cr_expect_eq(first->operands[0]->def->operands[0], wave);
    cr_expect_eq(first->operands[0]->def->operands[1], wave);
}

/* A large part, a second user, an operand that would be computed twice, a larger result. */
Test(update_sink, updates_that_stay)
{
    MAIN("f32 40 30", "f32 20 30", "f32 1 30", "s32");
    struct value *large = updated(argument(0), argument(1), argument(3));
    struct value *used = updated(argument(0), argument(2), argument(3));
    struct value *beside = updated(argument(0), argument(2), argument(3));
    struct value *sine = build_unary(&fixture, OP_sine, argument(0));
    struct value *narrow = updated(argument(0), argument(2), argument(3));
    RETURN(build_unary(&fixture, OP_negate, large), build_unary(&fixture, OP_negate, used), used,
           build_binary(&fixture, OP_add, beside, sine),
           build_convert(&fixture, narrow, DTYPE_F64));
    fixture_run(update_sink_run);
    cr_expect_eq(result(0)->operands[0], large);
    cr_expect_eq(result(1)->operands[0], used);
    cr_expect_eq(result(3)->operands[0], beside);
    cr_expect_eq(result(4)->operands[0], narrow);
}

/* What moves in front of several updates is computed for the parts of all. */
Test(update_sink, many_updates_that_stay)
{
    MAIN("f32 40 30", "f32 6 30", "f32 1 30", "s32");
    struct value *large = argument(0), *many = argument(0);
    for (int i = 0; i < 2; i++)
        large = updated(large, argument(1), argument(3));
    for (int i = 0; i < 9; i++)
        many = updated(many, argument(2), argument(3));
    RETURN(build_unary(&fixture, OP_negate, large), build_unary(&fixture, OP_negate, many));
    fixture_run(update_sink_run);
    cr_expect_eq(result(0)->operands[0], large);
    cr_expect_eq(result(1)->operands[0], many);
}
