/* Windows of all sizes relative to their operand, against the definition. */
#include "compiler/codegen/loops/window_position.h"

#include <math.h>

#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 2, CASES = 60 };

static int64_t between(uint64_t *state, int64_t low, int64_t high)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (int64_t)((*state >> 33) % (uint64_t)(high - low + 1));
}

/* Every second window is far larger than its operand. */
static struct window_axis any_axis(uint64_t *state, bool dilated)
{
    return (struct window_axis){.size = between(state, 1, 9),
                                .window = between(state, 0, 1) ? between(state, 1, 3)
                                                               : between(state, 20, 90),
                                .stride = between(state, 1, 5),
                                .low = between(state, -2, 70),
                                .base_dilation = dilated ? between(state, 1, 6) : 1,
                                .window_dilation = dilated ? between(state, 1, 6) : 1};
}

/* The output size, if the padding behind the operand equals the padding before it. */
static int64_t out_of(const struct window_axis *a)
{
    int64_t base = (a->size - 1) * a->base_dilation + 1 + 2 * a->low;
    int64_t span = (a->window - 1) * a->window_dilation + 1;
    return base < span ? 0 : (base - span) / a->stride + 1;
}

/* The element at position k of a window, or -1. */
static int64_t element_at(const struct window_axis *a, int64_t out, int64_t k)
{
    int64_t at = out * a->stride + k * a->window_dilation - a->low;
    bool is_inside = at >= 0 && at % a->base_dilation == 0 && at / a->base_dilation < a->size;
    return is_inside ? at / a->base_dilation : -1;
}

static void set_window(struct fixture *f, struct op *op, const struct window_axis *a)
{
    struct attrs_window *w = &op->attrs.window;
    w->window_dimensions = fixture_dims(f, 2, 1, (int)a->window);
    w->window_strides = fixture_dims(f, 2, 1, (int)a->stride);
    w->base_dilations = fixture_dims(f, 2, 1, (int)a->base_dilation);
    w->window_dilations = fixture_dims(f, 2, 1, (int)a->window_dilation);
    w->padding = (struct pairs){2, 2, fixture_dims(f, 4, 0, 0, (int)a->low, (int)a->low).at};
}

static void check_sums(struct window_axis a, int number)
{
    int out = (int)out_of(&a);
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_F32, 2, ROWS, (int)a.size);
    const struct type *result = fixture_type(arena, DTYPE_F32, 2, ROWS, out);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){in}, arena);
    struct value *initial = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0.5);
    struct op *op =
        fixture_op(f, f->block, OP_reduce_window, result, 2, fixture_arg(f, 0), initial);
    set_window(f, op, &a);
    fixture_reducer(f, op, OP_add);
    fixture_return(f, 1, &op->results[0]);
    float *x = fixture_floats(f, ROWS * a.size, 3),
          *z = fixture_memory(f, sizeof *z * ROWS * (size_t)out);
    fixture_run(f, 1, 0, (void *[]){x, z}, NULL);
    fixture_guarded(z, sizeof *z * ROWS * (size_t)out);
    for (int i = 0; i < ROWS * out; i++) {
        double sum = 0.5;
        for (int64_t k = 0; k < a.window; k++)
            if (element_at(&a, i % out, k) >= 0)
                sum += (double)x[i / out * a.size + element_at(&a, i % out, k)];
        cr_assert_float_eq(z[i], sum, 1e-4, "case %d at %d: %g, not %g", number, i, (double)z[i],
                           sum);
    }
    arena_destroy(arena);
}

/* The greatest of windows of bytes, of which many processors cannot load some lanes. */
static void check_bytes(struct window_axis a, int number)
{
    int out = (int)out_of(&a);
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_U8, 2, ROWS, (int)a.size);
    const struct type *result = fixture_type(arena, DTYPE_U8, 2, ROWS, out);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){in}, arena);
    struct value *initial = fixture_constant(f, type_scalar(arena, DTYPE_U8), 5);
    struct op *op =
        fixture_op(f, f->block, OP_reduce_window, result, 2, fixture_arg(f, 0), initial);
    set_window(f, op, &a);
    fixture_reducer(f, op, OP_maximum);
    fixture_return(f, 1, &op->results[0]);
    size_t bytes = ROWS * (size_t)out;
    uint8_t *x = fixture_memory(f, ROWS * (size_t)a.size), *z = fixture_memory(f, bytes);
    for (int i = 0; i < ROWS * a.size; i++)
        x[i] = (uint8_t)(i * 37 + i / 11);
    fixture_run(f, 1, 0, (void *[]){x, z}, NULL);
    fixture_guarded(z, bytes);
    for (int i = 0; i < ROWS * out; i++) {
        int most = 5;
        for (int64_t k = 0; k < a.window; k++) {
            int64_t at = element_at(&a, i % out, k);
            int byte = at >= 0 ? x[i / out * a.size + at] : 0;
            most = byte > most ? byte : most;
        }
        cr_assert_eq(z[i], most, "case %d at %d: %d, not %d", number, i, z[i], most);
    }
    arena_destroy(arena);
}

Test(window_position, greatest_bytes_of_windows)
{
    uint64_t state = 11;
    for (int i = 0; i < CASES; i++) {
        struct window_axis a = any_axis(&state, i % 3 == 0);
        a.size = between(&state, 1, 120), a.stride = i % 2 ? a.stride : 1;
        if (out_of(&a) > 0)
            check_bytes(a, i);
    }
}

Test(window_position, sums_of_windows)
{
    uint64_t state = 7;
    for (int i = 0; i < CASES; i++) {
        struct window_axis a = any_axis(&state, i % 3 != 0);
        if (out_of(&a) > 0)
            check_sums(a, i);
    }
}

/* ---- select_and_scatter ---------------------------------------------------------------------- */
enum { MOST_COLUMNS = 40 };

/* Windows of one dimension and, if there are columns, of single elements in the last one. */
struct selection {
    struct window_axis axis;
    int columns;
    enum dtype dtype;
    enum comparison direction; /* of select() */
};

static int width_of(const struct selection *s)
{
    return s->columns ? s->columns : 1;
}

/* Fills region r with one operation, a comparison or a sum, on its two arguments. */
static void combine(struct fixture *f, struct op *op, int r, enum op_code code,
                    const struct selection *s)
{
    const struct type *scalar = type_scalar(f->arena, s->dtype);
    const struct type *result = code == OP_compare ? type_scalar(f->arena, DTYPE_PRED) : scalar;
    struct block *body =
        ir_block(f->module, f->block->func, op, 2, (const struct type *[]){scalar, scalar});
    op->regions[r] = body;
    struct op *inner =
        fixture_op(f, body, code, result, 2, &body->arguments[0], &body->arguments[1]);
    inner->attrs.compare.comparison_direction = s->direction;
    struct value *value = &inner->results[0];
    ir_append(body, ir_op(f->module, OP_return, 1, &value, 0, NULL, 0));
}

static bool keeps(enum comparison direction, double selected, double next)
{
    switch (direction) {
    case COMPARE_GE: return selected >= next;
    case COMPARE_GT: return selected > next;
    case COMPARE_LE: return selected <= next;
    case COMPARE_LT: return selected < next;
    case COMPARE_EQ: return selected == next;
    default: return selected != next;
    }
}

/* The specification's reduction of the elements in their order, without an initial value: a window
 * of padding selects nothing. */
static void expect_scattered(const struct selection *s, int out, const double *x, const double *y,
                             double *expected)
{
    int columns = width_of(s);
    for (int o = 0; o < out * columns; o++) {
        int64_t best = -1, column = o % columns;
        for (int64_t k = 0; k < s->axis.window; k++) {
            int64_t at = element_at(&s->axis, o / columns, k);
            if (at >= 0 && (best < 0 || !keeps(s->direction, x[best * columns + column],
                                               x[at * columns + column])))
                best = at;
        }
        if (best >= 0)
            expected[best * columns + column] += y[o];
    }
}

static struct fixture *selection_of(const struct selection *s, struct arena *arena)
{
    int rank = s->columns ? 2 : 1;
    const struct window_axis *a = &s->axis;
    const struct type *in = fixture_type(arena, s->dtype, rank, (int)a->size, s->columns);
    const struct type *source = fixture_type(arena, s->dtype, rank, (int)out_of(a), s->columns);
    struct fixture *f =
        fixture_begin(FUSION_STANDALONE, 2, (const struct type *[]){in, source}, arena);
    struct value *initial = fixture_constant(f, type_scalar(arena, s->dtype), 0);
    struct value *operands[] = {fixture_arg(f, 0), fixture_arg(f, 1), initial};
    struct op *op = ir_op(f->module, OP_select_and_scatter, 3, operands, 1, &in, 2);
    ir_append(f->block, op);
    op->attrs.select_and_scatter = (struct attrs_select_and_scatter){
        .window_dimensions = fixture_dims(f, rank, (int)a->window, 1),
        .window_strides = fixture_dims(f, rank, (int)a->stride, 1),
        .padding = {rank, 2, fixture_dims(f, 2 * rank, (int)a->low, (int)a->low, 0, 0).at}};
    combine(f, op, 0, OP_compare, s);
    combine(f, op, 1, OP_add, s);
    fixture_return(f, 1, &op->results[0]);
    return f;
}

/* Stores `count` values of the type, also in `values`. Integers are few, so many are equal. */
static void *some_values(struct fixture *f, enum dtype dtype, int64_t count, uint64_t seed,
                         double *values)
{
    const float *floats = fixture_floats(f, count, seed);
    char *memory = fixture_memory(f, (size_t)(count * dtype_bytes(dtype)));
    for (int64_t i = 0; i < count; i++) {
        void *at = memory + i * dtype_bytes(dtype);
        dtype_from_double(
            dtype, dtype_is_float(dtype) ? (double)floats[i] : floor(2 * (double)floats[i]), at);
        values[i] = dtype_to_double(dtype, at);
    }
    return memory;
}

static void check_selection(struct selection s, int number)
{
    int64_t size = s.axis.size * width_of(&s), out = out_of(&s.axis) * width_of(&s);
    struct arena *arena = fixture_arena();
    struct fixture *f = selection_of(&s, arena);
    double *x = fixture_memory(f, sizeof *x * (size_t)size),
           *y = fixture_memory(f, sizeof *y * (size_t)out),
           *expected = calloc((size_t)size, sizeof *expected);
    void *operand = some_values(f, s.dtype, size, 3, x),
         *source = some_values(f, s.dtype, out, 4, y);
    char *z = fixture_memory(f, (size_t)(size * dtype_bytes(s.dtype)));
    fixture_run(f, 1, 0, (void *[]){operand, source, z}, NULL);
    fixture_guarded(z, (size_t)(size * dtype_bytes(s.dtype)));
    expect_scattered(&s, (int)out_of(&s.axis), x, y, expected);
    for (int64_t i = 0; i < size; i++)
        cr_assert_float_eq(dtype_to_double(s.dtype, z + i * dtype_bytes(s.dtype)), expected[i],
                           1e-4, "case %d, %s, comparison %d, %d columns, at %d", number,
                           dtype_name(s.dtype), s.direction, s.columns, (int)i);
    free(expected);
    arena_destroy(arena);
}

static void check_scattered(struct window_axis a, int columns, int number)
{
    check_selection((struct selection){a, columns, DTYPE_F32, COMPARE_GE}, number);
}

/* Of equal elements, GE and LE select the first, GT and LT the last. */
Test(window_position, selected_by_each_comparison)
{
    static const enum dtype dtypes[] = {DTYPE_S32, DTYPE_S8, DTYPE_U16, DTYPE_S64};
    uint64_t state = 17;
    for (int i = 0; i < CASES; i++) {
        struct selection s = {any_axis(&state, false), i % 4 ? 0 : 5, dtypes[i % 4 ? i % 3 : 3],
                              (enum comparison)(i % 6)};
        s.axis.size = between(&state, 1, 60), s.axis.low = between(&state, 0, 3);
        s.axis.window = between(&state, 2, 6);
        if (out_of(&s.axis) > 0)
            check_selection(s, i);
    }
}

Test(window_position, selected_elements)
{
    uint64_t state = 9;
    for (int i = 0; i < CASES; i++) {
        struct window_axis a = any_axis(&state, false);
        if (out_of(&a) > 0)
            check_scattered(a, 0, i);
    }
}

/* Windows of whole vectors, which overlap where the stride is less than a window. */
Test(window_position, selected_elements_of_long_rows)
{
    uint64_t state = 13;
    for (int i = 0; i < CASES; i++) {
        struct window_axis a = any_axis(&state, false);
        a.size = between(&state, 1, 120);
        if (out_of(&a) > 0)
            check_scattered(a, 0, i);
    }
}

Test(window_position, selected_elements_of_each_column)
{
    static const int columns[] = {1, 3, 4, 16, 21, MOST_COLUMNS};
    uint64_t state = 11;
    for (int i = 0; i < CASES; i++) {
        struct window_axis a = any_axis(&state, false);
        if (out_of(&a) > 0)
            check_scattered(a, columns[i % 6], i);
    }
}
