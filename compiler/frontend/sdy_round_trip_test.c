/* sdy_round_trip_test.c: Shardy's round-trip spelling in text and in an HLO module that jaxlib
 * wrote (scripts/make_testdata.py), and errors. */
#include "compiler/frontend/sdy_round_trip.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/hlo/hlo_proto.h"
#include "compiler/frontend/text/mlir_text.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

TestSuite(sdy_round_trip, .init = begin, .fini = end);

#define MODULE(body)                                                                               \
    "module @m attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{mesh = "                \
    "#sdy.mesh<[\\22x\\22=4, \\22y\\22=2]>}\"}} {\n" body "\n}\n"
#define MAIN(body)                                                                                 \
    MODULE("func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n" body "\n}\n")
#define AXES "xla.sdy.manual_axes = \"#sdy<manual_axes{\\22x\\22}>\""
#define ROWS "#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}, {?}]>]>"

static struct error *read_program(const char *program, struct text *out)
{
    struct module *module;
    struct error *error =
        fixture_read((fixture_reader *)mlir_text_read, arena, program, strlen(program), &module);
    if (!error)
        ir_print(module, out);
    return error;
}

static void expect(const char *program, const char *const *lines)
{
    struct text text = {0};
    struct error *error = read_program(program, &text);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    for (; *lines; lines++)
        cr_expect(strstr(text.data, *lines), "%s is not in %s", *lines, text.data);
    cr_expect(!strstr(text.data, "xla.sdy.sharding"), "%s", text.data);
    text_free(&text);
}

static void expect_error(const char *program, const char *words)
{
    struct text text = {0};
    struct error *error = read_program(program, &text);
    cr_assert_not_null(error, "accepted: %s", text.data);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "%s is not in %s", words,
              error_message(error, NULL));
    error_free(error);
}

/* The text, the bytecode and the HLO module of one program that the exporter wrote. */
static void expect_calls(struct module *module)
{
    static const char *const lines[] = {
        "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]>",
        "\"gantry.sharding_constraint\"(%arg0) {sharding = #sdy.sharding<@mesh, [{\"y\"}p1, {?}]>}",
        "\"gantry.full_to_shard\"",
        "sharding = #sdy.sharding<@mesh, [{\"x\", ?}, {?}], manual={\"x\"}>",
        "\"gantry.shard_to_full\"",
        "sharding = #sdy.sharding<@mesh, [{}, {\"y\"}], manual={\"y\"}>",
        "\"gantry.sharding_group\"",
        "#sdy.sharding<@mesh, [{\"x\"}, {\"y\", ?}]>",
    };
    struct text text = {0};
    ir_print(module, &text);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect(strstr(text.data, lines[i]), "%s is not in %s", lines[i], text.data);
    cr_expect(!strstr(text.data, "custom_call"), "%s", text.data);
    text_free(&text);
}

Test(sdy_round_trip, exported_programs)
{
    struct module *module;
    size_t size =
        fixture_load("compiler/frontend/text/testdata/mlir_text_fuzz/", "round_trip.mlir");
    cr_assert_null(fixture_read((fixture_reader *)mlir_text_read, arena, bytes, size, &module));
    expect_calls(module);
    size = fixture_load("compiler/frontend/hlo/testdata/hlo_proto_fuzz/", "round_trip.hlo.pb");
    cr_assert_null(fixture_read((fixture_reader *)hlo_proto_read, arena, bytes, size, &module));
    expect_calls(module);
}

Test(sdy_round_trip, shardings_of_values)
{
    expect(MODULE("func.func @main(%x: tensor<8x4xf32> {mhlo.frontend_attributes = "
                  "{xla.sdy.sharding = \"#sdy.sharding<@mesh, [{\\22x\\22}, {?}]>\"}, "
                  "mhlo.sharding = \"{replicated}\"}) -> (tensor<8x4xf32> "
                  "{mhlo.frontend_attributes = {xla.sdy.sharding = \"#sdy.sharding<@mesh, [{}, "
                  "{\\22y\\22:(1)2}]>\"}}) {\n"
                  "%0 = stablehlo.negate %x {mhlo.frontend_attributes = {other = \"kept\", "
                  "xla.sdy.sharding = \"" ROWS "\"}} : tensor<8x4xf32>\n"
                  "return %0 : tensor<8x4xf32>\n}"),
           (const char *const[]){
               "%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {?}]>}",
               "-> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>}",
               "mhlo.frontend_attributes = {other = \"kept\"}", "[{\"x\"}, {?}]", NULL});
}

/* Quotes that were escaped twice. */
Test(sdy_round_trip, older_escapes)
{
    expect(MAIN("%0 = stablehlo.custom_call @Sharding(%x) {mhlo.frontend_attributes = "
                "{xla.sdy.sharding = \"#sdy.sharding_per_value<[<@mesh, [{\\\\\\22x\\\\\\22}, "
                "{}]>]>\"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
                "return %0 : tensor<8x4xf32>"),
           (const char *const[]){"{sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}", NULL});
}

Test(sdy_round_trip, tuples_of_hlo)
{
    expect("module @m attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{mesh = "
           "#sdy.mesh<[\\22x\\22=4]>}\", xla.sdy.tuple_args_shardings = "
           "\"#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>\", "
           "xla.sdy.tuple_results_shardings = \"#sdy.sharding_per_value<[<@mesh, [{}]>]>\"}} {\n"
           "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
           "return %x : tensor<8xf32>\n}\n}",
           (const char *const[]){
               "%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}",
               "-> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})", NULL});
}

Test(sdy_round_trip, errors)
{
    expect_error(MAIN("%0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) "
                      "{mhlo.frontend_attributes = {xla.sdy.in_shardings = \"" ROWS
                      "\"}} : (tensor<8x4xf32>) -> tensor<2x4xf32>\nreturn %x : tensor<8x4xf32>"),
                 "custom_call at MLIR text:3:6: has 1 operands and 1 results");
    expect_error(MAIN("%0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) "
                      "{mhlo.frontend_attributes = {xla.sdy.in_shardings = \"" ROWS "\", " AXES
                      "}} : (tensor<8x4xf32>) -> tensor<4x4xf32>\nreturn %x : tensor<8x4xf32>"),
                 "full_to_shard");
    expect_error(MAIN("%0 = stablehlo.negate %x {mhlo.frontend_attributes = {xla.sdy.sharding = "
                      "\"#sdy.sharding_per_value<[<@other, [{}, {}]>]>\"}} : tensor<8x4xf32>\n"
                      "return %0 : tensor<8x4xf32>"),
                 "the mesh @other is not defined");
    expect_error(MAIN("%0 = stablehlo.negate %x {mhlo.frontend_attributes = {xla.sdy.sharding = "
                      "\"3 : i64\"}} : tensor<8x4xf32>\nreturn %0 : tensor<8x4xf32>"),
                 "xla.sdy.sharding is an integer; it must be a list of shardings");
    expect_error(MAIN("%0 = stablehlo.negate %x {mhlo.frontend_attributes = {xla.sdy.sharding = "
                      "\"#sdy.sharding_per_value<[]>\"}} : tensor<8x4xf32>\n"
                      "return %0 : tensor<8x4xf32>"),
                 "xla.sdy.sharding has 0 shardings for 1 results of negate");
    expect_error(MAIN("stablehlo.custom_call @xla.sdy.ShardingGroup(%x) : (tensor<8x4xf32>) -> ()\n"
                      "return %x : tensor<8x4xf32>"),
                 "must have the frontend attribute xla.sdy.sharding_group_id");
    expect_error(MAIN("%0 = stablehlo.custom_call @xla.sdy.PropagationBarrier() : () -> "
                      "tensor<8x4xf32>\nreturn %0 : tensor<8x4xf32>"),
                 "has 0 operands and 1 results");
    expect_error("module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{m = 3}\"}} {}",
                 "sdy.mesh must have a mesh attribute");
    expect_error("module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{m = \"}} {}",
                 "the frontend attribute xla.sdy.meshes: MLIR text:1:");
}
