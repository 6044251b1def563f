/* mlir_text_cost_test.c: limits on the memory and time of reading MLIR text: programs of each kind
 * in two sizes, so large that a quadratic algorithm would time out.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/frontend/text/mlir_text.h"

struct cost {
    size_t size, used; /* bytes of the text and of the arena */
    PJRT_Error_Code code;
    char message[1024];
};

/* Reads the text, which is freed. */
static struct cost read_text(struct text *text)
{
    struct cost cost = {.size = text->size};
    struct arena *arena;
    struct module *module;
    cr_assert(!text->failed);
    cr_assert_null(arena_create(&arena));
    struct error *error = mlir_text_read(arena, text->data, text->size, &module);
    if (!error)
        error = ir_verify(module, true);
    cost.used = arena_used(arena);
    if (error) {
        cost.code = error_code(error);
        snprintf(cost.message, sizeof cost.message, "%s", error_message(error, NULL));
    }
    error_free(error);
    arena_destroy(arena);
    text_free(text);
    return cost;
}

static void begin(struct text *text)
{
    *text = (struct text){0};
    text_add(text, "func.func @main(%%x: tensor<3xf32>, %%c: tensor<f32>) -> tensor<f32> {\n");
}

static struct cost end(struct text *text)
{
    text_add(text, "return %%c : tensor<f32>\n}\n");
    return read_text(text);
}

/* ---- families of programs -------------------------------------------------------------------- */

static struct cost read_chain(int size)
{
    struct text text;
    begin(&text);
    text_add(&text, "%%0 = stablehlo.negate %%c : tensor<f32>\n");
    for (int i = 0; i < size; i++)
        text_add(&text, "%%%d = stablehlo.negate %%%d : tensor<f32>\n", i + 1, i);
    return end(&text);
}

/* Each operation has its own region. */
static struct cost read_reduces(int size)
{
    struct text text;
    begin(&text);
    for (int i = 0; i < size; i++)
        text_add(&text,
                 "%%%d = \"stablehlo.reduce\"(%%x, %%c) <{dimensions = array<i64: 0>}> ({\n"
                 "^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
                 "  %%s = stablehlo.add %%a, %%b : tensor<f32>\n"
                 "  stablehlo.return %%s : tensor<f32>\n"
                 "}) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>\n",
                 i);
    return end(&text);
}

static struct cost read_short_reduces(int size)
{
    struct text text;
    begin(&text);
    for (int i = 0; i < size; i++)
        text_add(&text,
                 "%%%d = stablehlo.reduce(%%x init: %%c) applies stablehlo.add across dimensions = "
                 "[0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>\n",
                 i);
    return end(&text);
}

/* Functions that are called before their definitions. */
static struct cost read_calls(int size)
{
    struct text text;
    begin(&text);
    for (int i = 0; i < size; i++)
        text_add(&text, "%%%d = call @f%d(%%c) : (tensor<f32>) -> tensor<f32>\n", i, i);
    text_add(&text, "return %%c : tensor<f32>\n}\n");
    for (int i = 0; i < size; i++)
        text_add(&text,
                 "func.func private @f%d(%%a: tensor<f32>) -> tensor<f32> {\n"
                 "return %%a : tensor<f32>\n}\n",
                 i);
    return read_text(&text);
}

/* Each operation has a location and an attribute, with distinct aliases. */
static struct cost read_aliases(int size)
{
    struct text text = {0};
    for (int i = 0; i < size; i++)
        text_add(&text, "#a%d = {n = %d : i64}\n!t%d = tensor<f32>\n", i, i, i);
    text_add(&text, "func.func @main(%%c: tensor<f32>) -> tensor<f32> {\n");
    for (int i = 0; i < size; i++)
        text_add(&text, "%%%d = stablehlo.negate %%c {some.thing = #a%d} : !t%d loc(#loc%d)\n", i,
                 i, i, i);
    text_add(&text, "return %%c : tensor<f32>\n}\n");
    for (int i = 0; i < size; i++)
        text_add(&text, "#loc%d = loc(\"f.py\":%d:1)\n", i, i);
    return read_text(&text);
}

/* One operation with many operands, and one with many results. */
static struct cost read_wide(int size)
{
    struct text text;
    begin(&text);
    text_add(&text, "%%w:%d = stablehlo.optimization_barrier ", size);
    for (int i = 0; i < size; i++)
        text_add(&text, "%s%%c", i ? ", " : "");
    text_add(&text, " : ");
    for (int i = 0; i < size; i++)
        text_add(&text, "%stensor<f32>", i ? ", " : "");
    text_add(&text, "\n");
    return end(&text);
}

static struct cost read_arguments(int size)
{
    struct text text = {0};
    text_add(&text, "func.func @main(%%c: tensor<f32>");
    for (int i = 0; i < size; i++)
        text_add(&text, ", %%a%d: tensor<f32> {mhlo.sharding = \"{replicated}\"}", i);
    text_add(&text, ") -> tensor<f32> {\n");
    return end(&text);
}

static struct cost read_dense(int size)
{
    struct text text;
    begin(&text);
    text_add(&text, "%%0 = stablehlo.constant dense<[");
    for (int i = 0; i < size; i++)
        text_add(&text, "%s%d", i ? "," : "", i);
    text_add(&text, "]> : tensor<%dxi32>\n", size);
    return end(&text);
}

/* A program in one line: computing positions must not scan the line from its start. */
static struct cost read_one_line(int size)
{
    struct text text;
    begin(&text);
    for (int i = 0; i < size; i++)
        text_add(&text, "%%%d = stablehlo.negate %%c : tensor<f32> ", i);
    return end(&text);
}

Test(mlir_text_cost, memory_grows_as_the_program)
{
    static const struct {
        const char *name;
        struct cost (*read)(int size);
    } families[] = {
        {"chain", read_chain},         {"reduces", read_reduces}, {"short", read_short_reduces},
        {"calls", read_calls},         {"aliases", read_aliases}, {"wide", read_wide},
        {"arguments", read_arguments}, {"dense", read_dense},     {"line", read_one_line},
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct cost one = families[i].read(10000), two = families[i].read(20000);
        cr_assert_eq(one.code + two.code, 0, "%s: %s", families[i].name, two.message);
        cr_expect_lt((double)two.used / (double)one.used, 2.3, "%s: %zu, then %zu bytes",
                     families[i].name, one.used, two.used);
        cr_expect_lt(two.used, 200 * two.size, "%s: %zu bytes of arena for %zu", families[i].name,
                     two.used, two.size);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* `depth` nested operations. */
static struct cost read_nested(int depth)
{
    struct text text = {0};
    text_add(&text, "func.func @main(%%c: tensor<f32>, %%p: tensor<i1>) -> tensor<f32> {\n");
    for (int i = 0; i < depth; i++)
        text_add(&text, "%%r%d = \"stablehlo.if\"(%%p) ({\n", i);
    for (int i = depth; i-- > 0;)
        text_add(&text,
                 "stablehlo.return %%c : tensor<f32>\n}, {\nstablehlo.return %%c : tensor<f32>\n"
                 "}) : (tensor<i1>) -> tensor<f32>\n");
    return end(&text);
}

static struct cost read_brackets(const char *head, const char *open, int depth)
{
    struct text text;
    begin(&text);
    text_add(&text, "%%0 = stablehlo.negate %%c {a.b = %s", head);
    for (int i = 0; i < depth; i++)
        text_add(&text, "%s", open);
    text_add(&text, "} : tensor<f32>\n");
    return end(&text);
}

Test(mlir_text_cost, nesting_is_bounded)
{
    cr_assert_eq(read_nested(150).code, 0);
    for (int depth = 300; depth <= 100000; depth *= 300) {
        struct cost cost = read_nested(depth);
        cr_assert_eq(cost.code, PJRT_Error_Code_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(cost.message, "nested deeper than"), "%s", cost.message);
        cr_assert_lt(cost.used, 8 * cost.size + (1 << 20));
    }
    static const char *const opens[] = {"[", "{a = ", "tuple<", "() -> (", "!stablehlo.future<"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        struct cost cost = read_brackets("", opens[i], 100000);
        cr_assert_eq(cost.code, PJRT_Error_Code_INVALID_ARGUMENT, "%s", opens[i]);
        cr_assert_not_null(strstr(cost.message, "nested deeper than"), "%s", cost.message);
    }
}

/* Each alias refers to the previous one twice. */
static struct cost read_doubling(const char *first, const char *format, const char *use)
{
    struct text text = {0};
    text_add(&text, "%s", first);
    for (int i = 1; i < 60; i++) {
        char line[100];
        snprintf(line, sizeof line, format, i, i - 1, i - 1);
        text_add(&text, "%s\n", line);
    }
    text_add(&text, "func.func @main(%%c: tensor<f32>) -> tensor<f32> {\n%s", use);
    return end(&text);
}

Test(mlir_text_cost, aliases_do_not_multiply)
{
    struct cost types = read_doubling("!t0 = tensor<f32>\n", "!t%d = tuple<!t%d, !t%d>", "");
    struct cost attrs = read_doubling("#a0 = 1 : i64\n", "#a%d = [#a%d, #a%d]", "");
    cr_assert_not_null(strstr(types.message, "aliases expand to more than"), "%s", types.message);
    cr_assert_not_null(strstr(attrs.message, "aliases expand to more than"), "%s", attrs.message);
    cr_assert_lt(types.used + attrs.used, 1 << 20);
}

/* Counts that do not match the elements that follow. */
Test(mlir_text_cost, counts_are_checked_before_they_size_anything)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"%0:2000000000 = stablehlo.negate %c : tensor<f32>",
         "has 1 results but names for 2000000000"},
        {"%0 = stablehlo.constant dense<[1]> : tensor<1099511627776xi8>", "fewer elements"},
        {"%0 = stablehlo.constant dense<\"0x0000\"> : tensor<1099511627776xi8>",
         "a constant has 2 bytes"},
        {"%0 = stablehlo.constant dense<1> : tensor<4294967296x4294967296xi8>",
         "must be a static tensor"},
        {"%0 = \"stablehlo.slice\"(%x) <{start_indices = dense<0> : tensor<1099511627776xi64>, "
         "limit_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<3xf32>) -> "
         "tensor<1xf32>",
         "a splat of"},
        {"%0 = stablehlo.negate %c {a.b = #sdy.mesh<[\"x\"=1048576], device_ids=[0]>} : "
         "tensor<f32>",
         "has 1 ids"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text;
        begin(&text);
        text_add(&text, "%s\n", cases[i].line);
        struct cost cost = end(&text);
        cr_expect_eq(cost.code, PJRT_Error_Code_INVALID_ARGUMENT, "%s", cases[i].line);
        cr_expect_not_null(strstr(cost.message, cases[i].words), "%s", cost.message);
        cr_expect_lt(cost.used, 1 << 17);
    }
}
