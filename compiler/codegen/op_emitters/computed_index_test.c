/* computed_index_test.c: which index expressions are affine, and gathers of those that are and are
 * not, against the same arithmetic in plain C. */
#include "compiler/codegen/op_emitters/computed_index.h"

#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 9, COLUMNS = 21, SIZE = 100 };

/* row * step + column + offset in a type, plus SIZE where that is negative. */
static struct value *window_index(struct fixture *f, enum dtype dtype, int step, int offset)
{
    const struct type *rows = fixture_type(f->arena, dtype, 1, ROWS),
                      *columns = fixture_type(f->arena, dtype, 1, COLUMNS),
                      *both = fixture_type(f->arena, dtype, 2, ROWS, COLUMNS),
                      *truth = fixture_type(f->arena, DTYPE_PRED, 2, ROWS, COLUMNS);
    struct value *first =
        fixture_value(f, OP_multiply, rows, fixture_value(f, OP_iota, rows, NULL, NULL),
                      fixture_constant(f, rows, step));
    struct value *column = fixture_value(f, OP_iota, columns, NULL, NULL);
    struct value *at =
        fixture_value(f, OP_add, both, fixture_broadcast(f, first, both, fixture_dims(f, 1, 0)),
                      fixture_broadcast(f, column, both, fixture_dims(f, 1, 1)));
    at = fixture_value(f, OP_add, both, at, fixture_constant(f, both, offset));
    struct value *zero = fixture_constant(f, both, 0);
    struct op *test = fixture_op(f, f->block, OP_compare, truth, 2, at, zero);
    test->attrs.compare.comparison_direction = COMPARE_LT;
    struct value *wrapped = fixture_value(f, OP_add, both, at, fixture_constant(f, both, SIZE));
    return &fixture_op(f, f->block, OP_select, both, 3, &test->results[0], wrapped, at)->results[0];
}

/* The element that a gather of such an index reads. */
static int element_of_window(enum dtype dtype, int row, int column, int step, int offset)
{
    int at = row * step + column + offset;
    at = dtype == DTYPE_S8 ? (int8_t)at : at;
    at = at < 0 ? at + SIZE : at;
    return at < 0 ? 0 : at >= SIZE ? SIZE - 1 : at;
}

static void check_gather(enum dtype dtype, int step, int offset)
{
    struct arena *arena = fixture_arena();
    const struct type *table = fixture_type(arena, DTYPE_S32, 1, SIZE),
                      *result = fixture_type(arena, DTYPE_S32, 2, ROWS, COLUMNS);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &table, arena);
    struct op *op = fixture_op(f, f->block, OP_gather, result, 2, fixture_arg(f, 0),
                               window_index(f, dtype, step, offset));
    op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
    op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
    op->attrs.gather.index_vector_dim = 2;
    op->attrs.gather.slice_sizes = fixture_dims(f, 1, 1);
    fixture_return(f, 1, &op->results[0]);
    int32_t *in = fixture_memory(f, SIZE * sizeof *in);
    for (int i = 0; i < SIZE; i++)
        in[i] = 7 * i;
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        int32_t *out = fixture_memory(f, ROWS * COLUMNS * sizeof *out);
        fixture_run(f, tier, 0, (void *[]){in, out}, NULL);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                cr_assert_eq(out[i * COLUMNS + j], in[element_of_window(dtype, i, j, step, offset)],
                             "%s, step %d, offset %d: %d at %d %d", dtype_name(dtype), step, offset,
                             out[i * COLUMNS + j], i, j);
    }
    arena_destroy(arena);
}

/* Inside of the table, before its beginning, beyond its end, and around the end of a type. */
Test(computed_index, gathers)
{
    static const int offsets[] = {0, 3, -1, -30, 40};
    for (int step = -4; step <= 20; step += 4)
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            check_gather(DTYPE_S32, step, offsets[i]);
            check_gather(DTYPE_S8, step, offsets[i]);
        }
}

/* Whether the index is known to be affine, and its range. */
static bool is_computed(enum dtype dtype, int step, int offset, int64_t *min, int64_t *max)
{
    struct arena *arena = fixture_arena();
    const struct type *table = fixture_type(arena, DTYPE_S32, 1, SIZE);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &table, arena);
    const struct value *value = window_index(f, dtype, step, offset);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    struct emitter *e =
        emitter_create(arena, &f->target, NULL, module, LLVMAddFunction(module, "function", type));
    struct affine at[] = {affine_var(emitter_var(e, emitter_i64(e, 1), 1, 0, ROWS - 1, 0)),
                          affine_var(emitter_var(e, emitter_i64(e, 1), 1, 0, COLUMNS - 1, 0))};
    struct index index = affine_index(2, at);
    struct affine out;
    bool found = computed_index(e, value, &index, SIZE - 1, &out);
    if (found)
        affine_range(e, &out, min, max);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    arena_destroy(arena);
    return found;
}

Test(computed_index, only_what_stays_in_bounds_and_does_not_wrap_is_affine)
{
    int64_t min = -1, max = -1;
    cr_expect(is_computed(DTYPE_S32, 8, 3, &min, &max));
    cr_expect_eq(min, 3);
    cr_expect_eq(max, 8 * (ROWS - 1) + COLUMNS - 1 + 3);
    cr_expect_not(is_computed(DTYPE_S32, 8, -1, &min, &max), "negative at first");
    cr_expect_not(is_computed(DTYPE_S32, 12, 0, &min, &max), "beyond the table");
    cr_expect(is_computed(DTYPE_S8, 8, 3, &min, &max));
    cr_expect_not(is_computed(DTYPE_S8, 16, 0, &min, &max), "wraps around");
}
