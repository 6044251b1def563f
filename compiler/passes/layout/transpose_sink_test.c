/* Tests which transposes reductions read through. */
#include "compiler/passes/layout/transpose_sink.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(transpose_sink, .init = fixture_begin, .fini = fixture_end);

static struct value *sum(struct value *value, int count, const int64_t *dims)
{
    return build_reduce(&fixture, value, build_scalar(&fixture, DTYPE_F32, 0), OP_add, count, dims);
}

static int count_of(enum op_code code)
{
    int count = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        count += op->code == code && op->results[0].uses;
    return count;
}

static const struct op *last_of(enum op_code code)
{
    const struct op *found = NULL;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found = op->code == code ? op : found;
    return found;
}

Test(transpose_sink, sum_reads_the_matrix_as_stored)
{
    MAIN("f32 5 8");
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    RETURN(sum(t, 1, (int64_t[]){0}));
    fixture_run(transpose_sink_run);
    const struct op *reduce = last_of(OP_reduce);
    cr_expect_eq(reduce->operands[0], argument(0));
    cr_expect_eq(reduce->attrs.dimensions.dimensions.at[0], 1);
    cr_expect_eq(count_of(OP_transpose), 0);
}

Test(transpose_sink, result_is_transposed_where_dimensions_are_left)
{
    MAIN("f32 2 3 4 5"); /* transposed: 5 3 2 4; without the 3: 5 2 4 */
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){3, 1, 0, 2});
    RETURN(sum(t, 1, (int64_t[]){1}));
    fixture_run(transpose_sink_run);
    const struct op *reduce = last_of(OP_reduce), *after = reduce->next;
    cr_expect_eq(reduce->operands[0], argument(0));
    cr_assert_eq(after->code, OP_transpose);
    const int64_t *permutation = after->attrs.transpose.permutation.at;
    cr_expect(permutation[0] == 2 && permutation[1] == 0 && permutation[2] == 1);
    const struct shape *shape = &after->results[0].type->shape;
    cr_expect(shape->dims[0] == 5 && shape->dims[1] == 2 && shape->dims[2] == 4);
}

Test(transpose_sink, elementwise_operations_compute_before_the_transpose)
{
    MAIN("f32 5 8", "f32 8"); /* sum of (transposed - broadcast) * splat, squared */
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    struct value *mean = build_broadcast(&fixture, argument(1), t->type, 1, (int64_t[]){0});
    struct value *d = build_binary(&fixture, OP_subtract, t, mean);
    struct value *s = build_binary(&fixture, OP_multiply, d, build_splat(&fixture, t->type, 3));
    RETURN(sum(build_binary(&fixture, OP_multiply, s, s), 1, (int64_t[]){0}));
    fixture_run(transpose_sink_run);
    cr_expect_eq(count_of(OP_transpose), 0);
    const struct op *broadcast = last_of(OP_subtract)->operands[1]->def;
    cr_expect_eq(broadcast->attrs.broadcast_in_dim.broadcast_dimensions.at[0], 1);
    cr_expect_eq(last_of(OP_reduce)->attrs.dimensions.dimensions.at[0], 1);
}

Test(transpose_sink, positions_are_counted_along_the_dimension_that_moved)
{
    MAIN("f32 5 8");
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    union attrs attrs = {.iota = {.iota_dimension = 0}};
    struct value *index = build_declared(&fixture, OP_iota, 0, NULL, t->type, &attrs);
    RETURN(sum(build_binary(&fixture, OP_multiply, t, index), 1, (int64_t[]){1}));
    fixture_run(transpose_sink_run);
    cr_expect_eq(count_of(OP_transpose), 0);
    cr_expect_eq(last_of(OP_iota)->attrs.iota.iota_dimension, 1);
}

Test(transpose_sink, other_users_and_other_orders_need_the_transpose)
{
    MAIN("f32 5 8", "f32 8 5");
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    struct value *mixed = build_binary(&fixture, OP_add, t, argument(1)); /* 1 is not transposed */
    struct value *used = build_unary(&fixture, OP_negate, t);             /* returned */
    RETURN(sum(mixed, 1, (int64_t[]){0}), used, sum(used, 1, (int64_t[]){0}));
    fixture_run(transpose_sink_run);
    cr_expect_eq(count_of(OP_transpose), 1);
    cr_expect_eq(last_of(OP_negate)->operands[0], t);
    cr_expect_eq(last_of(OP_add)->operands[0], t);
}

Test(transpose_sink, initial_values_are_no_operands_that_move)
{
    MAIN("f32 5 8", "f32");
    struct value *t = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    struct value *start = build_unary(&fixture, OP_negate, argument(1));
    RETURN(build_reduce(&fixture, t, start, OP_add, 1, (int64_t[]){0}));
    fixture_run(transpose_sink_run);
    cr_expect_eq(last_of(OP_reduce)->operands[1], start);
    cr_expect_eq(count_of(OP_transpose), 0);
}
