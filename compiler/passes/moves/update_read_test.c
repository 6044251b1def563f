/* update_read_test.c: which reads look through an update, what they become, and which stay. */
#include "compiler/passes/moves/update_read.h"

#include "compiler/loop_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

TestSuite(update_read, .init = fixture_begin, .fini = fixture_end);

/* `part` in the array at two positions. */
static struct value *updated(struct value *array, struct value *part, struct value *row,
                             struct value *column)
{
    struct value *operands[] = {array, part, row, column};
    return build_declared(&fixture, OP_dynamic_update_slice, 4, operands, NULL, NULL);
}

static struct value *sliced(struct value *array, struct value *row, struct value *column,
                            int64_t rows, int64_t columns)
{
    struct value *operands[] = {array, row, column};
    union attrs attrs = {.dynamic_slice = {.slice_sizes = rewrite_dims(
                                               fixture_module, (int64_t[]){rows, columns}, 2)}};
    return build_declared(&fixture, OP_dynamic_slice, 3, operands, NULL, &attrs);
}

/* Rows of an array of two dimensions. */
static struct value *gathered(struct value *array, struct value *rows)
{
    static int64_t numbers[] = {0, 1};
    int64_t columns = array->type->shape.dims[1];
    union attrs attrs = {
        .gather = {.offset_dims = {1, numbers + 1},
                   .collapsed_slice_dims = {1, numbers},
                   .start_index_map = {1, numbers},
                   .index_vector_dim = 1,
                   .slice_sizes = rewrite_dims(fixture_module, (int64_t[]){1, columns}, 2)}};
    return build_declared(&fixture, OP_gather, 2, (struct value *[]){array, rows}, NULL, &attrs);
}

static const struct op *result(int i)
{
    return fixture.block->last->operands[i]->def;
}

static bool is_of(const struct value *value, enum op_code code, const struct value *operand)
{
    return value->def && value->def->code == code && value->def->operands[0] == operand;
}

Test(update_read, a_row_is_of_the_update_or_of_the_array)
{
    MAIN("f32 40 30", "f32 1 30", "s32", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *all = updated(argument(0), argument(1), argument(2), zero);
    RETURN(sliced(all, argument(3), zero, 1, 30));
    fixture_run(update_read_run);
    cr_assert_eq(result(0)->code, OP_select);
    cr_expect(is_of(result(0)->operands[1], OP_dynamic_slice, argument(1)));
    cr_expect(is_of(result(0)->operands[2], OP_dynamic_slice, argument(0)));
}

Test(update_read, a_column_of_what_is_read_is_updated_there)
{
    MAIN("f32 40 30", "f32 40 1", "s32", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *all = updated(argument(0), argument(1), zero, argument(2));
    RETURN(sliced(all, argument(3), zero, 1, 30));
    fixture_run(update_read_run);
    cr_assert_eq(result(0)->code, OP_dynamic_update_slice);
    cr_expect(is_of(result(0)->operands[0], OP_dynamic_slice, argument(0)));
    cr_expect(is_of(result(0)->operands[1], OP_dynamic_slice, argument(1)), "always an element");
    cr_expect_eq(result(0)->operands[1]->type->shape.dims[0], 1);
}

Test(update_read, an_element_is_in_the_window_in_both_dimensions)
{
    MAIN("f32 40 30", "f32 2 3", "s32", "u64");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *all = updated(argument(0), argument(1), argument(2), zero);
    RETURN(sliced(all, argument(3), argument(3), 1, 1));
    fixture_run(update_read_run);
    cr_assert_eq(result(0)->code, OP_select);
    cr_expect(is_of(result(0)->operands[1], OP_dynamic_slice, argument(1)));
    cr_expect_eq(result(0)->operands[2]->def->operands[1]->def->code, OP_convert,
                 "positions beyond 2^63 are clamped first");
}

Test(update_read, rows_are_of_the_update_or_of_the_array)
{
    MAIN("f32 40 30", "f32 1 30", "s32", "s32 7 1");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    RETURN(gathered(updated(argument(0), argument(1), argument(2), zero), argument(3)));
    fixture_run(update_read_run);
    cr_assert_eq(result(0)->code, OP_select);
    cr_expect_eq(result(0)->operands[1]->def->code, OP_broadcast_in_dim);
    cr_expect(is_of(result(0)->operands[2], OP_gather, argument(0)));
}

Test(update_read, rows_have_the_columns_of_the_updates_rows)
{
    MAIN("f32 40 30", "f32 40 2", "s32", "s32 7 1");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    RETURN(gathered(updated(argument(0), argument(1), zero, argument(2)), argument(3)));
    fixture_run(update_read_run);
    cr_assert_eq(result(0)->code, OP_dynamic_update_slice);
    cr_expect(is_of(result(0)->operands[0], OP_gather, argument(0)));
    cr_assert(is_of(result(0)->operands[1], OP_gather, argument(1)));
    cr_expect_eq(result(0)->operands[1]->def->attrs.gather.slice_sizes.at[1], 2);
    cr_expect_eq(result(0)->operands[3]->def->code, OP_clamp, "as the update clamps its start");
}

/* Of each of a batch of arrays a row, as of a function that is mapped over one array. */
Test(update_read, rows_of_a_batch_are_of_the_whole_array)
{
    MAIN("f32 1 40 30", "f32 1 1 30", "s32", "s32 1 1");
    static int64_t numbers[] = {0, 1};
    const struct dims batch = {1, numbers}, row = {1, numbers + 1};
    union attrs attrs = {
        .gather = {.offset_dims = row,
                   .collapsed_slice_dims = row,
                   .operand_batching_dims = batch,
                   .start_indices_batching_dims = batch,
                   .start_index_map = row,
                   .index_vector_dim = 1,
                   .slice_sizes = rewrite_dims(fixture_module, (int64_t[]){1, 1, 30}, 3)}};
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *update[] = {argument(0), argument(1), zero, argument(2), zero};
    struct value *whole = build_declared(&fixture, OP_dynamic_update_slice, 5, update, NULL, NULL);
    struct value *operands[] = {whole, argument(3)};
    RETURN(build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs));
    fixture_run(update_read_run);
    cr_expect(is_of(fixture.block->last->operands[0], OP_gather, whole));
}

Test(update_read, reads_look_through_several_updates)
{
    MAIN("f32 40 30", "f32 1 30", "s32", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *first = updated(argument(0), argument(1), argument(2), zero);
    struct value *row = sliced(first, zero, zero, 1, 30);
    struct value *second = updated(first, build_unary(&fixture, OP_negate, row), zero, zero);
    RETURN(sliced(second, argument(3), zero, 1, 30));
    fixture_run(update_read_run);
    for (const struct op *op = fixture.block->first; op; op = op->next)
        cr_expect_neq(op->code, OP_dynamic_update_slice);
}

/* The body of a scatter that adds. */
static struct value *scattered(struct value *array, struct value *position, struct value *row)
{
    static int64_t numbers[] = {0};
    union attrs attrs = {.scatter = {.update_window_dims = {1, numbers},
                                     .inserted_window_dims = {1, numbers},
                                     .scatter_dims_to_operand_dims = {1, numbers}}};
    struct value *operands[] = {array, position, row};
    struct op *op = ir_op(fixture_module, OP_scatter, 3, operands, 1, &array->type, 1);
    op->attrs = attrs;
    const struct type *scalar = type_with_dims(fixture_module->arena, array->type, 0, NULL);
    op->regions[0] = ir_block(fixture_module, fixture.block->func, op, 2,
                              (const struct type *[]){scalar, scalar});
    ir_append(fixture.block, op);
    struct builder b = {fixture_module, op->regions[0], NULL, NULL};
    struct value *sum =
        build_binary(&b, OP_add, &op->regions[0]->arguments[0], &op->regions[0]->arguments[1]);
    build_return(&b, 1, &sum);
    return &op->results[0];
}

Test(update_read, a_window_that_is_scattered_may_be_outside)
{
    MAIN("f32 40 30", "f32 30", "s32 1", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    RETURN(sliced(scattered(argument(0), argument(2), argument(1)), argument(3), zero, 1, 30));
    fixture_run(update_read_run);
    cr_assert_eq(result(0)->code, OP_select, "whether the row is that of the window");
    const struct op *part = result(0)->operands[1]->def->operands[0]->def;
    cr_assert_eq(part->code, OP_select, "whether the window is inside of the array");
    cr_expect_eq(part->operands[1]->def->code, OP_add);
    cr_expect(is_of(part->operands[2], OP_dynamic_slice, argument(0)));
}

/* How many updates of a row stay where rows are read of the result of `count` of them. */
static int updates_left(int count, bool scatters, const char *rows)
{
    MAIN("f32 40 30", "f32 30", "s32 1", rows);
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0), *all = argument(0);
    struct value *position = build_reshape(&fixture, argument(2), 0, NULL);
    struct value *row = build_reshape(&fixture, argument(1), 2, (int64_t[]){1, 30});
    for (int i = 0; i < count; i++)
        all =
            scatters ? scattered(all, argument(2), argument(1)) : updated(all, row, position, zero);
    RETURN(gathered(all, argument(3)));
    fixture_run(update_read_run);
    int left = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        left += op->code == OP_dynamic_update_slice || op->code == OP_scatter;
    fixture_end();
    fixture_begin();
    return left;
}

Test(update_read, reads_look_through_all_updates_or_none)
{
    cr_expect_eq(updates_left(60, false, "s32 2 1"), 0);
    cr_expect_eq(updates_left(7, true, "s32 2 1"), 0);
    cr_expect_eq(updates_left(8, true, "s32 2 1"), 8, "the scatters read it more than 8 times");
    cr_expect_eq(updates_left(4, false, "s32 30 1"), 0);
    cr_expect_eq(updates_left(5, false, "s32 30 1"), 5, "more comparisons than a copy costs");
}

Test(update_read, what_is_needed_as_a_whole_or_mostly_read_stays)
{
    MAIN("f32 40 30", "f32 1 30", "s32", "s32 90 1");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *kept = updated(argument(0), argument(1), argument(2), zero),
                 *read = updated(argument(0), argument(1), argument(2), zero),
                 *few = updated(argument(0), argument(1), argument(2), zero);
    RETURN(kept, sliced(kept, argument(2), zero, 1, 30), gathered(read, argument(3)),
           sliced(few, argument(2), zero, 7, 30));
    fixture_run(update_read_run);
    cr_expect_eq(result(1)->operands[0], kept);
    cr_expect_eq(result(2)->operands[0], read);
    cr_expect_eq(result(3)->operands[0], few, "some of its rows may be updated");
}
