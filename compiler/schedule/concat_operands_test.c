/* concat_operands_test.c: concatenations along each dimension, one inside of another, beside a
 * result of the same shape that is none. */
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/schedule/concat_operands.h"

static struct value *joined(struct fixture *f, const struct type *type, int dim, struct value *a,
                            struct value *b)
{
    struct op *op = fixture_op(f, f->block, OP_concatenate, type, 2, a, b);
    op->attrs.dimension.dimension = dim;
    return &op->results[0];
}

static const struct type *longer(struct arena *arena, const struct type *type, int dim,
                                 int64_t times)
{
    int64_t dims[3];
    memcpy(dims, type->shape.dims, sizeof dims);
    dims[dim] *= times;
    return type_tensor(arena, type->shape.dtype, 3, dims);
}

/* Element `at` of joined(joined(x, -x, inner), joined(x, x, inner), outer), where joined along
 * `inner` means twice as many elements. */
static float expected(const float *x, const int64_t *size, const int64_t *at, int inner, int outer)
{
    int64_t from[3] = {at[0], at[1], at[2]};
    bool second = from[outer] >= size[outer] * (1 + (inner == outer));
    from[outer] -= second ? size[outer] * (1 + (inner == outer)) : 0;
    bool negative = from[inner] >= size[inner];
    from[inner] -= negative ? size[inner] : 0;
    float value = x[(from[0] * size[1] + from[1]) * size[2] + from[2]];
    return negative && !second ? -value : value;
}

/* Results: the concatenations, and their sum with themselves. */
static void check(const int64_t *size, int inner, int outer, int64_t grain)
{
    struct arena *arena = fixture_arena();
    const struct type *type = type_tensor(arena, DTYPE_F32, 3, size);
    const struct type *twice = longer(arena, type, inner, 2), *all = longer(arena, twice, outer, 2);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, all}, arena);
    struct value *x = fixture_arg(f, 0), *other = fixture_arg(f, 1);
    struct value *negative = fixture_value(f, OP_negate, type, x, NULL);
    struct value *root =
        joined(f, all, outer, joined(f, twice, inner, x, negative), joined(f, twice, inner, x, x));
    fixture_return(f, 2, fixture_value(f, OP_add, all, other, other), root);
    int64_t count = type_elements(all), i = 0;
    float *in = fixture_floats(f, type_elements(type), 3), *added = fixture_floats(f, count, 4);
    float *sum = fixture_memory(f, (size_t)count * 4), *out = fixture_memory(f, (size_t)count * 4);
    fixture_run(f, 1, grain, (void *[]){in, added, sum, out}, NULL);
    fixture_guarded(sum, (size_t)count * 4), fixture_guarded(out, (size_t)count * 4);
    const int64_t *dims = all->shape.dims;
    for (int64_t at[3] = {0}; at[0] < dims[0]; at[0]++)
        for (at[1] = 0; at[1] < dims[1]; at[1]++)
            for (at[2] = 0; at[2] < dims[2]; at[2]++, i++) {
                cr_assert_eq(out[i], expected(in, size, at, inner, outer), "%d in %d, element %d",
                             inner, outer, (int)i);
                cr_assert_eq(sum[i], added[i] + added[i]);
            }
    arena_destroy(arena);
}

Test(pieces, all_dimensions)
{
    static const int64_t sizes[][3] = {{7, 9, 33}, {3, 130, 3}, {1, 5, 127}, {40, 1, 16}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int pair = 0; pair < 9; pair++)
            check(sizes[s], pair / 3, pair % 3, pair % 2);
}

/* The number of pieces of `count` concatenated operands f32[rows, columns]. */
static int pieces_in(int count, int64_t rows, int64_t columns, int dim)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, (int)rows, (int)columns);
    int64_t dims[2] = {rows, columns};
    dims[dim] *= count;
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *operands[64];
    for (int i = 0; i < count; i++)
        operands[i] = fixture_arg(f, 0);
    const struct type *all = type_tensor(arena, DTYPE_F32, 2, dims);
    struct op *op = ir_op(f->module, OP_concatenate, count, operands, 1, &all, 0);
    op->attrs.dimension.dimension = dim;
    struct concat_operand pieces[CONCATENATION_NESTS];
    int found = concat_operands_of(arena, &op->results[0], pieces);
    arena_destroy(arena);
    return found;
}

Test(pieces, where_they_are_better)
{
    cr_expect_eq(pieces_in(3, 100, 100, 0), 3);
    cr_expect_eq(pieces_in(3, 100, 100, 1), 3);
    cr_expect_eq(pieces_in(3, 1000, 4, 1), 0, "short parts of rows");
    cr_expect_eq(pieces_in(3, 10, 10, 1), 0, "few elements");
    cr_expect_eq(pieces_in(40, 100, 100, 0), 0, "many operands");
}

/* How many of two nests share a loop: f32[rows, 40] and f32[other_rows, 24], the second at index
 * {row, 40} of f32[100, 64] or of a result beside it. */
static int in_one_loop(int rows, int other_rows, int64_t row, bool of_one_result)
{
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, DTYPE_F32, 2, rows, 40),
                                  fixture_type(arena, DTYPE_F32, 2, other_rows, 24)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    const struct value *roots[] = {fixture_arg(f, 0), fixture_arg(f, 1)};
    const int64_t origins[2][2] = {{0, 0}, {row, 40}};
    const struct type *into = fixture_type(arena, DTYPE_F32, 2, 100, 64);
    const int results[2] = {0, of_one_result ? 0 : 1};
    struct nest nests[2];
    for (int i = 0; i < 2; i++) {
        nests[i] = (struct nest){.shape = types[i],
                                 .count = 1,
                                 .roots = &roots[i],
                                 .results = &results[i],
                                 .into = &into,
                                 .origin = origins[i]};
        nest_schedule_choose(&f->target, &nests[i]);
    }
    int together = concat_operands_in_one_loop(nests, 2);
    arena_destroy(arena);
    return together;
}

Test(pieces, share_the_loop_over_their_rows)
{
    cr_expect_eq(in_one_loop(100, 100, 0, true), 2);
    cr_expect_eq(in_one_loop(100, 50, 0, true), 1, "other rows");
    cr_expect_eq(in_one_loop(50, 50, 50, true), 1, "rows elsewhere");
    cr_expect_eq(in_one_loop(100, 100, 0, false), 1, "parts of two results");
}
