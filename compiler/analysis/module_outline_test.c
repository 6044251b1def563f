#include "compiler/analysis/module_outline.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "compiler/driver/compile_source.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(module_outline, .init = begin, .fini = end);

/* Of a program with `type`, `operation` and constant. */
static struct module_outline outline_of(const char *type, const char *operation,
                                        const char *constant)
{
    char text[1024];
    struct module *module;
    struct module_outline outline;
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<%s>) -> tensor<%s> {\n"
             "  %%c = stablehlo.constant dense<%s> : tensor<%s> loc(\"/home/me/train.py\":12:0)\n"
             "  %%0 = stablehlo.%s %%x, %%c : tensor<%s>\n"
             "  return %%0 : tensor<%s>\n}\n",
             type, type, constant, type, operation, type, type);
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    cr_assert_null(compile_source_read(arena, &source, &module));
    module_outline(module, &outline);
    return outline;
}

Test(module_outline, equal_programs)
{
    struct module_outline a = outline_of("4xf32", "add", "2.0");
    struct module_outline b = outline_of("4xf32", "add", "2.0");
    cr_assert(a.operations == b.operations && a.constants == b.constants);
    cr_assert(module_outline_changed(&a, &b) == -1);
}

Test(module_outline, another_constant)
{
    struct module_outline a = outline_of("4xf32", "add", "2.0");
    struct module_outline b = outline_of("4xf32", "add", "3.0");
    cr_assert(a.operations == b.operations && a.constants != b.constants);
    cr_assert(module_outline_changed(&a, &b) == 0);
    cr_assert_str_eq(a.first[0].place, "train.py:12");
    cr_assert(strstr(a.first[0].value, "2") && strstr(b.first[0].value, "3"));
}

Test(module_outline, sizes_are_no_operations)
{
    struct module_outline a = outline_of("4xf32", "add", "2.0");
    cr_assert(a.operations == outline_of("5xf32", "add", "2.0").operations);
    cr_assert(a.operations != outline_of("4x1xf32", "add", "2.0").operations);
    cr_assert(a.operations != outline_of("4xf16", "add", "2.0").operations);
    cr_assert(a.operations != outline_of("4xf32", "multiply", "2.0").operations);
}

Test(module_outline, large_constants_are_not_printed)
{
    char numbers[2048] = "[0.0";
    for (int i = 1; i < 100; i++)
        snprintf(numbers + strlen(numbers), 16, ", %d.0", i);
    strcat(numbers, "]");
    char text[4096];
    struct module *module;
    struct module_outline outline;
    snprintf(text, sizeof text,
             "func.func @main() -> tensor<100xf32> {\n  %%c = stablehlo.constant dense<%s> : "
             "tensor<100xf32>\n  return %%c : tensor<100xf32>\n}\n",
             numbers);
    struct compile_source source = {
        .format = "mlir", .format_size = 4, .bytes = text, .size = strlen(text)};
    cr_assert_null(compile_source_read(arena, &source, &module));
    module_outline(module, &outline);
    cr_assert_str_eq(outline.first[0].value, "an array of 400 bytes");
}
