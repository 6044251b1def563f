/* buffer_coalesce_test.c: collectives of many operands, each of which a result overwrites. The
 * count is such that looking at each pair of operand and result for each operand would time out. */
#include "compiler/passes/buffer/buffer_coalesce.h"

#include <criterion/criterion.h>

#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

enum { COUNT = 20000 };

TestSuite(buffer_coalesce, .init = fixture_begin, .fini = fixture_end, .timeout = 60);

/* One all_reduce of COUNT values that nothing else uses. */
static struct op *make_reduce(void)
{
    static struct value *sums[COUNT];
    static const struct type *types[COUNT];
    for (int i = 0; i < COUNT; i++) {
        sums[i] = build_binary(&fixture, OP_add, argument(0), argument(0));
        types[i] = sums[i]->type;
    }
    struct op *op = ir_op(fixture.module, OP_all_reduce, COUNT, sums, COUNT, types, 0);
    ir_append(fixture.block, op);
    return op;
}

Test(buffer_coalesce, each_result_overwrites_its_own_operand)
{
    struct buffer_plan *plan;
    struct target target = target_fixture();
    static struct value *results[2];
    MAIN("f32 64");
    struct op *op = make_reduce();
    for (int i = 0; i < 2; i++)
        results[i] = build_unary(&fixture, OP_negate, &op->results[i * (COUNT - 1)]);
    RETURN(results[0], results[1]);
    cr_assert_null(buffer_assign_entry(fixture.module, &target, NULL, &plan));
    for (int i = 0; i < COUNT; i += COUNT / 16) {
        const struct slice *from = buffer_plan_slice(plan, op->operands[i]),
                           *to = buffer_plan_slice(plan, &op->results[i]);
        cr_expect_eq(from->allocation, to->allocation);
        cr_expect_eq(from->offset, to->offset, "operand %d", i);
    }
}
