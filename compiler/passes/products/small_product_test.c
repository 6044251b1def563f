/* Tests which products of small matrices are written out, before and after fusion. */
#include "compiler/passes/products/small_product.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/products/vector_product.h"

TestSuite(small_product, .init = fixture_begin, .fini = fixture_end);

static struct error *fuse_and_write_out(struct module *module, const struct target *target)
{
    static const struct target test = {.name = "test", .cores = 2, .alignment = 64};
    (void)target;
    TRY(fusion_run(module, &test));
    return small_product_run(module, &test);
}

static struct value *batches(struct dims batch, struct dims lhs, struct dims rhs)
{
    union attrs attrs = {.dot = {.lhs_batching_dimensions = batch,
                                 .rhs_batching_dimensions = batch,
                                 .lhs_contracting_dimensions = lhs,
                                 .rhs_contracting_dimensions = rhs}};
    struct value *operands[] = {argument(0), argument(1)};
    return &build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs)->results[0];
}

static int count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next) {
        found += op->code == code;
        for (int i = 0; i < op->region_count; i++)
            found += count(op->regions[i], code);
    }
    return found;
}

/* Runs fusion and the pass on a product of batches, lhs by rhs; returns the only fusion. */
static const struct op *fused(void)
{
    RETURN(batches(DIMS(0), DIMS(2), DIMS(1)));
    fixture_run(fuse_and_write_out);
    cr_assert_eq(count(fixture.block, OP_fusion), 1);
    const struct op *op = fixture.block->first;
    while (op->code != OP_fusion)
        op = op->next;
    return op;
}

Test(small_product, batches_of_small_matrices_become_a_loop)
{
    MAIN("f32 1511 3 4", "f32 1511 4 2");
    cr_expect_eq(fused()->attrs.fusion.fusion_kind, FUSION_LOOP);
    cr_expect(!count(fixture.block, OP_dot_general));
    cr_expect(count(fixture.block, OP_multiply) == 4);
    cr_expect_eq(count(fixture.block, OP_add), 4, "the sum starts at 0, which terms of -0 leave");
}

Test(small_product, small_floats_are_summed_in_f32_and_rounded_once)
{
    MAIN("bf16 1511 3 3", "bf16 1511 3 3");
    const struct op *fusion = fused();
    const struct op *last = fusion->regions[0]->last->previous;
    cr_expect(last->code == OP_convert && last->results[0].type->shape.dtype == DTYPE_BF16);
    cr_expect(last->operands[0]->def->code == OP_add &&
              last->operands[0]->type->shape.dtype == DTYPE_F32);
}

Test(small_product, batches_of_complex_matrices_do_not_contract)
{
    MAIN("c64 90 2 2", "c64 90 2 2");
    const struct op *fusion = fused();
    cr_expect_eq(count(fusion->regions[0], OP_multiply), 2);
    for (const struct op *op = fusion->regions[0]->first; op; op = op->next)
        cr_expect(op->code != OP_multiply || !op->attrs.multiply.contracts);
}

Test(small_product, larger_matrices_in_batches_are_left)
{
    MAIN("f32 90 3 5", "f32 90 5 3");
    cr_expect_eq(fused()->attrs.fusion.fusion_kind, FUSION_STANDALONE);
    cr_expect_eq(count(fixture.block, OP_dot_general), 1);
}

Test(small_product, batches_of_small_integer_matrices_become_a_loop)
{
    MAIN("s16 90 3 3", "s16 90 3 3");
    const struct op *fusion = fused();
    cr_expect_eq(fusion->attrs.fusion.fusion_kind, FUSION_LOOP);
    cr_expect_eq(count(fusion->regions[0], OP_multiply), 3);
    cr_expect_eq(fusion->results[0].type->shape.dtype, DTYPE_S16);
}

Test(small_product, predicates_are_combined_by_and_and_or)
{
    MAIN("pred 90 3 3", "pred 90 3 3");
    const struct op *fusion = fused();
    cr_expect_eq(fusion->attrs.fusion.fusion_kind, FUSION_LOOP);
    cr_expect_eq(count(fusion->regions[0], OP_and), 3);
    cr_expect_eq(count(fusion->regions[0], OP_or), 3);
}

/* Each element of the result is one product: no sum is left, but that it is 0, not -0. */
Test(small_product, outer_products_are_written_out_early)
{
    static const char *const types[] = {"f32 9 70 1", "s32 9 70 1", "s8 9 70 1", "bf16 9 70 1",
                                        "c64 9 70 1"};
    for (int i = 0; i < 5; i++) {
        MAIN(types[i], types[i]);
        RETURN(batches(DIMS(0), DIMS(2), DIMS(2)));
        fixture_run(vector_product_run);
        cr_expect_eq(count(fixture.block, OP_dot_general), 0);
        cr_expect_eq(count(fixture.block, OP_multiply), 1);
        const struct shape *shape = &fixture.block->last->operands[0]->type->shape;
        cr_expect(shape->rank == 3 && shape->dims[1] == 70 && shape->dims[2] == 70);
        cr_expect_eq(shape->dtype, argument(0)->type->shape.dtype);
        fixture_end(), fixture_begin();
    }
}

/* Of two contracted dimensions, and without any. */
Test(small_product, outer_products_contract_any_number_of_dimensions_of_size_1)
{
    MAIN("f32 70 1 1", "f32 1 80 1");
    union attrs attrs = {.dot = {.lhs_contracting_dimensions = DIMS(1, 2),
                                 .rhs_contracting_dimensions = DIMS(2, 0)}};
    struct value *operands[] = {argument(0), argument(1)};
    RETURN(&build_op(&fixture, OP_dot_general, 2, operands, 1, &attrs)->results[0]);
    fixture_run(vector_product_run);
    cr_expect_eq(count(fixture.block, OP_dot_general), 0);
    fixture_end(), fixture_begin();
    MAIN("f32 70", "f32 80");
    union attrs none = {0};
    struct value *vectors[] = {argument(0), argument(1)};
    RETURN(&build_op(&fixture, OP_dot_general, 2, vectors, 1, &none)->results[0]);
    fixture_run(vector_product_run);
    cr_expect_eq(count(fixture.block, OP_dot_general), 0);
    cr_expect_eq(count(fixture.block, OP_multiply), 1);
}

/* What uses a product is no part of its fusion: functions take lanes along all elements. */
Test(small_product, users_stay_apart)
{
    MAIN("f32 90 3 3", "f32 90 3 3");
    RETURN(build_unary(&fixture, OP_tanh, batches(DIMS(0), DIMS(2), DIMS(1))));
    fixture_run(fuse_and_write_out);
    cr_expect_eq(count(fixture.block, OP_fusion), 2);
}

/* "ijn,jkn->ikn": lanes are along n, before fusion. */
Test(small_product, batches_along_the_innermost_dimension_are_written_out_early)
{
    MAIN("f32 3 4 90", "f32 4 2 90");
    struct value *product = batches(DIMS(2), DIMS(1), DIMS(0));
    RETURN(build_transpose(&fixture, product, (int64_t[]){1, 2, 0}));
    fixture_run(vector_product_run);
    cr_expect(!count(fixture.block, OP_dot_general) && !count(fixture.block, OP_transpose));
    cr_expect_eq(count(fixture.block, OP_multiply), 4);
    const struct type *type = fixture.block->last->operands[0]->type;
    cr_expect(type->shape.dims[0] == 3 && type->shape.dims[1] == 2 && type->shape.dims[2] == 90);
}

Test(small_product, batches_that_become_the_outermost_dimension_are_not_early)
{
    MAIN("f32 3 4 90", "f32 4 2 90");
    RETURN(batches(DIMS(2), DIMS(1), DIMS(0)));
    fixture_run(vector_product_run);
    cr_expect_eq(count(fixture.block, OP_dot_general), 1);
}
