/* collapse_test.c: kernels whose rows are one loop, though what they read is not contiguous. */
#include "compiler/schedule/collapse.h"

#include "compiler/codegen/codegen_fixture.h"

static struct value *every(struct fixture *f, struct value *value, const struct type *type,
                           int first, int stride)
{
    struct op *slice = fixture_op(f, f->block, OP_slice, type, 1, value);
    int columns = (int)value->type->shape.dims[1];
    slice->attrs.slice.start_indices = fixture_dims(f, 2, 0, first);
    slice->attrs.slice.limit_indices = fixture_dims(f, 2, (int)type->shape.dims[0], columns);
    slice->attrs.slice.strides = fixture_dims(f, 2, 1, stride);
    return &slice->results[0];
}

/* Differences of columns `first` and 0 of each group of `stride`, as a column more. */
static void check(int rows, int columns, int first, int stride)
{
    struct arena *arena = fixture_arena();
    const struct type *whole = fixture_type(arena, DTYPE_F32, 2, rows, columns * stride),
                      *part = fixture_type(arena, DTYPE_F32, 2, rows, columns),
                      *tall = fixture_type(arena, DTYPE_F32, 3, rows, columns, 1);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &whole, arena);
    struct value *negative = fixture_value(f, OP_negate, whole, fixture_arg(f, 0), NULL),
                 *difference = fixture_value(f, OP_add, part,
                                             every(f, fixture_arg(f, 0), part, first, stride),
                                             every(f, negative, part, 0, stride)),
                 *result = fixture_value(f, OP_reshape, tall, difference, NULL);
    cr_expect(collapse_fits(result, 0), "%d x %d of %d", rows, columns, stride);
    fixture_return(f, 1, result);
    size_t bytes = (size_t)(rows * columns) * sizeof(float);
    float *values = fixture_floats(f, (int64_t)rows * columns * stride, 5),
          *out = fixture_memory(f, bytes);
    fixture_run(f, 1, 3, (void *[]){values, out}, NULL);
    fixture_guarded(out, bytes);
    for (int i = 0; i < rows * columns; i++)
        cr_assert_eq(out[i], values[i * stride + first] - values[i * stride], "%d x %d of %d: %d",
                     rows, columns, stride, i);
    arena_destroy(arena);
}

Test(collapse, every_so_many_columns_of_whole_rows)
{
    for (int stride = 2; stride <= 5; stride++)
        for (int columns = 2; columns <= 19; columns += 3)
            check(7, columns, stride - 1, stride);
}

Test(collapse, a_cut_row_does_not)
{
    struct arena *arena = fixture_arena();
    const struct type *whole = fixture_type(arena, DTYPE_F32, 2, 4, 9),
                      *part = fixture_type(arena, DTYPE_F32, 2, 4, 4);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &whole, arena);
    cr_expect(!collapse_fits(every(f, fixture_arg(f, 0), part, 1, 2), 0));
    arena_destroy(arena);
}

/* The sums along dimension `summed` of three of 5 x 3 x 7. */
static bool sums_collapse(int summed)
{
    enum { OUTER = 5, MIDDLE = 3, INNER = 7 };
    struct arena *arena = fixture_arena();
    const int sizes[] = {OUTER, MIDDLE, INNER}, strides[] = {MIDDLE * INNER, INNER, 1};
    int rows = sizes[summed == 0], columns = sizes[summed == 2 ? 1 : 2];
    const struct type *whole = fixture_type(arena, DTYPE_F32, 3, OUTER, MIDDLE, INNER),
                      *sums = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &whole, arena);
    struct value *zero = fixture_constant(f, fixture_type(arena, DTYPE_F32, 0), 0),
                 *sum = fixture_reduce(f, fixture_arg(f, 0), zero, OP_add, sums,
                                       fixture_dims(f, 1, summed));
    bool fits = collapse_fits(sum, 0);
    fixture_return(f, 1, sum);
    float *values = fixture_memory(f, OUTER * MIDDLE * INNER * sizeof(float)),
          *out = fixture_memory(f, (size_t)(rows * columns) * sizeof(float));
    for (int i = 0; i < OUTER * MIDDLE * INNER; i++)
        values[i] = (float)(i * i % 31);
    fixture_run(f, 1, 3, (void *[]){values, out}, NULL);
    for (int i = 0; i < rows * columns; i++) {
        float expected = 0;
        int first = i / columns * strides[summed == 0] + i % columns * strides[summed == 2 ? 1 : 2];
        for (int k = 0; k < sizes[summed]; k++)
            expected += values[first + k * strides[summed]];
        cr_assert_eq(out[i], expected, "along %d: %d", summed, i);
    }
    arena_destroy(arena);
    return fits;
}

Test(collapse, sums_of_adjacent_dimensions)
{
    cr_expect(sums_collapse(0));
    cr_expect_not(sums_collapse(1));
    cr_expect_not(sums_collapse(2), "rows are reduced");
}

Test(collapse, dimensions_of_a_reshape)
{
    struct arena *arena = fixture_arena();
    const struct type *from = fixture_type(arena, DTYPE_F32, 4, 1, 4, 1, 6),
                      *same = fixture_type(arena, DTYPE_F32, 3, 4, 6, 1),
                      *other = fixture_type(arena, DTYPE_F32, 2, 6, 4);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &from, arena);
    const struct op *units = fixture_value(f, OP_reshape, same, fixture_arg(f, 0), NULL)->def,
                    *swaps = fixture_value(f, OP_reshape, other, fixture_arg(f, 0), NULL)->def;
    cr_expect_not(collapse_fits(&units->results[0], 0), "a dimension is between them");
    cr_expect_not(collapse_fits(&swaps->results[0], 0));
    arena_destroy(arena);
}

/* A transpose of f32[3, 4, 8, 9] by a permutation, negated. `collapsed`: dimensions that collapse
 * with the next one, a bit each. */
static void check_transpose(const int *order, unsigned collapsed)
{
    struct arena *arena = fixture_arena();
    const int from[] = {3, 4, 8, 9};
    const struct type *types[] = {fixture_type(arena, DTYPE_F32, 4, 3, 4, 8, 9),
                                  fixture_type(arena, DTYPE_F32, 4, from[order[0]], from[order[1]],
                                               from[order[2]], from[order[3]])};
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, types, arena);
    struct op *moved = fixture_op(f, f->block, OP_transpose, types[1], 1, fixture_arg(f, 0));
    moved->attrs.transpose.permutation = fixture_dims(f, 4, order[0], order[1], order[2], order[3]);
    for (int dim = 0; dim < 3; dim++)
        cr_expect_eq(collapse_fits(&moved->results[0], dim), collapsed >> dim & 1, "%d", dim);
    fixture_return(f, 1, fixture_value(f, OP_negate, types[1], &moved->results[0], NULL));
    float *in = fixture_floats(f, 864, 5), *out = fixture_memory(f, 864 * sizeof *out);
    fixture_run(f, 1, 0, (void *[]){in, out}, NULL);
    fixture_guarded(out, 864 * sizeof *out);
    int at[4], i = 0;
    for (at[order[0]] = 0; at[order[0]] < from[order[0]]; at[order[0]]++)
        for (at[order[1]] = 0; at[order[1]] < from[order[1]]; at[order[1]]++)
            for (at[order[2]] = 0; at[order[2]] < from[order[2]]; at[order[2]]++)
                for (at[order[3]] = 0; at[order[3]] < from[order[3]]; at[order[3]]++, i++)
                    cr_assert_eq(out[i], -in[((at[0] * 4 + at[1]) * 8 + at[2]) * 9 + at[3]]);
    arena_destroy(arena);
}

Test(collapse, dimensions_that_a_transpose_keeps_side_by_side)
{
    check_transpose((const int[]){3, 0, 1, 2}, 6);
    check_transpose((const int[]){1, 2, 0, 3}, 1);
    check_transpose((const int[]){3, 2, 0, 1}, 4);
    check_transpose((const int[]){3, 2, 1, 0}, 0);
    check_transpose((const int[]){0, 2, 1, 3}, 0);
}
