/* partition_modeled_test.c: collectives of a modeled accelerator's partitioner, beside the host's,
 * where elements move along the dimension that is sharded. */
#include "compiler/partition_fixture.h"

TestSuite(partition_modeled, .init = partition_begin, .fini = partition_end);

#define ROWS "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}"
#define WHOLE "{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}"
#define PROGRAM(text)                                                                              \
    "module attributes {mhlo.num_partitions = 4 : i32} {\n"                                        \
    "sdy.mesh @mesh = <[\"x\"=4]>\n" text "}\n"

static const char two_arrays[] =
    PROGRAM("func.func @main(%a: tensor<8x16xf32> " ROWS ", %b: tensor<8x16xf32> " ROWS
            ") -> (tensor<16x16xf32> " ROWS ") {\n"
            "  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8x16xf32>, tensor<8x16xf32>) "
            "-> tensor<16x16xf32>\n"
            "  return %r : tensor<16x16xf32>\n}\n");
static const char thin_arrays[] =
    PROGRAM("func.func @main(%a: tensor<8x2xf32> " ROWS ", %b: tensor<8x2xf32> " ROWS
            ") -> (tensor<16x2xf32> " ROWS ") {\n"
            "  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8x2xf32>, tensor<8x2xf32>) "
            "-> tensor<16x2xf32>\n"
            "  return %r : tensor<16x2xf32>\n}\n");
static const char first_row[] =
    PROGRAM("func.func @main(%a: tensor<8x16xf32> " ROWS ") -> (tensor<1x16xf32> " WHOLE ") {\n"
            "  %r = stablehlo.slice %a [0:1, 0:16] : (tensor<8x16xf32>) -> tensor<1x16xf32>\n"
            "  return %r : tensor<1x16xf32>\n}\n");

Test(partition_modeled, arrays_are_concatenated_in_parts_of_another_dimension)
{
    const struct block *body = partition_text(two_arrays, &modeled);
    cr_expect_eq(partition_count(body, OP_all_to_all), 3, "two operands and the result");
    cr_expect_eq(partition_count(body, OP_collective_permute), 0);
    cr_expect_eq(partition_count(partition_text(two_arrays, &host), OP_all_to_all), 0);
}

Test(partition_modeled, unless_no_other_dimension_has_even_parts)
{
    cr_expect_eq(partition_count(partition_text(thin_arrays, &modeled), OP_all_to_all), 0);
}

Test(partition_modeled, what_all_need_of_one_is_summed)
{
    const struct block *body = partition_text(first_row, &modeled);
    cr_expect_eq(partition_count(body, OP_all_reduce), 1);
    cr_expect_eq(partition_count(body, OP_collective_broadcast), 0);
    cr_expect_eq(partition_count(partition_text(first_row, &host), OP_collective_broadcast), 1);
}
