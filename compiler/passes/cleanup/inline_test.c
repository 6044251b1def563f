#include "compiler/passes/cleanup/inline.h"

#include "compiler/compile.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(inline, .init = fixture_begin, .fini = fixture_end);

static struct op *call(struct func *callee, struct value *value)
{
    struct op *op = ir_op(fixture_module, OP_call, 1, &value, 1, &value->type, 0);
    op->attrs.call.callee = callee;
    ir_append(fixture.block, op);
    return op;
}

/* A function that calls another twice, negates the result, and returns it. */
static struct func *twice(const char *name, struct func *callee)
{
    struct func *func = fixture_func(name, 1, (const char *[]){"f32"});
    struct value *value = argument(0);
    for (int i = 0; callee && i < 2; i++)
        value = &call(callee, value)->results[0];
    RETURN(build_unary(&fixture, OP_negate, value));
    return func;
}

Test(inline, calls_disappear_with_their_functions)
{
    struct func *leaf = twice("leaf", NULL);
    struct func *main = fixture_module->entry = twice("main", leaf);
    fixture_run(inline_run);
    cr_expect_eq(fixture_module->first, main);
    cr_expect_null(main->next);
    fixture_expect(
        "%0 = \"negate\"(%arg0)\n%1 = \"negate\"(%0)\n%2 = \"negate\"(%1)\n\"func.return\"(%2)\n");
}

Test(inline, recursion_is_refused)
{
    struct func *func = twice("main", NULL);
    struct op *op = call(func, argument(0));
    ir_move_before(func->body->first, op);
    fixture_fails(inline_run, PJRT_Error_Code_INVALID_ARGUMENT, "calls itself");
}

Test(inline, growth_is_bounded)
{
    struct func *func = twice("f0", NULL);
    char name[8];
    for (int i = 1; i < 40; i++) {
        sprintf(name, "f%d", i);
        func = twice(name, func);
    }
    fixture_module->entry = func;
    fixture_module->operation_limit = 5000;
    fixture_fails(inline_run, PJRT_Error_Code_RESOURCE_EXHAUSTED, "more than 5000 operations");
}

Test(inline, erf_is_kept_whole)
{
    struct func *leaf = twice("erf.impl", NULL);
    fixture_module->entry = fixture_func("main", 1, (const char *[]){"f32"});
    struct value *x = argument(0);
    struct op *op = ir_op(fixture_module, OP_composite, 1, &x, 1, &x->type, 0);
    op->attrs.composite.name = (struct string){8, "chlo.erf"};
    op->attrs.composite.decomposition = leaf;
    ir_append(fixture.block, op);
    RETURN(&op->results[0]);
    fixture_run(inline_run);
    cr_expect_eq(fixture.block->first->code, OP_erf);
}

Test(inline, tuples_and_barriers_go)
{
    MAIN("f32", "s32");
    struct value *tuple = MAKE(tuple, NULL, {0}, argument(0), argument(1));
    union attrs attrs = {.index = {.index = 1}};
    struct value *element = build_declared(&fixture, OP_get_tuple_element, 1, &tuple, NULL, &attrs);
    struct op *barrier = build_op(&fixture, OP_optimization_barrier, 1, &element, 1, NULL);
    RETURN(&barrier->results[0]);
    fixture_run(inline_run);
    fixture_expect("\"func.return\"(%arg1)\n");
}

Test(inline, barriers_remain_for_a_modeled_accelerator)
{
    static const struct accelerator accelerator = {.name = "test"};
    const struct target target = {.name = "test", .accelerator = &accelerator};
    MAIN("f32");
    struct value *x = argument(0);
    RETURN(&build_op(&fixture, OP_optimization_barrier, 1, &x, 1, NULL)->results[0]);
    cr_assert_null(inline_run(fixture_module, &target));
    cr_expect_eq(fixture.block->first->code, OP_optimization_barrier);
    cr_assert_null(inline_barriers_run(fixture_module, &target));
    fixture_expect("\"func.return\"(%arg0)\n");
}

Test(inline, futures_are_what_they_hold)
{
    static const char text[] =
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %f = \"stablehlo.async_start\"(%x) ({ ^bb0(%a: tensor<4xf32>):\n"
        "    %y = \"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64,\n"
        "        replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>\n"
        "    stablehlo.return %y : tensor<4xf32>\n"
        "  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>\n"
        "  %r = \"stablehlo.async_done\"(%f) : (!stablehlo.future<tensor<4xf32>>) -> "
        "tensor<4xf32>\n"
        "  return %r : tensor<4xf32>\n"
        "}\n";
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = sizeof text - 1};
    struct module *module;
    struct error *error = compile_source_read(fixture_arena, &source, &module);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    cr_assert_null(inline_run(module, NULL));
    const struct op *gather = module->entry->body->first;
    cr_assert_eq(gather->code, OP_all_gather);
    cr_assert_eq(gather->next->code, OP_return);
    cr_assert_eq(gather->next->operands[0], &gather->results[0]);
}
