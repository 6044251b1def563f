#include "compiler/passes/buffer/carry_slots.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(carry_slots, .init = fixture_begin, .fini = fixture_end);

enum { LEAST = 1000 }; /* bytes of the arrays that count */

/* while (p) x = captured + x; */
static struct op *loop_over(struct value *captured)
{
    struct builder outer = fixture;
    const struct type *type = argument(0)->type;
    struct value *carried[] = {argument(0)}, *condition = argument(2);
    struct op *loop = ir_op(fixture_module, OP_while, 1, carried, 1, &type, 2);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(fixture_module, fixture.block->func, loop, 1, &type);
    ir_append(fixture.block, loop);
    fixture.block = loop->regions[0];
    build_return(&fixture, 1, &condition);
    fixture.block = loop->regions[1];
    struct value *next = build_binary(&fixture, OP_add, captured, argument(0));
    build_return(&fixture, 1, &next);
    fixture = outer;
    return loop;
}

static struct carry_slots slots_of(struct op *loop)
{
    static const struct target target = {.name = "test", .cores = 2, .alignment = 64};
    cr_assert_null(fusion_run(fixture_module, &target));
    return carry_slots_of(fixture_module->arena, loop, LEAST, 4);
}

/* What a loop captures is used after it, too, and by each of its iterations. */
Test(carry_slots, captured_arrays_are_not_overwritten)
{
    MAIN("f32 1000", "f32 1000", "pred");
    struct value *captured = build_unary(&fixture, OP_sine, argument(1));
    struct op *loop = loop_over(captured);
    RETURN(&loop->results[0], captured);
    struct carry_slots slots = slots_of(loop);
    cr_assert_eq(slots.count, 1);
    cr_expect_eq(slots.slot[0], 0);
    cr_expect_eq(slots.period, 1);
    cr_expect_eq(slots.bytes, 0);
}
