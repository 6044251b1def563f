/* Tests which steps operations are lowered to. */
#include "compiler/lower/lower.h"

#include <string.h>

#include "compiler/loop_fixture.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(lower, .init = fixture_begin, .fini = fixture_end);

static struct lowered lowered;

/* Fuses, assigns buffers and lowers; the program is lowered.program. */
static struct error *lower(struct module *module, const struct target *unused)
{
    struct target target = target_fixture();
    struct buffer_plan *plan;
    (void)unused;
    TRY(fusion_run(module, &target));
    TRY(buffer_assign_entry(module, &target, NULL, &plan));
    return lower_module(module, &target, plan, &lowered);
}

static const struct step *step(int i)
{
    cr_assert_lt(i, lowered.program.steps.count);
    return &lowered.program.steps.steps[i];
}

static struct value *product(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    struct value *operands[] = {lhs, rhs};
    return &build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs)->results[0];
}

Test(lower, equal_fusions_share_a_kernel)
{
    MAIN("f32 128 128");
    struct value *first = product(build_unary(&fixture, OP_negate, argument(0)), argument(0));
    RETURN(build_unary(&fixture, OP_negate, first));
    fixture_run(lower);
    cr_assert_eq(lowered.program.steps.count, 3);
    cr_expect(step(0)->kind == STEP_KERNEL && step(2)->kind == STEP_KERNEL);
    cr_expect_eq(step(0)->kernel.index, step(2)->kernel.index);
    cr_expect_eq(lowered.program.kernel_count, 1);
    cr_expect_eq(lowered.request.kernel_count, 1);
    cr_expect_str_eq(lowered.program.kernel_names[0], "kernel_0");
}

Test(lower, a_product_is_a_library_step_with_a_plan)
{
    MAIN("f32 128 64", "f32 64 32");
    RETURN(product(argument(0), argument(1)));
    fixture_run(lower);
    cr_assert_eq(lowered.program.steps.count, 1);
    cr_expect_eq(step(0)->kind, STEP_DOT);
    cr_expect(step(0)->dot.m == 128 && step(0)->dot.k == 64 && step(0)->dot.n == 32);
    cr_expect(step(0)->operand_count == 2 && step(0)->slice_count == 3);
    cr_expect(step(0)->plan == 0 && lowered.program.plan_count == 1);
    cr_expect_eq(step(0)->analysis.flops, 2.0 * 128 * 64 * 32);
    cr_expect_eq(step(0)->analysis.bytes_accessed, 4.0 * (128 * 64 + 64 * 32 + 128 * 32));
}

Test(lower, parameters_and_results_are_described)
{
    MAIN("f32 8", "s32");
    RETURN(build_unary(&fixture, OP_negate, argument(0)));
    fixture_run(lower);
    cr_assert(lowered.program.parameter_count == 2 && lowered.program.result_count == 1);
    cr_expect_eq(lowered.program.parameters[0].bytes, 32);
    cr_expect_eq(lowered.program.parameters[1].shape.dtype, DTYPE_S32);
    cr_expect_eq(lowered.program.results[0].alias, -1);
    cr_expect_not(lowered.program.parameters[0].donated);
}

/* A step of 0: the trip count is unknown. */
Test(lower, loops_of_unknown_trip_count_have_an_expected_cost)
{
    MAIN("f32 8");
    RETURN(&fixture_loop(DTYPE_S32, 0, 10, 0)->results[1]);
    fixture_run(lower);
    cr_expect_geq(lowered.program.cost, PROGRAM_UNBOUNDED);
    cr_expect_lt(lowered.program.expected_cost, 10000);
    cr_expect_gt(lowered.program.expected_cost, 8 * PROGRAM_UNKNOWN_TRIP_COUNT);
}

/* reduce(x, 0, (a, b) -> a loop over a) */
Test(lower, loops_in_reducers_are_never_expected_to_end)
{
    static const int64_t zero = 0;
    MAIN("f32 8");
    struct value *sum =
        build_reduce(&fixture, argument(0), build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, &zero);
    const struct type *types[] = {sum->type, sum->type};
    struct builder outer = fixture;
    fixture.block = sum->def->regions[0] =
        ir_block(fixture_module, fixture.block->func, sum->def, 2, types);
    struct value *last = &fixture_loop(DTYPE_S32, 0, 10, 0)->results[1];
    build_return(&fixture, 1, &last);
    fixture = outer;
    RETURN(sum);
    fixture_run(lower);
    cr_expect_geq(lowered.program.cost, PROGRAM_UNBOUNDED);
    cr_expect_eq(lowered.program.expected_cost, lowered.program.cost);
}

Test(lower, loops_of_known_trip_count_cost_all_iterations)
{
    enum { COUNT = 100000 };
    MAIN("f32 8");
    RETURN(&fixture_loop(DTYPE_S32, 0, COUNT, 1)->results[1]);
    fixture_run(lower);
    cr_expect_geq(lowered.program.cost, 8 * COUNT);
    cr_expect_eq(lowered.program.expected_cost, lowered.program.cost);
}

Test(lower, the_costs_of_steps_add_up)
{
    MAIN("f32 8");
    struct value *twice = build_unary(&fixture, OP_negate, argument(0));
    RETURN(build_unary(&fixture, OP_exponential, twice));
    fixture_run(lower);
    cr_assert_eq(lowered.program.steps.count, 1);
    cr_expect_eq(step(0)->analysis.flops, 8);
    cr_expect_eq(step(0)->analysis.transcendentals, 8);
    cr_expect_eq(step(0)->analysis.bytes_accessed, lowered.program.analysis.bytes_accessed);
}

/* Of the kernels of a loop that negates an array of 1,024 elements so often. */
static int highest_tier(int64_t count)
{
    int tier = 0;
    MAIN("f32 1024");
    RETURN(&fixture_loop(DTYPE_S32, 0, count, 1)->results[1]);
    fixture_run(lower);
    for (int i = 0; i < lowered.request.kernel_count; i++)
        tier = lowered.request.kernels[i].tier > tier ? lowered.request.kernels[i].tier : tier;
    return tier;
}

Test(lower, kernels_of_short_loops_compile_fast)
{
    cr_expect_eq(highest_tier(2), 0);
}

Test(lower, kernels_that_a_loop_executes_often_are_good)
{
    cr_expect_eq(highest_tier(100), 1);
}

/* The body negates a large array in place; buffer assignment copies it in every iteration. */
Test(lower, copies_in_place_cost_nothing)
{
    enum { SIZE = 4096, COUNT = 100 };
    MAIN("f32 4096");
    RETURN(&fixture_loop(DTYPE_S32, 0, COUNT, 1)->results[1]);
    fixture_run(lower);
    cr_expect_geq(lowered.program.cost, 2 * SIZE * COUNT);
    cr_expect_leq(lowered.program.cost, 2 * SIZE * (COUNT + 2));
}

/* for (i = 0; i < 100; i++) stack[i] = x; */
static struct op *stacking_loop(struct value *stack, struct value *x)
{
    struct builder outer = fixture;
    struct op *loop = fixture_loop(DTYPE_S32, 0, 100, 1);
    struct block *body = loop->regions[1];
    ir_set_operand(fixture_module, loop, 1, stack);
    fixture = (struct builder){fixture_module, body, body->last, NULL};
    struct value *operands[] = {argument(1), x, argument(0), build_scalar(&fixture, DTYPE_S32, 0)};
    ir_set_operand(fixture_module, body->last, 1,
                   build_declared(&fixture, OP_dynamic_update_slice, 4, operands, NULL, NULL));
    fixture = outer;
    return loop;
}

Test(lower, what_a_loop_overwrites_is_not_filled)
{
    MAIN("f32 100 512", "f32 1 512");
    struct value *ones = build_splat(&fixture, argument(0)->type, 1);
    RETURN(&stacking_loop(ones, argument(1))->results[1]);
    fixture_run(lower);
    cr_assert_eq(lowered.program.steps.count, 2);
    cr_expect(step(0)->kind == STEP_COPY && step(0)->slices[1].size == 4, "the counter");
    cr_expect_eq(step(1)->kind, STEP_WHILE);
}

Test(lower, what_has_no_step_is_an_error_that_names_it)
{
    MAIN("f32 8");
    struct target target = target_fixture();
    struct buffer_plan *plan;
    RETURN(build_unary(&fixture, OP_negate, argument(0))); /* not fused */
    cr_assert_null(buffer_assign_entry(fixture_module, &target, NULL, &plan));
    struct error *error = lower_module(fixture_module, &target, plan, &lowered);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    cr_expect_not_null(strstr(error_message(error, NULL), "negate"));
    error_free(error);
}
