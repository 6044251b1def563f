/* Budgets increase with the size of the program, do not overflow, and include regions. */
#include "compiler/driver/budget.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compiler/ir/build.h"

Test(budget, grows_with_the_source)
{
    struct budget small = budget_of(0), large = budget_of(1000000), largest = budget_of(SIZE_MAX);
    cr_expect(small.operations > 0 && small.operands > 0 && small.bytes > 0);
    cr_expect(large.operations > small.operations && large.operands > small.operands);
    cr_expect_gt(large.bytes, small.bytes);
    cr_expect(largest.operations == INT64_MAX && largest.operands == INT64_MAX);
    cr_expect_geq(largest.bytes, large.bytes);
}

static void expect_rejected(const struct module *module, struct budget budget, const char *what)
{
    struct error *error = budget_check(&budget, module);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_expect(strstr(error_message(error, NULL), what), "%s", error_message(error, NULL));
    error_free(error);
}

Test(budget, counts_operations_and_operands_of_regions)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    struct module *module = ir_module(arena, "m");
    struct func *func = ir_func(module, "main");
    int64_t dims[] = {4}, axis = 0;
    const struct type *type = type_tensor(arena, DTYPE_F32, 1, dims);
    func->body = ir_block(module, func, NULL, 1, &type);
    struct builder b = {module, func->body, NULL, NULL};
    struct value *init = build_scalar(&b, DTYPE_F32, 0);
    struct value *sum = build_reduce(&b, &func->body->arguments[0], init, OP_add, 1, &axis);
    build_return(&b, 1, &sum);
    /* constant, reduce (2), return (1); in the reduce's region: add (2), return (1) */
    struct budget budget = {.operations = 5, .operands = 6};
    cr_expect_null(budget_check(&budget, module));
    expect_rejected(module, (struct budget){.operations = 4, .operands = 6}, "operations");
    expect_rejected(module, (struct budget){.operations = 5, .operands = 5}, "operands");
    arena_destroy(arena);
}
