#include "compiler/driver/compile_source.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/ir/ir.h"

#define FUNC(name) "func.func @" name "() { return }\n"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(compile_source, .init = begin, .fini = end);

static struct error *read(const char *text, const char *function, struct module **out)
{
    const struct compile_source source = {.format = "mlir",
                                          .format_size = 4,
                                          .bytes = text,
                                          .size = strlen(text),
                                          .function = function};
    return compile_source_read(arena, &source, out);
}

static void expect_entry(const char *text, const char *function, const char *entry)
{
    struct module *module;
    cr_assert_null(read(text, function, &module));
    cr_expect_str_eq(module->entry->name, entry);
}

static void refuse(const char *text, const char *function, const char *part)
{
    struct module *module;
    struct error *error = read(text, function, &module);
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(compile_source, the_entry_is_main_or_the_named_function)
{
    expect_entry(FUNC("main") FUNC("f"), NULL, "main");
    expect_entry(FUNC("main") FUNC("f"), "f", "f");
    expect_entry(FUNC("f"), "f", "f");
}

Test(compile_source, a_missing_function_is_named_with_those_that_exist)
{
    refuse(FUNC("f") FUNC("g"), NULL, "has no function @main; it has @f, @g.");
    refuse(FUNC("main"), "h", "has no function @h; it has @main.");
    refuse("module {}", NULL, "it has none.");
    refuse(FUNC("a") FUNC("b") FUNC("c") FUNC("d") FUNC("e") FUNC("f") FUNC("g") FUNC("h")
               FUNC("i"),
           NULL, "@h and 1 more");
}
