/* ir_test.c: the graph, its printer and its verifier, with modules built with build.h. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/ir/build.h"
#include "compiler/ir/infer.h"

static struct arena *arena;
static struct module *module;
static struct builder b;
static const int64_t dims_4x8[] = {4, 8};

/* @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>), without a return. */
static void begin(void)
{
    cr_assert_null(arena_create(&arena));
    module = ir_module(arena, "test");
    struct func *func = module->entry = ir_func(module, "main");
    const struct type *type = type_tensor(arena, DTYPE_F32, 2, dims_4x8);
    func->body = ir_block(module, func, NULL, 2, (const struct type *[]){type, type});
    func->is_public = true;
    b = (struct builder){module, func->body, NULL, NULL};
}

static void finish(struct value *result)
{
    struct func *func = module->entry;
    build_return(&b, 1, &result);
    func->result_count = 1;
    func->result_types = ARENA_ARRAY(arena, const struct type *, 1);
    func->result_types[0] = result->type;
}

static struct value *argument(int i)
{
    return &module->entry->body->arguments[i];
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(ir, .init = begin, .fini = end);

static void expect_valid(void)
{
    struct error *error = ir_verify(module, false);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
}

static void expect_print(const char *expected)
{
    struct text text = {0};
    ir_print(module, &text);
    cr_assert_str_eq(text.data, expected);
    text_free(&text);
}

Test(ir, names_are_sorted_and_found)
{
    for (int code = 1; code < OP_CODE_COUNT; code++) {
        const char *name = op_info((enum op_code)code)->name;
        cr_expect_eq(op_code_from_name(name, strlen(name)), (enum op_code)code, "%s", name);
    }
    cr_expect_eq(op_code_from_name("ad", 2), OP_INVALID_CODE);
    cr_expect_eq(op_code_from_name("adds", 4), OP_INVALID_CODE);
    cr_expect_eq(op_code_from_name("", 0), OP_INVALID_CODE);
}

Test(ir, fields_lie_in_the_union)
{
    const struct op_info *info = op_info(OP_dot_general);
    cr_expect_eq(info->field_count, 12);
    cr_expect_str_eq(info->fields[4].name, "precision_config");
    cr_expect_eq(info->fields[4].offset, offsetof(union attrs, dot.precision_config));
}

Test(ir, prints_and_verifies)
{
    struct value *sum = build_binary(&b, OP_add, argument(0), argument(1));
    struct value *zero = build_scalar(&b, DTYPE_F32, 0);
    struct value *total = build_reduce(&b, sum, zero, OP_add, 1, (int64_t[]){1});
    finish(total);
    expect_valid();
    expect_print(
        "module @test attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
        "  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> "
        "(tensor<4xf32>) {\n"
        "    %0 = \"stablehlo.add\"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> "
        "tensor<4x8xf32>\n"
        "    %1 = \"stablehlo.constant\"() {value = dense<0.000000e+00> : tensor<f32>} : () -> "
        "tensor<f32>\n"
        "    %2 = \"stablehlo.reduce\"(%0, %1) ({\n"
        "    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):\n"
        "      %3 = \"stablehlo.add\"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
        "      \"stablehlo.return\"(%3) : (tensor<f32>) -> ()\n"
        "    }) {dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>\n"
        "    \"func.return\"(%2) : (tensor<4xf32>) -> ()\n"
        "  }\n"
        "}\n");
}

Test(ir, uses_follow_every_change)
{
    struct value *sum = build_binary(&b, OP_add, argument(0), argument(0));
    struct value *twice = build_binary(&b, OP_multiply, sum, sum);
    cr_expect_eq(ir_use_count(argument(0)), 2);
    cr_expect_eq(ir_use_count(sum), 2);
    ir_set_operand(module, twice->def, 1, argument(1));
    cr_expect(ir_has_one_use(sum));
    ir_replace_uses(module, sum, argument(1));
    cr_expect_null(sum->uses);
    cr_expect_eq(ir_use_count(argument(1)), 2);
    ir_remove(sum->def);
    cr_expect_null(argument(0)->uses);
    finish(twice);
    expect_valid();
}

Test(ir, clones_deeply_and_inlines)
{
    struct value *zero = build_scalar(&b, DTYPE_F32, 0);
    struct value *first = build_reduce(&b, argument(0), zero, OP_add, 2, (int64_t[]){0, 1});
    struct map *values = map_create(arena);
    map_put_pointer(values, argument(0), argument(1));
    struct op *copy = ir_clone(module, first->def, values);
    ir_insert_after(first->def, copy);
    cr_expect_eq(copy->operands[0], argument(1));
    cr_expect_eq(copy->regions[0]->first->operands[0], &copy->regions[0]->arguments[0]);
    cr_expect_eq(copy->regions[0]->func, module->entry);
    struct value *result;
    finish(first);
    struct op *ret = module->entry->body->last;
    struct value *inlined[] = {first, &copy->results[0]};
    cr_assert_null(ir_inline_block(module, copy->regions[0], 2, inlined, ret, 1, &result));
    ir_set_operand(module, module->entry->body->last, 0, result);
    expect_valid();
    cr_expect_eq(result->def->code, OP_add);
    cr_expect(ir_is_inside(&copy->regions[0]->arguments[0], module->entry->body));
    cr_expect_not(ir_is_inside(result, copy->regions[0]));
}

Test(ir, verifier_finds_use_before_definition)
{
    struct value *sum = build_binary(&b, OP_add, argument(0), argument(1));
    struct value *negative = build_unary(&b, OP_negate, sum);
    finish(negative);
    ir_move_before(sum->def, negative->def);
    struct error *error = ir_verify(module, true);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(
        strstr(error_message(error, NULL), "negate: operand 0 is used before its definition"));
    error_free(error);
}

Test(ir, verifier_blames_the_compiler_for_its_own)
{
    struct value *sum = build_binary(&b, OP_add, argument(0), argument(1));
    finish(sum);
    sum->type = type_scalar(arena, DTYPE_F64);
    struct error *error = ir_verify(module, false);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INTERNAL);
    error_free(error);
}

Test(ir, where_names_operation_and_location)
{
    const struct location at = {"jit(f)/add", "model.py", 12, 3};
    b.location = &at;
    struct value *sum = build_binary(&b, OP_add, argument(0), argument(1));
    cr_expect_str_eq(ir_where(arena, sum->def), "add at jit(f)/add (model.py:12:3)");
}

Test(ir, literals_print_shortest_exact)
{
    struct text text = {0};
    float values[] = {0.1f, -0.0f, 1.5f, __builtin_nanf(""), 16777217.0f};
    int64_t five = 5;
    literal_print(literal_dense(arena, type_tensor(arena, DTYPE_F32, 1, &five), values), &text);
    cr_expect_str_eq(
        text.data,
        "dense<[1.000000e-01, -0.000000e+00, 1.500000e+00, 0x7FC00000, 1.67772160e+07]>");
    text_free(&text);
    const struct literal *splat =
        literal_from_double(arena, type_tensor(arena, DTYPE_F32, 1, &five), -0.0);
    cr_expect(literal_is_splat_of(splat, -0.0));
    cr_expect_not(literal_is_splat_of(splat, 0.0));
}

Test(ir, inlining_checks_the_counts_of_arguments_and_results)
{
    struct value *sum = build_binary(&b, OP_add, argument(0), argument(1));
    finish(sum);
    struct block *body = module->entry->body;
    struct value *arguments[] = {argument(0), argument(1)}, *result = sum;
    static const int wrong[][2] = {{2, 0}, {2, 2}, {1, 1}, {3, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error *error =
            ir_inline_block(module, body, wrong[i][0], arguments, body->last, wrong[i][1], &result);
        cr_assert_not_null(error);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INTERNAL);
        error_free(error);
        cr_expect_eq(result, sum);
    }
    expect_valid();
}

Test(ir, elementwise_operations_have_one_result_and_few_operands)
{
    for (int code = 0; code < OP_CODE_COUNT; code++) {
        const struct op_info *info = op_info((enum op_code)code);
        if (!(info->traits & OP_ELEMENTWISE))
            continue;
        cr_expect_eq(info->result_count, 1, "%s", info->name);
        cr_expect(info->operand_count >= 1 && info->operand_count <= IR_ELEMENTWISE_OPERANDS, "%s",
                  info->name);
    }
}

Test(ir, one_user_may_use_a_value_twice)
{
    struct value *value = build_scalar(&b, DTYPE_F32, 1);
    cr_expect_not(ir_has_one_user(value));
    build_binary(&b, OP_add, value, value);
    cr_expect(ir_has_one_user(value));
    cr_expect_not(ir_has_one_use(value));
    build_unary(&b, OP_negate, value);
    cr_expect_not(ir_has_one_user(value));
}

Test(ir, sizes_along_dimensions_and_strides)
{
    int64_t sizes[] = {3, INT64_MAX / 2, 5}, two[] = {2, 0}, three[] = {0, 1, 2}, strides[3];
    const struct type *type = type_tensor(arena, DTYPE_F32, 3, sizes);
    cr_assert_eq(dims_elements(type, (struct dims){0}), 1);
    cr_assert_eq(dims_elements(type, (struct dims){2, two}), 15);
    cr_assert_eq(dims_elements(type, (struct dims){3, three}), INT64_MAX);
    sizes[1] = 4;
    type_strides(type_tensor(arena, DTYPE_F32, 3, sizes), strides);
    cr_assert_arr_eq(strides, ((int64_t[]){20, 5, 1}), sizeof strides);
}
