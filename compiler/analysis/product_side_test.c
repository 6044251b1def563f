/* product_side_test.c: the roles of the dimensions of a product's operands. */
#include "compiler/analysis/product_side.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(product_side, .init = fixture_begin, .fini = fixture_end);

/* [5, 2, 3, 7] and [7, 4, 3]: 3 is a batch, 7 is contracted; the product is [3, 5, 2, 4]. */
static const struct op *product(void)
{
    MAIN("f32 5 2 3 7", "f32 7 4 3");
    static const int64_t batch[] = {2}, left[] = {3}, right[] = {0};
    union attrs attrs = {.dot = {.lhs_batching_dimensions = {1, batch},
                                 .rhs_batching_dimensions = {1, batch},
                                 .lhs_contracting_dimensions = {1, left},
                                 .rhs_contracting_dimensions = {1, right}}};
    struct value *operands[] = {argument(0), argument(1)};
    return build_declared(&fixture, OP_dot_general, 2, operands, NULL, &attrs)->def;
}

Test(product_side, dimensions_of_the_result)
{
    static const int expected[2][4] = {{1, 2, 0, -1}, {-1, 3, 0}};
    const struct op *dot = product();
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < dot->operands[which]->type->shape.rank; i++) {
            int dim = product_side_result_dim(dot, which, i);
            cr_expect_eq(dim, expected[which][i], "dimension %d of operand %d is %d", i, which,
                         dim);
            cr_expect(dim < 0 || dot->results[0].type->shape.dims[dim] ==
                                     dot->operands[which]->type->shape.dims[i]);
        }
}

Test(product_side, free_dimensions)
{
    const struct op *dot = product();
    struct product_side lhs = product_side_of(dot, 0), rhs = product_side_of(dot, 1);
    struct dims free = product_side_free_dims(fixture_arena, &lhs);
    cr_expect_eq(lhs.free, 10);
    cr_expect_eq(rhs.free, 4);
    cr_assert_eq(free.count, 2);
    cr_expect_eq(free.at[0], 0);
    cr_expect_eq(free.at[1], 1);
}
