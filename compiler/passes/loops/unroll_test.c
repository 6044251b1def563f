/* unroll_test.c: which loops are unrolled, and that the results are the same. */
#include "compiler/passes/loops/unroll.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(unroll, .init = fixture_begin, .fini = fixture_end);

/* while (i `direction` limit) { i += step; x = x * x } */
static struct op *loop(int start, enum comparison direction, int limit, int step)
{
    struct value *initial[] = {build_scalar(&fixture, DTYPE_S32, start), argument(0)};
    const struct type *types[] = {initial[0]->type, initial[1]->type};
    struct op *op = ir_op(fixture_module, OP_while, 2, initial, 2, NULL, 2);
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 2, types);
    struct builder b = {fixture_module, op->regions[0], NULL, NULL};
    struct value *end = build_scalar(&b, DTYPE_S32, limit);
    struct value *more = build_compare(&b, direction, &op->regions[0]->arguments[0], end);
    build_return(&b, 1, &more);
    b.block = op->regions[1];
    struct value *arguments = op->regions[1]->arguments;
    struct value *next = build_binary(&b, OP_add, &arguments[0], build_scalar(&b, DTYPE_S32, step));
    struct value *square = build_binary(&b, OP_multiply, &arguments[1], &arguments[1]);
    build_return(&b, 2, (struct value *[]){next, square});
    ir_append(fixture.block, op);
    cr_assert_null(infer_op(fixture_arena, op));
    return op;
}

Test(unroll, body_is_repeated)
{
    MAIN("f32 4");
    struct op *op = loop(0, COMPARE_LT, 2, 1);
    RETURN(&op->results[1]);
    fixture_run(unroll_run);
    fixture_expect("%0 = \"constant\"() {value = dense<0> : tensor<i32>}\n"
                   "%1 = \"constant\"() {value = dense<1> : tensor<i32>}\n"
                   "%2 = \"add\"(%0, %1)\n"
                   "%3 = \"multiply\"(%arg0, %arg0)\n"
                   "%4 = \"constant\"() {value = dense<1> : tensor<i32>}\n"
                   "%5 = \"add\"(%2, %4)\n"
                   "%6 = \"multiply\"(%3, %3)\n"
                   "\"func.return\"(%6)\n");
}

Test(unroll, a_loop_that_runs_once_is_its_body)
{
    MAIN("f32 4");
    struct op *once = loop(0, COMPARE_LT, 1, 1), *twice = loop(0, COMPARE_LT, 2, 1);
    RETURN(&once->results[1], &twice->results[1]);
    fixture_run(unroll_single_run);
    cr_expect_eq(fixture.block->last->operands[0]->def->code, OP_multiply);
    cr_expect_eq(fixture.block->last->operands[1], &twice->results[1]);
}

Test(unroll, conditions_with_effects_stay)
{
    MAIN("f32 4");
    struct op *op = loop(0, COMPARE_LT, 2, 1);
    struct op *call = ir_op(fixture_module, OP_custom_call, 0, NULL, 0, NULL, 0);
    call->attrs.custom_call.has_side_effect = true;
    ir_insert_before(op->regions[0]->last, call);
    RETURN(&op->results[1]);
    fixture_run(unroll_run);
    cr_expect_eq(fixture.block->last->operands[0], &op->results[1]);
}

Test(unroll, long_loops_stay)
{
    MAIN("f32 4");
    struct op *op = loop(0, COMPARE_LT, 9, 1);
    RETURN(&op->results[1]);
    fixture_run(unroll_run);
    cr_expect_eq(fixture.block->first->next, op);
}
