/* passes_fixture.h: test fixture for passes: builds a module with build.h, runs a pass, verifies
 * the module and compares its text. Each test program that includes it has its own copy. */
#ifndef GANTRY_COMPILER_PASSES_PASSES_FIXTURE_H
#define GANTRY_COMPILER_PASSES_PASSES_FIXTURE_H

#include "compiler/ir/infer.h"
#include "compiler/ir/ir_fixture.h"

struct target;
typedef struct error *fixture_pass(struct module *module, const struct target *target);

static struct builder fixture; /* at the end of main */

enum { FIXTURE_ARGUMENTS = 8 };

/* Creates a function with up to FIXTURE_ARGUMENTS arguments; the first function is the entry. */
static inline struct func *fixture_func(const char *name, int count, const char *const *arguments)
{
    const struct type *types[FIXTURE_ARGUMENTS];
    cr_assert_leq(count, FIXTURE_ARGUMENTS);
    struct func *func = ir_func(fixture_module, name);
    for (int i = 0; i < count; i++)
        types[i] = fixture_type(arguments[i]);
    func->body = ir_block(fixture_module, func, NULL, count, types);
    if (!fixture_module->entry)
        fixture_module->entry = func;
    fixture = (struct builder){fixture_module, func->body, NULL, NULL};
    return func;
}

#define MAIN(...)                                                                                  \
    fixture_func("main", (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),            \
                 (const char *[]){__VA_ARGS__})

static inline struct value *argument(int i)
{
    return &fixture.block->arguments[i];
}

static inline void fixture_return(int count, struct value *const *values)
{
    struct func *func = fixture.block->func;
    cr_assert_not_null(build_return(&fixture, count, values));
    func->result_count = count;
    func->result_types = ARENA_ARRAY(fixture_arena, const struct type *, (size_t)count);
    for (int i = 0; i < count; i++)
        func->result_types[i] = values[i]->type;
}
#define RETURN(...)                                                                                \
    fixture_return((int)(sizeof((struct value *[]){__VA_ARGS__}) / sizeof(void *)),                \
                   (struct value *[]){__VA_ARGS__})

/* Builds an operation with attributes and returns its first result. `type` may be NULL. */
#define MAKE(code, type, attributes, ...)                                                          \
    build_declared(&fixture, OP_##code,                                                            \
                   (int)(sizeof((struct value *[]){__VA_ARGS__}) / sizeof(void *)),                \
                   (struct value *[]){__VA_ARGS__}, type, &(union attrs)attributes)

static inline void fixture_run(fixture_pass *pass)
{
    struct error *error = ir_verify(fixture_module, true);
    cr_assert_null(error, "before: %s", error ? error_message(error, NULL) : "");
    error = pass(fixture_module, NULL);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    error = ir_verify(fixture_module, false);
    cr_assert_null(error, "after: %s", error ? error_message(error, NULL) : "");
}

static inline void fixture_fails(fixture_pass *pass, PJRT_Error_Code code, const char *part)
{
    struct error *error = pass(fixture_module, NULL);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

/* Checks that the bodies of all functions, without "stablehlo." and types, equal `expected`, which
 * has one line per operation. */
static inline void fixture_expect(const char *expected)
{
    struct text printed = {0};
    char got[8192], *to = got;
    ir_print(fixture_module, &printed);
    for (char *line = strtok(printed.data, "\n"); line; line = strtok(NULL, "\n")) {
        char *types = strstr(line, " : ("), *name = strstr(line, "stablehlo.");
        line += strspn(line, " ");
        if (!strncmp(line, "module", 6) || !strncmp(line, "func.func", 9) || !strcmp(line, "}"))
            continue;
        if (types)
            *types = 0;
        if (name && name < line + 20) {
            to += sprintf(to, "%.*s", (int)(name - line), line);
            line = name + strlen("stablehlo.");
        }
        to += sprintf(to, "%s\n", line);
    }
    text_free(&printed);
    cr_expect_str_eq(got, expected);
}

#endif
