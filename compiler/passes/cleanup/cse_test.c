#include "compiler/passes/cleanup/cse.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(cse, .init = fixture_begin, .fini = fixture_end);

Test(cse, equal_operations_are_made_once)
{
    MAIN("f32 4", "f32 4");
    struct value *a = build_binary(&fixture, OP_add, argument(0), argument(1));
    struct value *b = build_binary(&fixture, OP_add, argument(0), argument(1));
    struct value *c = build_compare(&fixture, COMPARE_LT, a, argument(0));
    struct value *d = build_compare(&fixture, COMPARE_LT, b, argument(0));
    struct value *e = build_compare(&fixture, COMPARE_GT, b, argument(0));
    RETURN(c, d, e);
    fixture_run(cse_run);
    const struct op *ret = fixture.block->last;
    cr_expect_eq(ret->operands[0], ret->operands[1]);
    cr_expect_neq(ret->operands[1], ret->operands[2]);
    cr_expect_eq(ret->operands[2]->def->operands[0], a);
}

Test(cse, regions_are_compared)
{
    MAIN("f32 4");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *a = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){0});
    struct value *b = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){0});
    struct value *c = build_reduce(&fixture, argument(0), zero, OP_maximum, 1, (int64_t[]){0});
    RETURN(a, b, c);
    fixture_run(cse_run);
    const struct op *ret = fixture.block->last;
    cr_expect_eq(ret->operands[0], ret->operands[1]);
    cr_expect_neq(ret->operands[0], ret->operands[2]);
}

Test(cse, splat_and_dense_constants_meet)
{
    MAIN("f32 2");
    static const float ones[] = {1, 1};
    const struct type *type = argument(0)->type;
    struct value *a = build_constant(&fixture, literal_dense(fixture_arena, type, ones));
    struct value *b = build_splat(&fixture, type, 1);
    RETURN(a, b);
    fixture_run(cse_run);
    cr_expect_eq(fixture.block->last->operands[0], fixture.block->last->operands[1]);
}

Test(cse, effects_are_not_merged)
{
    MAIN("f32");
    union attrs attrs = {.custom_call = {.has_side_effect = true}};
    for (int i = 0; i < 2; i++)
        build_op(&fixture, OP_custom_call, 1, (struct value *[]){argument(0)}, 0, &attrs);
    RETURN(argument(0));
    fixture_run(cse_run);
    cr_expect_neq(fixture.block->first->next, fixture.block->last);
}

static struct value *call_with(int64_t index)
{
    static const struct string names[] = {{19, "mhlo.backend_config"}, {5, "index"}};
    struct dict_value *values = ARENA_ARRAY(fixture_arena, struct dict_value, 2);
    struct dict *dicts = ARENA_ARRAY(fixture_arena, struct dict, 2);
    const struct type *type = fixture_type("f32 4");
    struct value *operand = argument(0);
    values[1] = (struct dict_value){.kind = DICT_INT, .dtype = DTYPE_U64, .integer = index};
    dicts[1] = (struct dict){1, names + 1, values + 1};
    values[0] = (struct dict_value){.kind = DICT_DICT, .dict = &dicts[1]};
    dicts[0] = (struct dict){1, names, values};
    struct op *op = ir_op(fixture_module, OP_custom_call, 1, &operand, 1, &type, 0);
    op->attrs.custom_call.call_target_name = (struct string){8, "callback"};
    op->discardable = &dicts[0];
    ir_append(fixture.block, op);
    return &op->results[0];
}

Test(cse, custom_calls_differ_by_their_configuration)
{
    MAIN("f32 4");
    struct value *a = call_with(0), *b = call_with(1), *c = call_with(0);
    RETURN(a, b, c);
    fixture_run(cse_run);
    const struct op *ret = fixture.block->last;
    cr_expect_neq(ret->operands[0], ret->operands[1]);
    cr_expect_eq(ret->operands[0], ret->operands[2]);
}
