#include "compiler/passes/cleanup/dce.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(dce, .init = fixture_begin, .fini = fixture_end);

/* while (i < limit) { i += 1; x = x * limit; dead = dead + x }: carries i, x, dead, limit. */
static struct op *loop(struct value *const *initial)
{
    struct op *op = ir_op(fixture_module, OP_while, 4, initial, 4, NULL, 2);
    const struct type *types[4];
    for (int i = 0; i < 4; i++)
        types[i] = initial[i]->type;
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 4, types);
    struct builder b = {fixture_module, op->regions[0], NULL, NULL};
    struct value *arguments = op->regions[0]->arguments;
    struct value *more = build_compare(&b, COMPARE_LT, &arguments[0], &arguments[3]);
    build_return(&b, 1, &more);
    b.block = op->regions[1];
    arguments = op->regions[1]->arguments;
    struct value *next = build_binary(&b, OP_add, &arguments[0], build_scalar(&b, DTYPE_S32, 1));
    struct value *x = build_binary(&b, OP_multiply, &arguments[1], &arguments[3]);
    struct value *dead = build_binary(&b, OP_add, &arguments[2], x);
    build_return(&b, 4, (struct value *[]){next, x, dead, &arguments[3]});
    ir_append(fixture.block, op);
    cr_assert_null(infer_op(fixture_arena, op));
    return op;
}

Test(dce, loops_carry_only_what_is_read)
{
    MAIN("s32", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct op *op = loop((struct value *[]){zero, argument(0), zero, argument(1)});
    RETURN(&op->results[1]);
    fixture_run(dce_run);
    fixture_expect("%0 = \"constant\"() {value = dense<0> : tensor<i32>}\n"
                   "%1:2 = \"while\"(%0, %arg0) ({\n"
                   "^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):\n"
                   "%2 = \"compare\"(%arg2, %arg1) {comparison_direction = "
                   "#stablehlo<comparison_direction LT>,"
                   " compare_type = #stablehlo<comparison_type SIGNED>}\n"
                   "\"return\"(%2)\n"
                   "}, {\n"
                   "^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):\n"
                   "%3 = \"constant\"() {value = dense<1> : tensor<i32>}\n"
                   "%4 = \"add\"(%arg4, %3)\n"
                   "%5 = \"multiply\"(%arg5, %arg1)\n"
                   "\"return\"(%4, %5)\n"
                   "})\n"
                   "\"func.return\"(%1#1)\n");
}

Test(dce, unused_loops_go_and_effects_stay)
{
    MAIN("s32", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    loop((struct value *[]){zero, argument(0), zero, argument(1)});
    struct op *pure = build_op(&fixture, OP_custom_call, 1, (struct value *[]){zero}, 0, NULL);
    union attrs attrs = {.custom_call = {.has_side_effect = true}};
    struct op *effect =
        build_op(&fixture, OP_custom_call, 1, (struct value *[]){argument(0)}, 0, &attrs);
    RETURN(argument(0));
    fixture_run(dce_run);
    cr_expect_null(pure->block);
    cr_expect_eq(fixture.block->first, effect);
    cr_expect_eq(effect->next, fixture.block->last);
}
