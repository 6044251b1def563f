/* partition_indexed_test.c: how rows are added to an array of which each device wants a part, on a
 * modeled accelerator: the updates are gathered if they are smaller than the array. */
#include "base/text.h"
#include "compiler/partition_fixture.h"

TestSuite(partition_indexed, .init = partition_begin, .fini = partition_end);

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
    const struct block *body = partition_text(text.data, target);
    text_free(&text);
    return body;
}

Test(partition_indexed, few_rows_are_gathered_and_added_to_parts)
{
    const struct block *body = scatter(128, &modeled);
    cr_expect_eq(partition_count(body, OP_all_gather), 2, "positions and updates");
    cr_expect_eq(partition_count(body, OP_all_reduce) + partition_count(body, OP_reduce_scatter),
                 0);
}

Test(partition_indexed, many_rows_are_added_to_the_whole_which_is_summed)
{
    const struct block *body = scatter(64, &modeled);
    cr_expect_eq(partition_count(body, OP_all_gather), 0);
    cr_expect_eq(partition_count(body, OP_all_reduce), 1);
}

Test(partition_indexed, the_host_does_not_gather)
{
    cr_expect_eq(partition_count(scatter(128, &host), OP_all_gather), 0);
}
