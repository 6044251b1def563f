/* manual_axes_test.c: programs whose shardings inside of a manual computation use its axes, in each
 * spelling, and programs that may look like that. */
#include "compiler/passes/spmd/manual_axes.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/compile.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/passes/spmd/spmd_annotations.h"

static struct error *propagate(struct arena *arena, const char *text)
{
    struct module *module;
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    TRY(compile_source_read(arena, &source, &module));
    TRY(spmd_annotations_run(module, NULL));
    TRY(inline_run(module, NULL));
    return propagate_run(module, NULL);
}

/* `part` NULL: it is accepted. */
static void expect(const char *text, const char *part)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct error *error = propagate(arena, text);
    const char *message = error ? error_message(error, NULL) : "accepted";
    cr_expect_eq(!error, !part, "%s\n%s", message, text);
    if (error && part) {
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%s", message);
        cr_expect_not_null(strstr(message, part), "'%s' is not in '%s'", part, message);
    }
    error_free(error);
    arena_destroy(arena);
}

#define MODULE(body)                                                                               \
    "module @m attributes {mhlo.num_partitions = 8 : i32} {\nsdy.mesh @m = <[\"x\"=2, \"y\"=4]>\n" \
    "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n" body                             \
    "\nreturn %0 : tensor<8x8xf32>\n}\n}\n"
#define MANUAL(body)                                                                               \
    MODULE("%0 = sdy.manual_computation(%a) in_shardings=[<@m, [{\"x\"}, {}]>] out_shardings="     \
           "[<@m, [{\"x\"}, {}]>] manual_axes={\"x\"} (%b: tensor<4x8xf32>) {\n" body              \
           "\nsdy.return %r : tensor<4x8xf32>\n} : (tensor<8x8xf32>) -> tensor<8x8xf32>")
#define NESTED(in, axis, local)                                                                    \
    MANUAL("%r = sdy.manual_computation(%b) in_shardings=[<@m, [{}, {" in                          \
           "}]>] out_shardings=[<@m, [{}, {" in "}]>] manual_axes={" axis "} (%c: tensor<" local   \
           "xf32>) {\n%n = stablehlo.negate %c : tensor<" local                                    \
           "xf32>\nsdy.return %n : tensor<" local                                                  \
           "xf32>\n} : (tensor<4x8xf32>) -> tensor<4x8xf32>")

Test(manual_axes, are_refused_inside)
{
    static const char named[] = "uses the axis \"x\", which is manual here";
    expect(MANUAL("%r = sdy.sharding_constraint %b <@m, [{\"x\"}, {}]> : tensor<4x8xf32>"), named);
    expect(MANUAL("%r = sdy.sharding_constraint %b <@m, [{}, {\"y\", \"x\"}]> : tensor<4x8xf32>"),
           "at MLIR text:5:6: its sharding [{}, {\"y\", \"x\"}]");
    expect(MANUAL("%r = stablehlo.negate %b {sdy.sharding = "
                  "#sdy.sharding_per_value<[<@m, [{\"x\"}, {}]>]>} : tensor<4x8xf32>"),
           named);
    expect(NESTED("\"x\"", "\"x\"", "4x4"), named);
}

Test(manual_axes, other_axes_are_free)
{
    expect(MANUAL("%r = sdy.sharding_constraint %b <@m, [{\"y\"}, {}]> : tensor<4x8xf32>"), NULL);
    expect(NESTED("\"y\"", "\"y\"", "4x2"), NULL);
    expect(MODULE("%0 = sdy.sharding_constraint %a <@m, [{\"x\"}, {}]> : tensor<8x8xf32>"), NULL);
}

#define CALL(name, operand, sharding, from, to)                                                    \
    "stablehlo.custom_call @" name "(" operand ") {mhlo.sharding = \"" sharding                    \
    "\"} : (tensor<" from "xf32>) -> tensor<" to "xf32>\n"

Test(manual_axes, are_refused_in_the_spelling_of_gspmd)
{
    expect(
        MODULE("%p = " CALL("Sharding", "%a", "{devices=[8,1]<=[8]}", "8x8", "8x8") "%q = " CALL(
            "SPMDFullToShardShape", "%p", "{manual}", "8x8",
            "1x8") "%s = " CALL("Sharding", "%q", "{devices=[1,4,2]<=[8] last_tile_dim_replicate}",
                                "1x8", "1x8") "%0 = " CALL("SPMDShardToFullShape", "%s",
                                                           "{devices=[8,1]<=[8]}", "1x8", "8x8")),
        "which is manual here");
    expect(MODULE("%p = " CALL("Sharding", "%a", "{devices=[8,1]<=[8]}", "8x8", "8x8") "%q = " CALL(
               "SPMDFullToShardShape", "%p", "{manual}", "8x8",
               "1x8") "%s = " CALL("Sharding", "%q", "{manual}", "1x8",
                                   "1x8") "%0 = " CALL("SPMDShardToFullShape", "%s",
                                                       "{devices=[8,1]<=[8]}", "1x8", "8x8")),
           NULL);
}
