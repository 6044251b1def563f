#include "compiler/passes/spmd/propagate_constants.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(propagate_constants, .init = fixture_begin, .fini = fixture_end);

static struct error *split(struct module *module, const struct target *target)
{
    (void)target;
    propagate_constants_split(module);
    return NULL;
}

Test(propagate_constants, each_use_has_a_copy)
{
    MAIN("f32 4");
    struct value *one = build_splat(&fixture, argument(0)->type, 1);
    struct value *two = build_binary(&fixture, OP_add, one, one);
    struct value *a = build_binary(&fixture, OP_add, argument(0), two);
    struct value *b = build_binary(&fixture, OP_multiply, a, two);
    RETURN(b);
    fixture_run(split);
    cr_expect(ir_has_one_use(two) && ir_has_one_use(one));
    cr_expect_neq(a->def->operands[1], b->def->operands[1]);
    cr_expect_eq(b->def->operands[1]->def->code, OP_add);
}

Test(propagate_constants, scalars_and_other_values_are_shared)
{
    MAIN("f32 4");
    struct value *scalar = build_scalar(&fixture, DTYPE_F32, 1);
    struct value *a = build_broadcast(&fixture, scalar, argument(0)->type, 0, NULL);
    struct value *b = build_broadcast(&fixture, scalar, argument(0)->type, 0, NULL);
    struct value *sum = build_binary(&fixture, OP_add, argument(0), a);
    struct value *square = build_binary(&fixture, OP_multiply, sum, sum);
    RETURN(square, build_binary(&fixture, OP_add, square, b));
    fixture_run(split);
    cr_expect_eq(ir_use_count(scalar), 2);
    cr_expect_eq(square->def->operands[0], square->def->operands[1]);
}

Test(propagate_constants, broadcast_scalars_have_copies)
{
    MAIN("f32 4", "f32");
    struct value *wide = build_broadcast(&fixture, argument(1), argument(0)->type, 0, NULL);
    struct value *sum = build_binary(&fixture, OP_add, argument(0), wide);
    RETURN(build_binary(&fixture, OP_multiply, sum, wide));
    fixture_run(split);
    cr_expect(ir_has_one_use(wide));
    cr_expect_eq(ir_use_count(argument(1)), 2);
}

Test(propagate_constants, values_of_a_sharding_group_are_shared)
{
    MAIN("f32 4");
    struct value *one = build_splat(&fixture, argument(0)->type, 1);
    union attrs group = {.sharding_group = {.group = 1}};
    build_declared(&fixture, OP_sharding_group, 1, &one, NULL, &group);
    RETURN(build_binary(&fixture, OP_add, argument(0), one), one);
    fixture_run(split);
    cr_expect_eq(ir_use_count(one), 3);
}

static int count_operations(const struct block *block)
{
    int count = 0;
    for (const struct op *op = block->first; op; op = op->next)
        count++;
    return count;
}

/* Each operation doubles the copies that its operand would need. */
Test(propagate_constants, copies_are_linear_in_the_operations)
{
    MAIN("f32 4");
    enum { CHAIN = 200 };
    struct value *value = build_splat(&fixture, argument(0)->type, 1);
    for (int i = 0; i < CHAIN; i++)
        value = build_binary(&fixture, OP_add, value, value);
    RETURN(value);
    fixture_run(split);
    cr_expect_leq(count_operations(fixture_module->entry->body), 4 * CHAIN);
}

Test(propagate_constants, copies_stay_within_the_limit)
{
    MAIN("f32 4");
    struct value *one = build_splat(&fixture, argument(0)->type, 1), *sum = argument(0);
    for (int i = 0; i < 20; i++)
        sum = build_binary(&fixture, OP_subtract, sum, one);
    RETURN(sum);
    fixture_module->operation_limit = 30;
    fixture_run(split);
    cr_expect_leq(count_operations(fixture_module->entry->body), 30);
    cr_expect_geq(count_operations(fixture_module->entry->body), 25);
}
