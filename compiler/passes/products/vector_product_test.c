/* Tests which products become a multiplication and a sum. */
#include "compiler/passes/products/vector_product.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(vector_product, .init = fixture_begin, .fini = fixture_end);

#define NONE ((struct dims){0, NULL})

static void dot(struct value *lhs, struct value *rhs, struct dims lhs_batch, struct dims rhs_batch,
                struct dims lhs_contract, struct dims rhs_contract)
{
    union attrs attrs = {.dot = {.lhs_batching_dimensions = lhs_batch,
                                 .rhs_batching_dimensions = rhs_batch,
                                 .lhs_contracting_dimensions = lhs_contract,
                                 .rhs_contracting_dimensions = rhs_contract}};
    RETURN(&build_op(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, 1, &attrs)
                ->results[0]);
    fixture_run(vector_product_run);
}

static const struct op *only(enum op_code code)
{
    const struct op *found = NULL;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == code) {
            cr_assert(!found);
            found = op;
        }
    return found;
}

static const struct type *result(void)
{
    return fixture.block->last->operands[0]->type;
}

Test(vector_product, matrix_times_vector)
{
    MAIN("f32 8 5", "f32 5");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_assert(only(OP_reduce));
    cr_expect(!only(OP_dot_general) && !only(OP_convert));
    cr_expect(result()->shape.rank == 1 && result()->shape.dims[0] == 8);
}

Test(vector_product, vector_times_matrix_keeps_the_unit)
{
    MAIN("bf16 1 5", "bf16 5 7");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_assert(only(OP_reduce));
    cr_expect(only(OP_reduce)->results[0].type->shape.dtype == DTYPE_F32);
    cr_expect(result()->shape.rank == 2 && result()->shape.dims[0] == 1 &&
              result()->shape.dims[1] == 7);
    cr_expect(result()->shape.dtype == DTYPE_BF16);
}

Test(vector_product, complex_numbers)
{
    MAIN("c64 8 50", "c64 50");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_assert(only(OP_reduce));
    cr_expect(!only(OP_dot_general) && !only(OP_convert));
    cr_expect_eq(result()->shape.dtype, DTYPE_C64);
}

Test(vector_product, short_rows_of_complex_numbers_stay)
{
    MAIN("c128 100 6 6", "c128 100 6");
    dot(argument(0), argument(1), DIMS(0), DIMS(0), DIMS(2), DIMS(1));
    cr_expect(only(OP_dot_general) && !only(OP_reduce));
}

Test(vector_product, vectors_in_batches)
{
    MAIN("f32 4 6", "f32 4 6");
    dot(argument(0), argument(1), DIMS(0), DIMS(0), DIMS(1), DIMS(1));
    cr_assert(only(OP_reduce));
    cr_expect(result()->shape.rank == 1 && result()->shape.dims[0] == 4);
}

Test(vector_product, batch_inside_is_brought_out)
{
    MAIN("f32 3 4", "f32 9 3 4"); /* 4 is the batch, 3 is summed */
    dot(argument(0), argument(1), DIMS(1), DIMS(2), DIMS(0), DIMS(1));
    cr_assert(only(OP_transpose));
    cr_expect(result()->shape.rank == 2 && result()->shape.dims[0] == 4 &&
              result()->shape.dims[1] == 9);
}

Test(vector_product, transposed_matrix_is_read_as_it_lies)
{
    MAIN("f32 5 8", "f32 5");
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    dot(t, argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_assert(only(OP_reduce));
    cr_expect(only(OP_multiply)->operands[0] == argument(0));
}

Test(vector_product, matrices_are_left)
{
    MAIN("f32 2 5", "f32 5 7");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_expect(only(OP_dot_general));
}

static int count(enum op_code code)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

/* A gate of a qubit: "xby,ab->xay". The transpose goes as well. */
Test(vector_product, a_small_matrix_along_a_dimension_is_written_out)
{
    MAIN("c64 8 2 64", "c64 2 2");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(1)}};
    struct value *operands[] = {argument(0), argument(1)};
    struct op *product = build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs);
    RETURN(build_transpose(&fixture, &product->results[0], (int64_t[]){0, 2, 1}));
    fixture_run(vector_product_run);
    cr_expect(!count(OP_dot_general) && !count(OP_transpose));
    cr_expect(count(OP_multiply) == 2 && count(OP_add) == 2);
    cr_expect(result()->shape.dims[1] == 2 && result()->shape.dims[2] == 64);
}

Test(vector_product, a_small_matrix_from_the_left_is_written_out)
{
    MAIN("f32 3 4", "f32 4 90");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_expect(!count(OP_dot_general) && count(OP_multiply) == 4);
    cr_expect(result()->shape.dims[0] == 3 && result()->shape.dims[1] == 90);
}

Test(vector_product, narrow_matrices_that_are_long_are_left)
{
    MAIN("f32 90 4", "f32 4 90");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_expect_eq(count(OP_dot_general), 1);
}

Test(vector_product, a_small_matrix_without_elements_is_left)
{
    MAIN("f32 3 0", "f32 0 90");
    dot(argument(0), argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_expect_eq(count(OP_dot_general), 1);
}

Test(vector_product, small_matrices_in_batches_are_left)
{
    MAIN("f32 9 3 3", "f32 9 3 3");
    dot(argument(0), argument(1), DIMS(0), DIMS(0), DIMS(2), DIMS(1));
    cr_expect_eq(count(OP_dot_general), 1);
}

Test(vector_product, integers_are_left)
{
    MAIN("s32 5", "s32 5 7");
    dot(argument(0), argument(1), NONE, NONE, DIMS(0), DIMS(0));
    cr_expect(only(OP_dot_general));
}

Test(vector_product, predicates_are_left)
{
    MAIN("pred 5", "pred 5 7");
    dot(argument(0), argument(1), NONE, NONE, DIMS(0), DIMS(0));
    cr_expect(only(OP_dot_general));
}

Test(vector_product, a_matrix_of_one_value_is_a_vector)
{
    MAIN("f32 5 7");
    struct value *ones = build_splat(&fixture, fixture_type("f32 9 5"), 1);
    dot(ones, argument(0), NONE, NONE, DIMS(1), DIMS(0));
    cr_assert(only(OP_reduce) && !only(OP_dot_general));
    cr_expect(type_elements(only(OP_reduce)->results[0].type) == 7);
    cr_expect(result()->shape.rank == 2 && result()->shape.dims[0] == 9 &&
              result()->shape.dims[1] == 7);
}

Test(vector_product, a_matrix_of_equal_rows_in_batches_is_a_vector)
{
    MAIN("bf16 3 7 5", "bf16 5 3"); /* 3 is the batch, 5 is summed */
    struct value *rows =
        build_broadcast(&fixture, argument(1), fixture_type("bf16 5 9 3"), 2, (int64_t[]){0, 2});
    dot(argument(0), rows, DIMS(0), DIMS(2), DIMS(2), DIMS(0));
    cr_assert(only(OP_reduce) && !only(OP_dot_general));
    cr_expect(type_elements(only(OP_reduce)->results[0].type) == 21);
    cr_expect(result()->shape.rank == 3 && result()->shape.dims[1] == 7 &&
              result()->shape.dims[2] == 9);
}

Test(vector_product, a_matrix_that_repeats_what_is_summed_is_left)
{
    MAIN("f32 9", "f32 5 7");
    struct value *columns =
        build_broadcast(&fixture, argument(0), fixture_type("f32 9 5"), 1, (int64_t[]){0});
    dot(columns, argument(1), NONE, NONE, DIMS(1), DIMS(0));
    cr_expect(only(OP_dot_general));
}

static void scalar_products(const char *lhs, const char *rhs)
{
    MAIN(lhs, rhs);
    struct value *t = build_transpose(&fixture, argument(1), (int64_t[]){1, 0});
    dot(argument(0), t, NONE, NONE, DIMS(1), DIMS(0));
}

Test(vector_product, few_long_vectors_are_multiplied_and_summed)
{
    scalar_products("f32 2 5000", "f32 3 5000");
    cr_assert(only(OP_reduce) && !only(OP_dot_general));
    cr_expect(result()->shape.rank == 2 && result()->shape.dims[0] == 2 &&
              result()->shape.dims[1] == 3);
}

Test(vector_product, few_long_vectors_of_integers_are_multiplied_and_summed)
{
    scalar_products("s32 2 5000", "s32 3 5000");
    cr_assert(only(OP_reduce) && !only(OP_dot_general));
    cr_expect_not(only(OP_multiply)->attrs.multiply.contracts);
}

Test(vector_product, many_long_vectors_in_batches_are_left)
{
    MAIN("f64 4 2 2000", "f64 4 3 5 2000");
    dot(argument(0), argument(1), DIMS(0), DIMS(0), DIMS(2), DIMS(3));
    cr_expect(only(OP_dot_general)); /* 2 times 15 */
}

Test(vector_product, dimensions_of_few_long_vectors_stay_in_order)
{
    MAIN("f64 4 2 2000", "f64 4 3 1 2000");
    dot(argument(0), argument(1), DIMS(0), DIMS(0), DIMS(2), DIMS(3));
    cr_assert(only(OP_reduce) && !only(OP_dot_general));
    cr_expect(result()->shape.rank == 4 && result()->shape.dims[0] == 4 &&
              result()->shape.dims[1] == 2 && result()->shape.dims[2] == 3);
}

Test(vector_product, many_long_vectors_are_left)
{
    scalar_products("f32 5 5000", "f32 3 5000");
    cr_expect(only(OP_dot_general));
}

Test(vector_product, few_short_vectors_are_left)
{
    scalar_products("f32 2 1000", "f32 3 1000");
    cr_expect(only(OP_dot_general));
}

Test(vector_product, few_long_vectors_that_are_interleaved_are_left)
{
    MAIN("f32 5000 2", "f32 5000 3");
    dot(argument(0), argument(1), NONE, NONE, DIMS(0), DIMS(0));
    cr_expect(only(OP_dot_general));
}

static bool is_sum_of_rows(const char *matrix, const char *vector)
{
    MAIN(matrix, vector);
    dot(argument(0), argument(1), DIMS(0), DIMS(0), DIMS(2), DIMS(1));
    return only(OP_reduce) && !only(OP_dot_general) &&
           !only(OP_multiply)->attrs.multiply.contracts &&
           result()->shape.dtype == argument(0)->type->shape.dtype;
}

Test(vector_product, batches_of_short_rows_of_integers)
{
    cr_expect(is_sum_of_rows("s32 30 9 9", "s32 30 9"));
}

Test(vector_product, batches_of_long_rows_of_integers)
{
    cr_expect(!is_sum_of_rows("s64 30 9 90", "s64 30 90"));
}

Test(vector_product, batches_of_short_rows_of_small_integers)
{
    cr_expect(!is_sum_of_rows("s8 30 9 9", "s8 30 9"));
}

static bool is_sum_of_columns(const char *matrix, const char *vector)
{
    MAIN(matrix, vector);
    dot(argument(0), argument(1), DIMS(2), DIMS(1), DIMS(1), DIMS(0));
    return only(OP_reduce) && !only(OP_dot_general);
}

Test(vector_product, integers_whose_columns_are_each_of_another_product)
{
    cr_expect(is_sum_of_columns("s32 16 24 64", "s32 24 64"));
}

Test(vector_product, few_columns_of_integers)
{
    cr_expect(!is_sum_of_columns("s32 16 24 4", "s32 24 4"));
}
