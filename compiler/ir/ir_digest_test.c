/* ir_digest_test.c: every change of a module changes its digest; notes and lists of uses do not. */
#include "compiler/ir/ir_digest.h"

#include "compiler/ir/ir_fixture.h"

static struct op *product, *sum, *last;
static uint64_t before;

/* @main(%x: f32[4]) { return (x x) + x } */
static void begin(void)
{
    fixture_begin();
    struct func *func = fixture_module->entry = ir_func(fixture_module, "main");
    const struct type *type = fixture_type("f32 4");
    func->body = ir_block(fixture_module, func, NULL, 1, &type);
    func->result_count = 1;
    func->result_types = ARENA_ARRAY(fixture_arena, const struct type *, 1);
    func->result_types[0] = type;
    struct builder b = {fixture_module, func->body, NULL, NULL};
    struct value *x = &func->body->arguments[0];
    product = build_binary(&b, OP_multiply, x, x)->def;
    sum = build_binary(&b, OP_add, &product->results[0], x)->def;
    build_return(&b, 1, (struct value *[]){&sum->results[0]});
    last = func->body->last;
    before = ir_digest(fixture_module);
}

TestSuite(ir_digest, .init = begin, .fini = fixture_end);

static bool is_changed(void)
{
    return ir_digest(fixture_module) != before;
}

Test(ir_digest, depends_on_the_operations_only)
{
    cr_expect_not(is_changed());
    product->note = product->results[0].note = sum;
    cr_expect_not(is_changed());
}

Test(ir_digest, changes_with_codes_and_attributes)
{
    product->attrs.multiply.contracts = true;
    cr_expect(is_changed());
    product->attrs.multiply.contracts = false;
    cr_expect_not(is_changed());
    sum->code = OP_subtract;
    cr_expect(is_changed());
}

Test(ir_digest, changes_with_operands_and_types)
{
    ir_set_operand(fixture_module, sum, 1, &product->results[0]);
    cr_expect(is_changed());
    ir_set_operand(fixture_module, sum, 1, product->operands[0]);
    cr_expect_not(is_changed());
    product->results[0].type = fixture_type("f32 5");
    cr_expect(is_changed());
}

Test(ir_digest, changes_with_the_order_and_number_of_operations)
{
    ir_move_before(product, sum);
    cr_expect(is_changed());
    ir_move_before(sum, product);
    cr_expect_not(is_changed());
    ir_set_operand(fixture_module, last, 0, &product->results[0]);
    ir_remove(sum);
    cr_expect(is_changed());
}

Test(ir_digest, changes_with_the_boundary)
{
    struct func *func = fixture_module->entry;
    const struct type *type = func->result_types[0];
    func->result_types[0] = fixture_type("f32 5");
    cr_expect(is_changed());
    func->result_types[0] = type;
    cr_expect_not(is_changed());
    func->body->arguments[0].type = fixture_type("f32 5");
    cr_expect(is_changed());
    func->body->arguments[0].type = type;
    ir_func(fixture_module, "other");
    cr_expect(is_changed());
}
