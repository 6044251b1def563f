/* Tests which loops become one kernel. */
#include "compiler/passes/fusion/outline.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(outline, .init = fixture_begin, .fini = fixture_end);

static struct error *fuse_and_outline(struct module *module, const struct target *target)
{
    static const struct target test = {
        .name = "test", .cores = 2, .alignment = 64, .region_cost = 20000};
    (void)target;
    TRY(fusion_run(module, &test));
    return outline_run(module, &test);
}

/* while (i < 10) { i = i + 1; x = x + captured; ... } with so many additions to x. */
static void long_loop(struct value *start, struct value *captured, int additions)
{
    struct builder outer = fixture;
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    const struct type *types[] = {zero->type, start->type};
    struct op *op =
        ir_op(fixture_module, OP_while, 2, (struct value *[]){zero, start}, 2, types, 2);
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 2, types);
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *limit = build_scalar(&fixture, DTYPE_S32, 10);
    struct value *less = build_compare(&fixture, COMPARE_LT, argument(0), limit);
    build_return(&fixture, 1, &less);
    fixture.block = op->regions[1];
    struct value *one = build_scalar(&fixture, DTYPE_S32, 1);
    struct value *next[] = {build_binary(&fixture, OP_add, argument(0), one), argument(1)};
    for (int i = 0; i < additions; i++)
        next[1] = build_binary(&fixture, OP_add, next[1], captured);
    build_return(&fixture, 2, next);
    fixture = outer;
    RETURN(&op->results[1]);
}

static void loop(struct value *start, struct value *captured)
{
    long_loop(start, captured, 1);
}

static const struct op *find(enum op_code code)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == code)
            return op;
    return NULL;
}

Test(outline, small_loop)
{
    MAIN("f32 8", "f32 8");
    loop(argument(0), argument(1));
    fixture_run(fuse_and_outline);
    const struct op *fusion = find(OP_fusion);
    cr_assert(fusion && !find(OP_while));
    cr_expect_eq(fusion->attrs.fusion.fusion_kind, FUSION_REGION);
    cr_expect_eq(fusion->operand_count, 2); /* the captured value is one */
}

Test(outline, large_loop_stays)
{
    MAIN("f32 1024 1024", "f32 1024 1024");
    loop(argument(0), argument(1));
    fixture_run(fuse_and_outline);
    cr_expect(find(OP_while));
}

/* As long as a step of an adaptive ODE solver, whose steps would take longer than their work. */
Test(outline, loop_of_many_operations)
{
    MAIN("f32 8", "f32 8");
    long_loop(argument(0), argument(1), 1000);
    fixture_run(fuse_and_outline);
    cr_expect(!find(OP_while));
}

Test(outline, loop_of_too_many_operations_stays)
{
    MAIN("f32 8", "f32 8");
    long_loop(argument(0), argument(1), 1500);
    fixture_run(fuse_and_outline);
    cr_expect(find(OP_while));
}
