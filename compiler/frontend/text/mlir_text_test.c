/* mlir_text_test.c: programs printed by JAX (scripts/make_testdata.py), compared with their
 * bytecode; errors. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/bytecode/mlir_bytecode.h"
#include "compiler/frontend/text/mlir_text.h"
#include "compiler/ir/sharding.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

#define TEXTS "compiler/frontend/text/testdata/mlir_text_fuzz/"
#define BYTES "compiler/frontend/bytecode/testdata/mlir_bytecode_fuzz/"

TestSuite(mlir_text, .init = begin, .fini = end);

/* Reads a program and prints it. The arena borrows `data`. */
static struct text print(const char *name, const void *data, size_t size)
{
    struct module *module;
    struct text text = {0};
    struct error *error = mlir_bytecode_is(data, size)
                              ? mlir_bytecode_read(arena, data, size, &module)
                              : mlir_text_read(arena, data, size, &module);
    if (!error)
        error = arena_run(arena, fixture_verify, module);
    cr_assert_null(error, "%s: %s", name, error ? error_message(error, NULL) : "");
    ir_print(module, &text);
    return text;
}

static void expect_same(const char *name, const struct text *expected)
{
    struct text same = print(name, bytes, fixture_load(BYTES, name));
    cr_assert_str_eq(same.data, expected->data, "%s", name);
    text_free(&same);
}

/* True when the name begins with one of the NULL-terminated list. */
static bool is_one_of(const char *name, const char *const *begins)
{
    while (*begins && strncmp(name, *begins, strlen(*begins)) != 0)
        begins++;
    return *begins;
}

/* The pretty form, the generic form, the bytecode, the portable artifact and the printed IR of each
 * program read as the same IR. */
Test(mlir_text, forms_agree)
{
    static const char *const only_text[] = {"functions", "quantized", "sharded_many", NULL};
    /* Artifacts have the constants of sharded programs first, and do not have CHLO. */
    static const char *const no_artifact[] = {"chlo", "functions", "sharded", NULL};
    DIR *folder = opendir(TEXTS);
    int count = 0;
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char other[300];
        size_t stem = strcspn(entry->d_name, ".");
        if (!strstr(entry->d_name, ".mlir"))
            continue;
        struct text text = print(entry->d_name, bytes, fixture_load(TEXTS, entry->d_name));
        struct text again = print(entry->d_name, text.data, text.size);
        cr_assert_str_eq(again.data, text.data);
        count++;
        snprintf(other, sizeof other, "%.*s.stablehlo.mlirbc", (int)stem, entry->d_name);
        if (!is_one_of(other, only_text))
            expect_same(other, &text);
        snprintf(other, sizeof other, "%.*s.mlirbc", (int)stem, entry->d_name);
        if (!is_one_of(other, no_artifact))
            expect_same(other, &text);
        text_free(&text);
        text_free(&again);
    }
    closedir(folder);
    cr_assert_geq(count, 16);
}

static const char annotated[] =
    "module @m attributes {stablehlo.num_partitions = 1} {\n"
    "  sdy.mesh @mesh = <[\"x\"=1, \"y\"=1], device_ids=[0]>\n"
    "  func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\", ?}p1]>}) "
    "-> tensor<4xf32> {\n"
    "    %0 = sdy.sharding_constraint %arg0 <@mesh, [{\"x\"}], replicated={\"y\"}> : "
    "tensor<4xf32>\n"
    "    %1:2 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"x\"}]>]"
    " out_shardings=[<@mesh, [{\"x\"}]>, <@mesh, [{}]>] manual_axes={\"x\"} (%a: tensor<4xf32>) {\n"
    "      %3 = stablehlo.negate %a : tensor<4xf32>\n"
    "      sdy.return %3, %a : tensor<4xf32>, tensor<4xf32>\n"
    "    } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n"
    "    %2 = stablehlo.add %1#0, %1#1 : tensor<4xf32> loc(\"here\"(\"a.py\":1:2))\n"
    "    return %2 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

/* Constraints become operations; a manual computation is replaced by its body, with operations at
 * its boundary. */
Test(mlir_text, shardy)
{
    struct text text = print("annotated", annotated, sizeof annotated - 1);
    cr_assert_not_null(strstr(text.data, "sdy.mesh @mesh = <[\"x\"=1, \"y\"=1], device_ids=[0]>"));
    static const char *const lines[] = {
        "%0 = \"gantry.sharding_constraint\"(%arg0) {sharding = #sdy.sharding<@mesh, [{\"x\"}], "
        "replicated={\"y\"}>}",
        "%1 = \"gantry.sharding_constraint\"(%0) {sharding = #sdy.sharding<@mesh, [{\"x\"}]>}",
        "%2 = \"gantry.full_to_shard\"(%1) {sharding = #sdy.sharding<@mesh, [{\"x\"}], "
        "manual={\"x\"}>}",
        "%3 = \"stablehlo.negate\"(%2)",
        "%4 = \"gantry.shard_to_full\"(%3) {sharding = #sdy.sharding<@mesh, [{\"x\"}], "
        "manual={\"x\"}>}",
        "%5 = \"gantry.shard_to_full\"(%2) {sharding = #sdy.sharding<@mesh, [{}], "
        "manual={\"x\"}>}",
        "%6 = \"stablehlo.add\"(%4, %5)",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect(strstr(text.data, lines[i]), "%s is not in\n%s", lines[i], text.data);
    text_free(&text);
}

#define SHARDY(body)                                                                               \
    "module @m attributes {mhlo.num_partitions = 8 : i32} {\n"                                     \
    "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n"                                                      \
    "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n" body                                 \
    "\nreturn %0 : tensor<8xf32>\n}\n}"

static void expect_shardy(const char *text, const char *line)
{
    struct text printed = print("shardy", text, strlen(text));
    cr_expect(strstr(printed.data, line), "%s is not in\n%s", line, printed.data);
    text_free(&printed);
}

/* Every operation in the pretty form, and computations in the generic one. */
Test(mlir_text, operations_of_shardy)
{
    expect_shardy(SHARDY("%0 = sdy.reshard %x <@mesh, [{\"y\":(1)2, \"x\":(2)2, ?}p12], "
                         "unreduced={\"x\":(1)2}> : tensor<8xf32>"),
                  "sharding = #sdy.sharding<@mesh, [{\"y\", \"x\":(2)2, ?}p12], "
                  "unreduced={\"x\":(1)2}>");
    expect_shardy(SHARDY("sdy.sharding_group %x group_id=21 : tensor<8xf32>\n"
                         "%0 = stablehlo.negate %x : tensor<8xf32>"),
                  "\"gantry.sharding_group\"(%arg0) {group = 21 : i64}");
    expect_shardy(SHARDY("stablehlo.custom_call @f(%x) {has_side_effect = true, sdy.sharding = "
                         "#sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<8xf32>) -> ()\n"
                         "%0 = stablehlo.negate %x : tensor<8xf32>"),
                  "\"stablehlo.custom_call\"(%arg0)");
    expect_shardy(SHARDY("%1 = sdy.propagation_barrier %x allowed_direction=NONE : tensor<8xf32>\n"
                         "%0 = sdy.data_flow_edge %1 sharding=<@mesh, [{\"x\"}]> : tensor<8xf32>"),
                  "\"func.return\"(%arg0)");
    expect_shardy(SHARDY("%0 = sdy.named_computation<\"f\">(%x) in_shardings=[<@mesh, [{\"x\"}]>] "
                         "(%a: tensor<8xf32>) {\n%1 = stablehlo.negate %a : tensor<8xf32>\n"
                         "sdy.return %1 : tensor<8xf32>\n} : (tensor<8xf32>) -> tensor<8xf32>"),
                  "%1 = \"stablehlo.negate\"(%0)");
    expect_shardy(SHARDY("%0 = \"sdy.manual_computation\"(%x) <{in_shardings = "
                         "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>, manual_axes = "
                         "#sdy<manual_axes{\"x\"}>, out_shardings = "
                         "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>}> ({\n^bb0(%a: "
                         "tensor<2xf32>):\nsdy.return %a : tensor<2xf32>\n}) : (tensor<8xf32>) -> "
                         "tensor<8xf32>"),
                  "\"gantry.shard_to_full\"(%1)");
    expect_shardy(SHARDY("%0 = stablehlo.negate %x {mhlo.sharding = \"{devices=[8]<=[8] shard_as "
                         "5}\"} : tensor<8xf32>"),
                  "\"gantry.sharding_group\"(%0) {group = 5 : i64}");
}

static void expect_error(const char *text, PJRT_Error_Code code, const char *words)
{
    struct module *module;
    struct error *error = mlir_text_read(arena, text, strlen(text), &module);
    cr_assert_not_null(error, "%s", text);
    cr_assert_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_assert_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

#define WRONG PJRT_Error_Code_INVALID_ARGUMENT
#define MISSING PJRT_Error_Code_UNIMPLEMENTED
#define MAIN(body) "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n" body "\n}"

Test(mlir_text, errors_show_the_location)
{
    expect_error(MAIN("  %0 = stablehlo.add %x, %y : tensor<2xf32>"), WRONG,
                 "MLIR text:2:26: %y is used before its definition\n"
                 "  %0 = stablehlo.add %x, %y : tensor<2xf32>\n"
                 "                         ^");
    expect_error(MAIN("%0 = stablehlo.add %x, %x ; tensor<2xf32>"), WRONG, "2:27: expected ':'");
    expect_error(MAIN("%0 = mhlo.add %x, %x : tensor<2xf32>"), MISSING,
                 "2:6: mhlo.add is unsupported");
    expect_error(
        MAIN("%0 = \"stablehlo.add\"(%x, %x) : (tensor<3xf32>, tensor<2xf32>) -> tensor<2xf32>"),
        WRONG, "operand 0 is tensor<2xf32> but is declared as tensor<3xf32>");
    expect_error(MAIN("%0 = stablehlo.constant dense<[1.0]> : tensor<2xf32>"), WRONG,
                 "list has 1 elements");
    expect_error(MAIN("%0 = stablehlo.constant dense<300> : tensor<2xi8>"), WRONG,
                 "300 is out of range for s8");
    expect_error(MAIN("%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>"), WRONG,
                 "the function @f is not defined");
    expect_error(MAIN("%0:2 = stablehlo.negate %x : tensor<2xf32>"), WRONG,
                 "has 1 results but names for 2");
    expect_error(MAIN("%0 = stablehlo.transpose %x, dim = 0 : tensor<2xf32>"), WRONG,
                 "transpose has no attribute dim");
    expect_error(MAIN("%0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xtf32>"), MISSING,
                 "tensors with element type tf32 are unsupported");
    expect_error("func.func @main(%x: tensor<99999999999999999999xf32>) {}", WRONG,
                 "does not fit in 63 bits");
    expect_error("module {", WRONG, "expected '}'");
    expect_error("module { \"unterminated", WRONG, "expected a function");
}

/* Mistakes in programs written by hand: errors show the position, the expected and the actual
 * text. */
Test(mlir_text, common_mistakes)
{
    expect_error(MAIN("%0 = stablehlo.add %x, %x tensor<2xf32>"), WRONG,
                 "2:27: expected ':' and types, or the name of an attribute and '=', got tensor\n"
                 "%0 = stablehlo.add %x, %x tensor<2xf32>\n"
                 "                          ^");
    expect_error(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>", WRONG,
        "2:28: expected an operation, got the end of the text");
    expect_error(MAIN("%x = stablehlo.negate %x : tensor<2xf32>"), WRONG,
                 "2:1: %x is already defined");
    expect_error(MAIN("%0 = stablehlo.negate %x : tensor<2xf32>\n"
                      "%0 = stablehlo.negate %x : tensor<2xf32>"),
                 WRONG, "3:1: %0 is already defined");
    expect_error(MAIN("%0 = \"stablehlo.while\"(%x) ({\n^a(%x: tensor<2xf32>):"), WRONG,
                 "3:4: %x is already defined");
    expect_error(MAIN("%0 = \"stablehlo.iota\"() {iota_dimension = 0, iota_dimension = 0}"), WRONG,
                 "2:46: the dictionary already has an attribute iota_dimension");
    expect_error(MAIN("%0 = stablehlo.iota dim = #d : tensor<2xf32>"), WRONG,
                 "2:27: expected an integer, got #d");
    expect_error(MAIN("%0 = \"stablehlo.iota\"() {iota_dimension = #d} : () -> tensor<2xf32>"),
                 WRONG, "2:43: #d is used before its definition");
    expect_error(MAIN("%0 = stablehlo.negate %x : !t"), WRONG, "!t is used before its definition");
    expect_error(MAIN("%0 = stablehlo.negate %x : tensor<2xf32"), WRONG, "expected '>', got }");
    expect_error(MAIN("%0 = stablehlo.negate %x : tensor<*xf32>"), MISSING,
                 "2:35: tensors of unknown rank are unsupported");
    expect_error(
        "#csr = #sparse_tensor.encoding<{x = 1}>\nfunc.func @main(%x: tensor<2xf32, #csr>)",
        MISSING, "2:35: tensors with the encoding #sparse_tensor.encoding");
    expect_error("func.func @main(%x: tensor<2xf32>)", WRONG,
                 "1:35: expected '{' and the body of @main, got the end of the text");
    expect_error("func.func @main(tensor<2xf32>) { return }", WRONG, "must have a name");
    expect_error(
        "func.func private @f(tensor<2xf32>) -> tensor<2xf32>\n" MAIN(
            "%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>"),
        WRONG, "3:6: the function @f is not defined");
    expect_error(MAIN("return %x : tensor<3xf32>"), WRONG,
                 "2:13: operand 0 is tensor<2xf32> but is declared as tensor<3xf32>");
    expect_error(MAIN("%0 = stablehlo.constant 1.0 : tensor<2xf32>"), WRONG,
                 "2:25: expected dense<...> and a type, got 1.0");
    expect_error(MAIN("%0 = stablehlo.compare LESS, %x, %x : tensor<2xf32>"), WRONG,
                 "(EQ, NE, GE, GT, LE, LT), got LESS");
    expect_error(MAIN("%0 = stablehlo.negate %x : f32"), MISSING, "a scalar is tensor<f32>");
    expect_error(MAIN("%0 = \"stablehlo.cross-replica-sum\"(%x) {replica_groups = #other.groups<>}"
                      " : (tensor<2xf32>) -> tensor<2xf32>"),
                 MISSING, "attribute replica_groups is #other.groups");
    expect_error(MAIN("%0 = stablehlo.constant dense<2> : tensor<2xi1>"), WRONG,
                 "is out of range for i1");
    expect_error(MAIN("%0 = stablehlo.custom_call @f(%x) {a = \"b} : tensor<2xf32>"), WRONG,
                 "2:40: expected an attribute, got an unterminated string");
}

/* Aliases of attributes, types and locations; a byte order mark, CRLF line ends, tabs. */
Test(mlir_text, aliases)
{
    static const char program[] =
        "\xef\xbb\xbf#zero = dense<[0, 0]> : tensor<2xi1>\r\n"
        "!t = tensor<2xf32, #stablehlo.bounds<4>>\r\n"
        "#conv = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1,"
        " input_spatial_dimensions = [], kernel_input_feature_dimension = 0,"
        " kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [],"
        " output_batch_dimension = 0, output_feature_dimension = 1,"
        " output_spatial_dimensions = []>\n"
        "func.func @main(%x: !t, %m: tensor<2x2xf32>) -> (!t, tensor<2x2xf32>) {\r\n"
        "\t%p = stablehlo.constant() {value = #zero} : () -> tensor<2xi1>\r\n"
        "\t%0 = stablehlo.select %p, %x, %x : tensor<2xi1>, !t\r\n"
        "\t%1 = \"stablehlo.convolution\"(%m, %m) {dimension_numbers = #conv,"
        " feature_group_count = 1 : i64, batch_group_count = 1 : i64} :"
        " (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>\n"
        "\treturn %0, %1 : !t, tensor<2x2xf32>\r\n"
        "}\r\n";
    struct text text = print("aliases", program, sizeof program - 1);
    cr_assert_not_null(strstr(text.data, "dense<false> : tensor<2xi1>"), "%s", text.data);
    cr_assert_not_null(strstr(text.data, "\"stablehlo.convolution\""));
    text_free(&text);
}

/* Each alias contains the previous one twice: the expansion is bounded. */
Test(mlir_text, aliases_do_not_explode)
{
    struct text text = {0};
    text_add(&text, "#a0 = 1 : i64\n");
    for (int i = 1; i < 60; i++)
        text_add(&text, "#a%d = [#a%d, #a%d]\n", i, i - 1, i - 1);
    expect_error(text.data, WRONG, "aliases expand to more than");
    text_free(&text);
}

static void expect_location(const char *location, const char *name, const char *file, int line)
{
    struct module *module;
    char program[600];
    snprintf(program, sizeof program,
             "#loc1 = loc(\"a.py\":3:5)\n"
             "func.func @main(%%x: tensor<2xf32> loc(\"x\")) -> tensor<2xf32> {\n"
             "  %%0 = stablehlo.negate %%x : tensor<2xf32> %s\n"
             "  return %%0 : tensor<2xf32> loc(#loc1)\n"
             "} loc(#loc)\n"
             "#loc = loc(unknown)\n"
             "#loc2 = loc(\"outer\"(#loc3))\n"
             "#loc3 = loc(\"inner\"(#loc1))\n"
             "#loc4 = loc(\"round\"(#loc4))\n",
             location);
    struct error *error = mlir_text_read(arena, program, strlen(program), &module);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    const struct location *at = module->entry->body->first->location;
    cr_assert_not_null(at);
    cr_expect_str_eq(at->name ? at->name : "", name);
    cr_expect_str_eq(at->file, file);
    cr_expect_eq(at->line, line, "%s: %d", location, at->line);
}

/* Errors show the location of loc(); without it, the line of the text. */
Test(mlir_text, locations)
{
    expect_location("", "", "MLIR text", 3);
    expect_location("loc(unknown)", "", "MLIR text", 3);
    expect_location("loc(#loc)", "", "MLIR text", 3);
    expect_location("loc(#missing)", "", "MLIR text", 3);
    expect_location("loc({not = [a, location]})", "", "MLIR text", 3);
    expect_location("loc(\"f.py\":7:1 to :9)", "", "f.py", 7);
    expect_location("loc(#loc1)", "", "a.py", 3);
    expect_location("loc(#loc2)", "outer", "a.py", 3);
    expect_location("loc(\"mine\"(#loc2))", "mine", "a.py", 3);
    expect_location("loc(callsite(\"f\"(\"f.py\":7:1) at #loc1))", "f", "f.py", 7);
    expect_location("loc(fused<\"m\">[\"g\"(#loc1), #loc2])", "g", "a.py", 3);
}

Test(mlir_text, broadcast_operations_of_chlo)
{
    static const char program[] = MAIN(
        "%c = stablehlo.constant dense<1.0> : tensor<f32>\n"
        "%0 = chlo.broadcast_add %x, %c : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>\n"
        "%r = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<2x1xf32>\n"
        "%1 = chlo.broadcast_compare %r, %x {comparison_direction = #chlo<comparison_direction "
        "LT>} : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xi1>\n"
        "%2 = chlo.broadcast_zeta %r, %x {broadcast_dimensions = array<i64: 0>} : "
        "(tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x1xf32>\n"
        "return %0 : tensor<2xf32>");
    struct text text = print("broadcast", program, sizeof program - 1);
    cr_assert_not_null(strstr(text.data, "comparison_direction LT"));
    cr_assert_null(strstr(text.data, "chlo."));
    text_free(&text);
    expect_error(MAIN("%0 = chlo.broadcast_add %x, %c : (tensor<2xf32>, tensor<f32>) -> f32"),
                 WRONG, "%c is used before");
    expect_error(MAIN("%c = stablehlo.constant dense<1.0> : tensor<3xf32>\n"
                      "%0 = chlo.broadcast_add %x, %c : (tensor<2xf32>, tensor<3xf32>) -> "
                      "tensor<3xf32>"),
                 WRONG, "3:6: chlo.broadcast_add: tensor<3xf32> cannot be broadcast");
    expect_error("func.func @main(%x: tensor<?xf32>) {\n"
                 "%0 = \"chlo.constant_like\"(%x) {value = 1.0 : f32} : (tensor<?xf32>) -> "
                 "tensor<?xf32>}",
                 MISSING,
                 "2:6: chlo.constant_like: has an operand or result of type tensor<?xf32>");
    expect_error("!q = !quant.uniform<i8:f32, 1.0>\nfunc.func @main(%x: tensor<2x!q>) {\n"
                 "%0 = chlo.broadcast_add %x, %x : (tensor<2x!q>, tensor<2x!q>) -> tensor<2x!q>}",
                 MISSING, "quantized types are unsupported");
}

/* Types have the layout, memory kind and sharding of arguments and results; values computed from an
 * argument do not inherit them. */
Test(mlir_text, boundary_types)
{
    static const char program[] =
        "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\", mhlo.memory_kind = "
        "\"pinned_host\", mhlo.sharding = \"{replicated}\"}, %y: tensor<2x3xf32> {mhlo.layout_mode "
        "= "
        "\"{1,0}\"}) -> (tensor<2x3xf32> {mhlo.memory_kind = \"pinned_host\"}) {\n"
        "%0 = stablehlo.negate %x : tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>}";
    struct module *module;
    struct error *error = mlir_text_read(arena, program, sizeof program - 1, &module);
    cr_assert_null(error);
    const struct func *main = module->entry;
    const struct type *x = main->body->arguments[0].type, *y = main->body->arguments[1].type;
    cr_assert_eq(x->shape.minor_to_major[0], 0);
    cr_assert_eq(x->shape.memory, MEMORY_PINNED_HOST);
    cr_assert(y->shape.minor_to_major && y->shape.memory == MEMORY_DEVICE && !y->sharding,
              "row-major, because the client asks for it");
    cr_assert_eq(main->result_types[0]->shape.memory, MEMORY_PINNED_HOST);
    const struct type *negated = main->body->first->results[0].type;
    cr_assert(!negated->shape.minor_to_major && negated->shape.memory == MEMORY_DEVICE);
    cr_assert(type_equal(type_plain(arena, x), y));
    expect_error("func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,0}\"}) {return}",
                 WRONG, "it must list each dimension of tensor<2x3xf32> once");
}

static void reads_layout(const char *mode, const char *expected)
{
    char program[200];
    struct module *module;
    struct text text = {0};
    int size = snprintf(
        program, sizeof program,
        "func.func @main(%%x: tensor<2x3xbf16> {mhlo.layout_mode = \"%s\"}) {return}", mode);
    struct error *error = mlir_text_read(arena, program, (size_t)size, &module);
    cr_assert_null(error, "%s: %s", mode, error ? error_message(error, NULL) : "");
    shape_print_layout(&module->entry->body->arguments[0].type->shape, &text);
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
}

Test(mlir_text, layouts_with_tiles)
{
    reads_layout("{0,1:T(8,128)(2,1)}", "{0,1:T(8,128)(2,1)}");
    reads_layout("{1,0:T(1024)E(4)}", "{1,0:T(1024)}");
    static const char *const wrong[] = {
        "{0,1:T(8,128}", "{0,1:T(8,)}",    "{0,1:T()}",   "{0,1:T(8)(8)(8)(8)(8)}",
        "{0,1:S(5)}",    "{0,1:T(8,128)E", "{0,1:T(8)}}", "{0,1",
        "0,1}",          "{0,1:E(}",       "{0;1}",       "{0,1:T(8)E()}",
        "{0,1}{0,1}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char program[200];
        snprintf(program, sizeof program,
                 "func.func @main(%%x: tensor<2x3xf32> {mhlo.layout_mode = \"%s\"}) {return}",
                 wrong[i]);
        struct module *module;
        struct error *error = mlir_text_read(arena, program, strlen(program), &module);
        cr_assert_not_null(error, "%s", wrong[i]);
        cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED, "%s", wrong[i]);
        error_free(error);
    }
    expect_error(
        "func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1:T(0,8)}\"}) {return}",
        WRONG, "tile dimension 0 is 0");
}

Test(mlir_text, chlo)
{
    static const char program[] =
        MAIN("%0 = chlo.acosh %x : tensor<2xf32> -> tensor<2xf32>\n"
             "%1 = \"chlo.lgamma\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n"
             "%2:2 = chlo.top_k(%1, k = 1) : tensor<2xf32> -> (tensor<1xf32>, tensor<1xi32>)\n"
             "%3 = chlo.constant_like %1 {value = 2.0 : f32} : tensor<2xf32> -> tensor<2xf32>\n"
             "%4 = chlo.next_after %1, %3 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>\n"
             "return %4 : tensor<2xf32>");
    struct text text = print("chlo", program, sizeof program - 1);
    cr_assert_not_null(strstr(text.data, "\"stablehlo.sort\""));
    cr_assert_null(strstr(text.data, "chlo."));
    text_free(&text);
    expect_error(MAIN("%0 = chlo.acosh %x : tensor<2xf32> -> tensor<2xf64>"), WRONG,
                 "2:6: chlo.acosh: its declared result types do not match its operands");
    expect_error(MAIN("%0 = chlo.mulhi %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>"),
                 WRONG, "chlo.mulhi: operand 0 of mulhi is tensor<2xf32>");
    expect_error(MAIN("%0 = chlo.zeta %x : tensor<2xf32> -> tensor<2xf32>"), WRONG,
                 "zeta has 1 operands; it must have 2");
    expect_error(MAIN("%0 = chlo.ragged_dot %x : tensor<2xf32> -> tensor<2xf32>"), MISSING,
                 "2:6: chlo.ragged_dot is unsupported");
}

/* Nesting is bounded: nested brackets cannot overflow the stack. */
Test(mlir_text, depth_is_bounded)
{
    memset(bytes, '[', sizeof bytes);
    memcpy(bytes, "module attributes {a = ", 23);
    bytes[sizeof bytes - 1] = 0;
    expect_error((const char *)bytes, WRONG, "nested deeper");
}

/* Truncated and corrupted text: reading returns an error or a module, without leaks. */
Test(mlir_text, damage_is_survived)
{
    static const char signs[] = " (){}[]<>:,=%#@\"-0x";
    size_t size = fixture_load(TEXTS, "operations.mlir");
    int64_t live = alloc_live();
    for (size_t i = 0; i < size; i += 3) {
        for (int kind = 0; kind < 2; kind++) {
            struct arena *mine;
            struct module *module;
            char before = bytes[i];
            cr_assert_null(arena_create(&mine));
            if (kind)
                bytes[i] = signs[i / 3 % (sizeof signs - 1)];
            struct error *error = mlir_text_read(mine, bytes, kind ? size : i, &module);
            if (!error)
                error = arena_run(mine, fixture_verify, module);
            bytes[i] = before;
            error_free(error);
            arena_destroy(mine);
        }
    }
    cr_assert_eq(alloc_live(), live);
}

static struct error *read_once(struct arena *mine)
{
    struct module *module;
    return mlir_text_read(mine, annotated, sizeof annotated - 1, &module);
}

Test(mlir_text, no_memory)
{
    fixture_no_memory(read_once);
}

Test(mlir_text, errors_of_shardings)
{
    expect_error(SHARDY("%0 = sdy.reshard %x <@mesh, [{\"z\"}]> : tensor<8xf32>"), WRONG,
                 "the mesh @mesh has no axis \"z\"");
    expect_error(
        SHARDY("%0 = sdy.reshard %x <@mesh, [{\"x\"}], unreduced={\"x\"}> : tensor<8xf32>"), WRONG,
        "uses axis \"x\" twice");
    expect_error(SHARDY("%0 = sdy.reshard %x <@mesh, [{\"x\":(1)3}]> : tensor<8xf32>"), WRONG,
                 "must divide the axis' size 4");
    expect_error(SHARDY("%0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<"
                        "[<@mesh, [{}]>, <@mesh, [{}, {}]>]>} : tensor<8xf32>"),
                 WRONG, "sdy.sharding has 2 shardings for 1 results of negate");
    expect_error(SHARDY("%0 = stablehlo.negate %x {mhlo.sharding = \"{devices=[8,1]<=[8]}\"} : "
                        "tensor<8xf32>"),
                 WRONG, "a sharding of 2 dimensions is given for a tensor of 1");
    expect_error(SHARDY("%0 = stablehlo.negate %x {mhlo.sharding = 1 : i32} : tensor<8xf32>"),
                 WRONG, "must be a string");
    expect_error(SHARDY("%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{\"x\"}]>] "
                        "manual_axes={\"x\"} (%a: tensor<2xf32>) {\nsdy.return %a : "
                        "tensor<2xf32>\n} : (tensor<8xf32>) -> tensor<8xf32>"),
                 WRONG, "number 0 has none");
    expect_error(SHARDY("%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{\"x\"}]>] "
                        "out_shardings=[<@mesh, [{\"x\"}]>] manual_axes={\"q\"} (%a: "
                        "tensor<2xf32>) {\nsdy.return %a : tensor<2xf32>\n} : (tensor<8xf32>) -> "
                        "tensor<8xf32>"),
                 WRONG, "has no axis \"q\"");
    expect_error(SHARDY("sdy.sharding_group %x : tensor<8xf32>"), WRONG, "group_id");
}

#define WITH_RULE(rule)                                                                            \
    MAIN("%0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<" rule      \
         ">} : (tensor<2xf32>) -> tensor<2xf32>")

/* JAX's routines of linear algebra may have matrices without rows. */
Test(mlir_text, sharding_rules_of_empty_dimensions)
{
    static const char text[] =
        "func.func @main(%x: tensor<0x2xf32>) -> tensor<0xf32> {\n"
        "  %0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = "
        "#sdy.op_sharding_rule<([i, j])->([i]) {i=0, j=2}, custom>} : (tensor<0x2xf32>) -> "
        "tensor<0xf32>\n  return %0 : tensor<0xf32>\n}\n";
    struct text printed = print("empty", text, sizeof text - 1);
    cr_expect_not_null(strstr(printed.data, "{i=0, j=2}"), "%s", printed.data);
    text_free(&printed);
}

/* A client's rule must be one for the call. */
Test(mlir_text, wrong_sharding_rules)
{
    expect_error(WITH_RULE("([i])->([i]) {i=3}, custom"), WRONG, "3 elements together; it has 2");
    expect_error(WITH_RULE("([i, j])->([i]) {i=2, j=1}, custom"), WRONG, "has 1 dimensions");
    expect_error(WITH_RULE("([i], [i])->([i]) {i=2}, custom"), WRONG, "operands");
    expect_error(WITH_RULE("([i])->() {i=2}, custom"), WRONG, "results");
    expect_error(WITH_RULE("([i])->([i]) {}, custom"), WRONG, "refers to number 0");
    expect_error(WITH_RULE("([i])->([i]) {i=-1}, custom"), WRONG, "must not be negative");
    expect_error(WITH_RULE("([i])->([i]) {i=0}, custom"), WRONG, "0 elements together; it has 2");
    expect_error(WITH_RULE("([ii])->([i]) {i=2}, custom"), WRONG, "twice in one operand");
    expect_error(WITH_RULE("([i])->([j]) {i=2, j=2} reduction={i} permutation={i}, custom"), WRONG,
                 "two lists");
    expect_error(WITH_RULE("([h])->([i]) {i=2}, custom"), WRONG, "factors from i to z");
    expect_error(WITH_RULE("([z_0])->([i]) {i=2}, custom"), WRONG, "expected");
    expect_error(WITH_RULE("([i])->([i]) {i=2} speed={i}, custom"), WRONG, "expected");
    expect_error(WITH_RULE("([i])->([i]"), WRONG, "expected");
}
