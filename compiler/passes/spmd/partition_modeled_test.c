/* partition_modeled_test.c: collectives of a modeled accelerator's partitioner, beside the host's,
 * where elements move along the dimension that is sharded. */
#include <criterion/criterion.h>
#include <string.h>

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

TestSuite(partition_modeled, .init = begin, .fini = end);

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

static const struct block *partition(const char *text, const struct target *target)
{
    struct module *module;
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    struct error *error = compile_source_read(arena, &source, &module);
    error = error ? error : propagate_run(module, target);
    error = error ? error : spmd_partition_run(module, target);
    error = error ? error : ir_verify(module, false);
    cr_assert_null(error, "%s", error_message(error, NULL));
    return module->entry->body;
}

static int count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

Test(partition_modeled, arrays_are_concatenated_in_parts_of_another_dimension)
{
    const struct block *body = partition(two_arrays, &modeled);
    cr_expect_eq(count(body, OP_all_to_all), 3, "two operands and the result");
    cr_expect_eq(count(body, OP_collective_permute), 0);
    cr_expect_eq(count(partition(two_arrays, &host), OP_all_to_all), 0);
}

Test(partition_modeled, unless_no_other_dimension_has_even_parts)
{
    cr_expect_eq(count(partition(thin_arrays, &modeled), OP_all_to_all), 0);
}

Test(partition_modeled, what_all_need_of_one_is_summed)
{
    const struct block *body = partition(first_row, &modeled);
    cr_expect_eq(count(body, OP_all_reduce), 1);
    cr_expect_eq(count(body, OP_collective_broadcast), 0);
    cr_expect_eq(count(partition(first_row, &host), OP_collective_broadcast), 1);
}
