/* Tests which sums become a product. */
#include "compiler/passes/products/matrix_product.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(matrix_product, .init = fixture_begin, .fini = fixture_end);

/* Builds sum(broadcast(argument 0) * broadcast(argument 1)) from `start` and runs the pass. */
static void sum(const char *terms, struct dims left, struct dims right, struct dims summed,
                double start)
{
    const struct type *type = fixture_type(terms);
    struct value *a = build_broadcast(&fixture, argument(0), type, (int)left.count, left.at);
    struct value *b = build_broadcast(&fixture, argument(1), type, (int)right.count, right.at);
    struct value *product = build_binary(&fixture, OP_multiply, a, b);
    struct value *init = build_scalar(&fixture, type->shape.dtype, start);
    RETURN(build_reduce(&fixture, product, init, OP_add, (int)summed.count, summed.at));
    fixture_run(matrix_product_run);
}

static const struct op *find(enum op_code code)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == code)
            return op;
    return NULL;
}

Test(matrix_product, outer_products_of_rows)
{
    MAIN("f32 300 20", "f32 300 30");
    sum("f32 300 20 30", DIMS(0, 1), DIMS(0, 2), DIMS(0), 0);
    const struct op *dot = find(OP_dot_general);
    cr_assert(dot);
    cr_expect(!find(OP_reduce) && !find(OP_multiply) && !find(OP_broadcast_in_dim) &&
              !find(OP_transpose));
    cr_expect_eq(dot->attrs.dot.lhs_contracting_dimensions.at[0], 0);
    cr_expect_eq(dot->attrs.dot.rhs_contracting_dimensions.at[0], 0);
}

Test(matrix_product, interleaved_dimensions_are_transposed)
{
    MAIN("f64 4 64 1 5", "f64 64 3 9");
    sum("f64 3 4 64 5 9", DIMS(1, 2, 0, 3), DIMS(2, 0, 4), DIMS(2), 0);
    const struct op *transpose = find(OP_transpose);
    cr_assert(find(OP_dot_general) && transpose); /* 4 5 3 9 becomes 3 4 5 9 */
    const struct shape *shape = &transpose->results[0].type->shape;
    cr_expect(shape->rank == 4 && shape->dims[0] == 3 && shape->dims[1] == 4 &&
              shape->dims[2] == 5 && shape->dims[3] == 9);
    cr_expect_eq(transpose->attrs.transpose.permutation.at[0], 2);
}

Test(matrix_product, a_dimension_of_both_is_left)
{
    MAIN("f32 300 20", "f32 300 20 30");
    sum("f32 300 20 30", DIMS(0, 1), DIMS(0, 1, 2), DIMS(0), 0);
    cr_expect(!find(OP_dot_general) && find(OP_reduce));
}

Test(matrix_product, a_dimension_of_neither_is_left)
{
    MAIN("f32 300 20", "f32 300 30");
    sum("f32 300 20 7 30", DIMS(0, 1), DIMS(0, 3), DIMS(0), 0);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, a_summed_dimension_of_one_is_left)
{
    MAIN("f32 300 20", "f32 30");
    sum("f32 300 20 30", DIMS(0, 1), DIMS(2), DIMS(0), 0);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, factors_with_few_free_elements_are_left)
{
    MAIN("f32 300 20", "f32 300 2");
    sum("f32 300 20 2", DIMS(0, 1), DIMS(0, 2), DIMS(0), 0);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, other_starts_are_left)
{
    MAIN("f32 300 20", "f32 300 30");
    sum("f32 300 20 30", DIMS(0, 1), DIMS(0, 2), DIMS(0), -0.0);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, narrow_floats_are_left)
{
    MAIN("bf16 300 20", "bf16 300 30");
    sum("bf16 300 20 30", DIMS(0, 1), DIMS(0, 2), DIMS(0), 0);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, terms_with_other_uses_are_left)
{
    MAIN("f32 300 20", "f32 300 30");
    const struct type *type = fixture_type("f32 300 20 30");
    struct value *a = build_broadcast(&fixture, argument(0), type, 2, (int64_t[]){0, 1});
    struct value *b = build_broadcast(&fixture, argument(1), type, 2, (int64_t[]){0, 2});
    struct value *product = build_binary(&fixture, OP_multiply, a, b);
    struct value *init = build_scalar(&fixture, DTYPE_F32, 0);
    RETURN(build_reduce(&fixture, product, init, OP_add, 1, (int64_t[]){0}), product);
    fixture_run(matrix_product_run);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, few_products_are_left)
{
    MAIN("f32 64 8", "f32 64 16");
    sum("f32 64 8 16", DIMS(0, 1), DIMS(0, 2), DIMS(0), 0);
    cr_expect(!find(OP_dot_general));
}

Test(matrix_product, short_sums_are_left)
{
    MAIN("f32 31 100", "f32 31 100");
    sum("f32 31 100 100", DIMS(0, 1), DIMS(0, 2), DIMS(0), 0);
    cr_expect(!find(OP_dot_general));
}
