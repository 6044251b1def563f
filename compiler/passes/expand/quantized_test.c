#include "compiler/passes/expand/quantized.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/compile.h"

static struct error *read(struct arena *arena, const char *text, struct module **out)
{
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    return compile_source_read(arena, &source, out);
}

static int count(const struct module *module, enum op_code code)
{
    int found = 0;
    for (const struct op *op = module->entry->body->first; op; op = op->next)
        found += op->code == code;
    return found;
}

static void expect_error(const char *text, PJRT_Error_Code code, const char *part)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct module *module;
    struct error *error = read(arena, text, &module);
    cr_assert(error, "no error: %s", part);
    cr_expect_eq(error_code(error), code);
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
    arena_destroy(arena);
}

#define Q "!quant.uniform<i8<-100:127>:f32, 0.5:3>"

Test(quantized, values_become_what_is_stored)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct module *module;
    struct error *error = read(arena,
                               "func.func @main(%a: tensor<4x" Q ">) -> tensor<4x" Q "> {\n"
                               "  %b = stablehlo.reverse %a, dims = [0] : tensor<4x" Q ">\n"
                               "  %c = stablehlo.add %a, %b : tensor<4x" Q ">\n"
                               "  return %c : tensor<4x" Q ">\n}",
                               &module);
    cr_assert_null(error, "%s", error_message(error, NULL));
    const struct func *main_func = module->entry;
    cr_expect_eq(main_func->body->arguments[0].type->shape.dtype, DTYPE_S8);
    cr_expect_null(main_func->result_types[0]->quantization);
    cr_expect_eq(count(module, OP_reverse), 1);
    cr_expect_eq(count(module, OP_round_nearest_even), 1); /* the addition's result */
    cr_expect_eq(count(module, OP_subtract), 2);           /* zero points of its operands */
    for (const struct op *op = main_func->body->first; op; op = op->next)
        if (op->code == OP_add)
            cr_expect_eq(op->operands[0]->type->shape.dtype, DTYPE_F32);
    arena_destroy(arena);
}

Test(quantized, scales_along_an_axis)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct module *module;
    struct error *error =
        read(arena,
             "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
             "  %q = stablehlo.uniform_quantize %a : (tensor<2x3xf32>) -> "
             "tensor<2x3x!quant.uniform<u8:f32:1, {0.5:3, 0.25, 1.0e-1}>>\n"
             "  %b = stablehlo.uniform_dequantize %q : "
             "(tensor<2x3x!quant.uniform<u8:f32:1, {0.5:3, 0.25, 1.0e-1}>>) -> tensor<2x3xf32>\n"
             "  return %b : tensor<2x3xf32>\n}",
             &module);
    cr_assert_null(error, "%s", error_message(error, NULL));
    cr_expect_eq(count(module, OP_uniform_quantize), 0);
    cr_expect_eq(count(module, OP_uniform_dequantize), 0);
    cr_expect_eq(count(module, OP_divide), 1);
    arena_destroy(arena);
}

Test(quantized, what_does_not_fit_is_refused)
{
    expect_error(
        "func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) { return }",
        PJRT_Error_Code_INVALID_ARGUMENT, "quantization parameters");
    expect_error("func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.0>>) { return }",
                 PJRT_Error_Code_INVALID_ARGUMENT, "quantization parameters");
    expect_error("func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5:1>>) { return }",
                 PJRT_Error_Code_INVALID_ARGUMENT, "MLIR text:1:");
    expect_error("func.func @main(%a: tensor<2x!quant.uniform<f32:f32, 0.5>>) { return }",
                 PJRT_Error_Code_INVALID_ARGUMENT, "expected an integer type as storage type");
    expect_error("func.func @main(%a: tensor<2x" Q ">, %b: tensor<3x" Q ">) {\n"
                 "  %c = stablehlo.add %a, %b : tensor<2x" Q ">\n  return\n}",
                 PJRT_Error_Code_INVALID_ARGUMENT, "add");
}

Test(quantized, parameters_that_cannot_be)
{
#define BAD(parameters)                                                                            \
    expect_error("func.func @main(%a: tensor<4x!quant.uniform<" parameters ">>) {\n  return\n}",   \
                 PJRT_Error_Code_INVALID_ARGUMENT, "quantization parameters")
    BAD("i8:f32, 1.0:300");
    BAD("i8:f32, 1.0:-129");
    BAD("i8<-100:100>:f32, 1.0:101");
    BAD("i8:f16, 1.0e6:0");  /* infinite in f16 */
    BAD("i8:f16, 1.0e-9:0"); /* 0 in f16 */
    BAD("i8:f32, -1.0:0");
}
