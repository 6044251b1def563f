/* mlir_text_mesh_test.c: replica groups along axes of a mesh in text: their devices, and errors. */
#include "compiler/frontend/text/mlir_text_mesh.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/mlir/mlir_groups.h"
#include "compiler/frontend/text/mlir_text.h"

#define FIXTURE_TESTS
#include "compiler/frontend_fixture.h"

TestSuite(mlir_text_mesh, .init = begin, .fini = end);

static struct error *read_groups(const char *groups, struct module **out)
{
    const char *program =
        arena_format(arena,
                     "sdy.mesh @m = <[\"x\"=4, \"y\"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n"
                     "func.func @main(%%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                     "  %%0 = \"stablehlo.collective_broadcast\"(%%a) <{replica_groups = "
                     "#stablehlo.replica_group_mesh_axes<%s>}> : (tensor<8xf32>) -> tensor<8xf32>\n"
                     "  return %%0 : tensor<8xf32>\n}\n",
                     groups);
    return mlir_text_read(arena, program, strlen(program), out);
}

static void expect_groups(const char *groups, const char *expected)
{
    struct module *module;
    struct text text = {0};
    struct error *error = read_groups(groups, &module);
    cr_assert_null(error, "%s: %s", groups, error ? error_message(error, NULL) : "");
    ir_print(module, &text);
    cr_expect(strstr(text.data, expected), "%s is not in %s", expected, text.data);
    text_free(&text);
}

static void expect_error(const char *groups, const char *words)
{
    struct module *module;
    struct error *error = read_groups(groups, &module);
    cr_assert_not_null(error, "accepted: %s", groups);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "%s is not in %s", words,
              error_message(error, NULL));
    error_free(error);
}

#define INLINE_MESH                                                                                \
    "mesh = #stablehlo.mesh<axes=[<name = \"x\", size = 4>, #stablehlo.mesh_axis<size = 2, name "  \
    "= \"y\">], device_ids=dense<[0, 2, 1, 3, 4, 6, 5, 7]> : tensor<8xi64>>"

Test(mlir_text_mesh, groups)
{
    expect_groups("mesh = @m, axes = [#stablehlo.axis_ref<name = \"y\">]",
                  "dense<[[7, 6], [5, 4], [3, 2], [1, 0]]>");
    expect_groups("axes = [#stablehlo.axis_ref<sub_axis_info = (2)2, name = \"x\">], mesh = @m",
                  "dense<[[7, 5], [6, 4], [3, 1], [2, 0]]>");
    expect_groups("mesh = @m, axes = []", "dense<[[7], [6], [5], [4], [3], [2], [1], [0]]>");
    expect_groups(INLINE_MESH ", axes = [#stablehlo.axis_ref<name = \"x\">]",
                  "dense<[[0, 1, 4, 5], [2, 3, 6, 7]]>");
}

Test(mlir_text_mesh, errors)
{
    expect_error("mesh = @unknown, axes = []", "unknown mesh @unknown");
    expect_error("mesh = 3, axes = []", "a mesh or its name is expected");
    expect_error("mesh = @m", "has no field axes");
    expect_error("mesh = @m, axes = [\"x\"]", "a string in a list of axes of a mesh");
    expect_error("mesh = @m, axes = 1", "expected a list of axes");
    expect_error("mesh = @m, axes = [#stablehlo.axis_ref<name = \"z\">]", "has no axis \"z\"");
    expect_error("mesh = @m, axes = [#stablehlo.axis_ref<size = 2>]", "has no field name");
    expect_error("mesh = @m, axes = [#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)3>]",
                 "(1)3 of axis \"x\"");
    expect_error("mesh = #stablehlo.mesh<axes=[]>, axes = [#stablehlo.axis_ref<name = \"x\">]",
                 "has no axis \"x\"");
    expect_error("mesh = #stablehlo.mesh<axes=[<name = \"x\", size = 1099511627776>]>, axes = []",
                 "size 1099511627776");
    expect_error("mesh = #stablehlo.mesh<axes=[<name = \"x\", size = 2>], device_ids=dense<0> : "
                 "tensor<3xi64>>, axes = []",
                 "2 devices has 3 ids");
}

/* A short program that names groups of 2^20 devices over and over. */
Test(mlir_text_mesh, work_is_bounded)
{
    enum { COUNT = 64 };
    struct module *module;
    struct text text = {0};
    text_add(&text, "sdy.mesh @m = <[\"x\"=1048576]>\nfunc.func @main(%%a: tensor<8xf32>) {\n");
    for (int i = 0; i < COUNT; i++)
        text_add(&text,
                 "%%%d = \"stablehlo.collective_broadcast\"(%%a) <{replica_groups = "
                 "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = []>}> : (tensor<8xf32>) -> "
                 "tensor<8xf32>\n",
                 i);
    text_add(&text, "return\n}\n");
    struct error *error = mlir_text_read(arena, text.data, text.size, &module);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED, "%s",
                 error_message(error, NULL));
    error_free(error);
    text_free(&text);
}
