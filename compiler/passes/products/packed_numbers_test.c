#include "compiler/passes/products/packed_numbers.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/frontend/text/mlir_text.h"
#include "compiler/passes/products/element_function.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(packed_numbers, .init = begin, .fini = end);

/* The result of a program whose array %w is computed of %q: 6 bytes or words. */
static struct value *array_of(const char *type, const char *lines, const char *result,
                              struct module **module)
{
    const char *text = arena_format(arena,
                                    "func.func @main(%%q: tensor<6x%s>) -> %s {\n%s"
                                    "  return %%w : %s\n}\n",
                                    type, result, lines, result);
    cr_assert_null(mlir_text_read(arena, text, strlen(text), module));
    struct error *error = ir_verify(*module, true);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return (*module)->entry->body->last->operands[0];
}

static const struct op *find(const struct module *module, enum op_code code)
{
    for (const struct op *op = module->entry->body->first; op; op = op->next)
        if (op->code == code)
            return op;
    return NULL;
}

#define BYTES "tensor<6x2xui8>"
#define EACH(SHIFTS)                                                                               \
    "  %c = stablehlo.constant dense<" SHIFTS "> : tensor<2xui8>\n"                                \
    "  %s = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xui8>) -> " BYTES "\n"            \
    "  %b = stablehlo.broadcast_in_dim %q, dims = [0] : (tensor<6xui8>) -> " BYTES "\n"            \
    "  %h = stablehlo.shift_right_logical %b, %s : " BYTES "\n"                                    \
    "  %m = stablehlo.constant dense<15> : " BYTES "\n"                                            \
    "  %l = stablehlo.and %h, %m : " BYTES "\n"
#define WHOLE "  %w = stablehlo.convert %l : (" BYTES ") -> tensor<6x2xf32>\n"

/* The type that a bitcast gives the fields; DTYPE_INVALID: the array is not packed. */
static enum dtype packed_type(const char *type, const char *lines, const char *result)
{
    struct module *module;
    struct value *array = array_of(type, lines, result, &module),
                 *built = packed_numbers_build(module, array);
    if (!built)
        return DTYPE_INVALID;
    struct error *error = ir_verify(module, false);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    cr_expect(type_same(built->type, array->type));
    return find(module, OP_bitcast_convert)->results[0].type->shape.dtype;
}

Test(packed_numbers, fields_of_bytes_are_unsigned_or_signed)
{
    const char *const floats = "tensor<6x2xf32>";
    cr_expect_eq(packed_type("ui8", EACH("[0, 4]") WHOLE, floats), DTYPE_U4);
    cr_expect_eq(packed_type("ui8", EACH("[4, 0]") WHOLE, floats), DTYPE_U4);
    cr_expect_eq(packed_type("ui8",
                             EACH("[0, 4]") "  %e = stablehlo.constant dense<8> : " BYTES "\n"
                                            "  %x = stablehlo.xor %l, %e : " BYTES "\n"
                                            "  %f = stablehlo.convert %x : (" BYTES
                                            ") -> tensor<6x2xf32>\n"
                                            "  %g = stablehlo.constant dense<8.0> :"
                                            " tensor<6x2xf32>\n"
                                            "  %w = stablehlo.subtract %f, %g : tensor<6x2xf32>\n",
                             floats),
                 DTYPE_S4);
}

/* Bits that are used twice, or that are no field, and numbers of more bits are no packed ones. */
Test(packed_numbers, other_bits_are_none)
{
    const char *const floats = "tensor<6x2xf32>";
    cr_expect_eq(packed_type("ui8", EACH("[4, 4]") WHOLE, floats), DTYPE_INVALID);
    cr_expect_eq(packed_type("ui8", EACH("[0, 3]") WHOLE, floats), DTYPE_INVALID);
    cr_expect_eq(packed_type("ui8",
                             EACH("[0, 4]") "  %a = stablehlo.add %l, %h : " BYTES "\n"
                                            "  %w = stablehlo.convert %a : (" BYTES
                                            ") -> tensor<6x2xf32>\n",
                             floats),
                 DTYPE_INVALID);
}

/* An array of bytes that nothing unpacks, as a layer's part of all weights, is its own argument. */
Test(packed_numbers, bytes_that_are_computed_are_not_packed)
{
    cr_expect_eq(packed_type("i8",
                             "  %c = stablehlo.constant dense<1> : tensor<i32>\n"
                             "  %w = stablehlo.dynamic_slice %q, %c, sizes = [4] :"
                             " (tensor<6xi8>, tensor<i32>) -> tensor<4xi8>\n",
                             "tensor<4xi8>"),
                 DTYPE_INVALID);
}

/* Numbers that wrap around do not follow one another: they are in a table. */
Test(packed_numbers, numbers_that_wrap_around_are_in_a_table)
{
    struct module *module;
    struct value *array =
        array_of("ui8",
                 EACH("[0, 4]") "  %e = stablehlo.constant dense<3> : " BYTES "\n"
                                "  %x = stablehlo.subtract %l, %e : " BYTES "\n"
                                "  %w = stablehlo.convert %x : (" BYTES ") -> tensor<6x2xf32>\n",
                 "tensor<6x2xf32>", &module);
    cr_assert_not_null(packed_numbers_build(module, array));
    const struct op *look_up = find(module, OP_gather);
    cr_assert_not_null(look_up);
    const struct literal *table = look_up->operands[0]->def->attrs.constant.value;
    static const float first[] = {253, 254, 255, 0, 1};
    cr_assert_eq(type_elements(table->type), 16);
    cr_expect_arr_eq(literal_at(table, 0), first, sizeof first);
}

/* A function of elements: its ways, the bits that each depends on, and its values. */
Test(packed_numbers, ways_of_words)
{
    static const float numbers[] = {1, 127, -1, -128};
    struct module *module;
    struct element_result result;
    struct value *array = array_of(
        "i32",
        "  %c = stablehlo.constant dense<[0, 8, 16, 24]> : tensor<4xi32>\n"
        "  %s = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<4xi32>) -> tensor<6x4xi32>\n"
        "  %b = stablehlo.broadcast_in_dim %q, dims = [0] : (tensor<6xi32>) -> tensor<6x4xi32>\n"
        "  %h = stablehlo.shift_right_arithmetic %b, %s : tensor<6x4xi32>\n"
        "  %n = stablehlo.convert %h : (tensor<6x4xi32>) -> tensor<6x4xi8>\n"
        "  %w = stablehlo.convert %n : (tensor<6x4xi8>) -> tensor<6x4xf32>\n",
        "tensor<6x4xf32>", &module);
    const struct element_function *function = element_function_of(arena, array);
    cr_assert_not_null(function);
    cr_assert_eq(function->ways, 4);
    for (int way = 0; way < 4; way++) {
        cr_expect_eq(element_function_bits(function, way), UINT32_C(255) << 8 * way);
        cr_assert(element_function_evaluate(function, way, UINT32_C(0x80FF7F01), &result));
        float number;
        memcpy(&number, result.bytes, sizeof number);
        cr_expect_eq(number, numbers[way]);
    }
}
