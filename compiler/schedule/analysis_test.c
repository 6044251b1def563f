/* analysis_test.c: queries about expressions whose values have several users, so that there are
 * many more paths through them than operations. */
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/collapse.h"
#include "compiler/schedule/arithmetic.h"

#include "compiler/codegen/codegen_fixture.h"

enum { DOUBLINGS = 60, ROWS = 8, COLUMNS = 6 };

/* 2^60 paths lead from the result to the value. */
static struct value *doubled(struct fixture *f, struct value *value)
{
    for (int i = 0; i < DOUBLINGS; i++)
        value = fixture_value(f, OP_add, value->type, value, value);
    return value;
}

static struct fixture *begin(struct arena *arena)
{
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, ROWS, COLUMNS);
    return fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
}

Test(analysis, elementwise_operations_have_no_loop)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = begin(arena);
    struct value *value = doubled(f, fixture_arg(f, 0));
    cr_assert_not(analysis_has_loop(value));
    cr_assert(collapse_fits(value, 0));
    cr_assert_not(analysis_transposes(value, 1, 0));
    cr_assert_eq(analysis_loop_depth(value), 0);
    arena_destroy(arena);
}

Test(analysis, a_loop_is_found_behind_many_paths)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = begin(arena);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct value *sum =
        fixture_reduce(f, doubled(f, fixture_arg(f, 0)), zero, OP_add,
                       fixture_type(arena, DTYPE_F32, 1, ROWS), fixture_dims(f, 1, 1));
    struct value *wide = fixture_broadcast(f, sum, fixture_arg(f, 0)->type, fixture_dims(f, 1, 0));
    struct value *value = doubled(f, wide);
    cr_assert(analysis_has_loop(value));
    cr_assert(analysis_meets_loop(value, 0));
    cr_assert_not(analysis_meets_loop(value, 1));
    cr_assert_not(collapse_fits(value, 0));
    cr_assert_eq(analysis_loop_depth(value), 1);
    arena_destroy(arena);
}

Test(analysis, wide_elements_and_transposes_are_found_behind_many_paths)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = begin(arena);
    struct op *swap =
        fixture_op(f, f->block, OP_transpose, fixture_type(arena, DTYPE_F32, 2, COLUMNS, ROWS), 1,
                   fixture_arg(f, 0));
    swap->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
    struct value *value = doubled(f, &swap->results[0]);
    cr_assert(analysis_transposes(value, 1, 0));
    struct value *wide =
        fixture_value(f, OP_convert, fixture_type(arena, DTYPE_F64, 2, COLUMNS, ROWS), value, NULL);
    struct value *narrow = fixture_value(f, OP_convert, value->type, doubled(f, wide), NULL);
    cr_assert_eq(arithmetic_widest(doubled(f, narrow)), 8);
    arena_destroy(arena);
}

/* The elements of a long row are divided among work items. */
Test(analysis, long_rows_of_much_arithmetic_are_divided)
{
    enum { SIZE = 1 << 20 };
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_U32, 1, SIZE);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
    fixture_return(f, 1, doubled(f, fixture_arg(f, 0)));
    struct fixture_kernel kernel = fixture_compile(f, 0, NULL);
    cr_assert_geq(kernel.work, 64);
    fixture_release(kernel);
    arena_destroy(arena);
}

/* Which of the dimensions 0 and 1 (bit 0), and 1 and 2 (bit 1), of an operation collapse. */
static int collapses(struct fixture *f, const struct type *type, struct op *op)
{
    cr_assert_eq(op->results[0].type, type);
    ir_append(f->block, op);
    return collapse_fits(&op->results[0], 0) + 2 * collapse_fits(&op->results[0], 1);
}

/* A dimension that is joined to another piece, reversed or cut does not collapse with the one
 * around it, nor does one with a stride. */
Test(analysis, rows_that_move_together_collapse)
{
    static const int whole[] = {2, 0, 1}, cut[] = {3, 2, 1};
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 3, 4, 5, 6);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *pair[] = {fixture_arg(f, 0), fixture_arg(f, 0)};
    for (int dim = 0; dim < 3; dim++) {
        int64_t twice[] = {4, 5, 6}, less[] = {4, 5, 6};
        twice[dim] *= 2;
        less[dim] -= 2;
        const struct type *wide = type_tensor(arena, DTYPE_F32, 3, twice),
                          *narrow = type_tensor(arena, DTYPE_F32, 3, less);
        struct op *reverse = ir_op(f->module, OP_reverse, 1, pair, 1, &type, 0),
                  *join = ir_op(f->module, OP_concatenate, 2, pair, 1, &wide, 0),
                  *slice = ir_op(f->module, OP_slice, 1, pair, 1, &narrow, 0);
        reverse->attrs.dimensions.dimensions = fixture_dims(f, 1, dim);
        join->attrs.dimension.dimension = dim;
        slice->attrs.slice.strides = fixture_dims(f, 3, 1, 1, 1);
        slice->attrs.slice.start_indices = fixture_dims(f, 3, 0, 0, 0);
        cr_expect_eq(collapses(f, type, reverse), whole[dim], "reverse %d", dim);
        cr_expect_eq(collapses(f, wide, join), whole[dim], "concatenate %d", dim);
        cr_expect_eq(collapses(f, narrow, slice), cut[dim], "slice %d", dim);
    }
    arena_destroy(arena);
}

/* The sums of the rows of a matrix, or of the differences of its columns' and rows' first elements,
 * and whether lanes along the sums conflict with the loop along the rows. */
static bool sums_use_scalars(int64_t rows, int64_t columns, bool is_computed)
{
    struct arena *arena = fixture_arena();
    const struct type *matrix = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    const struct type *column = fixture_type(arena, DTYPE_F32, 1, rows);
    const struct type *types[] = {matrix, column, fixture_type(arena, DTYPE_F32, 1, columns)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 3, types, arena);
    struct value *terms = fixture_arg(f, 0);
    if (is_computed)
        terms =
            fixture_value(f, OP_subtract, matrix,
                          fixture_broadcast(f, fixture_arg(f, 1), matrix, fixture_dims(f, 1, 0)),
                          fixture_broadcast(f, fixture_arg(f, 2), matrix, fixture_dims(f, 1, 1)));
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct value *sums = fixture_reduce(f, terms, zero, OP_add, column, fixture_dims(f, 1, 1));
    bool uses_scalars = analysis_uses_scalars(sums, 0);
    arena_destroy(arena);
    return uses_scalars;
}

Test(analysis, lanes_are_rows_that_are_short_or_that_no_lane_reads_apart)
{
    cr_expect_not(sums_use_scalars(64, 7, false));
    cr_expect(sums_use_scalars(64, 8, false));
    cr_expect_not(sums_use_scalars(64, 8, true));
    cr_expect_not(sums_use_scalars(64, 16, true));
    cr_expect(sums_use_scalars(64, 17, true), "too much code");
    cr_expect(sums_use_scalars(7, 8, true), "too few rows");
}

/* Rows of a reshaped matrix: lanes would read every eighth element of its rows. */
Test(analysis, lanes_are_no_rows_of_one_dimension_that_both_are_part_of)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, DTYPE_F32, 2, 6, 400),
                                  fixture_type(arena, DTYPE_F32, 3, 6, 50, 8),
                                  fixture_type(arena, DTYPE_F32, 2, 6, 50)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, types, arena);
    struct value *bits = fixture_value(f, OP_reshape, types[1], fixture_arg(f, 0), NULL);
    struct value *terms = fixture_value(f, OP_multiply, types[1], bits, bits);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct value *sums = fixture_reduce(f, terms, zero, OP_add, types[2], fixture_dims(f, 1, 2));
    cr_expect(analysis_uses_scalars(sums, 1));
    arena_destroy(arena);
}

static int padding_period(int64_t first, int64_t second)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = begin(arena);
    struct value *value = fixture_arg(f, 0),
                 *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    int64_t between[][2] = {{0, first}, {0, second}};
    for (int i = 0; i < 2; i++) {
        struct op *op = fixture_op(f, f->block, OP_pad, value->type, 2, value, zero);
        op->attrs.pad.edge_padding_low = op->attrs.pad.edge_padding_high = fixture_dims(f, 2, 0, 0);
        op->attrs.pad.interior_padding = (struct dims){2, between[i]};
        value = &op->results[0];
    }
    int period = analysis_padding_period(value, 1);
    arena_destroy(arena);
    return period;
}

/* Padding between elements may be as large as a size, of an array that is cut. */
Test(analysis, padding_repeats_soon_or_not_at_all)
{
    const int64_t most = INT64_C(1) << 40;
    cr_expect_eq(padding_period(0, 0), 1);
    cr_expect_eq(padding_period(2, 0), 3);
    cr_expect_eq(padding_period(1, 3), 4);
    cr_expect_eq(padding_period(2, 4), 1, "15 elements");
    cr_expect_eq(padding_period(most, 0), 1);
    cr_expect_eq(padding_period(0, most), 1);
    cr_expect_eq(padding_period(most, most), 1);
}
