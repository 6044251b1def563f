/* repeated_batch_test.c: which products read an operand before it is repeated, and in which order
 * their dimensions are. Values are compared by conformance/clients/jax. */
#include "compiler/passes/products/repeated_batch.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(repeated_batch, .init = fixture_begin, .fini = fixture_end);

static struct value *broadcast(struct value *value, const char *type, struct dims to)
{
    return build_broadcast(&fixture, value, fixture_type(type), (int)to.count, to.at);
}

static struct value *reshape(struct value *value, const char *type)
{
    const struct shape *shape = &fixture_type(type)->shape;
    return build_reshape(&fixture, value, shape->rank, shape->dims);
}

static struct value *dot(struct value *lhs, struct value *rhs, struct dims batch[2],
                         struct dims summed[2])
{
    const union attrs attrs = {.dot = {.lhs_batching_dimensions = batch[0],
                                       .rhs_batching_dimensions = batch[1],
                                       .lhs_contracting_dimensions = summed[0],
                                       .rhs_contracting_dimensions = summed[1]}};
    return build_declared(&fixture, OP_dot_general, 2, (struct value *[]){lhs, rhs}, NULL, &attrs);
}

static const struct op *find(enum op_code code)
{
    const struct op *found = NULL;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == code)
            found = op;
    return found;
}

static void expect_dims(const struct value *value, struct dims dims)
{
    cr_assert_eq(value->type->shape.rank, dims.count);
    for (int64_t i = 0; i < dims.count; i++)
        cr_expect_eq(value->type->shape.dims[i], dims.at[i]);
}

/* One query of each of 32 heads, of which four share keys. */
Test(repeated_batch, keys_that_heads_share)
{
    MAIN("f32 2 1 32 64", "f32 2 100 8 64");
    struct value *keys = broadcast(argument(1), "f32 2 100 8 4 64", DIMS(0, 1, 2, 4));
    keys = reshape(keys, "f32 2 100 32 64");
    RETURN(dot(argument(0), keys, (struct dims[]){DIMS(0, 2), DIMS(0, 2)},
               (struct dims[]){DIMS(3), DIMS(3)}));
    fixture_run(repeated_batch_run);
    const struct op *product = find(OP_dot_general);
    expect_dims(product->operands[0], DIMS(2, 1, 8, 4, 64));
    cr_expect_eq(product->operands[1], argument(1));
    expect_dims(&product->results[0], DIMS(2, 8, 1, 4, 100));
    expect_dims(&find(OP_transpose)->results[0], DIMS(2, 8, 4, 1, 100));
}

/* The repeated operand is on the left and transposed, and so is the result. */
Test(repeated_batch, transposes_are_of_the_new_product)
{
    MAIN("f32 8 64 100", "f32 32 64");
    struct value *keys = broadcast(argument(0), "f32 8 4 64 100", DIMS(0, 2, 3));
    keys = reshape(keys, "f32 32 64 100");
    keys = build_transpose(&fixture, keys, (int64_t[]){2, 0, 1});
    struct value *product = dot(keys, argument(1), (struct dims[]){DIMS(1), DIMS(0)},
                                (struct dims[]){DIMS(2), DIMS(1)});
    RETURN(build_transpose(&fixture, product, (int64_t[]){1, 0}));
    fixture_run(repeated_batch_run);
    cr_expect_eq(find(OP_dot_general)->operands[0], argument(0));
    expect_dims(&find(OP_dot_general)->results[0], DIMS(8, 100, 4));
    expect_dims(&find(OP_transpose)->results[0], DIMS(100, 8, 4));
}

/* Two batching dimensions, of which one is repeated, and a free one that is: that stays. */
Test(repeated_batch, repeated_columns_stay)
{
    MAIN("f32 6 5 16", "f32 1 5 16");
    struct value *right = broadcast(argument(1), "f32 6 5 16 20", DIMS(0, 1, 2));
    RETURN(dot(argument(0), right, (struct dims[]){DIMS(0, 1), DIMS(0, 1)},
               (struct dims[]){DIMS(2), DIMS(2)}));
    fixture_run(repeated_batch_run);
    const struct op *product = find(OP_dot_general);
    expect_dims(product->operands[1], DIMS(5, 16, 20));
    expect_dims(&product->results[0], DIMS(5, 6, 20));
}

static void expect_unchanged(void)
{
    fixture_run(repeated_batch_run);
    cr_expect(!find(OP_transpose) && !find(OP_reshape));
}

Test(repeated_batch, products_of_matrices_stay)
{
    MAIN("f32 6 8 16", "f32 16 20");
    struct value *right = broadcast(argument(1), "f32 6 16 20", DIMS(1, 2));
    RETURN(dot(argument(0), right, (struct dims[]){DIMS(0), DIMS(0)},
               (struct dims[]){DIMS(2), DIMS(1)}));
    expect_unchanged();
}

Test(repeated_batch, few_columns_stay)
{
    MAIN("f32 6 16", "f32 16 9");
    struct value *right = broadcast(argument(1), "f32 6 16 9", DIMS(1, 2));
    RETURN(dot(argument(0), right, (struct dims[]){DIMS(0), DIMS(0)},
               (struct dims[]){DIMS(1), DIMS(1)}));
    expect_unchanged();
}

Test(repeated_batch, an_operand_that_is_not_repeated_stays)
{
    MAIN("f32 6 16", "f32 6 16");
    struct value *right = broadcast(argument(1), "f32 6 16 20", DIMS(0, 1));
    RETURN(dot(argument(0), right, (struct dims[]){DIMS(0), DIMS(0)},
               (struct dims[]){DIMS(1), DIMS(1)}));
    expect_unchanged();
}
