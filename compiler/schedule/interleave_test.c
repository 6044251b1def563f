/* interleave_test.c: which rows of few elements are interleaved, and that what is stored first may
 * be over what is read for others. That rows are stored right is tested by periodic_shuffle_test.c.
 * */
#include "compiler/schedule/interleave.h"

#include "compiler/codegen/codegen_fixture.h"
#include "compiler/schedule/analysis.h"

enum { ROWS = 100 };

/* How many elements of a row of a root are interleaved. */
static int interleaved(const struct value *root)
{
    const struct target target = {.isa.vector_bytes = 64, .cores = 2};
    struct nest nest = {.shape = root->type, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    return nest.schedule.interleave;
}

static struct fixture *with_rows(int width)
{
    struct arena *arena = fixture_arena();
    const struct type *rows = fixture_type(arena, DTYPE_F32, 2, ROWS, width),
                      *indices = fixture_type(arena, DTYPE_S32, 2, ROWS, 1);
    return fixture_begin(FUSION_LOOP, 2, (const struct type *[]){rows, indices}, arena);
}

static int of_reversed(int width, enum op_code code)
{
    struct fixture *f = with_rows(width);
    struct value *x = fixture_arg(f, 0);
    struct op *op = fixture_op(f, f->block, OP_reverse, x->type, 1, x);
    op->attrs.dimensions.dimensions = fixture_dims(f, 1, 1);
    int many = interleaved(fixture_value(f, code, x->type, &op->results[0], NULL));
    arena_destroy(f->arena);
    return many;
}

Test(interleave, rows)
{
    cr_expect_eq(of_reversed(3, OP_negate), 3);
    cr_expect_eq(of_reversed(8, OP_exponential), 8);
    cr_expect_eq(of_reversed(9, OP_negate), 1, "a vector has most of them");
    cr_expect_eq(of_reversed(9, OP_exponential), 1);
}

static int of_transposed(int width, int height, enum op_code code)
{
    struct arena *arena = fixture_arena();
    const struct type *from = fixture_type(arena, DTYPE_F32, 3, ROWS, width, height),
                      *to = fixture_type(arena, DTYPE_F32, 3, ROWS, height, width);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &from, arena);
    struct op *op = fixture_op(f, f->block, OP_transpose, to, 1, fixture_arg(f, 0));
    op->attrs.transpose.permutation = fixture_dims(f, 3, 0, 2, 1);
    int many = interleaved(fixture_value(f, code, to, &op->results[0], NULL));
    arena_destroy(arena);
    return many;
}

Test(interleave, matrices)
{
    cr_expect_eq(of_transposed(3, 3, OP_negate), 9);
    cr_expect_eq(of_transposed(4, 4, OP_negate), 16);
    cr_expect_eq(of_transposed(4, 4, OP_exponential), 16, "which one vector stores");
    cr_expect_eq(of_transposed(3, 3, OP_exponential), 1, "so much code takes long to compile");
    cr_expect_eq(of_transposed(2, 4, OP_exponential), 8);
    cr_expect_eq(of_transposed(3, 6, OP_negate), 18);
    cr_expect_eq(of_transposed(4, 6, OP_negate), 24);
    cr_expect_eq(of_transposed(6, 8, OP_exponential), 48);
    cr_expect_eq(of_transposed(12, 4, OP_negate), 48);
    cr_expect_eq(of_transposed(8, 8, OP_negate), 1, "they are transposed in tiles");
    cr_expect_eq(of_transposed(5, 5, OP_negate), 1, "25 vectors are much code");
    cr_expect_eq(of_transposed(6, 12, OP_negate), 1, "elements of a vector are far apart");
}

/* Where a row is found is the same for all of its elements. */
Test(interleave, gathered_rows_are_not)
{
    struct fixture *f = with_rows(8);
    struct value *x = fixture_arg(f, 0);
    struct op *op = fixture_op(f, f->block, OP_gather, x->type, 2, x, fixture_arg(f, 1));
    op->attrs.gather = (struct attrs_gather){.offset_dims = fixture_dims(f, 1, 1),
                                             .collapsed_slice_dims = fixture_dims(f, 1, 0),
                                             .start_index_map = fixture_dims(f, 1, 0),
                                             .index_vector_dim = 1,
                                             .slice_sizes = fixture_dims(f, 2, 1, 8)};
    cr_expect(analysis_gathers_along(&op->results[0], 1));
    cr_expect_not(analysis_gathers_along(&op->results[0], 0));
    cr_expect_eq(interleaved(&op->results[0]), 1);
    arena_destroy(f->arena);
}

/* Rows that are divided by their sum, which `code` computes of each element first. */
static struct value *normalized(struct fixture *f, int64_t rows, enum op_code code)
{
    struct value *x = fixture_arg(f, 0);
    const struct type *sums = fixture_type(f->arena, DTYPE_F32, 1, (int)rows);
    struct value *y = fixture_value(f, code, x->type, x, NULL),
                 *zero = fixture_constant(f, type_scalar(f->arena, DTYPE_F32), 0);
    struct value *sum = fixture_reduce(f, y, zero, OP_add, sums, fixture_dims(f, 1, 1));
    struct value *spread = fixture_broadcast(f, sum, x->type, fixture_dims(f, 1, 0));
    return fixture_value(f, OP_divide, x->type, y, spread);
}

static struct fixture *with_rows_of(int rows, int width)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, width);
    return fixture_begin(FUSION_LOOP, 1, &type, arena);
}

static int of_normalized(int rows, int width, enum op_code code)
{
    struct fixture *f = with_rows_of(rows, width);
    struct value *root = normalized(f, rows, code);
    fixture_return(f, 1, root);
    int many = interleaved(root);
    arena_destroy(f->arena);
    return many;
}

Test(interleave, rows_that_are_reduced)
{
    cr_expect_eq(of_normalized(1000, 3, OP_negate), 3);
    cr_expect_eq(of_normalized(5000, 5, OP_exponential), 5);
    cr_expect_eq(of_normalized(1000, 5, OP_negate), 1, "a vector has most of them");
    cr_expect_eq(of_normalized(100, 3, OP_negate), 1, "few rows are not worth the code");
    cr_expect_eq(of_normalized(3000, 5, OP_exponential), 1, "of five exponentials it is more");
}

/* The result may be stored over what is reduced. */
Test(interleave, rows_are_reduced_in_lanes)
{
    for (int width = 2; width <= 4; width++)
        for (int rows = 601; rows <= 616; rows += 5) {
            struct fixture *f = with_rows_of(rows, width);
            fixture_return(f, 1, normalized(f, rows, OP_negate));
            float *x = fixture_floats(f, rows * width, 1);
            for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
                float *y = fixture_memory(f, (size_t)(rows * width) * 4);
                memcpy(y, x, (size_t)(rows * width) * 4);
                fixture_run(f, tier, tier, (void *[]){y, y}, NULL);
                for (int i = 0; i < rows * width; i++) {
                    float sum = 0;
                    for (int k = 0; k < width; k++)
                        sum += -x[i / width * width + k];
                    cr_assert_float_eq(y[i] * sum, -x[i], 1e-6, "%d x %d, %d", rows, width, i);
                }
            }
            arena_destroy(f->arena);
        }
}

/* Each operation counts once, however many need it; so does the index of a row. */
Test(interleave, rows_whose_sums_are_needed_often_are)
{
    enum { MANY = 4096, TIMES = 8 };
    struct fixture *f = with_rows_of(MANY, 3);
    const struct type *sums = fixture_type(f->arena, DTYPE_F32, 1, MANY);
    struct value *x = fixture_arg(f, 0),
                 *zero = fixture_constant(f, type_scalar(f->arena, DTYPE_F32), 0);
    struct value *sum = fixture_reduce(f, x, zero, OP_add, sums, fixture_dims(f, 1, 1));
    for (int i = 0; i < TIMES; i++)
        sum = fixture_value(f, OP_multiply, sums, sum, sum);
    struct op *index = fixture_op(f, f->block, OP_iota, sums, 0, NULL);
    struct value *scaled = fixture_value(f, OP_add, sums, sum, &index->results[0]);
    struct value *spread = fixture_broadcast(f, scaled, x->type, fixture_dims(f, 1, 0));
    struct value *root = fixture_value(f, OP_multiply, x->type, x, spread);
    fixture_return(f, 1, root);
    cr_expect_eq(interleaved(root), 3);
    arena_destroy(f->arena);
}

/* Two results: r[row] + y, which is stored over x, and x + x, at every element of rows. y is
 * [width, rows] and transposed, or of the same shape as x. */
static void store_over_operand(int rows, int width, bool transposed)
{
    struct arena *arena = fixture_arena();
    const struct type *own = fixture_type(arena, DTYPE_F32, 2, rows, width),
                      *turned = fixture_type(arena, DTYPE_F32, 2, width, rows),
                      *types[] = {own, transposed ? turned : own,
                                  fixture_type(arena, DTYPE_F32, 1, rows)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 3, types, arena);
    struct value *x = fixture_arg(f, 0), *y = fixture_arg(f, 1);
    if (transposed) {
        struct op *op = fixture_op(f, f->block, OP_transpose, own, 1, y);
        op->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
        y = &op->results[0];
    }
    struct value *r = fixture_broadcast(f, fixture_arg(f, 2), own, fixture_dims(f, 1, 0));
    fixture_return(f, 2, fixture_value(f, OP_add, own, r, y), fixture_value(f, OP_add, own, x, x));
    int count = rows * width;
    float *a = fixture_floats(f, count, 1), *b = fixture_floats(f, count, 2),
          *c = fixture_floats(f, rows, 3);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        float *over = fixture_memory(f, (size_t)count * 4),
              *twice = fixture_memory(f, (size_t)count * 4);
        memcpy(over, a, (size_t)count * 4);
        fixture_run(f, tier, tier, (void *[]){over, b, c, over, twice}, NULL);
        for (int i = 0; i < count; i++) {
            int row = i / width, of_y = transposed ? i % width * rows + row : i;
            cr_assert(over[i] == c[row] + b[of_y] && twice[i] == 2 * a[i], "%d x %d, tier %d, %d",
                      rows, width, tier, i);
        }
    }
    arena_destroy(arena);
}

Test(interleave, results_are_computed_before_the_first_is_stored)
{
    for (int rows = 7; rows <= 80; rows += 21)
        for (int width = 2; width <= 8; width++) {
            store_over_operand(rows, width, false);
            store_over_operand(rows, width, true);
        }
}
