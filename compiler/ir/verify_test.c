/* verify_test.c: programs that are syntactically valid but wrong: the verifier must report each,
 * with its line. */
#include <criterion/criterion.h>
#include <string.h>

#include "compiler/compile.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(verify, .init = begin, .fini = end);

static struct error *read(const char *text)
{
    struct module *module;
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    return compile_source_read(arena, &source, &module);
}

static void takes(const char *text)
{
    struct error *error = read(text);
    cr_expect_null(error, "%s\n%s", error ? error_message(error, NULL) : "", text);
    error_free(error);
}

static void expect_error(const char *text, const char *part)
{
    struct error *error = read(text);
    cr_assert_not_null(error, "%s", text);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), part), "'%s' is not in '%s'", part,
                       error_message(error, NULL));
    error_free(error);
}

#define MAIN(body)                                                                                 \
    "func.func @main(%x: tensor<4x8xf32>, %i: tensor<4x8xi8>, %s: tensor<f32>, %b: tensor<i8>) "   \
    "{\n" body "\n  return\n}\n"
#define SUM(type)                                                                                  \
    "({\n  ^a(%p: tensor<" type ">, %q: tensor<" type                                              \
    ">):\n    %r = stablehlo.add %p, %q : tensor<" type                                            \
    ">\n    stablehlo.return %r : tensor<" type ">\n  })"

/* A reducer may use a wider type than the operands, but not a narrower one. */
Test(verify, reducers_widen_only)
{
    takes(MAIN("%0 = \"stablehlo.reduce\"(%i, %b) " SUM(
        "i32") " {dimensions = array<i64: 0>} : "
               "(tensor<4x8xi8>, tensor<i8>) -> tensor<8xi32>"));
    expect_error(MAIN("%0 = \"stablehlo.reduce\"(%i, %b) " SUM(
                     "i4") " {dimensions = array<i64: 0>} : "
                           "(tensor<4x8xi8>, tensor<i8>) -> tensor<8xi4>"),
                 "region 0 combines tensor<i4>, to which operand 1 of type tensor<i8>");
    expect_error(MAIN("%0 = \"stablehlo.reduce\"(%x, %s) " SUM(
                     "i32") " {dimensions = array<i64: 0>} : "
                            "(tensor<4x8xf32>, tensor<f32>) -> tensor<8xi32>"),
                 "to which operand 1 of type tensor<f32>");
}

#define ALL_REDUCE(groups, sum, to)                                                                \
    MAIN("%0 = \"stablehlo.all_reduce\"(%x) " sum " {replica_groups = " groups                     \
         "} : (tensor<4x8xf32>) -> " to)

Test(verify, collectives)
{
    takes(ALL_REDUCE("dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>", SUM("f32"), "tensor<4x8xf32>"));
    takes(ALL_REDUCE("dense<0> : tensor<1x1xi64>", SUM("f64"), "tensor<4x8xf64>"));
    expect_error(ALL_REDUCE("dense<[[0, 1, 1]]> : tensor<1x3xi64>", SUM("f32"), "tensor<4x8xf32>"),
                 "replica_groups lists 1 twice");
    expect_error(ALL_REDUCE("dense<-2> : tensor<1x1xi64>", SUM("f32"), "tensor<4x8xf32>"),
                 "replica_groups is -2");
    expect_error(ALL_REDUCE("dense<0> : tensor<1x1xi64>", SUM("f64"), "tensor<4x8xf32>"),
                 "result 0 is declared as tensor<4x8xf32>; it must be tensor<4x8xf64>");
    expect_error(ALL_REDUCE("dense<0> : tensor<1x1xi64>", SUM("i32"), "tensor<4x8xi32>"),
                 "region 0 combines tensor<i32>");
    expect_error(
        MAIN("%0 = \"stablehlo.collective_permute\"(%x) {source_target_pairs = dense<[[0, 1], "
             "[2, 1]]> : tensor<2x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
        "the target of source_target_pairs lists 1 twice");
    expect_error(
        MAIN("%0 = \"stablehlo.collective_permute\"(%x) {source_target_pairs = dense<[[0, 1, "
             "2]]> : tensor<1x3xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
        "has 3 columns; it must have 2");
    expect_error(
        MAIN("%0 = \"stablehlo.all_to_all\"(%x) {split_dimension = 1 : i64, concat_dimension = "
             "0 : i64, split_count = 3 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : "
             "(tensor<4x8xf32>) -> tensor<4x8xf32>"),
        "dimension 1 of tensor<4x8xf32> cannot be split into 3 equal parts");
}

#define CALL(layouts)                                                                              \
    MAIN("%0 = stablehlo.custom_call @f(%x) {" layouts "} : (tensor<4x8xf32>) -> tensor<4x8xf32>")

Test(verify, layouts_of_custom_calls)
{
    takes(
        CALL("operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]>"
             " : tensor<2xindex>]"));
    expect_error(CALL("operand_layouts = [dense<[0, 2]> : tensor<2xindex>]"),
                 "operand_layouts is 2");
    expect_error(CALL("operand_layouts = [dense<0> : tensor<2xindex>]"), "dimension 0 twice");
    expect_error(CALL("result_layouts = [dense<0> : tensor<1xindex>]"),
                 "result_layouts has 1 dimensions for tensor<4x8xf32>");
    expect_error(CALL("result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : "
                      "tensor<2xindex>]"),
                 "2 result_layouts for 1 results");
}

/* Attributes without a default are required. */
Test(verify, attributes_that_are_needed)
{
    expect_error(
        MAIN("%0 = \"stablehlo.concatenate\"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> "
             "tensor<8x8xf32>"),
        "2:6: concatenate requires the attribute dimension");
    expect_error(
        MAIN("%0 = \"stablehlo.compare\"(%x, %x) {direction = #stablehlo<comparison_direction "
             "LT>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>"),
        "2:6: compare requires the attribute comparison_direction");
    expect_error(MAIN("%0 = \"stablehlo.iota\"() : () -> tensor<8xi32>"),
                 "2:6: iota requires the attribute iota_dimension");
}

Test(verify, maps_and_products)
{
    expect_error(
        MAIN("%p = stablehlo.constant dense<0> : tensor<0x2xi64>\n"
             "%0 = \"stablehlo.dynamic_conv\"(%x, %x, %p) {dimension_numbers = #stablehlo.conv<[b, "
             "f]x[i, i]->[b, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : "
             "(tensor<4x8xf32>, tensor<4x8xf32>, tensor<0x2xi64>) -> tensor<4x8xf32>"),
        "kernel is -1");
    expect_error(MAIN("%0 = \"stablehlo.map\"(%x, %x) " SUM(
                     "f32") " {dimensions = array<i64: 1, 0>} : "
                            "(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>"),
                 "dimensions is 1; it must be in [0, 0]");
    expect_error(
        MAIN("%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], algorithm = "
             "<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, "
             "lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, "
             "allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> "
             "tensor<4x4xf32>"),
        "lhs_component_count is 0");
}

/* Whatever spells it, a sharding has a dimension for each of its tensor's; also where no operation
 * uses the type: on arguments and results. */
#define DECLARED(argument, result)                                                                 \
    "sdy.mesh @m = <[\"x\"=2]>\n"                                                                  \
    "func.func @main(%a: tensor<4x8xf32> " argument                                                \
    ", %b: tensor<4x8xf32>) -> (tensor<4x8xf32> " result ") {\n  return %b : tensor<4x8xf32>\n}\n"
#define WITHIN(line)                                                                               \
    "sdy.mesh @m = <[\"x\"=2]>\n"                                                                  \
    "func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {\n  " line                           \
    "\n  return %0 : tensor<4x8xf32>\n}\n"

Test(verify, shardings_have_the_rank_of_their_value)
{
    static const char few[] = "a sharding of 1 dimensions is given for a tensor of 2";
    static const char many[] = "a sharding of 3 dimensions is given for a tensor of 2";
    expect_error(DECLARED("{sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}", ""), few);
    expect_error(DECLARED("", "{sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}"), few);
    expect_error(DECLARED("", "{sdy.sharding = #sdy.sharding<@m, [{}, {}, {\"x\"}]>}"), many);
    expect_error(DECLARED("", "{sdy.sharding = #sdy.sharding<@m, [{}, {}, {\"x\"}]>}"),
                 "result 0 of @main");
    expect_error(DECLARED("{mhlo.sharding = \"{devices=[2]<=[2]}\"}", ""), "argument 0 of @main");
    expect_error(DECLARED("", "{mhlo.sharding = \"{devices=[2]<=[2]}\"}"), "result 0 of @main");
    expect_error(WITHIN("%0 = sdy.sharding_constraint %a <@m, [{\"x\"}]> : tensor<4x8xf32>"), few);
    expect_error(WITHIN("%0 = stablehlo.negate %a {sdy.sharding = "
                        "#sdy.sharding_per_value<[<@m, [{}, {}, {\"x\"}]>]>} : tensor<4x8xf32>"),
                 many);
    expect_error(WITHIN("%0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "
                        "\"{devices=[2]<=[2]}\"} : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
                 "dimensions");
    expect_error(WITHIN("%0 = sdy.manual_computation(%a) in_shardings=[<@m, [{\"x\"}]>] "
                        "out_shardings=[<@m, [{\"x\"}]>] manual_axes={\"x\"} (%b: tensor<2x8xf32>) "
                        "{ sdy.return %b : tensor<2x8xf32> } : (tensor<4x8xf32>) -> "
                        "tensor<4x8xf32>"),
                 few);
    takes(DECLARED("{sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>}",
                   "{mhlo.sharding = \"{devices=[1,2]<=[2]}\"}"));
}
