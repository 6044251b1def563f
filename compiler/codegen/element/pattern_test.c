/* pattern_test.c: loads of every second or third element of rows that may be padding. */
#include "compiler/codegen/element/pattern.h"

#include "compiler/codegen/codegen_fixture.h"

enum { WINDOW = 3, ROW_STRIDE = 2 };

/* Windows of WINDOW x WINDOW elements; `above` rows of padding above and below the array, `before`
 * and `after` columns of padding beside it. */
struct windows {
    int rows, columns, stride, above, before, after;
};

static int out_rows(const struct windows *w)
{
    return (w->rows + 2 * w->above - WINDOW) / ROW_STRIDE + 1;
}

static int out_columns(const struct windows *w)
{
    return (w->columns + w->before + w->after - WINDOW) / w->stride + 1;
}

static struct fixture *windows_fixture(const struct windows *w)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_F32, 2, w->rows, w->columns);
    const struct type *out = fixture_type(arena, DTYPE_F32, 2, out_rows(w), out_columns(w));
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){in}, arena);
    struct value *initial = fixture_constant(f, type_scalar(arena, DTYPE_F32), -1);
    struct op *op = fixture_op(f, f->block, OP_reduce_window, out, 2, fixture_arg(f, 0), initial);
    struct attrs_window *window = &op->attrs.window;
    window->window_dimensions = fixture_dims(f, 2, WINDOW, WINDOW);
    window->window_strides = fixture_dims(f, 2, ROW_STRIDE, w->stride);
    window->base_dilations = window->window_dilations = fixture_dims(f, 2, 1, 1);
    window->padding =
        (struct pairs){2, 2, fixture_dims(f, 4, w->above, w->above, w->before, w->after).at};
    fixture_reducer(f, op, OP_maximum);
    fixture_return(f, 1, &op->results[0]);
    return f;
}

static float expected_at(const struct windows *w, const float *x, int i, int j)
{
    float most = -1;
    for (int k = 0; k < WINDOW * WINDOW; k++) {
        int row = i * ROW_STRIDE - w->above + k / WINDOW;
        int column = j * w->stride - w->before + k % WINDOW;
        bool inside = row >= 0 && row < w->rows && column >= 0 && column < w->columns;
        if (inside && x[row * w->columns + column] > most)
            most = x[row * w->columns + column];
    }
    return most;
}

static void check(const struct windows *w)
{
    struct fixture *f = windows_fixture(w);
    int count = out_rows(w) * out_columns(w);
    float *x = fixture_floats(f, w->rows * w->columns, 7);
    float *z = fixture_memory(f, sizeof *z * (size_t)count);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        fixture_run(f, tier, 0, (void *[]){x, z}, NULL);
        fixture_guarded(z, sizeof *z * (size_t)count);
        for (int i = 0; i < count; i++)
            cr_assert_eq(z[i], expected_at(w, x, i / out_columns(w), i % out_columns(w)),
                         "%d rows of %d, stride %d, padding %d, %d, %d: at %d", w->rows, w->columns,
                         w->stride, w->above, w->before, w->after, i);
    }
    arena_destroy(f->arena);
}

Test(pattern, padding_of_rows_and_columns)
{
    static const int columns[] = {9, 40, 67, 130};
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 24; i++)
            check(&(struct windows){3 + i % 2 * 4, columns[c], 2 + i / 2 % 2, i % 3, i / 4 % 3,
                                    i / 12});
}

/* Windows of which whole rows are padding, and no column. A row that does not exist is not loaded
 * from an address far in front of the array: see emitter_near_buffer(). */
Test(pattern, padded_rows_take_no_masks)
{
    struct windows w = {.rows = 6, .columns = 129, .stride = 2, .above = 1};
    struct fixture *f = windows_fixture(&w);
    cr_expect_eq(fixture_count_in_ir(f, "@llvm.masked.gather"), 0);
    cr_expect_eq(fixture_count_in_ir(f, "icmp ult <"), 0);
    arena_destroy(f->arena);
    check(&w);
}
