#include "compiler/passes/spmd/partition_moved.h"

#include "base/map.h"
#include "compiler/passes/passes_fixture.h"

static const struct device_grid grid = {2, {2, 2}, {2, 1}, 4, NULL}; /* axes x, y */
static struct partitioner partitioner;

TestSuite(partition_moved, .init = fixture_begin, .fini = fixture_end);

/* Brings the operands of `op`, whose arguments are shards of four times their size, to the ranges
 * that its result needs when it is sharded over both axes. */
static struct value *partition(struct op *op, const struct type *result)
{
    struct arena *arena = fixture.module->arena;
    const struct sharding_rule *rule = sharding_rule_of(arena, op);
    struct axis_list all = {2, {0, 1}};
    const struct type *types[2];
    const struct tiling *tilings[2];
    partitioner = (struct partitioner){.module = fixture.module,
                                       .arena = fixture.module->arena,
                                       .grid = &grid,
                                       .groups = map_create(fixture_arena),
                                       .offsets = map_create(fixture_arena),
                                       .moves = map_create(fixture_arena)};
    for (int i = 0; i < op->operand_count; i++) {
        struct value *operand = op->operands[i];
        struct tiling *tiling = tiling_replicated(arena, operand->type->shape.rank);
        types[i] = operand->type;
        tilings[i] = tiling;
        if (tiling->rank) {
            tiling->dims[0] = all;
            operand->type = tiling_local_type(arena, &grid, tiling, types[i]);
            shard_set(&partitioner, operand, types[i], tiling);
        }
    }
    struct factor_request request = {.op = op,
                                     .rule = rule,
                                     .operand_types = types,
                                     .operands = tilings,
                                     .result_types = &result,
                                     .results = tilings};
    struct factor_axes axes = {rule,
                               ARENA_ARRAY(arena, struct axis_list, (size_t)rule->factor_count)};
    axes.factors[rule->results[0].dims[0].at[0]] = all;
    struct operand_ranges ranges = operand_ranges_of(arena, &grid, &request, &axes);
    return partition_moved(&partitioner, op, &ranges, &axes);
}

Test(partition_moved, slices_are_of_the_range)
{
    MAIN("f32 16");
    struct value *slice =
        build_slice(&fixture, argument(0), (int64_t[]){1}, (int64_t[]){16}, (int64_t[]){2});
    cr_expect_null(partition(slice->def, slice->type));
    cr_expect_eq(slice->def->operands[0]->type->shape.dims[0], 3);
    cr_expect_eq(slice->def->attrs.slice.start_indices.at[0], 0);
    cr_expect_eq(slice->def->attrs.slice.limit_indices.at[0], 3);
    cr_expect_eq(slice->def->attrs.slice.strides.at[0], 2);
}

static const struct op *pad(int64_t low, int64_t high, int64_t interior)
{
    union attrs attrs = {.pad = {.edge_padding_low = {1, &low},
                                 .edge_padding_high = {1, &high},
                                 .interior_padding = {1, &interior}}};
    struct value *operands[] = {argument(0), build_scalar(&fixture, DTYPE_F32, 0)};
    struct value *padded = build_declared(&fixture, OP_pad, 2, operands, NULL, &attrs);
    cr_expect_null(partition(padded->def, padded->type));
    return padded->def;
}

Test(partition_moved, padding_that_all_partitions_share_stays)
{
    MAIN("f32 8");
    const struct op *op = pad(1, 0, 1); /* 16 positions */
    cr_expect_eq(op->operands[0]->type->shape.dims[0], 2);
    cr_expect_eq(op->attrs.pad.edge_padding_low.at[0], 1);
    cr_expect_eq(op->attrs.pad.interior_padding.at[0], 1);
}

Test(partition_moved, padding_that_differs_is_sliced)
{
    MAIN("f32 8");
    const struct op *op = pad(3, 0, 1); /* 18 positions, 5 a shard */
    cr_expect_eq(op->operands[0]->type->shape.dims[0], 5);
    cr_expect_eq(op->operands[0]->def->code, OP_dynamic_slice);
    cr_expect_eq(op->attrs.pad.edge_padding_low.at[0], 0);
    cr_expect_eq(op->attrs.pad.interior_padding.at[0], 0);
}

Test(partition_moved, concatenations_are_selections)
{
    MAIN("f32 8", "f32 4");
    struct value *operands[] = {argument(0), argument(1)};
    union attrs attrs = {.dimension = {.dimension = 0}};
    struct value *all = build_declared(&fixture, OP_concatenate, 2, operands, NULL, &attrs);
    struct value *made = partition(all->def, all->type);
    cr_assert_not_null(made);
    cr_expect_eq(made->def->code, OP_select);
    cr_expect_eq(made->type->shape.dims[0], 3);
}

Test(partition_moved, slices_of_one_dimension_are_known)
{
    MAIN("f32 16 4");
    partitioner = (struct partitioner){.module = fixture.module,
                                       .arena = fixture.module->arena,
                                       .grid = &grid,
                                       .groups = map_create(fixture_arena),
                                       .offsets = map_create(fixture_arena),
                                       .moves = map_create(fixture_arena)};
    shard_set(&partitioner, argument(0), argument(0)->type,
              tiling_replicated(fixture.module->arena, 2));
    struct value *rows =
        build_slice(&fixture, argument(0), (int64_t[]){3, 0}, (int64_t[]){9, 4}, NULL);
    const struct shard_slice *slice = partition_moved_slice(&partitioner, rows->def);
    cr_assert_not_null(slice);
    cr_expect_eq(slice->of, argument(0));
    cr_expect_eq(slice->dim, 0);
    cr_expect_eq(slice->start, 3);
    struct value *both =
        build_slice(&fixture, argument(0), (int64_t[]){3, 0}, (int64_t[]){9, 3}, NULL);
    cr_expect_null(partition_moved_slice(&partitioner, both->def));
    struct value *strided = build_slice(&fixture, argument(0), (int64_t[]){0, 0},
                                        (int64_t[]){16, 4}, (int64_t[]){2, 1});
    cr_expect_null(partition_moved_slice(&partitioner, strided->def));
}
