/* Tests of model_overlap.h, on whole plans: what runs beside kernels and what waits. A permute of a
 * matrix takes 4 s, a product of two 1 s. */
#include "compiler/model/time/model_overlap.h"

#include "compiler/model/model.h"
#include "compiler/passes/passes_fixture.h"

static void begin(void)
{
    fixture_begin();
    fixture_module->num_replicas = 1, fixture_module->num_partitions = 2;
}

TestSuite(model_overlap, .init = begin, .fini = fixture_end);

enum { SIDE = 128, BYTES = SIDE * SIDE * 4 };

static const struct accelerator accelerator = {.name = "test",
                                               .sublanes = 8,
                                               .lanes = 128,
                                               .hbm_bytes = 1 << 30,
                                               .vmem_for_values = 6 << 20,
                                               .result_alignment = 32,
                                               .hbm_rate = 1e18,
                                               .host_rate = BYTES / 8.0,
                                               .clock_hz = 1e18,
                                               .cores = 1,
                                               .vector_slots = 4,
                                               .matrix_units = 1,
                                               .matrix_unit_size = 128,
                                               .bf16_rate = 2.0 * SIDE * SIDE * SIDE / 0.92,
                                               .f32_passes_default = 1,
                                               .links = 4,
                                               .link_rate = BYTES / 4.0};

static const struct model_plan *plan_on(const struct accelerator *on)
{
    static struct target target;
    target = (struct target){.name = "test", .accelerator = on};
    cr_assert_null(model_run(fixture_module, &target));
    cr_assert_null(model_plan_check(fixture_module->model, fixture_module->model->size));
    return fixture_module->model;
}

static const struct model_plan *plan_of(void)
{
    return plan_on(&accelerator);
}

static struct value *product(struct value *lhs, struct value *rhs)
{
    static const int64_t zero = 0, one = 1;
    const union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, lhs->type,
                          &attrs);
}

static struct value *permute(struct value *value)
{
    static const int64_t pairs[] = {0, 1, 1, 0};
    const union attrs attrs = {
        .collective_permute = {.source_target_pairs = {2, 2, pairs}, .channel_id = 1}};
    return build_declared(&fixture, OP_collective_permute, 1, &value, value->type, &attrs);
}

Test(model_overlap, what_does_not_wait_runs_meanwhile)
{
    MAIN("f32 128 128", "f32 128 128");
    struct value *moved = permute(argument(0));
    struct value *made = product(product(argument(1), argument(1)), argument(1));
    RETURN(product(made, moved));
    const struct model_plan *plan = plan_of();
    cr_expect_float_eq(plan->seconds, 5, 0.1, "2 of 4 seconds are hidden");
    cr_expect_float_eq(plan->hidden_seconds, 2, 0.1);
    double waited = 0;
    for (uint64_t i = 0; i < plan->operation_count; i++)
        waited += model_plan_operations(plan)[i].waited;
    cr_expect_float_eq(waited, 2, 0.1);
    cr_expect_float_eq(plan->link_seconds, 4, 0.1);
    cr_expect_float_eq(plan->serial_seconds, 7, 0.1);
    cr_expect_float_eq(plan->ideal_seconds, 4, 0.1);
    cr_expect_float_eq(plan->seconds_low, 0.7 * 4, 0.1);
    cr_expect_float_eq(plan->seconds_high, 1.4 * 7, 0.2);
    cr_expect_eq(plan->link_bytes, BYTES);
}

Test(model_overlap, what_waits_is_not_hidden)
{
    MAIN("f32 128 128");
    RETURN(product(permute(product(argument(0), argument(0))), argument(0)));
    const struct model_plan *plan = plan_of();
    cr_expect_float_eq(plan->seconds, 6, 0.1);
    cr_expect_float_eq(plan->hidden_seconds, 0, 1e-6);
}

Test(model_overlap, a_program_without_anything_asynchronous_is_the_sum)
{
    MAIN("f32 128 128");
    RETURN(product(product(argument(0), argument(0)), argument(0)));
    const struct model_plan *plan = plan_of();
    cr_expect_float_eq(plan->seconds, 2, 0.1);
    cr_expect_eq(plan->serial_seconds, plan->seconds);
    cr_expect_eq(plan->ideal_seconds, plan->seconds);
}

Test(model_overlap, permutes_share_the_links)
{
    MAIN("f32 128 128", "f32 128 128");
    RETURN(product(permute(argument(0)), permute(argument(1))));
    const struct model_plan *plan = plan_of();
    cr_expect_float_eq(plan->seconds, 9, 0.1);
    const struct model_operation *first = model_plan_operations(plan);
    cr_expect_eq(first->resource, MODEL_LINKS);
    cr_expect_float_eq(first->links, 4, 0.1);
    cr_expect_float_eq(model_plan_operations(plan)[2].matrix, 1, 0.1);
    cr_expect_eq(first->bound, BOUND_LINKS);
}

/* Two results of one argument: 2.5 s of the vector unit and 2 s of HBM, then nothing and 1 s. */
Test(model_overlap, the_units_work_at_once_in_all_of_a_kernel)
{
    struct accelerator slow = accelerator;
    slow.hbm_rate = BYTES;
    slow.clock_hz = SIDE * SIDE * 128 / (2.5 * 0.87 * 8 * 128 * 4);
    MAIN("f32 128 128");
    struct value *sine = build_unary(&fixture, OP_sine, argument(0));
    RETURN(sine, build_unary(&fixture, OP_negate, argument(0)));
    const struct model_plan *plan = plan_on(&slow);
    cr_expect_float_eq(plan->seconds, 3, 0.01, "%g", plan->seconds);
    cr_expect_float_eq(plan->serial_seconds, 3, 0.01);
}
