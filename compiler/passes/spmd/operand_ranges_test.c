#include "compiler/passes/spmd/operand_ranges.h"

#include "compiler/passes/passes_fixture.h"

static const struct device_grid grid = {2, {2, 2}, {2, 1}, 4, NULL}; /* axes x, y */
static const struct tiling *const nowhere[3];

TestSuite(operand_ranges, .init = fixture_begin, .fini = fixture_end);

/* The ranges of an operation with one result when the factor of dimension 0 of its result, and in a
 * convolution of a sharded kernel that of the kernel, has both axes. */
static struct operand_ranges ranges_of(const struct op *op, const struct factor_dim *sharded)
{
    struct arena *arena = fixture.module->arena;
    const struct sharding_rule *rule = sharding_rule_of(arena, op);
    const struct type **types = ARENA_ARRAY(arena, const struct type *, 4);
    for (int i = 0; i < op->operand_count; i++)
        types[i] = op->operands[i]->type;
    struct factor_request request = {.op = op,
                                     .rule = rule,
                                     .operand_types = types,
                                     .operands = nowhere,
                                     .result_types = &op->results[0].type,
                                     .results = nowhere};
    struct factor_axes axes = {rule,
                               ARENA_ARRAY(arena, struct axis_list, (size_t)rule->factor_count)};
    cr_assert(operand_ranges_possible(&request));
    axes.factors[(sharded ? sharded : &rule->results[0].dims[0])->at[0]] =
        (struct axis_list){2, {0, 1}};
    return operand_ranges_of(arena, &grid, &request, &axes);
}

static void expect(const struct operand_range *range, int64_t size, const int64_t *starts,
                   const int64_t *counts)
{
    cr_expect_eq(range->halo.size, size);
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(range->halo.starts[i], starts[i], "start %d is %d", i,
                     (int)range->halo.starts[i]);
        cr_expect_eq(range->halo.counts[i], counts[i], "count %d is %d", i,
                     (int)range->halo.counts[i]);
    }
}
#define FOUR(...) ((const int64_t[]){__VA_ARGS__})

Test(operand_ranges, slices_and_reverses)
{
    MAIN("f32 17");
    struct value *slice =
        build_slice(&fixture, argument(0), (int64_t[]){3}, (int64_t[]){17}, (int64_t[]){2});
    struct operand_ranges ranges = ranges_of(slice->def, NULL); /* 7 elements, 2 a shard */
    cr_assert_eq(ranges.count, 1);
    expect(&ranges.at[0], 3, FOUR(3, 7, 11, 15), FOUR(3, 3, 3, 1));
    int64_t zero = 0;
    union attrs attrs = {.dimensions = {.dimensions = {1, &zero}}};
    struct value *x = argument(0),
                 *reverse = build_declared(&fixture, OP_reverse, 1, &x, NULL, &attrs);
    ranges = ranges_of(reverse->def, NULL);
    expect(&ranges.at[0], 5, FOUR(12, 7, 2, -3), FOUR(5, 5, 5, 5));
}

Test(operand_ranges, windows_whose_positions_overflow_are_not_moved)
{
    MAIN("f32 16");
    struct value *slice = build_slice(&fixture, argument(0), (int64_t[]){3}, (int64_t[]){5},
                                      (int64_t[]){INT64_MAX / 2});
    const struct type *type = argument(0)->type;
    struct factor_request request = {.op = slice->def,
                                     .rule = sharding_rule_of(fixture.module->arena, slice->def),
                                     .operand_types = &type,
                                     .operands = nowhere,
                                     .result_types = &slice->type,
                                     .results = nowhere};
    cr_expect_not(operand_ranges_possible(&request));
}

static struct operand_ranges pad(int64_t low, int64_t high, int64_t interior)
{
    union attrs attrs = {.pad = {.edge_padding_low = {1, &low},
                                 .edge_padding_high = {1, &high},
                                 .interior_padding = {1, &interior}}};
    struct value *operands[] = {argument(0), build_scalar(&fixture, DTYPE_F32, 0)};
    return ranges_of(build_declared(&fixture, OP_pad, 2, operands, NULL, &attrs)->def, NULL);
}

Test(operand_ranges, padding_and_what_is_between_elements)
{
    MAIN("f32 8");
    struct operand_ranges ranges = pad(1, 3, 0);
    expect(&ranges.at[0], 3, FOUR(-1, 2, 5, 8), FOUR(3, 3, 3, 3));
    ranges = pad(1, 0, 1); /* 16 positions, 4 a shard: each begins with padding */
    expect(&ranges.at[0], 2, FOUR(0, 2, 4, 6), FOUR(2, 2, 2, 2));
    cr_expect_eq(ranges.at[0].low, 1);
    cr_expect_eq(ranges.at[0].high, 0);
    cr_expect_null(ranges.at[0].shifts);
    ranges = pad(0, 0, 2); /* 22 positions, 6 a shard */
    cr_expect_null(ranges.at[0].shifts);
    ranges = pad(2, 0, 3); /* 31 positions, 8 a shard */
    cr_expect_eq(ranges.at[0].low, 2);
    ranges = pad(0, 1, 4); /* 37 positions, 10 a shard */
    cr_expect_null(ranges.at[0].shifts);
    ranges = pad(0, 0, 1); /* 15 positions, 4 a shard */
    cr_expect_null(ranges.at[0].shifts);
    ranges = pad(3, 0, 1); /* 18 positions, 5 a shard: half begin with padding */
    cr_assert_not_null(ranges.at[0].shifts);
    expect(&ranges.at[0], 3, FOUR(-2, 1, 3, 6), FOUR(3, 3, 3, 2));
    cr_expect_eq(ranges.at[0].shifts[0], 1);
    cr_expect_eq(ranges.at[0].shifts[1], 0);
}

Test(operand_ranges, concatenated_operands)
{
    MAIN("f32 8", "f32 3");
    struct value *operands[] = {argument(0), argument(1)};
    union attrs attrs = {.dimension = {.dimension = 0}};
    struct value *all = build_declared(&fixture, OP_concatenate, 2, operands, NULL, &attrs);
    struct operand_ranges ranges = ranges_of(all->def, NULL);
    cr_assert_eq(ranges.count, 2);
    expect(&ranges.at[0], 3, FOUR(0, 3, 6, 9), FOUR(3, 3, 3, 2));
    expect(&ranges.at[1], 3, FOUR(-8, -5, -2, 1), FOUR(3, 3, 3, 2));
}

/* The region of two scalars with one operation. */
static struct block *region(struct op *op, enum op_code code)
{
    const struct type *scalar = type_scalar(fixture.module->arena, DTYPE_F32);
    struct block *body = ir_block(fixture.module, fixture.block->func, op, 2,
                                  (const struct type *[]){scalar, scalar});
    struct builder inner = {fixture.module, body, NULL, NULL};
    struct value *a = &body->arguments[0], *b = &body->arguments[1];
    struct value *made = code == OP_compare ? build_compare(&inner, COMPARE_GE, a, b)
                                            : build_binary(&inner, code, a, b);
    build_return(&inner, 1, &made);
    return body;
}

Test(operand_ranges, windows_that_touch_a_shard)
{
    MAIN("f32 16", "f32 8");
    static int64_t window = 3, stride = 2, padding[] = {1, 0};
    struct value *operands[] = {argument(0), argument(1), build_scalar(&fixture, DTYPE_F32, 0)};
    struct op *op =
        ir_op(fixture.module, OP_select_and_scatter, 3, operands, 1, &argument(0)->type, 2);
    op->attrs.select_and_scatter.window_dimensions = (struct dims){1, &window};
    op->attrs.select_and_scatter.window_strides = (struct dims){1, &stride};
    op->attrs.select_and_scatter.padding = (struct pairs){1, 2, padding};
    op->regions[0] = region(op, OP_compare);
    op->regions[1] = region(op, OP_add);
    struct operand_ranges ranges = ranges_of(op, NULL); /* window o covers 2 o - 1 .. 2 o + 2 */
    cr_assert_eq(ranges.count, 2);
    expect(&ranges.at[0], 3, FOUR(0, 2, 4, 6), FOUR(3, 3, 3, 3));
    expect(&ranges.at[1], 7, FOUR(-1, 3, 7, 11), FOUR(7, 7, 7, 7));
    cr_expect_eq(ranges.at[1].length, 4);
    cr_expect_eq(ranges.at[1].shifts[2], 1);
}

static struct value *convolve(void)
{
    static int64_t one = 1, zero = 0, padding[] = {1, 1};
    union attrs attrs = {.convolution = {.window_strides = {1, &one},
                                         .padding = {1, 2, padding},
                                         .lhs_dilation = {1, &one},
                                         .rhs_dilation = {1, &one},
                                         .input_batch_dimension = 1,
                                         .input_feature_dimension = 2,
                                         .input_spatial_dimensions = {1, &zero},
                                         .kernel_input_feature_dimension = 1,
                                         .kernel_output_feature_dimension = 2,
                                         .kernel_spatial_dimensions = {1, &zero},
                                         .output_batch_dimension = 1,
                                         .output_feature_dimension = 2,
                                         .output_spatial_dimensions = {1, &zero},
                                         .feature_group_count = 1,
                                         .batch_group_count = 1}};
    struct value *operands[] = {argument(0), argument(1)};
    return build_declared(&fixture, OP_convolution, 2, operands, NULL, &attrs);
}

Test(operand_ranges, convolutions)
{
    MAIN("f32 16 2 3", "f32 16 3 4");
    struct value *result = convolve();
    const struct sharding_rule *rule = sharding_rule_of(fixture.module->arena, result->def);
    struct operand_ranges ranges = ranges_of(result->def, NULL); /* 3 elements, 1 a shard */
    expect(&ranges.at[0], 16, FOUR(-1, 0, 1, 2), FOUR(16, 16, 16, 0));
    ranges = ranges_of(result->def, &rule->operands[1].dims[0]);
    cr_assert_eq(ranges.count, 1);
    cr_expect_eq(ranges.at[0].operand, 0);
    expect(&ranges.at[0], 6, FOUR(-1, 3, 7, 11), FOUR(6, 6, 6, 6));
}

Test(operand_ranges, ranges_come_from_axes_that_no_other_dimension_has)
{
    MAIN("f32 8 4");
    struct value *half =
        build_slice(&fixture, argument(0), (int64_t[]){0, 0}, (int64_t[]){4, 4}, NULL);
    struct operand_ranges ranges = ranges_of(half->def, NULL);
    struct tiling *now = tiling_replicated(fixture.module->arena, 2),
                  *to = tiling_copy(fixture.module->arena, now);
    now->dims[0] = (struct axis_list){1, {1}};
    to->dims[0] = (struct axis_list){2, {0, 1}};
    struct tiling *source = operand_ranges_source(fixture.module->arena, &ranges, 0, now, to);
    cr_expect(axis_list_equal(&source->dims[0], &now->dims[0]));
    cr_expect_gt(
        operand_ranges_bytes(fixture.module->arena, &grid, &ranges, 0, argument(0)->type, source),
        0);
    to->dims[1] = now->dims[0];
    source = operand_ranges_source(fixture.module->arena, &ranges, 0, now, to);
    cr_expect(axis_list_equal(&source->dims[0], &to->dims[0]));
}
