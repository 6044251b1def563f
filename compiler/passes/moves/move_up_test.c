/* move_up_test.c: what moves, what it becomes, and what stays. */
#include "compiler/passes/moves/move_up.h"

#include "compiler/analysis/constants.h"
#include "compiler/loop_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

TestSuite(move_up, .init = fixture_begin, .fini = fixture_end);

static struct value *shaped(struct value *value, int rank, int64_t a, int64_t b, int64_t c)
{
    return build_reshape(&fixture, value, rank, (int64_t[]){a, b, c});
}

static struct value *joined(int64_t dimension, int count, struct value *const *operands)
{
    union attrs attrs = {.dimension = {.dimension = dimension}};
    return build_declared(&fixture, OP_concatenate, count, operands, NULL, &attrs);
}

static struct value *column(struct value *of, int64_t rows, int64_t at)
{
    return build_slice(&fixture, of, (int64_t[]){0, at}, (int64_t[]){rows, at + 1},
                       (int64_t[]){1, 1});
}

static const struct op *result(int i)
{
    return fixture.block->last->operands[i]->def;
}

Test(move_up, scalars_are_left)
{
    MAIN("f32 1");
    struct value *scalar = build_unary(&fixture, OP_negate, shaped(argument(0), 0, 0, 0, 0));
    RETURN(shaped(scalar, 1, 1, 0, 0));
    fixture_run(move_up_run);
    cr_expect_eq(result(0)->code, OP_reshape);
    cr_expect_eq(result(0)->operands[0], scalar);
}

/* The gradient of a repetition. */
Test(move_up, a_reshape_meets_one_from_its_own_shape)
{
    MAIN("f32 4 5 3", "f32 4 15");
    struct value *flat = shaped(argument(0), 2, 4, 15, 0);
    struct value *two = build_splat(&fixture, flat->type, 2);
    struct value *scaled = build_binary(&fixture, OP_multiply, flat, two);
    RETURN(shaped(build_binary(&fixture, OP_add, scaled, argument(1)), 3, 4, 5, 3));
    fixture_run(move_up_run);
    const struct op *sum = result(0), *product = sum->operands[0]->def;
    cr_assert_eq(sum->code, OP_add);
    cr_expect_eq(product->operands[0], argument(0));
    cr_expect(product->operands[1]->def->attrs.constant.value->splat);
    cr_expect_eq(sum->operands[1]->def->code, OP_reshape, "of the other operand");
    cr_expect_eq(sum->operands[1]->def->operands[0], argument(1));
}

Test(move_up, what_others_use_keeps_its_shape)
{
    MAIN("f32 4 5 3");
    struct value *flat = shaped(argument(0), 2, 4, 15, 0);
    struct value *sine = build_unary(&fixture, OP_sine, flat);
    RETURN(shaped(sine, 3, 4, 5, 3), sine, shaped(flat, 3, 5, 4, 3));
    fixture_run(move_up_run);
    cr_expect_eq(result(0)->code, OP_reshape);
    cr_expect_eq(result(0)->operands[0], &result(1)->results[0]);
    cr_expect_eq(result(2)->operands[0], flat, "it is another shape");
}

/* A cross product: columns of what was stacked. */
Test(move_up, a_slice_meets_the_operand_that_it_is_of)
{
    MAIN("f32 1 9", "f32 1 9", "f32 9 2");
    struct value *stack = joined(0, 2, (struct value *[]){argument(0), argument(1)});
    struct value *transposed = build_transpose(&fixture, stack, (int64_t[]){1, 0});
    struct value *product = build_binary(&fixture, OP_multiply, transposed, argument(2));
    RETURN(column(product, 9, 1), transposed);
    fixture_run(move_up_run);
    const struct op *moved = result(0);
    cr_assert_eq(moved->code, OP_multiply);
    cr_expect_eq(moved->operands[0]->def->operands[0], argument(1));
    cr_expect_eq(moved->operands[1]->def->code, OP_slice);
    cr_expect_eq(moved->operands[1]->def->operands[0], argument(2));
}

Test(move_up, a_slice_of_several_operands_stays)
{
    MAIN("f32 9 2", "f32 9 2");
    struct value *both = joined(1, 2, (struct value *[]){argument(0), argument(1)});
    struct value *negative = build_unary(&fixture, OP_negate, both);
    RETURN(
        build_slice(&fixture, negative, (int64_t[]){0, 1}, (int64_t[]){9, 3}, (int64_t[]){1, 1}),
        build_slice(&fixture, negative, (int64_t[]){2, 1}, (int64_t[]){8, 4}, (int64_t[]){2, 2}));
    fixture_run(move_up_run);
    cr_expect_eq(result(0)->code, OP_slice);
    cr_expect_eq(result(1)->code, OP_slice, "its columns 1 and 3 are of both, too");
}

/* argument(0) with argument(1) at a position of its rows, of which every third element is used. */
static const struct op *every_third_of_update(int64_t row, int64_t first)
{
    MAIN("f32 20 10", "f32 4 10", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *at = row < 0 ? argument(2) : build_scalar(&fixture, DTYPE_S32, (double)row);
    struct value *updated =
        MAKE(dynamic_update_slice, NULL, {{0}}, argument(0), argument(1), at, zero);
    RETURN(build_slice(&fixture, updated, (int64_t[]){first, 1}, (int64_t[]){20, 10},
                       (int64_t[]){3, 3}));
    fixture_run(move_up_run);
    return result(0);
}

Test(move_up, a_slice_of_an_update_updates_the_slice)
{
    const struct op *update = every_third_of_update(4, 1);
    int64_t at;
    cr_assert_eq(update->code, OP_dynamic_update_slice);
    cr_expect(constants_integer(update->operands[2], &at) && at == 1);
    cr_expect(constants_integer(update->operands[3], &at) && at == 0);
    cr_expect_eq(update->operands[0]->def->operands[0], argument(0));
    const struct op *window = update->operands[1]->def;
    cr_assert_eq(window->operands[0], argument(1));
    cr_expect_eq(window->attrs.slice.start_indices.at[0], 0);
    cr_expect_eq(window->results[0].type->shape.dims[0], 2, "rows 4 and 7");
    cr_expect_eq(window->attrs.slice.start_indices.at[1], 1);
    cr_expect_eq(window->results[0].type->shape.dims[1], 3);
}

Test(move_up, an_update_may_begin_between_elements_of_a_slice)
{
    const struct op *window = every_third_of_update(5, 0)->operands[1]->def;
    cr_expect_eq(window->attrs.slice.start_indices.at[0], 1, "row 6");
    cr_expect_eq(window->results[0].type->shape.dims[0], 1);
}

Test(move_up, an_update_may_begin_in_front_of_a_slice)
{
    const struct op *window = every_third_of_update(100, 17)->operands[1]->def;
    cr_expect_eq(window->attrs.slice.start_indices.at[0], 1, "row 17: the update is at row 16");
    cr_expect_eq(window->results[0].type->shape.dims[0], 1);
}

Test(move_up, a_slice_without_updated_elements_is_of_the_array)
{
    cr_expect_eq(every_third_of_update(2, 8)->operands[0], argument(0));
}

Test(move_up, a_slice_of_an_update_anywhere_stays)
{
    cr_expect_eq(every_third_of_update(-1, 0)->code, OP_slice);
}

static int64_t numbers[] = {0, 1, 2}; /* of dimensions */

/* Batching dimensions [0] and [2]; the result has dimensions 3, 50, 40. */
static struct value *product_of_batches(void)
{
    union attrs attrs = {.dot = {.lhs_batching_dimensions = {1, numbers},
                                 .rhs_batching_dimensions = {1, numbers + 2},
                                 .lhs_contracting_dimensions = {1, numbers + 1},
                                 .rhs_contracting_dimensions = {1, numbers}}};
    struct value *operands[] = {argument(0), argument(1)};
    return build_declared(&fixture, OP_dot_general, 2, operands, NULL, &attrs);
}

/* The gradient of a concatenation of which only a part is differentiated. */
Test(move_up, only_the_used_part_of_a_product_is_computed)
{
    MAIN("f32 3 70 50", "f32 70 40 3");
    struct value *transposed =
        build_transpose(&fixture, product_of_batches(), (int64_t[]){2, 0, 1});
    RETURN(build_slice(&fixture, transposed, (int64_t[]){10, 1, 0}, (int64_t[]){30, 2, 50},
                       (int64_t[]){2, 1, 1}));
    fixture_run(move_up_run);
    const struct op *dot = result(0)->operands[0]->def;
    cr_assert_eq(result(0)->code, OP_transpose);
    cr_assert_eq(dot->code, OP_dot_general);
    cr_expect_eq(dot->results[0].type->shape.dims[0], 1);
    cr_expect_eq(dot->results[0].type->shape.dims[1], 50);
    cr_expect_eq(dot->results[0].type->shape.dims[2], 10);
    const struct op *lhs = dot->operands[0]->def, *rhs = dot->operands[1]->def;
    cr_assert_eq(lhs->code, OP_slice);
    cr_assert_eq(rhs->code, OP_slice);
    cr_expect_eq(lhs->attrs.slice.start_indices.at[0], 1);
    cr_expect_eq(lhs->attrs.slice.limit_indices.at[1], 70);
    cr_expect_eq(rhs->attrs.slice.start_indices.at[1], 10);
    cr_expect_eq(rhs->attrs.slice.strides.at[1], 2);
    cr_expect_eq(rhs->attrs.slice.limit_indices.at[2], 2);
}

/* Two slices would compute what both need twice; a slice of a vector's product saves no more than
 * the copy of the matrix costs. */
Test(move_up, a_product_of_several_users_or_little_work_stays)
{
    MAIN("f32 3 70 50", "f32 70 40 3", "f32 1 64", "f32 64 64");
    struct value *product = product_of_batches();
    int64_t zero[3] = {0}, one[3] = {1, 1, 1}, limit[] = {3, 50, 20};
    union attrs attrs = {.dot = {.lhs_contracting_dimensions = {1, numbers + 1},
                                 .rhs_contracting_dimensions = {1, numbers}}};
    struct value *operands[] = {argument(2), argument(3)};
    struct value *row = build_declared(&fixture, OP_dot_general, 2, operands, NULL, &attrs);
    RETURN(build_slice(&fixture, product, zero, limit, one), product,
           build_slice(&fixture, row, zero, (int64_t[]){1, 32}, one));
    fixture_run(move_up_run);
    cr_expect_eq(result(0)->code, OP_slice);
    cr_expect_eq(result(2)->code, OP_slice);
}

/* x[rows, 64] @ w[64, 64] in a loop, of which half the columns are used; w is defined before it. */
static bool is_cut_in_loop(const char *type)
{
    MAIN(type, "f32 64 64");
    struct value *matrix = argument(1);
    struct op *loop = fixture_loop(DTYPE_S32, 0, 10, 1);
    struct block *body = loop->regions[1];
    struct builder b = rewrite_before(fixture_module, body->last);
    union attrs attrs = {.dot = {.lhs_contracting_dimensions = {1, numbers + 1},
                                 .rhs_contracting_dimensions = {1, numbers}}};
    struct value *x = &body->arguments[1];
    struct value *product =
        build_declared(&b, OP_dot_general, 2, (struct value *[]){x, matrix}, NULL, &attrs);
    int64_t rows = x->type->shape.dims[0];
    struct value *half =
        build_slice(&b, product, (int64_t[]){0, 32}, (int64_t[]){rows, 64}, (int64_t[]){1, 1});
    struct value *both = build_declared(&b, OP_concatenate, 2, (struct value *[]){half, half}, NULL,
                                        &(union attrs){.dimension = {.dimension = 1}});
    ir_set_operand(fixture_module, body->last, 1, both);
    RETURN(&loop->results[1]);
    fixture_run(move_up_run);
    return both->def->operands[0]->def->code == OP_dot_general;
}

/* The part of the matrix is copied once, in front of the loop (hoist.h), if products of enough rows
 * read it. */
Test(move_up, parts_of_what_is_in_front_of_a_loop_are_free)
{
    cr_expect(is_cut_in_loop("f32 8 64"));
}

Test(move_up, parts_that_stay_in_a_loop_are_not)
{
    cr_expect_not(is_cut_in_loop("f32 7 64"));
}

static struct value *row(struct value *of, int64_t at)
{
    return build_slice(&fixture, of, (int64_t[]){at, 0}, (int64_t[]){at + 1, 3}, (int64_t[]){1, 1});
}

static struct value *sine_of_rows(void)
{
    struct value *both = joined(0, 2, (struct value *[]){argument(0), argument(1)});
    return build_unary(&fixture, OP_sine, both);
}

Test(move_up, slices_of_different_elements_move)
{
    MAIN("f32 1 3", "f32 1 3");
    struct value *sine = sine_of_rows();
    struct value *transposed =
        build_transpose(&fixture, build_unary(&fixture, OP_negate, sine), (int64_t[]){1, 0});
    RETURN(row(sine, 0), column(transposed, 3, 1));
    fixture_run(move_up_run);
    cr_assert_eq(result(0)->code, OP_sine);
    cr_expect_eq(result(0)->operands[0], argument(0));
    cr_assert_eq(result(1)->code, OP_transpose);
    const struct op *negative = result(1)->operands[0]->def;
    cr_assert_eq(negative->operands[0]->def->code, OP_sine);
    cr_expect_eq(negative->operands[0]->def->operands[0], argument(1));
}

/* A difference of neighbours: each sine would be computed as one and as the other's neighbour. */
Test(move_up, what_several_slices_need_is_not_computed_for_each)
{
    MAIN("f32 1 3", "f32 1 3");
    struct value *sine = sine_of_rows();
    struct value *roll = joined(0, 2, (struct value *[]){row(sine, 1), row(sine, 0)});
    RETURN(build_binary(&fixture, OP_subtract, roll, sine));
    fixture_run(move_up_run);
    cr_expect_eq(roll->def->operands[0]->def->code, OP_slice);
    cr_expect_eq(roll->def->operands[1]->def->code, OP_slice);
}

Test(move_up, what_several_operations_need_is_not_computed_for_each)
{
    MAIN("f32 1 3", "f32 1 3");
    struct value *sine = sine_of_rows();
    struct value *transposed = build_transpose(&fixture, sine, (int64_t[]){1, 0});
    struct value *negative = build_unary(&fixture, OP_negate, transposed);
    RETURN(column(transposed, 3, 0), column(negative, 3, 1), column(negative, 3, 0));
    fixture_run(move_up_run);
    cr_expect_eq(result(0)->code, OP_slice, "of the sine");
    cr_expect_eq(result(0)->operands[0]->def->operands[0], sine);
    cr_expect_eq(result(1)->code, OP_slice);
}

static struct value *moved_stack(int count)
{
    struct value *operands[8];
    for (int i = 0; i < count; i++)
        operands[i] = shaped(argument(0), 3, 1, 6, 5);
    return build_transpose(&fixture, joined(0, count, operands), (int64_t[]){1, 2, 0});
}

Test(move_up, few_operands_are_stored_transposed)
{
    MAIN("f32 6 5");
    RETURN(moved_stack(3), moved_stack(5));
    fixture_run(move_up_run);
    cr_assert_eq(result(0)->code, OP_concatenate);
    cr_expect_eq(result(0)->attrs.dimension.dimension, 2);
    cr_expect_eq(result(0)->operands[0]->type->shape.dims[2], 1);
    cr_expect_eq(result(1)->code, OP_transpose, "elements of five would alternate");
}

/* A walk has few steps, and what is made for one operation is limited. */
Test(move_up, deep_expressions_take_no_time)
{
    MAIN("f32 9 1", "f32 9 1");
    struct value *both = joined(1, 2, (struct value *[]){argument(0), argument(1)});
    struct value *flat = shaped(both, 1, 18, 0, 0);
    for (int i = 0; i < 60; i++) {
        both = build_binary(&fixture, OP_add, both, both);
        flat = build_binary(&fixture, OP_add, flat, flat);
    }
    RETURN(column(both, 9, 0), shaped(flat, 2, 9, 2, 0));
    fixture_run(move_up_run);
    int count = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        count++;
    cr_expect_lt(count, 400);
}

/* As of rows that are divided by their sums, with the rows' dimension moved to the end and back. */
Test(move_up, transposes_cancel_through_elementwise_operations)
{
    MAIN("f32 8 4 5", "f32 5 4", "f32 5 4 8");
    static const int64_t turn[] = {2, 1, 0}, back[] = {1, 2, 0};
    struct value *x = build_transpose(&fixture, argument(0), turn);
    struct value *sums =
        build_broadcast(&fixture, argument(1), x->type, 2, (const int64_t[]){0, 1});
    struct value *scaled =
        build_binary(&fixture, OP_multiply, x, build_splat(&fixture, x->type, 2));
    struct value *whole = build_binary(&fixture, OP_add, x, argument(2));
    RETURN(build_transpose(&fixture, build_binary(&fixture, OP_divide, scaled, sums), turn),
           build_transpose(&fixture, build_unary(&fixture, OP_sine, x), back),
           build_transpose(&fixture, whole, turn));
    fixture_run(move_up_run);
    const struct op *quotient = result(0), *broadcast = quotient->operands[1]->def;
    cr_assert_eq(quotient->code, OP_divide);
    cr_expect_eq(quotient->operands[0]->def->operands[0], argument(0));
    cr_assert_eq(broadcast->code, OP_broadcast_in_dim);
    cr_expect_eq(broadcast->attrs.broadcast_in_dim.broadcast_dimensions.at[0], 1);
    cr_expect_eq(broadcast->attrs.broadcast_in_dim.broadcast_dimensions.at[1], 2);
    cr_expect_eq(broadcast->operands[0]->def->code, OP_transpose, "of few elements");
    cr_expect_eq(result(1)->code, OP_transpose, "it is another permutation");
    cr_expect_eq(result(2)->code, OP_transpose, "another operand would be transposed");
}
