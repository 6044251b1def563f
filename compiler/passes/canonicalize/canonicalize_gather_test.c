/* canonicalize_gather_test.c: which gathers read what was transposed. */
#include "compiler/passes/canonicalize/canonicalize_gather.h"

#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_gather, .init = fixture_begin, .fini = fixture_end);

static struct dims list(int64_t count, int64_t a, int64_t b, int64_t c)
{
    int64_t at[] = {a, b, c};
    return (struct dims){count, arena_copy(fixture_arena, at, sizeof at)};
}

/* Elements of the argument, transposed, at positions of two dimensions that a second argument
 * has. */
static const struct op *gathered(struct dims permutation, struct dims dims, struct dims slice)
{
    struct value *moved = build_transpose(&fixture, argument(0), permutation.at);
    struct value *operands[] = {moved, argument(1)};
    union attrs attrs = {.gather = {.offset_dims = list(1, 0, 0, 0),
                                    .collapsed_slice_dims = dims,
                                    .start_index_map = dims,
                                    .index_vector_dim = 1,
                                    .slice_sizes = slice}};
    RETURN(build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs));
    fixture_run(canonicalize_run);
    return fixture.block->last->operands[0]->def;
}

Test(canonicalize_gather, a_transposed_array_is_read_as_it_was)
{
    MAIN("f32 40 9 30", "s32 5 2");
    const struct op *gather =
        gathered(list(3, 2, 0, 1), list(2, 0, 2, 0), list(3, 1, 40, 1)); /* of 30 x 40 x 9 */
    const struct attrs_gather *at = &gather->attrs.gather;
    cr_assert_eq(gather->code, OP_gather);
    cr_assert_eq(gather->operands[0], argument(0));
    cr_expect(at->start_index_map.at[0] == 2 && at->start_index_map.at[1] == 1);
    cr_expect(at->collapsed_slice_dims.at[0] == 1 && at->collapsed_slice_dims.at[1] == 2);
    cr_expect(at->slice_sizes.at[0] == 40 && at->slice_sizes.at[1] == 1);
    cr_expect_eq(at->slice_sizes.at[2], 1);
}

static bool reads_transpose(const struct op *gather)
{
    return gather->operands[0]->def && gather->operands[0]->def->code == OP_transpose;
}

Test(canonicalize_gather, large_parts_are_read_transposed)
{
    MAIN("f32 40 9 30", "s32 50 2");
    cr_expect(reads_transpose(gathered(list(3, 2, 0, 1), list(2, 0, 2, 0), list(3, 1, 40, 1))));
}

/* A slice of dimensions 1 and 0 of the array. */
Test(canonicalize_gather, slices_of_another_order_are_read_transposed)
{
    MAIN("f32 40 9 30", "s32 3 1");
    struct dims one = list(1, 2, 0, 0);
    struct value *moved = build_transpose(&fixture, argument(0), (int64_t[]){1, 0, 2});
    struct value *operands[] = {moved, argument(1)};
    union attrs attrs = {.gather = {.offset_dims = list(2, 0, 1, 0),
                                    .collapsed_slice_dims = one,
                                    .start_index_map = one,
                                    .index_vector_dim = 1,
                                    .slice_sizes = list(3, 9, 40, 1)}};
    RETURN(build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs));
    fixture_run(canonicalize_run);
    cr_expect(reads_transpose(fixture.block->last->operands[0]->def));
}
