/* few_test.c: rows of lookups whose last vector has few elements, at all lengths. */
#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 11, SIZE = 1000, COLUMNS = 40 };

/* The largest of each row of numbers that are looked up. */
static void build(struct fixture *f, struct arena *arena, int columns)
{
    const struct type *found = fixture_type(arena, DTYPE_S32, 2, ROWS, columns),
                      *result = fixture_type(arena, DTYPE_S32, 1, ROWS);
    struct op *op =
        fixture_op(f, f->block, OP_gather, found, 2, fixture_arg(f, 0), fixture_arg(f, 1));
    op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
    op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
    op->attrs.gather.index_vector_dim = 2;
    op->attrs.gather.slice_sizes = fixture_dims(f, 1, 1);
    struct value *least = fixture_constant(f, type_scalar(arena, DTYPE_S32), INT32_MIN);
    fixture_return(
        f, 1, fixture_reduce(f, &op->results[0], least, OP_maximum, result, fixture_dims(f, 1, 1)));
}

static void check(struct fixture *f, int columns)
{
    int32_t *x = fixture_memory(f, SIZE * 4), *out = fixture_memory(f, ROWS * 4);
    int32_t index[ROWS * COLUMNS], expected[ROWS];
    for (int i = 0; i < SIZE; i++)
        x[i] = i * 7919 % 4001 - 2000;
    for (int i = 0; i < ROWS * columns; i++) {
        int at = index[i] = i * 389 % (SIZE + 9) - 4, row = i / columns;
        at = at < 0 ? 0 : at >= SIZE ? SIZE - 1 : at;
        expected[row] = i % columns && expected[row] > x[at] ? expected[row] : x[at];
    }
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        fixture_run(f, tier, tier ? 3 : 0, (void *[]){x, index, out}, NULL);
        for (int i = 0; i < ROWS; i++)
            cr_assert_eq(out[i], expected[i], "%d columns, tier %d, row %d", columns, tier, i);
    }
}

Test(few, rows_of_lookups)
{
    for (int columns = 2; columns < COLUMNS; columns++) {
        struct arena *arena = fixture_arena();
        const struct type *types[] = {fixture_type(arena, DTYPE_S32, 1, SIZE),
                                      fixture_type(arena, DTYPE_S32, 3, ROWS, columns, 1)};
        struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
        build(f, arena, columns);
        check(f, columns);
        arena_destroy(arena);
    }
}
