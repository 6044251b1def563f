#include "compiler/passes/dynamic/refine.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/frontend/argument_shapes.h"
#include "compiler/frontend/text/mlir_text.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(refine, .init = begin, .fini = end);

/* Refines a program for arguments of these types, at most `limit` operations inlined. */
static struct error *refine_at_most(const char *text, const char *types, int64_t limit,
                                    struct module **out)
{
    struct refine_arguments arguments;
    cr_assert_null(mlir_text_read(arena, text, strlen(text), out));
    cr_assert_null(argument_shapes_read(arena, types, &arguments.count, &arguments.types));
    TRY(refine_run(*out, &arguments, limit));
    return ir_verify(*out, true);
}

/* The refined program contains each part, up to an empty string. */
static void gives(const char *text, const char *types, const char *const *parts)
{
    struct module *module;
    struct text printed = {0};
    struct error *error = refine_at_most(text, types, 0, &module);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    ir_print(module, &printed);
    for (; **parts; parts++)
        cr_expect_not_null(strstr(printed.data, *parts), "no '%s' in\n%s", *parts, printed.data);
    cr_expect_null(strstr(printed.data, "?x"), "%s", printed.data);
    text_free(&printed);
}

static void refuses(const char *text, const char *types, PJRT_Error_Code code, const char *part)
{
    struct module *module;
    struct error *error = refine_at_most(text, types, 1000, &module);
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, ""})

Test(refine, types_follow_from_those_of_the_arguments)
{
    gives("func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x4xf32>) -> tensor<?x4xbf16> {\n"
          "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] :"
          " (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>\n"
          "  %1 = stablehlo.tanh %0 : tensor<?x4xf32>\n"
          "  %2 = stablehlo.convert %1 : (tensor<?x4xf32>) -> tensor<?x4xbf16>\n"
          "  return %2 : tensor<?x4xbf16>\n"
          "}\n",
          "3x7xf32,7x4xf32", PARTS("tensor<3x7xf32>", "-> (tensor<3x4xbf16>"));
}

#define SIZE "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
#define AS_SHAPE "  %s = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>\n"

Test(refine, arithmetic_on_sizes_is_evaluated)
{
    gives("func.func @main(%x: tensor<?xf32>) -> tensor<?x2xf32> {\n" SIZE
          "  %c = stablehlo.constant dense<2> : tensor<i32>\n"
          "  %m = stablehlo.divide %n, %c : tensor<i32>\n" AS_SHAPE
          "  %t = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>\n"
          "  %d = stablehlo.concatenate %s, %t, dim = 0 :"
          " (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
          "  %r = stablehlo.dynamic_reshape %x, %d :"
          " (tensor<?xf32>, tensor<2xi32>) -> tensor<?x2xf32>\n"
          "  return %r : tensor<?x2xf32>\n"
          "}\n",
          "10xf32", PARTS("stablehlo.reshape", "tensor<5x2xf32>"));
}

/* Each call has types of its own; sizes that a function gets as arguments are constants in it. */
Test(refine, calls_are_inlined)
{
    gives("func.func private @f(%m: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {\n" AS_SHAPE
          "  %p = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
          "  return %p : tensor<?xf32>\n"
          "}\n"
          "func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n" SIZE
          "  %c = stablehlo.constant dense<2> : tensor<i32>\n"
          "  %k = stablehlo.multiply %n, %c : tensor<i32>\n"
          "  %0 = call @f(%n, %x) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>\n"
          "  %1 = call @f(%k, %x) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>\n"
          "  return %0, %1 : tensor<?xf32>, tensor<?xf32>\n"
          "}\n",
          "3xf32", PARTS("tensor<3xf32>", "tensor<6xf32>"));
}

/* The body of a loop has the types of its operands, and sizes that the loop carries. */
Test(refine, loops_carry_sizes)
{
    gives("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n" SIZE
          "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
          "  %0:3 = stablehlo.while(%i = %z, %m = %n, %v = %x) :"
          " tensor<i32>, tensor<i32>, tensor<?xf32>\n"
          "  cond {\n"
          "    %t = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "    stablehlo.return %t : tensor<i1>\n"
          "  } do {\n" AS_SHAPE
          "    %p = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
          "    %a = stablehlo.add %v, %p : tensor<?xf32>\n"
          "    %o = stablehlo.constant dense<1> : tensor<i32>\n"
          "    %j = stablehlo.add %i, %o : tensor<i32>\n"
          "    stablehlo.return %j, %m, %a : tensor<i32>, tensor<i32>, tensor<?xf32>\n"
          "  }\n"
          "  return %0#2 : tensor<?xf32>\n"
          "}\n",
          "5xf32", PARTS("tensor<5xf32>"));
}

#define ASSERTION                                                                                  \
    "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n" SIZE                                 \
    "  %c = stablehlo.constant dense<4> : tensor<i32>\n"                                           \
    "  %t = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"             \
    "  stablehlo.custom_call @shape_assertion(%t, %n) {api_version = 2 : i32,"                     \
    " error_message = \"b is {0}, not {1}; it must be at least 4\", has_side_effect = true} :"     \
    " (tensor<i1>, tensor<i32>) -> ()\n"                                                           \
    "  return %x : tensor<?xf32>\n"                                                                \
    "}\n"

Test(refine, assertions_are_checked)
{
    gives(ASSERTION, "4xf32", PARTS("tensor<4xf32>"));
    refuses(ASSERTION, "3xf32", PJRT_Error_Code_INVALID_ARGUMENT,
            "b is 3, not {1}; it must be at least 4");
}

Test(refine, custom_calls_lose_their_shape_operands)
{
    gives("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n" SIZE
          "  %m = stablehlo.add %n, %n : tensor<i32>\n" AS_SHAPE
          "  %r = stablehlo.custom_call @mine(%x, %s)"
          " {indices_of_shape_operands = dense<[1]> : tensor<1xi64>} :"
          " (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>\n"
          "  return %r : tensor<?xf32>\n"
          "}\n",
          "4xf32", PARTS("(tensor<4xf32>) -> tensor<8xf32>"));
}

#define IDENTITY                                                                                   \
    "func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n  return %x : "                    \
    "tensor<?x2xf32>\n}\n"

Test(refine, arguments_that_contradict_the_program_are_refused)
{
    refuses(IDENTITY, "", PJRT_Error_Code_UNIMPLEMENTED, "its sizes are unknown");
    refuses(IDENTITY, "3x3xf32", PJRT_Error_Code_INVALID_ARGUMENT, "argument 0 of the function");
    refuses(IDENTITY, "3x2xf64", PJRT_Error_Code_INVALID_ARGUMENT, "argument 0 of the function");
    refuses(IDENTITY, "3x2xf32,s32", PJRT_Error_Code_INVALID_ARGUMENT, "has 2 types");
    refuses("func.func @main(%x: tensor<?xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {\n"
            "  %r = stablehlo.dynamic_reshape %x, %s :"
            " (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>\n"
            "  return %r : tensor<?xf32>\n}\n",
            "3xf32,1xs32", PJRT_Error_Code_UNIMPLEMENTED, "operand 1 has sizes or indices");
    refuses("func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
            "  %r = stablehlo.add %x, %y : tensor<?xf32>\n"
            "  return %r : tensor<?xf32>\n}\n",
            "3xf32,4xf32", PJRT_Error_Code_INVALID_ARGUMENT, "add");
}

Test(refine, recursion_is_refused)
{
    refuses("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
            "  %r = call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
            "  return %r : tensor<?xf32>\n}\n",
            "3xf32", PJRT_Error_Code_INVALID_ARGUMENT, "recursion");
}

/* n functions that each call the next one twice: 2^n calls. */
Test(refine, inlining_is_limited)
{
    struct text text = {0};
    enum { FUNCTIONS = 30 };
    for (int i = 0; i < FUNCTIONS; i++)
        text_add(&text,
                 "func.func %s @%s%d(%%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                 "  %%a = call @f%d(%%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
                 "  %%b = call @f%d(%%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
                 "  return %%b : tensor<?xf32>\n}\n",
                 i ? "private" : "public", "f", i, i + 1, i + 1);
    text_add(&text,
             "func.func private @f%d(%%x: tensor<?xf32>) -> tensor<?xf32> {\n"
             "  %%a = stablehlo.negate %%x : tensor<?xf32>\n"
             "  return %%a : tensor<?xf32>\n}\n"
             "func.func @main(%%x: tensor<?xf32>) -> tensor<?xf32> {\n"
             "  %%a = call @f0(%%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
             "  return %%a : tensor<?xf32>\n}\n",
             FUNCTIONS);
    refuses(text.data, "3xf32", PJRT_Error_Code_RESOURCE_EXHAUSTED, "more than 1000 operations");
    text_free(&text);
}

/* Each window has a copy of its function. */
Test(refine, copies_of_functions_are_limited)
{
    struct text text = {0};
    text_add(&text, "func.func private @f(%%a: tensor<f32>, %%b: tensor<f32>) -> tensor<f32> {\n"
                    "  %%0 = stablehlo.add %%a, %%b : tensor<f32>\n");
    for (int i = 1; i < 100; i++)
        text_add(&text, "  %%%d = stablehlo.add %%%d, %%b : tensor<f32>\n", i, i - 1);
    text_add(&text, "  return %%99 : tensor<f32>\n}\n"
                    "func.func @main(%%x0: tensor<?xf32>, %%z: tensor<f32>) -> tensor<?xf32> {\n"
                    "  %%c = stablehlo.constant dense<1> : tensor<1xi64>\n"
                    "  %%p = stablehlo.constant dense<0> : tensor<1x2xi64>\n");
    for (int i = 0; i < 20; i++)
        text_add(&text,
                 "  %%x%d = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%%x%d, %%z, %%c,"
                 " %%c, %%c, %%c, %%p) {called_computations = [@f]} : (tensor<?xf32>, tensor<f32>,"
                 " tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1x2xi64>) ->"
                 " tensor<?xf32>\n",
                 i + 1, i);
    text_add(&text, "  return %%x20 : tensor<?xf32>\n}\n");
    refuses(text.data, "3xf32,f32", PJRT_Error_Code_RESOURCE_EXHAUSTED, "1000 operations");
    text_free(&text);
}
