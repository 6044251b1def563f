/* analysis_test.c: queries about expressions whose values have several users, so that there are
 * many more paths through them than operations. */
#include "compiler/codegen/loops/analysis.h"

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
    cr_assert(analysis_collapses(value, 0));
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
    cr_assert_not(analysis_collapses(value, 0));
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
    cr_assert_eq(analysis_widest(doubled(f, narrow)), 8);
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
