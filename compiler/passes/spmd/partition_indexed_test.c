/* partition_indexed_test.c: how rows are added to an array of which each device wants a part, on a
 * modeled accelerator: the updates are gathered if they are smaller than the array. */
#include <criterion/criterion.h>

#include "base/text.h"
#include "compiler/accelerator.h"
#include "compiler/driver/compile_source.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/target.h"

static const struct accelerator accelerator = {.hbm_bytes = (uint64_t)16 << 30};
static const struct target modeled = {.accelerator = &accelerator}, host;
static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(partition_indexed, .init = begin, .fini = end);

/* Adds 64 rows, 16 on each of four devices, to zeros of `rows` rows, of which each wants a part. */
static const struct block *scatter(int rows, const struct target *target)
{
    struct text text = {0};
    text_add(&text,
             "module attributes {mhlo.num_partitions = 4 : i32} {\n"
             "sdy.mesh @mesh = <[\"x\"=4]>\n"
             "func.func @main(%%i: tensor<64x1xi32> {sdy.sharding = #sdy.sharding<@mesh, "
             "[{\"x\"}, {}]>}, %%u: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, "
             "[{\"x\"}, {}]>}) -> (tensor<%dx8xf32> {sdy.sharding = #sdy.sharding<@mesh, "
             "[{\"x\"}, {}]>}) {\n"
             "  %%z = stablehlo.constant dense<0.0> : tensor<%dx8xf32>\n"
             "  %%r = \"stablehlo.scatter\"(%%z, %%i, %%u) <{scatter_dimension_numbers = "
             "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
             "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
             "  ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
             "    %%s = stablehlo.add %%a, %%b : tensor<f32>\n"
             "    stablehlo.return %%s : tensor<f32>\n"
             "  }) : (tensor<%dx8xf32>, tensor<64x1xi32>, tensor<64x8xf32>) -> tensor<%dx8xf32>\n"
             "  return %%r : tensor<%dx8xf32>\n}\n}\n",
             rows, rows, rows, rows, rows);
    struct module *module;
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text.data, .size = text.size};
    struct error *error = compile_source_read(arena, &source, &module);
    error = error ? error : propagate_run(module, target);
    error = error ? error : spmd_partition_run(module, target);
    error = error ? error : ir_verify(module, false);
    cr_assert_null(error, "%s", error_message(error, NULL));
    text_free(&text);
    return module->entry->body;
}

static int count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

Test(partition_indexed, few_rows_are_gathered_and_added_to_parts)
{
    const struct block *body = scatter(128, &modeled);
    cr_expect_eq(count(body, OP_all_gather), 2, "positions and updates");
    cr_expect_eq(count(body, OP_all_reduce) + count(body, OP_reduce_scatter), 0);
}

Test(partition_indexed, many_rows_are_added_to_the_whole_which_is_summed)
{
    const struct block *body = scatter(64, &modeled);
    cr_expect_eq(count(body, OP_all_gather), 0);
    cr_expect_eq(count(body, OP_all_reduce), 1);
}

Test(partition_indexed, the_host_does_not_gather)
{
    cr_expect_eq(count(scatter(128, &host), OP_all_gather), 0);
}
