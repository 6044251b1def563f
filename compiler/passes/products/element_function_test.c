/* Functions of elements: which arrays are one, their ways, the bits that each depends on, and its
 * values. */
#include "compiler/passes/products/element_function.h"

#include <criterion/criterion.h>
#include <string.h>

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

TestSuite(element_function, .init = begin, .fini = end);

/* The function of %w, which `lines` compute of %q and %t: 6 numbers of a type, 4 floats. */
static struct element_function *function_of(const char *type, const char *lines, const char *result)
{
    struct module *module;
    const char *text = arena_format(
        arena,
        "func.func @main(%%q: tensor<6x%s>, %%t: tensor<4xf32>) -> %s {\n%s  return %%w : %s\n}\n",
        type, result, lines, result);
    cr_assert_null(mlir_text_read(arena, text, strlen(text), &module));
    struct error *error = ir_verify(module, true);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return element_function_of(arena, module->entry->body->last->operands[0]);
}

static uint8_t byte_of(const struct element_function *function, int way, uint32_t bits)
{
    struct element_result result;
    cr_assert(element_function_evaluate(function, way, bits, &result));
    cr_assert_null(result.table);
    return result.bytes[0];
}

#define BYTES "tensor<6xui8>"
#define PAIRS "tensor<6x2xui8>"
#define CONSTANT(name, number) "  %" name " = stablehlo.constant dense<" number "> : " BYTES "\n"
#define BINARY(name, op, a, b) "  %" name " = stablehlo." op " %" a ", %" b " : " BYTES "\n"

/* One operation of %q and a constant: the bits that the result depends on, and a value of it. */
static const struct {
    const char *op, *number;
    uint32_t bits, argument;
    uint8_t result;
} operations[] = {{"and", "24", 0x18, 0xff, 24},
                  {"or", "24", 0xe7, 0, 24},
                  {"xor", "24", 0xff, 1, 25},
                  {"shift_left", "3", 0x1f, 0xff, 0xf8},
                  {"shift_right_logical", "3", 0xf8, 0xff, 0x1f},
                  {"shift_right_arithmetic", "6", 0xc0, 0x80, 0xfe},
                  {"shift_left", "8", 0, 0xff, 0},
                  {"divide", "16", 0xf0, 0xff, 15},
                  {"divide", "10", 0xff, 99, 9},
                  {"remainder", "16", 0x0f, 0x2b, 0x0b},
                  {"remainder", "10", 0xff, 99, 9},
                  {"add", "1", 0xff, 0xff, 0}};

Test(element_function, bits_of_operations)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const char *lines = arena_format(arena,
                                         "  %%c = stablehlo.constant dense<%s> : " BYTES "\n"
                                         "  %%w = stablehlo.%s %%q, %%c : " BYTES "\n",
                                         operations[i].number, operations[i].op);
        const struct element_function *function = function_of("ui8", lines, BYTES);
        cr_assert_not_null(function, "%s", operations[i].op);
        cr_expect_eq(function->ways, 1);
        cr_expect_eq(element_function_bits(function, 0), operations[i].bits, "%s %s",
                     operations[i].op, operations[i].number);
        cr_expect_eq(byte_of(function, 0, operations[i].argument), operations[i].result, "%s %s",
                     operations[i].op, operations[i].number);
    }
}

/* The operands of a concatenation are ways, whichever of them is evaluated. */
Test(element_function, ways_of_a_concatenation)
{
    const struct element_function *function =
        function_of("ui8",
                    CONSTANT("m", "15") CONSTANT("f", "4") BINARY("l", "and", "q", "m")
                        BINARY("h", "shift_right_logical", "q",
                               "f") "  %a = stablehlo.reshape %l : (" BYTES ") -> tensor<6x1xui8>\n"
                                    "  %b = stablehlo.reshape %h : (" BYTES ") -> tensor<6x1xui8>\n"
                                    "  %w = stablehlo.concatenate %a, %b, dim = 1 : "
                                    "(tensor<6x1xui8>, tensor<6x1xui8>) -> " PAIRS "\n",
                    PAIRS);
    cr_assert_not_null(function);
    cr_assert_eq(function->ways, 2);
    cr_expect_eq(element_function_bits(function, 0), 0x0f);
    cr_expect_eq(element_function_bits(function, 1), 0xf0);
    cr_expect_eq(byte_of(function, 0, 0xa5), 5);
    cr_expect_eq(byte_of(function, 1, 0xa5), 10);
}

#define LOOK_UP                                                                                    \
    "  %i = stablehlo.reshape %q : (tensor<6xi32>) -> tensor<6x1xi32>\n"                           \
    "  %w = \"stablehlo.gather\"(%t, %i) <{dimension_numbers = #stablehlo.gather<"                 \
    "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "                   \
    "slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<6x1xi32>) -> tensor<6xf32>\n"

/* Of a table that is an argument, the entry is the result; indices stay inside. */
Test(element_function, entries_of_tables)
{
    const struct element_function *function = function_of("i32", LOOK_UP, "tensor<6xf32>");
    static const struct {
        uint32_t bits;
        int64_t entry;
    } entries[] = {{0, 0}, {3, 3}, {4, 3}, {UINT32_MAX, 0}};
    cr_assert_not_null(function);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct element_result result;
        cr_assert(element_function_evaluate(function, 0, entries[i].bits, &result));
        cr_assert_not_null(result.table);
        cr_expect_eq(result.entry, entries[i].entry);
    }
}

/* Two arguments, elements that are moved against each other, and more ways than are looked at. */
Test(element_function, others_are_none)
{
    cr_expect_null(function_of(
        "ui8", "  %r = stablehlo.reverse %q, dims = [0] : " BYTES "\n" BINARY("w", "add", "q", "r"),
        BYTES));
    cr_expect_null(
        function_of("f32", "  %w = stablehlo.negate %q : tensor<6xf32>\n", "tensor<6xf32>"));
    cr_expect_null(function_of(
        "ui8",
        "  %c = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8]> : tensor<9xui8>\n"
        "  %a = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<9xui8>) -> tensor<6x9xui8>\n"
        "  %b = stablehlo.broadcast_in_dim %q, dims = [0] : (" BYTES ") -> tensor<6x9xui8>\n"
        "  %w = stablehlo.shift_right_logical %b, %a : tensor<6x9xui8>\n",
        "tensor<6x9xui8>"));
}
