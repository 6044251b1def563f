#include "compiler/passes/canonicalize/canonicalize.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_calls, .init = fixture_begin, .fini = fixture_end);

/* main(f32 3 8, s32 3 8, f32, s32): ApproxTopK of two along `dim`. */
static struct op *top_k_of_two(int64_t dim, struct func *compare)
{
    static const struct string names[] = {{19, "mhlo.backend_config"}, {13, "reduction_dim"}};
    struct dict_value *values = ARENA_ARRAY(fixture_arena, struct dict_value, 2);
    struct dict *dicts = ARENA_ARRAY(fixture_arena, struct dict, 2);
    struct func **called = ARENA_NEW(fixture_arena, struct func *);
    *called = compare;
    values[1] = (struct dict_value){.kind = DICT_INT, .dtype = DTYPE_S64, .integer = dim};
    dicts[1] = (struct dict){1, names + 1, values + 1};
    values[0] = (struct dict_value){.kind = DICT_DICT, .dict = &dicts[1]};
    dicts[0] = (struct dict){1, names, values};
    const struct type *types[] = {fixture_type("f32 3 2"), fixture_type("s32 3 2")};
    struct value *operands[] = {argument(0), argument(1), argument(2), argument(3)};
    struct op *op = ir_op(fixture_module, OP_custom_call, 4, operands, 2, types, 0);
    op->attrs.custom_call.call_target_name = (struct string){10, "ApproxTopK"};
    op->attrs.custom_call.called_computations = (struct funcs){1, called};
    op->discardable = &dicts[0];
    ir_append(fixture.block, op);
    return op;
}

static struct func *greater(void)
{
    struct func *func =
        fixture_func("greater", 4, (const char *const[]){"f32", "f32", "s32", "s32"});
    RETURN(build_compare(&fixture, COMPARE_GT, argument(0), argument(1)));
    return func;
}

static struct value *allocate(const struct type *type, struct string name)
{
    struct op *op = ir_op(fixture_module, OP_custom_call, 0, NULL, 1, &type, 0);
    op->attrs.custom_call.call_target_name = name;
    ir_append(fixture.block, op);
    return &op->results[0];
}

Test(canonicalize_calls, allocated_buffers_hold_zeros)
{
    MAIN("f32 3 8");
    struct value *one = allocate(fixture_type("f32 3 8"), (struct string){14, "AllocateBuffer"});
    struct value *two = allocate(fixture_type("f32 2"), (struct string){12, "CreateBuffer"});
    RETURN(one, two);
    fixture_run(canonicalize_run);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(fixture_module->entry->body->last->operands[i]->def->code, OP_constant);
}

Test(canonicalize_calls, pinned_buffers_are_their_arrays)
{
    static const struct string names[] = {{3, "Pin"}, {5, "Unpin"}};
    MAIN("f32 3 8");
    const struct type *type = fixture_type("f32 3 8");
    struct value *value = argument(0);
    for (int i = 0; i < 2; i++) {
        struct op *op = ir_op(fixture_module, OP_custom_call, 1, &value, 1, &type, 0);
        op->attrs.custom_call.call_target_name = names[i];
        ir_append(fixture.block, op);
        value = &op->results[0];
    }
    RETURN(value);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture_module->entry->body->first->code, OP_return);
}

Test(canonicalize_calls, layout_requests_are_dropped)
{
    MAIN("f32 3", "f32 3");
    struct value *operands[] = {argument(0), argument(1)};
    struct op *op = ir_op(fixture_module, OP_custom_call, 2, operands, 0, NULL, 0);
    op->attrs.custom_call.call_target_name = (struct string){11, "control_dep"};
    op->attrs.custom_call.has_side_effect = true;
    ir_append(fixture.block, op);
    RETURN(argument(1));
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture_module->entry->body->first->code, OP_return);
}

Test(canonicalize_calls, approximate_top_k_sorts_and_takes_the_first)
{
    MAIN("f32 3 8", "s32 3 8", "f32", "s32");
    struct builder main_builder = fixture;
    struct func *compare = greater();
    fixture = main_builder;
    struct op *op = top_k_of_two(1, compare);
    RETURN(&op->results[0], &op->results[1]);
    fixture_run(canonicalize_run);
    const struct op *ret = main_builder.block->last;
    const struct op *slice = ret->operands[1]->def;
    cr_assert_eq(slice->code, OP_slice);
    cr_expect_eq(slice->results[0].type->shape.dims[1], 2);
    const struct op *sort = slice->operands[0]->def;
    cr_assert_eq(sort->code, OP_sort);
    cr_expect_eq(sort->attrs.sort.dimension, 1);
    cr_expect_eq(sort->operand_count, 2);
    cr_expect_eq(sort->regions[0]->argument_count, 4);
    cr_expect_eq(sort->regions[0]->first->code, OP_compare);
    cr_expect_eq(fixture_module->first, fixture_module->last, "the comparator stays");
}

Test(canonicalize_calls, approximate_top_k_that_does_not_fit_is_refused)
{
    MAIN("f32 3 8", "s32 3 8", "f32", "s32");
    struct builder main_builder = fixture;
    struct func *compare = greater();
    fixture = main_builder;
    struct op *op = top_k_of_two(0, compare);
    RETURN(&op->results[0], &op->results[1]);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT, "ApproxTopK");
}

/* A computation of ApproxTopK that returns `count` values, each computed by `value` from its
 * arguments. */
static void top_k_returning(int count, int which)
{
    MAIN("f32 3 8", "s32 3 8", "f32", "s32");
    struct builder main_builder = fixture;
    struct func *compare =
        fixture_func("compare", 4, (const char *const[]){"f32", "f32", "s32", "s32"});
    struct value **values = ARENA_ARRAY(fixture_arena, struct value *, (size_t)count + 1);
    struct value *less = build_compare(&fixture, COMPARE_LT, argument(0), argument(1));
    for (int i = 0; i < count; i++)
        values[i] = which < 0 ? less : argument(which);
    fixture_return(count, values);
    fixture = main_builder;
    struct op *op = top_k_of_two(1, compare);
    RETURN(&op->results[0], &op->results[1]);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT, "ApproxTopK");
}

Test(canonicalize_calls, a_computation_of_top_k_returns_one_pred)
{
    static const int counts[] = {0, 2, 8, 600};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        top_k_returning(counts[i], -1);
        fixture_end();
        fixture_begin();
    }
    top_k_returning(1, 0);
}

Test(canonicalize_calls, a_computation_of_top_k_takes_pairs_of_elements)
{
    MAIN("f32 3 8", "s32 3 8", "f32", "s32");
    struct builder main_builder = fixture;
    struct func *compare =
        fixture_func("compare", 4, (const char *const[]){"f32", "f32", "s32 8", "s32"});
    RETURN(build_compare(&fixture, COMPARE_LT, argument(0), argument(1)));
    fixture = main_builder;
    struct op *op = top_k_of_two(1, compare);
    RETURN(&op->results[0], &op->results[1]);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT, "ApproxTopK");
}

Test(canonicalize_calls, exported_error_functions_are_operations)
{
    MAIN("bf16 3 8", "s32");
    struct value *operands[] = {argument(0)};
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, operands, 1, &operands[0]->type, 0);
    op->attrs.custom_call.call_target_name = (struct string){8, "mhlo.erf"};
    ir_append(fixture.block, op);
    RETURN(&op->results[0]);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture.block->first->code, OP_erf);
}

Test(canonicalize_calls, exported_error_functions_of_integers_are_refused)
{
    MAIN("s32 3", "s32");
    struct value *operands[] = {argument(0)};
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, operands, 1, &operands[0]->type, 0);
    op->attrs.custom_call.call_target_name = (struct string){8, "mhlo.erf"};
    ir_append(fixture.block, op);
    RETURN(&op->results[0]);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT, "mhlo.erf");
}

static struct op *call_of(const char *target, struct value *operand)
{
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, &operand, 1, &operand->type, 0);
    op->attrs.custom_call.call_target_name = (struct string){strlen(target), target};
    ir_append(fixture.block, op);
    return op;
}

Test(canonicalize_calls, functions_of_complex_numbers)
{
    MAIN("c64 3", "c128 3");
    struct op *root = call_of("gantry.sqrt", argument(0)),
              *angle = call_of("gantry.acosh", argument(1));
    RETURN(&root->results[0], &angle->results[0]);
    fixture_run(canonicalize_run);
    cr_expect_eq(fixture.block->first->code, OP_sqrt);
    for (const struct op *op = fixture.block->first; op; op = op->next)
        cr_expect_neq(op->code, OP_custom_call);
}

Test(canonicalize_calls, functions_of_integers_are_refused)
{
    MAIN("s32 3", "s32");
    RETURN(&call_of("gantry.asin", argument(0))->results[0]);
    fixture_fails(canonicalize_run, PJRT_Error_Code_INVALID_ARGUMENT, "gantry.asin");
}
