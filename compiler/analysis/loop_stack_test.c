#include "compiler/analysis/loop_stack.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(loop_stack, .init = fixture_begin, .fini = fixture_end);

/* stack = a splat; for (i = start; i < limit; i++) stack[offset + sign * i] = -x;
 * The stack and x are the arguments: f32[1000, 512] and f32[1, 512]. */
struct scan {
    double start, limit, offset, sign;
    int element; /* columns of it; 0: all */
    bool reads;  /* adds the stack's first element to x */
};

static struct value *index_of(const struct scan *scan)
{
    struct value *offset = build_scalar(&fixture, DTYPE_S32, scan->offset);
    return build_binary(&fixture, scan->sign < 0 ? OP_subtract : OP_add, offset, argument(0));
}

static void build_body(const struct scan *scan)
{
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0),
                 *one = build_scalar(&fixture, DTYPE_S32, 1),
                 *part = build_unary(&fixture, OP_negate, argument(2));
    const int64_t first[] = {0, 0}, by[] = {1, 1};
    if (scan->reads)
        part = build_binary(&fixture, OP_add, part,
                            build_slice(&fixture, argument(1), first, (int64_t[]){1, 512}, by));
    if (scan->element)
        part = build_slice(&fixture, part, first, (int64_t[]){1, scan->element}, by);
    struct value *operands[] = {argument(1), part, index_of(scan), zero};
    struct value *next[] = {
        build_binary(&fixture, OP_add, argument(0), one),
        build_declared(&fixture, OP_dynamic_update_slice, 4, operands, NULL, NULL), argument(2)};
    build_return(&fixture, 3, next);
}

static struct error *fuse(struct module *module, const struct target *unused)
{
    struct target target = target_fixture();
    (void)unused;
    return fusion_run(module, &target);
}

/* Builds and fuses the loop; returns it. */
static struct op *build(struct scan scan)
{
    MAIN("f32 1000 512", "f32 1 512");
    struct builder outer = fixture;
    struct value *operands[] = {build_scalar(&fixture, DTYPE_S32, scan.start),
                                build_splat(&fixture, argument(0)->type, 1), argument(1)};
    const struct type *types[] = {operands[0]->type, operands[1]->type, operands[2]->type};
    struct op *loop = ir_op(fixture_module, OP_while, 3, operands, 3, types, 2);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(fixture_module, fixture.block->func, loop, 3, types);
    ir_append(fixture.block, loop);
    fixture.block = loop->regions[0];
    struct value *less = build_compare(&fixture, COMPARE_LT, argument(0),
                                       build_scalar(&fixture, DTYPE_S32, scan.limit));
    build_return(&fixture, 1, &less);
    fixture.block = loop->regions[1];
    build_body(&scan);
    fixture = outer;
    RETURN(&loop->results[1]);
    fixture_run(fuse);
    return loop;
}

static bool is_unread(struct scan scan)
{
    const struct op *loop = build(scan), *start = loop->operands[1]->def;
    cr_assert(start && start->code == OP_fusion);
    return loop_stack_is_unread(start);
}

Test(loop_stack, of_all_iterations_is_overwritten_upward)
{
    cr_expect(is_unread((struct scan){.limit = 1000}));
}

Test(loop_stack, of_all_iterations_is_overwritten_downward)
{
    cr_expect(is_unread((struct scan){.limit = 1000, .offset = 999, .sign = -1}));
}

Test(loop_stack, of_a_counter_that_starts_elsewhere_is_overwritten)
{
    cr_expect(is_unread((struct scan){.start = 5, .limit = 1005, .offset = -5}));
}

Test(loop_stack, keeps_elements_that_no_iteration_writes)
{
    cr_expect_not(is_unread((struct scan){.limit = 999}));
}

Test(loop_stack, keeps_elements_before_the_first_index)
{
    cr_expect_not(is_unread((struct scan){.limit = 1000, .offset = 1}), "the last one is clamped");
}

Test(loop_stack, keeps_elements_beside_a_part)
{
    cr_expect_not(is_unread((struct scan){.limit = 1000, .element = 511}));
}

Test(loop_stack, keeps_elements_that_an_iteration_reads)
{
    cr_expect_not(is_unread((struct scan){.limit = 1000, .reads = true}));
}

/* Another use of a value, before an operation. */
static void use(struct value *value, struct op *position)
{
    ir_insert_before(position, ir_op(fixture_module, OP_copy, 1, &value, 1, &value->type, 0));
}

Test(loop_stack, keeps_a_start_that_is_used_elsewhere)
{
    struct op *loop = build((struct scan){.limit = 1000});
    use(loop->operands[1], loop);
    cr_expect_not(loop_stack_is_unread(loop->operands[1]->def));
}

Test(loop_stack, keeps_elements_that_the_condition_reads)
{
    struct op *loop = build((struct scan){.limit = 1000});
    use(&loop->regions[0]->arguments[1], loop->regions[0]->last);
    cr_expect_not(loop_stack_is_unread(loop->operands[1]->def));
}

Test(loop_stack, keeps_elements_that_are_used_after_the_update)
{
    struct op *loop = build((struct scan){.limit = 1000});
    use(loop->regions[1]->last->operands[1], loop->regions[1]->last);
    cr_expect_not(loop_stack_is_unread(loop->operands[1]->def));
}
