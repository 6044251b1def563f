#include "compiler/passes/spmd/factor_axes.h"

#include "compiler/passes/passes_fixture.h"

static const struct device_grid grid = {1, {2}, {1}, 2, NULL}; /* axis x */

TestSuite(factor_axes, .init = fixture_begin, .fini = fixture_end);

static const struct tiling *along(int rank, int dim)
{
    struct tiling *tiling = tiling_replicated(fixture.module->arena, rank);
    if (dim >= 0)
        tiling->dims[dim] = (struct axis_list){1, {0}};
    return tiling;
}

static struct value *multiply(void)
{
    static int64_t one = 1, zero = 0;
    struct value *operands[] = {argument(0), argument(1)};
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = {1, &one}, .rhs_contracting_dimensions = {1, &zero}}};
    return build_declared(&fixture, OP_dot_general, 2, operands, NULL, &attrs);
}

/* The axes of the operation's factors, operands and result sharded along these dimensions. */
static struct factor_axes choose(struct value *result, const int *operands, int wanted,
                                 const struct tiling_list *copies)
{
    struct arena *arena = fixture.module->arena;
    const struct op *op = result->def;
    const struct type *types[2];
    const struct tiling *tilings[2], *results[] = {along(result->type->shape.rank, wanted)};
    for (int i = 0; i < op->operand_count; i++) {
        types[i] = op->operands[i]->type;
        tilings[i] = along(types[i]->shape.rank, operands[i]);
    }
    struct factor_request request = {.op = op,
                                     .rule = sharding_rule_of(arena, op),
                                     .operand_types = types,
                                     .operands = tilings,
                                     .copies = copies,
                                     .result_types = &result->type,
                                     .results = results};
    return factor_axes_choose(arena, &grid, &request);
}

Test(factor_axes, a_copy_that_exists_costs_nothing)
{
    MAIN("f32 12 16", "f32 16 16");
    struct value *product = multiply();
    const struct tiling *copy = along(2, 1);
    const struct tiling_list copies[] = {{1, &copy}, {0, NULL}};
    struct factor_axes axes = choose(product, (int[]){0, 0}, 0, NULL);
    cr_expect_eq(factor_axes_reduced(&axes).count, 0); /* gathers the right operand */
    axes = choose(product, (int[]){0, 0}, 0, copies);
    cr_expect_eq(factor_axes_reduced(&axes).count, 1);
}

Test(factor_axes, moved_dimensions_stay_sharded_where_that_is_less)
{
    MAIN("f32 16 4");
    struct value *rows =
        build_slice(&fixture, argument(0), (int64_t[]){1, 0}, (int64_t[]){15, 4}, NULL);
    struct factor_axes axes = choose(rows, (int[]){0}, 0, NULL);
    const struct factor_dims *result = &axes.rule->results[0];
    cr_expect_eq(factor_axes_tiling(fixture.module->arena, &axes, result)->dims[0].count, 1);
    struct value *row =
        build_slice(&fixture, argument(0), (int64_t[]){1, 0}, (int64_t[]){2, 4}, NULL);
    axes = choose(row, (int[]){0}, -1, NULL);
    cr_expect_eq(factor_axes_tiling(fixture.module->arena, &axes, result)->dims[0].count, 0);
}

/* Axes x and y of the same size; both operands sum along x, along which the result is wanted. */
Test(factor_axes, a_dimension_along_a_summed_axis_is_computed_along_a_free_one)
{
    static const struct device_grid both = {2, {2, 2}, {2, 1}, 4, NULL};
    MAIN("f32 12 16", "f32 16 16");
    const struct value *product = multiply();
    struct arena *arena = fixture.module->arena;
    const struct type *types[] = {argument(0)->type, argument(1)->type};
    const struct tiling *operands[] = {along(2, 1), along(2, 0)}, *results[] = {along(2, 1)};
    struct factor_request request = {.op = product->def,
                                     .rule = sharding_rule_of(arena, product->def),
                                     .operand_types = types,
                                     .operands = operands,
                                     .result_types = &product->type,
                                     .results = results,
                                     .is_modeled = true};
    struct factor_axes axes = factor_axes_choose(arena, &both, &request);
    const struct tiling *made = factor_axes_tiling(arena, &axes, &request.rule->results[0]);
    cr_expect_eq(factor_axes_reduced(&axes).at[0], 0);
    cr_assert_eq(made->dims[1].count, 1);
    cr_expect_eq(made->dims[1].at[0], 1);
    request.is_modeled = false;
    axes = factor_axes_choose(arena, &both, &request);
    made = factor_axes_tiling(arena, &axes, &request.rule->results[0]);
    cr_expect_neq(made->dims[1].count && made->dims[1].at[0] == 1, true);
}

/* As an accelerator's partitioner: a product whose values are along x in these dimensions. */
static struct factor_axes choose_modeled(const int *operands, int wanted, bool agrees_first)
{
    struct arena *arena = fixture.module->arena;
    const struct value *product = multiply();
    const struct type *types[] = {argument(0)->type, argument(1)->type};
    const struct tiling *tilings[] = {along(2, operands[0]), along(2, operands[1])};
    const struct tiling *results[] = {along(2, wanted)};
    struct factor_request request = {.op = product->def,
                                     .rule = sharding_rule_of(arena, product->def),
                                     .operand_types = types,
                                     .operands = tilings,
                                     .result_types = &product->type,
                                     .results = results,
                                     .is_modeled = true,
                                     .agrees_first = agrees_first};
    return factor_axes_choose(arena, &grid, &request);
}

Test(factor_axes, an_operand_that_is_not_larger_than_the_result_is_gathered)
{
    MAIN("f32 12 16", "f32 16 16");
    struct factor_axes axes = choose_modeled((int[]){1, -1}, -1, false);
    cr_expect_eq(factor_axes_reduced(&axes).count, 0);
}

Test(factor_axes, a_larger_operand_is_summed_in_parts)
{
    MAIN("f32 12 16", "f32 16 4");
    struct factor_axes axes = choose_modeled((int[]){1, -1}, -1, false);
    cr_expect_eq(factor_axes_reduced(&axes).count, 1);
    axes = choose_modeled((int[]){1, -1}, 1, false);
    cr_expect_eq(factor_axes_reduced(&axes).count, 0, "the result is wanted in parts");
}

Test(factor_axes, values_agree_on_the_dimension_with_most_elements)
{
    MAIN("f32 64 16", "f32 16 4");
    struct factor_axes axes = choose_modeled((int[]){1, 1}, 1, true);
    cr_expect_eq(factor_axes_reduced(&axes).count, 1, "1024 elements against 64 + 256");
    axes = choose_modeled((int[]){1, 1}, 1, false);
    cr_expect_eq(factor_axes_reduced(&axes).count, 0, "one operand and the result agree");
}
