/* library_top_k_test.c: which selections become calls. */
#include "compiler/passes/library/library_top_k.h"

#include "compiler/frontend/functions/functions.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/program/top_k_spec.h"
#include "compiler/target_fixture.h"

TestSuite(library_top_k, .init = fixture_begin, .fini = fixture_end);

static bool has_top_k = true;

static struct error *lay_out(struct module *module, const struct target *target)
{
    struct target test = target_fixture();
    (void)target;
    test.has_top_k = has_top_k;
    return layout_run(module, &test);
}

static int count(enum op_code code)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

static void select_first(const char *type, int64_t k, bool largest)
{
    struct value *out[2];
    fixture_func("main", 1, &type);
    cr_assert_null(functions_top_k(&fixture, argument(0), k, largest, out));
    RETURN(out[0], out[1]);
    fixture_run(lay_out);
}

static bool has_config(const char *config)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_custom_call) {
            const struct string *is = &op->attrs.custom_call.backend_config;
            return is->size == 2 && !memcmp(is->data, config, 2);
        }
    return false;
}

Test(library_top_k, the_sort_and_its_slices_are_one_call)
{
    select_first("f32 7 1000", 5, true);
    cr_expect_eq(count(OP_custom_call), 1);
    cr_expect_eq(count(OP_sort), 0);
    cr_expect_eq(count(OP_slice), 0);
    cr_expect(has_config("LT"));
}

Test(library_top_k, the_smallest_come_first)
{
    select_first("s8 1000", 999, false);
    cr_expect(has_config("SN"));
}

Test(library_top_k, other_types_are_sorted)
{
    select_first("f64 7 1000", 5, true);
    cr_expect_eq(count(OP_sort), 1);
}

Test(library_top_k, many_are_sorted)
{
    select_first("f32 10000", TOP_K_MOST + 1, true);
    cr_expect_eq(count(OP_sort), 1);
}

Test(library_top_k, targets_without_the_function_sort)
{
    has_top_k = false;
    select_first("f32 7 1000", 5, true);
    cr_expect_eq(count(OP_sort), 1);
}

/* A comparator that looks at more than the elements. */
Test(library_top_k, other_comparators_sort)
{
    struct value *out[2];
    MAIN("f32 7 1000");
    cr_assert_null(functions_top_k(&fixture, argument(0), 5, true, out));
    RETURN(out[0], out[1]);
    for (struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_sort) {
            struct op *compare = op->regions[0]->first;
            ir_set_operand(fixture_module, compare, 0, &op->regions[0]->arguments[1]);
            ir_set_operand(fixture_module, compare, 1, &op->regions[0]->arguments[0]);
        }
    fixture_run(lay_out);
    cr_expect_eq(count(OP_sort), 1);
}
