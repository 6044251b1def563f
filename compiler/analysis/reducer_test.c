/* reducer_test.c: which bodies of reductions are one operation. */
#include "compiler/analysis/reducer.h"

#include "compiler/ir/ir_fixture.h"

static struct builder fixture;
static struct value *array, *scalar;

static void begin(void)
{
    fixture_begin();
    struct func *func = ir_func(fixture_module, "main");
    const struct type *types[] = {fixture_type("f32 4"), fixture_type("f32")};
    func->body = ir_block(fixture_module, func, NULL, 2, types);
    fixture = (struct builder){fixture_module, func->body, NULL, NULL};
    array = &func->body->arguments[0];
    scalar = &func->body->arguments[1];
}

TestSuite(reducer, .init = begin, .fini = fixture_end);

static struct op *reduce(enum op_code code)
{
    return build_reduce(&fixture, array, scalar, code, 1, (int64_t[]){0})->def;
}

Test(reducer, is_the_operation_of_the_body)
{
    cr_expect_eq(reducer_of(reduce(OP_multiply)), OP_multiply);
    cr_expect_eq(reducer_of_sum_or_extremum(reduce(OP_multiply)), OP_INVALID_CODE);
    cr_expect_eq(reducer_of_sum_or_extremum(reduce(OP_maximum)), OP_maximum);
    cr_expect_eq(reducer_of(build_unary(&fixture, OP_abs, array)->def), OP_INVALID_CODE);
}

/* add(x, x), add(x, captured), and a body that returns its argument. */
Test(reducer, is_none_unless_it_combines_both_arguments)
{
    struct op *twice = reduce(OP_add), *captures = reduce(OP_add), *returns = reduce(OP_add);
    struct op *add = twice->regions[0]->first;
    ir_set_operand(fixture_module, add, 1, add->operands[0]);
    ir_set_operand(fixture_module, captures->regions[0]->first, 1, scalar);
    struct block *body = returns->regions[0];
    ir_set_operand(fixture_module, body->last, 0, &body->arguments[0]);
    cr_expect_eq(reducer_of(twice), OP_INVALID_CODE);
    cr_expect_eq(reducer_of(captures), OP_INVALID_CODE);
    cr_expect_eq(reducer_of(returns), OP_INVALID_CODE);
}
