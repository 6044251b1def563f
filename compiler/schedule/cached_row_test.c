/* Tests which rows a kernel stores on the stack while it reduces them. */
#include "compiler/schedule/cached_row.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(cached_row, .init = fixture_begin, .fini = fixture_end);

/* Whether the rows of f(x) are stored that are divided by their sums along a dimension. */
static bool is_stored(const char *type, enum op_code function, int64_t dim)
{
    MAIN(type);
    struct value *value = build_unary(&fixture, function, argument(0));
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, value, zero, OP_add, 1, &dim);
    struct value *sums = build_broadcast(&fixture, sum, value->type, 1, (int64_t[]){1 - dim});
    RETURN(build_binary(&fixture, OP_divide, value, sums));
    return cached_row_is_stored(sum->def, 0);
}

Test(cached_row, exponentials_are_stored)
{
    cr_expect(is_stored("f32 16 512", OP_exponential, 1));
}

Test(cached_row, what_takes_no_longer_than_a_load_is_not)
{
    cr_expect_not(is_stored("f32 16 512", OP_negate, 1));
}

Test(cached_row, columns_are_not)
{
    cr_expect_not(is_stored("f32 16 512", OP_exponential, 0));
}

Test(cached_row, rows_beyond_the_nearest_cache_are_not)
{
    cr_expect(is_stored("f32 2 8192", OP_exponential, 1));
    cr_expect_not(is_stored("f32 2 8193", OP_exponential, 1));
}

Test(cached_row, arguments_are_in_memory)
{
    MAIN("f32 16 512");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){1});
    RETURN(sum, argument(0));
    cr_expect_not(cached_row_is_stored(sum->def, 0));
}

/* The sum of bf16 in f32: in registers the row is f32, too. */
Test(cached_row, the_row_of_a_converted_sum_is_what_is_converted)
{
    MAIN("bf16 16 512");
    struct value *e = build_unary(&fixture, OP_exponential, argument(0));
    struct value *wide = build_convert(&fixture, e, DTYPE_F32);
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, wide, zero, OP_add, 1, (int64_t[]){1});
    RETURN(sum, e);
    cr_expect_eq(cached_row_value(sum->def, 0), e);
    cr_expect_eq(cached_row_bytes(sum->def), 2048);
}
