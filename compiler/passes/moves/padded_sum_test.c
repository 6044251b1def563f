/* padded_sum_test.c: which sums of padded arrays become interleaved ones. */
#include "compiler/passes/moves/padded_sum.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

TestSuite(padded_sum, .init = fixture_begin, .fini = fixture_end);

/* Pads dimension `dim` of argument `i` with `value`. */
static struct value *padded(int i, int dim, int64_t low, int64_t high, int64_t inside, double value)
{
    struct value *from = argument(i);
    int rank = from->type->shape.rank;
    int64_t ends[2][SHAPE_MAX_RANK] = {{0}}, between[SHAPE_MAX_RANK] = {0};
    ends[0][dim] = low;
    ends[1][dim] = high;
    between[dim] = inside;
    union attrs attrs = {.pad = {.edge_padding_low = rewrite_dims(fixture.module, ends[0], rank),
                                 .edge_padding_high = rewrite_dims(fixture.module, ends[1], rank),
                                 .interior_padding = rewrite_dims(fixture.module, between, rank)}};
    struct value *operands[] = {from, build_scalar(&fixture, from->type->shape.dtype, value)};
    return build_declared(&fixture, OP_pad, 2, operands, NULL, &attrs);
}

static struct value *sum(struct value *a, struct value *b)
{
    return build_binary(&fixture, OP_add, a, b);
}

/* The concatenation that the returned value is the elements of; NULL: none. */
static const struct op *columns_of(struct value *value)
{
    RETURN(value);
    fixture_run(padded_sum_run);
    const struct op *reshape = fixture.block->last->operands[0]->def;
    cr_assert(reshape);
    if (reshape->code != OP_reshape)
        return NULL;
    const struct op *add = reshape->operands[0]->def;
    cr_assert(add->code == OP_add && add->operands[0]->def->code == OP_concatenate);
    cr_assert(literal_is_splat_of(add->operands[1]->def->attrs.constant.value, 0));
    return add->operands[0]->def;
}

/* The argument that a column has the elements of; NULL: it is padded, or zero. */
static const struct value *column(const struct op *columns, int i)
{
    const struct op *reshape = columns->operands[i]->def;
    return reshape->code == OP_reshape ? reshape->operands[0] : NULL;
}

Test(padded_sum, two_arrays_alternate)
{
    MAIN("f32 3 4", "f32 3 4");
    const struct op *columns = columns_of(sum(padded(0, 1, 1, 0, 1, 0), padded(1, 1, 0, 1, 1, 0)));
    cr_assert(columns && columns->operand_count == 2);
    cr_expect_eq(column(columns, 0), argument(1));
    cr_expect_eq(column(columns, 1), argument(0));
    const struct shape *shape = &columns->results[0].type->shape;
    cr_expect(shape->rank == 3 && shape->dims[1] == 4 && shape->dims[2] == 2);
}

Test(padded_sum, places_of_no_array_are_zero)
{
    MAIN("s32 5", "s32 5");
    const struct op *columns = columns_of(sum(padded(0, 0, 0, 3, 3, 0), padded(1, 0, 2, 1, 3, 0)));
    cr_assert(columns && columns->operand_count == 4);
    cr_expect_eq(column(columns, 0), argument(0));
    cr_expect_eq(column(columns, 2), argument(1));
    cr_expect_eq(columns->operands[1]->def->code, OP_constant);
    cr_expect_eq(columns->operands[3]->def->code, OP_constant);
}

Test(padded_sum, an_array_may_begin_later)
{
    MAIN("f32 5", "f32 4", "f32 5");
    struct value *two = sum(padded(0, 0, 0, 2, 2, 0), padded(1, 0, 4, 1, 2, 0));
    const struct op *columns = columns_of(sum(two, padded(2, 0, 2, 0, 2, 0)));
    cr_assert(columns && columns->operand_count == 3);
    const struct op *pad = columns->operands[1]->def->operands[0]->def;
    cr_assert_eq(pad->code, OP_pad);
    cr_expect_eq(pad->attrs.pad.edge_padding_low.at[0], 1);
    cr_expect_eq(pad->attrs.pad.edge_padding_high.at[0], 0);
}

Test(padded_sum, what_follows_has_the_shape_of_the_rows)
{
    MAIN("f32 4", "f32 4", "f32 8");
    struct value *both = sum(padded(0, 0, 0, 1, 1, 0), padded(1, 0, 1, 0, 1, 0));
    struct value *scaled =
        build_binary(&fixture, OP_multiply, both, build_splat(&fixture, both->type, 3));
    RETURN(build_binary(&fixture, OP_subtract, argument(2), scaled));
    fixture_run(padded_sum_run);
    const struct op *reshape = fixture.block->last->operands[0]->def;
    cr_assert_eq(reshape->code, OP_reshape);
    const struct op *difference = reshape->operands[0]->def;
    cr_assert_eq(difference->code, OP_subtract);
    cr_expect_eq(difference->operands[0]->def->operands[0], argument(2));
    cr_expect_eq(difference->operands[1]->def->code, OP_multiply);
}

Test(padded_sum, arrays_in_the_same_place_stay)
{
    MAIN("f32 4", "f32 4");
    cr_expect(!columns_of(sum(padded(0, 0, 0, 1, 1, 0), padded(1, 0, 0, 1, 1, 0))));
}

Test(padded_sum, other_values_between_elements_stay)
{
    MAIN("f32 4", "f32 4");
    cr_expect(!columns_of(sum(padded(0, 0, 0, 1, 1, 0), padded(1, 0, 1, 0, 1, -0.0))));
}

Test(padded_sum, rows_stay)
{
    MAIN("f32 4 7", "f32 4 7");
    cr_expect(!columns_of(sum(padded(0, 0, 0, 1, 1, 0), padded(1, 0, 1, 0, 1, 0))));
}

Test(padded_sum, other_periods_stay)
{
    MAIN("f32 4", "f32 3");
    cr_expect(!columns_of(sum(padded(0, 0, 0, 2, 1, 0), padded(1, 0, 1, 1, 2, 0))));
}

Test(padded_sum, odd_lengths_stay)
{
    MAIN("f32 5", "f32 4");
    cr_expect(!columns_of(sum(padded(0, 0, 0, 0, 1, 0), padded(1, 0, 1, 1, 1, 0))));
}
