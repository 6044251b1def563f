/* product_passes_test.c: how many products of bf16 parts each precision becomes, and what is left
 * alone. Their values are tested with whole programs (conformance/clients/jax/cases_tpu.py). */
#include "compiler/passes/products/product_passes.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(product_passes, .init = fixture_begin, .fini = fixture_end);

static struct error *run_on_tpu(struct module *module, const struct target *unused)
{
    struct target target = target_fixture();
    (void)unused;
    target.numerics = NUMERICS_BF16_PASSES;
    return product_passes_run(module, &target);
}

static struct error *run_on_cpu(struct module *module, const struct target *unused)
{
    struct target target = target_fixture();
    (void)unused;
    return product_passes_run(module, &target);
}

static union attrs dot_of(enum precision lhs, enum precision rhs)
{
    static const int64_t rows[] = {0}, columns[] = {1};
    return (union attrs){.dot = {.lhs_contracting_dimensions = {1, columns},
                                 .rhs_contracting_dimensions = {1, rows},
                                 .precision_config = {lhs, rhs}}};
}

static void dot(struct value *lhs, struct value *rhs, union attrs attrs, enum dtype dtype)
{
    const struct type *type = fixture_type("f32 4 6");
    RETURN(build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs},
                          type_with_dtype(fixture_arena, type, dtype), &attrs));
}

static int count(enum op_code code)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

static void expect_products(enum precision lhs, enum precision rhs, int products, int parts)
{
    fixture_end();
    fixture_begin();
    MAIN("f32 4 5", "f32 5 6");
    dot(argument(0), argument(1), dot_of(lhs, rhs), DTYPE_F32);
    fixture_run(run_on_tpu);
    cr_expect_eq(count(OP_dot_general), products, "%d %d: %d", lhs, rhs, count(OP_dot_general));
    cr_expect_eq(count(OP_reduce_precision), parts);
    cr_expect_eq(count(OP_select), products > 1);
}

Test(product_passes, one_three_and_six)
{
    expect_products(PRECISION_DEFAULT, PRECISION_DEFAULT, 1, 2);
    expect_products(PRECISION_HIGH, PRECISION_HIGH, 3, 4);
    expect_products(PRECISION_HIGHEST, PRECISION_HIGHEST, 6, 6);
    expect_products(PRECISION_HIGHEST, PRECISION_DEFAULT, 3, 4);
    expect_products(PRECISION_DEFAULT, PRECISION_HIGH, 2, 3);
}

static void expect_algorithm(enum dtype operands, int operations, int products)
{
    union attrs attrs = dot_of(PRECISION_DEFAULT, PRECISION_DEFAULT);
    fixture_end();
    fixture_begin();
    attrs = dot_of(PRECISION_DEFAULT, PRECISION_DEFAULT);
    attrs.dot.lhs_precision_type = attrs.dot.rhs_precision_type = operands;
    attrs.dot.accumulation_type = DTYPE_F32;
    attrs.dot.lhs_component_count = attrs.dot.rhs_component_count = 1;
    attrs.dot.num_primitive_operations = operations;
    MAIN("f32 4 5", "f32 5 6");
    dot(argument(0), argument(1), attrs, DTYPE_F32);
    fixture_run(run_on_tpu);
    cr_expect_eq(count(OP_dot_general), products);
}

Test(product_passes, algorithms_win_over_precisions)
{
    expect_algorithm(DTYPE_BF16, 1, 1);
    expect_algorithm(DTYPE_BF16, 3, 3);
    expect_algorithm(DTYPE_BF16, 6, 6);
    expect_algorithm(DTYPE_F32, 1, 6);
}

Test(product_passes, a_transposed_operand_stays_transposed)
{
    MAIN("f32 5 4", "f32 5 6");
    struct value *transposed = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    dot(transposed, argument(1), dot_of(PRECISION_HIGH, PRECISION_DEFAULT), DTYPE_F32);
    fixture_run(run_on_tpu);
    const struct op *product = NULL;
    for (const struct op *op = fixture.block->first; op && !product; op = op->next)
        product = op->code == OP_dot_general ? op : NULL;
    cr_assert_not_null(product);
    cr_expect_eq(product->operands[0]->def->code, OP_transpose);
}

Test(product_passes, complex_operands_are_split_by_their_parts)
{
    MAIN("c64 4 5", "c64 5 6");
    dot(argument(0), argument(1), dot_of(PRECISION_HIGH, PRECISION_HIGH), DTYPE_C64);
    fixture_run(run_on_tpu);
    cr_expect_eq(count(OP_dot_general), 3);
    cr_expect_eq(count(OP_reduce_precision), 8);
}

Test(product_passes, the_result_has_its_type)
{
    MAIN("f32 4 5", "f32 5 6");
    dot(argument(0), argument(1), dot_of(PRECISION_DEFAULT, PRECISION_DEFAULT), DTYPE_BF16);
    fixture_run(run_on_tpu);
    cr_expect_eq(fixture.block->last->operands[0]->type->shape.dtype, DTYPE_BF16);
    cr_expect_eq(count(OP_convert), 1);
}

/* Values that are bf16 already, in either spelling, have one part. */
Test(product_passes, exact_operands_are_not_split)
{
    MAIN("bf16 4 5", "bf16 5 6");
    struct value *lhs = build_convert(&fixture, argument(0), DTYPE_F32);
    struct value *rhs = build_convert(&fixture, argument(1), DTYPE_F32);
    dot(lhs, rhs, dot_of(PRECISION_HIGHEST, PRECISION_HIGHEST), DTYPE_F32);
    fixture_run(run_on_tpu);
    cr_expect_eq(count(OP_dot_general), 1);
    cr_expect_eq(count(OP_reduce_precision), 0);
}

Test(product_passes, other_types_are_left_alone)
{
    MAIN("f64 4 5", "f64 5 6");
    dot(argument(0), argument(1), dot_of(PRECISION_DEFAULT, PRECISION_DEFAULT), DTYPE_F64);
    fixture_run(run_on_tpu);
    cr_expect_eq(count(OP_reduce_precision), 0);
}

Test(product_passes, a_cpu_computes_plain_f32)
{
    MAIN("f32 4 5", "f32 5 6");
    dot(argument(0), argument(1), dot_of(PRECISION_DEFAULT, PRECISION_DEFAULT), DTYPE_F32);
    fixture_run(run_on_cpu);
    cr_expect_eq(count(OP_dot_general), 1);
    cr_expect_eq(count(OP_reduce_precision), 0);
}
