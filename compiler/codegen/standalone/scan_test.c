/* scan_test.c: reduce_window as a running sum, from either side and along any dimension; and
 * ordinary windows. */
#include <stdio.h>

#include "compiler/codegen/codegen_fixture.h"

static struct op *window_of(struct fixture *f, const struct type *result, struct dims sizes,
                            struct dims padding, enum op_code reducer, double initial)
{
    struct value *init = fixture_constant(f, type_scalar(f->arena, result->shape.dtype), initial);
    struct op *op = fixture_op(f, f->block, OP_reduce_window, result, 2, fixture_arg(f, 0), init);
    op->attrs.window.window_dimensions = sizes;
    op->attrs.window.padding = (struct pairs){sizes.count, 2, padding.at};
    fixture_reducer(f, op, reducer);
    fixture_return(f, 1, &op->results[0]);
    return op;
}

static struct op *window(struct fixture *f, const struct type *result, struct dims sizes,
                         struct dims padding)
{
    return window_of(f, result, sizes, padding, OP_add, 0);
}

static void check(struct fixture *f, const struct type *type, const float *in,
                  const double *expected, const char *what)
{
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        float *out = fixture_memory(f, (size_t)type_bytes(type));
        fixture_run(f, tier, tier, (void *[]){(void *)in, out}, NULL);
        fixture_guarded(out, (size_t)type_bytes(type));
        for (int64_t i = 0; i < type_elements(type); i++)
            cr_assert_float_eq(out[i], expected[i], 1e-4, "%s tier %d at %d: %g, not %g", what,
                               tier, (int)i, out[i], expected[i]);
    }
}

Test(scan, running_sums)
{
    static const int shapes[][3] = {{1, 1, 1},   {2, 3, 5},    {4, 17, 1},  {3, 33, 70},
                                    {1, 100, 2}, {5, 1, 64},   {2, 40, 16}, {1, 16, 1},
                                    {2, 300, 3}, {1, 2, 2500}, {1, 2, 2049}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int dim = 0; dim < 3; dim++)
            for (int backward = 0; backward < 2; backward++) {
                const int *d = shapes[s];
                struct arena *arena = fixture_arena();
                const struct type *type = fixture_type(arena, DTYPE_F32, 3, d[0], d[1], d[2]);
                struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &type, arena);
                int64_t *sizes = ARENA_ARRAY(arena, int64_t, 3),
                        *padding = ARENA_ARRAY(arena, int64_t, 6);
                for (int i = 0; i < 3; i++)
                    sizes[i] = i == dim ? d[i] : 1;
                padding[2 * dim + backward] = d[dim] - 1;
                window(f, type, (struct dims){3, sizes}, (struct dims){6, padding});
                float *in = fixture_floats(f, type_elements(type), 1);
                double *expected = ARENA_ARRAY(arena, double, (size_t)type_elements(type));
                int64_t stride = dim == 0 ? d[1] * d[2] : dim == 1 ? d[2] : 1;
                for (int64_t n = 0; n < type_elements(type); n++) {
                    int64_t i = backward ? type_elements(type) - 1 - n : n,
                            at = i / stride % d[dim];
                    bool first = backward ? at == d[dim] - 1 : at == 0;
                    expected[i] =
                        in[i] + (first ? 0 : expected[backward ? i + stride : i - stride]);
                }
                char what[64];
                snprintf(what, sizeof what, "shape %d dim %d %s", (int)s, dim,
                         backward ? "backward" : "forward");
                check(f, type, in, expected, what);
                arena_destroy(arena);
            }
}

/* Results of large arrays are stored past the caches, and what is loaded next is fetched. Columns
 * end in part of a vector. */
Test(scan, large_arrays)
{
    enum { ROWS = 4100, COLUMNS = 1040, ELEMENTS = ROWS * COLUMNS };
    for (int dim = 0; dim < 2; dim++)
        for (int backward = 0; backward < 2; backward++) {
            struct arena *arena = fixture_arena();
            const struct type *type = fixture_type(arena, DTYPE_F32, 2, ROWS, COLUMNS);
            struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &type, arena);
            int before[4] = {0}, size = dim ? COLUMNS : ROWS;
            before[2 * dim + backward] = size - 1;
            window(f, type, fixture_dims(f, 2, dim ? 1 : ROWS, dim ? COLUMNS : 1),
                   fixture_dims(f, 4, before[0], before[1], before[2], before[3]));
            float *in = fixture_memory(f, (size_t)type_bytes(type));
            double *expected = ARENA_ARRAY(arena, double, ELEMENTS);
            int stride = dim ? 1 : COLUMNS;
            for (int n = 0; n < ELEMENTS; n++) {
                int i = backward ? ELEMENTS - 1 - n : n;
                int at = dim ? i % COLUMNS : i / COLUMNS;
                bool first = at == (backward ? size - 1 : 0);
                in[i] = (float)(i % 7 - 3);
                expected[i] = in[i] + (first ? 0 : expected[backward ? i + stride : i - stride]);
            }
            check(f, type, in, expected, "a large array");
            arena_destroy(arena);
        }
}

/* ---- extremes -------------------------------------------------------------------------------- */
/* Zeros of both signs, infinities, denormal numbers, and NaNs of both signs, which are rare. */
static double extreme_input(int64_t i, int64_t seed)
{
    static const double special[] = {0.0, -0.0, -0.0, 0.0, INFINITY, -INFINITY, 1e-310, -2e-310};
    uint64_t random = (uint64_t)(i + seed * 1000003) * UINT64_C(0x9e3779b97f4a7c15);
    random ^= random >> 29;
    if (random % 97 == 0)
        return random & 1024 ? NAN : -NAN;
    if (seed % 2)
        return special[random / 97 % 8];
    return (double)(int64_t)(random / 97 % 2001) - 1000;
}

/* -0 is less than 0. */
static double extreme(double a, double b, bool maximum)
{
    if (isnan(a) || isnan(b)) /* of several, a negative one */
        return (isnan(a) && signbit(a)) || (isnan(b) && signbit(b)) ? -NAN : NAN;
    if (a == b)
        return !signbit(a) == maximum ? a : b;
    return (a > b) == maximum ? a : b;
}

static double element_at(const void *array, enum dtype dtype, int64_t i)
{
    return dtype == DTYPE_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

/* A NaN that is not negative stays so: sorts by total order have it last. */
static bool is_turned(double result, double expected)
{
    return isnan(expected) && !signbit(expected) && signbit(result);
}

/* Running maxima or minima of a row, from either side, in all tiers. */
static void check_extremes(enum dtype dtype, int64_t size, bool maximum, bool backward)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 2, 2, size);
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &type, arena);
    int64_t before = backward ? 0 : size - 1;
    window_of(f, type, fixture_dims(f, 2, 1, size),
              fixture_dims(f, 4, 0, 0, before, size - 1 - before),
              maximum ? OP_maximum : OP_minimum, maximum ? -INFINITY : INFINITY);
    void *in = fixture_memory(f, (size_t)type_bytes(type));
    for (int64_t i = 0; i < 2 * size; i++)
        if (dtype == DTYPE_F64)
            ((double *)in)[i] = extreme_input(i, size);
        else
            ((float *)in)[i] = (float)extreme_input(i, size);
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        void *out = fixture_memory(f, (size_t)type_bytes(type));
        fixture_run(f, tier, tier, (void *[]){in, out}, NULL);
        for (int64_t row = 0; row < 2; row++) {
            double so_far = maximum ? -INFINITY : INFINITY;
            for (int64_t n = 0; n < size; n++) {
                int64_t at = row * size + (backward ? size - 1 - n : n);
                so_far = extreme(so_far, element_at(in, dtype, at), maximum);
                double result = element_at(out, dtype, at);
                cr_assert(is_same(result, so_far) && !is_turned(result, so_far),
                          "size %ld, tier %d, at %ld: %g, not %g", size, tier, at, result, so_far);
            }
        }
    }
    arena_destroy(arena);
}

Test(scan, running_extremes_order_zeros_and_keep_nans)
{
    static const int64_t sizes[] = {1, 2, 7, 16, 31, 64, 100, 257};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 8; kind++)
            check_extremes(kind & 4 ? DTYPE_F64 : DTYPE_F32, sizes[i], kind & 1, kind & 2);
}

/* The relative error of the last running sum of `size` values 0.1f along the rows or columns. */
static double last_error(int64_t size, bool rows)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows ? 1 : size, rows ? size : 2);
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &type, arena);
    struct dims sizes = rows ? fixture_dims(f, 2, 1, size) : fixture_dims(f, 2, size, 1);
    struct dims padding =
        rows ? fixture_dims(f, 4, 0, 0, size - 1, 0) : fixture_dims(f, 4, size - 1, 0, 0, 0);
    window(f, type, sizes, padding);
    float *in = fixture_memory(f, (size_t)type_bytes(type));
    float *out = fixture_memory(f, (size_t)type_bytes(type));
    for (int64_t i = 0; i < type_elements(type); i++)
        in[i] = 0.1f;
    fixture_run(f, 1, 1, (void *[]){in, out}, NULL);
    double exact = (double)size * (double)0.1f;
    double error = fabs((double)out[type_elements(type) - 1] - exact) / exact;
    arena_destroy(arena);
    return error;
}

/* Equal values are the worst case: all rounding errors have the same sign. */
Test(scan, the_error_of_a_running_sum_is_bounded_at_every_length)
{
    static const struct {
        int64_t size;
        double bound;
    } rows[] = {{1, 0},       {100, 1e-6},    {255, 3e-6},    {256, 1e-6},
                {1000, 1e-6}, {4097, 1.5e-6}, {100000, 4e-6}, {1000003, 1.5e-5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int row = 0; row < 2; row++) {
            double error = last_error(rows[i].size, row);
            cr_expect_leq(error, rows[i].bound, "%lld in %s: %g", (long long)rows[i].size,
                          row ? "a row" : "columns", error);
        }
}

/* Windows that are not scans are computed independently. */
Test(scan, other_windows)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_F32, 2, 9, 20),
                      *out = fixture_type(arena, DTYPE_F32, 2, 5, 11);
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &in, arena);
    struct op *op = window(f, out, fixture_dims(f, 2, 3, 2), fixture_dims(f, 4, 1, 1, 0, 2));
    op->attrs.window.window_strides = fixture_dims(f, 2, 2, 2);
    float *x = fixture_floats(f, 180, 1);
    double expected[55];
    for (int i = 0; i < 55; i++) {
        expected[i] = 0;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 2; b++) {
                int row = i / 11 * 2 + a - 1, column = i % 11 * 2 + b;
                if (row >= 0 && row < 9 && column < 20)
                    expected[i] += x[row * 20 + column];
            }
    }
    check(f, out, x, expected, "window");
    arena_destroy(arena);
}
