#include "compiler/ir/build.h"

#include <criterion/criterion.h>
#include <string.h>

static struct arena *arena;
static struct module *module;
static struct builder b;

static void begin(void)
{
    static const int64_t dims[] = {2, 3};
    cr_assert_null(arena_create(&arena));
    module = ir_module(arena, "test");
    module->entry = ir_func(module, "main");
    const struct type *type = type_tensor(arena, DTYPE_F32, 2, dims);
    module->entry->body = ir_block(module, module->entry, NULL, 1, &type);
    b = (struct builder){module, module->entry->body, NULL, NULL};
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(build, .init = begin, .fini = end);

static struct value *argument(void)
{
    return &module->entry->body->arguments[0];
}

/* A slice that type inference rejects. */
static struct value *ill_typed(void)
{
    return build_slice(&b, argument(), (int64_t[]){0, 2}, (int64_t[]){2, 7}, NULL);
}

static void expect_slice_error(struct error *error)
{
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), "slice"), "%s", error_message(error, NULL));
    error_free(error);
}

Test(build, well_typed_values_are_no_poison)
{
    struct value *sum = build_binary(&b, OP_add, argument(), argument());
    cr_expect_not(build_is_poison(sum));
    cr_expect_null(build_check(module, sum));
}

Test(build, a_conversion_to_the_same_type_is_none)
{
    cr_expect_eq(build_convert(&b, argument(), DTYPE_F32), argument());
    cr_expect_null(module->entry->body->first);
}

Test(build, an_ill_typed_operation_gives_poison_and_its_error)
{
    struct value *slice = ill_typed();
    cr_assert_not_null(slice);
    cr_expect(build_is_poison(slice));
    expect_slice_error(build_check(module, slice));
}

/* Every constructor accepts poison and may read its type, as a pass would. */
Test(build, what_is_built_of_poison_is_poison_and_reports_the_first_error)
{
    struct value *bad = ill_typed();
    const struct type *type = bad->type;
    int64_t last = type->shape.dims[type->shape.rank - 1], some[] = {0, 1};
    cr_expect_eq(last, 1);
    struct value *zero = build_scalar(&b, DTYPE_F32, 0);
    struct value *made[] = {
        build_unary(&b, OP_negate, bad),
        build_binary(&b, OP_add, argument(), bad),
        build_compare(&b, COMPARE_LT, bad, argument()),
        build_select(&b, bad, argument(), argument()),
        build_convert(&b, bad, DTYPE_S32),
        build_broadcast(&b, bad, argument()->type, 2, some),
        build_reshape(&b, bad, 2, some),
        build_transpose(&b, bad, some),
        build_slice(&b, bad, some, some, some),
        build_dynamic_slice(&b, bad, &zero, some),
        build_update(&b, bad, argument(), &zero),
        build_pad(&b, bad, NULL, some, some, some),
        build_concatenate(&b, 2, (struct value *[]){bad, argument()}, 0),
        build_reduce(&b, bad, zero, OP_add, 2, some),
        build_declared(&b, OP_exponential, 1, &bad, argument()->type, NULL),
        &build_op(&b, OP_exponential, 1, &bad, 1, NULL)->results[0],
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        cr_expect(build_is_poison(made[i]), "%zu", i);
        expect_slice_error(build_check(module, build_unary(&b, OP_negate, made[i])));
    }
}

Test(build, a_function_with_poison_does_not_verify)
{
    struct value *bad = build_unary(&b, OP_negate, ill_typed());
    build_return(&b, 1, &bad);
    module->entry->result_count = 1;
    module->entry->result_types = &(const struct type *){bad->type};
    expect_slice_error(ir_verify(module, true));
}
