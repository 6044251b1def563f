#include "compiler/ir/along_dim.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(along_dim, .init = fixture_begin, .fini = fixture_end);

static void expect_dims(const struct value *value, int64_t rows, int64_t columns)
{
    cr_expect_not(build_is_poison(value));
    cr_assert_eq(value->type->shape.rank, 2);
    cr_expect_eq(value->type->shape.dims[0], rows);
    cr_expect_eq(value->type->shape.dims[1], columns);
}

Test(along_dim, one_dimension_changes)
{
    MAIN("f32 4 6");
    struct value *x = argument(0), *two = build_scalar(&fixture, DTYPE_S64, 2);
    expect_dims(along_dim_slice(&fixture, x, 1, 2, 3), 4, 3);
    expect_dims(along_dim_take(&fixture, x, 0, two, 1), 1, 6);
    expect_dims(along_dim_pad(&fixture, x, 1, 1, 2, 1, NULL), 4, 14);
    expect_dims(along_dim_pad(&fixture, x, 0, -1, 0, 0, NULL), 3, 6);
    expect_dims(along_dim_resize(&fixture, x, 0, 9), 9, 6);
    expect_dims(along_dim_resize(&fixture, x, 0, 3), 3, 6);
    expect_dims(along_dim_concatenate(&fixture, 2, (struct value *[]){x, x}, 1), 4, 12);
    struct value *row = along_dim_slice(&fixture, x, 0, 0, 1);
    expect_dims(along_dim_update(&fixture, x, 0, row, two), 4, 6);
    cr_expect_eq(along_dim_type(&fixture, x->type, 1, 2)->shape.dims[1], 2);
}

static void expect_vector(const struct value *value, int64_t size)
{
    cr_expect_not(build_is_poison(value));
    cr_assert_eq(value->type->shape.rank, 1);
    cr_expect_eq(value->type->shape.dims[0], size);
}

Test(along_dim, an_element_has_no_dimension)
{
    MAIN("f32 4 6");
    struct value *x = argument(0), *two = build_scalar(&fixture, DTYPE_S32, 2);
    expect_vector(along_dim_element(&fixture, x, 0, 3), 6);
    expect_vector(along_dim_element(&fixture, x, 1, 5), 4);
    expect_vector(along_dim_take_one(&fixture, x, 1, two), 4);
    struct value *vector = along_dim_element(&fixture, x, 0, 1);
    cr_expect_eq(along_dim_take_one(&fixture, vector, 0, two)->type->shape.rank, 0);
}

Test(along_dim, nothing_is_made_where_nothing_changes)
{
    MAIN("f32 4 6");
    struct value *x = argument(0);
    cr_expect_eq(along_dim_slice(&fixture, x, 1, 0, 6), x);
    cr_expect_eq(along_dim_pad(&fixture, x, 1, 0, 0, 0, NULL), x);
    cr_expect_eq(along_dim_resize(&fixture, x, 1, 6), x);
    cr_expect_eq(along_dim_concatenate(&fixture, 1, &x, 1), x);
    cr_expect_null(fixture.module->entry->body->first);
}

static int comparisons(void)
{
    int count = 0;
    for (const struct op *op = fixture.module->entry->body->first; op; op = op->next)
        count += op->code == OP_compare;
    return count;
}

Test(along_dim, bounds_that_do_not_exist_are_not_compared)
{
    MAIN("f32 4 6");
    struct value *start = build_scalar(&fixture, DTYPE_S64, 3);
    struct value *mask = along_dim_between(&fixture, argument(0)->type, 1, start, 0, 5);
    expect_dims(mask, 4, 6);
    cr_expect_eq(mask->type->shape.dtype, DTYPE_PRED);
    cr_expect_eq(comparisons(), 2);
    along_dim_between(&fixture, argument(0)->type, 1, start, INT64_MIN, 5);
    along_dim_between(&fixture, argument(0)->type, 1, start, 2, INT64_MAX);
    cr_expect_eq(comparisons(), 4);
}
