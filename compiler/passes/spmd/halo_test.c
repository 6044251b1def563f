#include "compiler/passes/spmd/halo.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/spmd/spmd_collective.h"

static const struct device_grid grid = {2, {2, 2}, {2, 1}, 4, NULL}; /* axes x, y */
static const struct axis_list xy = {2, {0, 1}};
static struct partitioner partitioner;

TestSuite(halo, .init = fixture_begin, .fini = fixture_end);

/* Makes the argument, four rows, a shard of 16 or fewer rows. */
static struct value *shard_rows(int64_t rows)
{
    struct arena *arena = fixture.module->arena;
    struct value *value = argument(0);
    struct tiling *tiling = tiling_replicated(arena, 2);
    tiling->dims[0] = xy;
    partitioner = (struct partitioner){.module = fixture.module,
                                       .arena = fixture.module->arena,
                                       .grid = &grid,
                                       .groups = map_create(arena),
                                       .offsets = map_create(arena),
                                       .moves = map_create(arena)};
    shard_set(&partitioner, value, type_tensor(arena, DTYPE_F32, 2, (const int64_t[]){rows, 2}),
              tiling);
    return value;
}

static struct value *exchange(struct value *value, int64_t size, const int64_t *starts,
                              struct value *fill)
{
    int64_t *counts = ARENA_ARRAY(fixture.module->arena, int64_t, 4), whole = 16;
    for (int i = 0; i < 4; i++)
        counts[i] = size;
    struct halo halo = {xy, xy, whole, 0, whole, size, starts, counts};
    struct value *range = halo_exchange(&partitioner, &fixture, value, 0, &halo, fill);
    cr_expect_not(build_is_poison(range));
    cr_expect_eq(range->type->shape.dims[0], size);
    cr_expect_not_null(range->note);
    return range;
}

static int count(enum op_code code)
{
    int count = 0;
    for (const struct op *op = fixture.module->entry->body->first; op; op = op->next)
        count += op->code == code;
    return count;
}

/* A program with thousands of shards computes where they begin once for each size. */
Test(halo, equal_offsets_of_shards_are_one_value)
{
    MAIN("f32 4 2");
    shard_rows(16);
    struct value *offset = collective_shard_offset(&partitioner, &fixture, &xy, 4);
    int products = count(OP_multiply);
    cr_expect_eq(collective_shard_offset(&partitioner, &fixture, &xy, 4), offset);
    cr_expect_eq(count(OP_multiply), products);
    cr_expect_neq(collective_shard_offset(&partitioner, &fixture, &xy, 8), offset);
    cr_expect_eq(count(OP_multiply), products + 1);
    cr_expect_eq(offset->def->operands[0], collective_shard_index(&partitioner, &fixture, &xy));
}

Test(halo, pieces_at_the_same_places_are_concatenated)
{
    MAIN("f32 4 2");
    struct value *value = shard_rows(16), *fill = build_scalar(&fixture, DTYPE_F32, 7);
    exchange(value, 6, (const int64_t[]){-1, 3, 7, 11}, fill);
    cr_expect_eq(count(OP_collective_permute), 2);
    cr_expect_eq(count(OP_concatenate), 1);
    cr_expect_eq(count(OP_select), 1);
}

Test(halo, pieces_at_different_places_are_written)
{
    MAIN("f32 4 2");
    exchange(shard_rows(16), 3, (const int64_t[]){2, 5, 8, 11}, NULL);
    cr_expect_eq(count(OP_collective_permute), 1);
    cr_expect_eq(count(OP_dynamic_update_slice), 2);
    cr_expect_eq(count(OP_select), 0);
}

Test(halo, ranges_that_exist_are_taken_again)
{
    MAIN("f32 4 2");
    struct value *value = shard_rows(16);
    struct value *range = exchange(value, 6, (const int64_t[]){-1, 3, 7, 11}, NULL);
    cr_expect_eq(exchange(value, 6, (const int64_t[]){-1, 3, 7, 11}, NULL), range);
    cr_expect_neq(exchange(value, 6, (const int64_t[]){-2, 2, 6, 10}, NULL), range);
}

Test(halo, long_ranges_are_sliced_from_the_gathered_dimension)
{
    MAIN("f32 4 2");
    exchange(shard_rows(16), 17, (const int64_t[]){0, 0, 0, 0}, NULL);
    cr_expect_eq(count(OP_collective_permute), 0);
    cr_expect_eq(count(OP_all_gather), 1);
}

Test(halo, numbers_of_partitions)
{
    MAIN("f32 4 2");
    shard_rows(16);
    halo_lookup(&partitioner, &fixture, &xy, (const int64_t[]){3, 3, 3, 3});
    cr_expect_eq(count(OP_partition_id), 0);
    halo_lookup(&partitioner, &fixture, &xy, (const int64_t[]){3, 5, 7, 9});
    cr_expect_eq(count(OP_dynamic_slice), 0);
    halo_lookup(&partitioner, &fixture, &xy, (const int64_t[]){3, 5, 8, 9});
    cr_expect_eq(count(OP_dynamic_slice), 1);
}
