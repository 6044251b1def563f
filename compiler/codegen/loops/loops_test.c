/* loops_test.c: nests of all ranks and sizes: elementwise operations, broadcasts, reductions, row
 * operations in one fusion. */
#include <sys/mman.h>
#include <unistd.h>

#include "compiler/codegen/codegen_fixture.h"
#include "compiler/codegen/loops/loops.h"

static const int tiers[] = {0, 1};

/* out = tanh(a) * b + a for sizes around the vector widths. */
Test(loops, elementwise)
{
    static const int sizes[] = {0,  1,  2,  3,  7,   8,    15,   16,   17,   31,
                                33, 63, 64, 65, 100, 4095, 4096, 8193, 40007};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct arena *arena = fixture_arena();
        const struct type *type = fixture_type(arena, DTYPE_F32, 1, sizes[s]);
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
        struct value *a = fixture_arg(f, 0), *b = fixture_arg(f, 1);
        struct value *t = fixture_value(f, OP_tanh, type, a, NULL);
        struct value *m = fixture_value(f, OP_multiply, type, t, b);
        fixture_return(f, 1, fixture_value(f, OP_add, type, m, a));
        int64_t n = sizes[s];
        float *x = fixture_floats(f, n, 1), *y = fixture_floats(f, n, 2);
        for (int t2 = 0; t2 < 4; t2++) {
            float *z = fixture_memory(f, (size_t)n * 4);
            fixture_run(f, tiers[t2 % 2], t2 / 2, (void *[]){x, y, z}, NULL);
            fixture_guarded(z, (size_t)n * 4);
            for (int64_t i = 0; i < n; i++)
                cr_assert_float_eq(z[i], tanhf(x[i]) * y[i] + x[i], 1e-5, "%d: %g at %d", sizes[s],
                                   z[i], (int)i);
        }
        arena_destroy(arena);
    }
}

/* Whether the negation of an array, or of one number for all elements, is stored past caches. */
/* Only vectors of a whole cache line are stored past the caches. */
static void need_whole_lines(void)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 0);
    int bytes = fixture_begin(FUSION_LOOP, 1, &type, arena)->target.isa.vector_bytes;
    arena_destroy(arena);
    if (bytes < 64)
        cr_skip_test("no vectors of 64 bytes");
}

static bool is_streamed(int elements, bool filled, uint64_t last_cache_bytes)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 1, elements),
                      *scalar = fixture_type(arena, DTYPE_F32, 0);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, filled ? &scalar : &type, arena);
    struct value *from = fixture_arg(f, 0);
    if (filled)
        from = fixture_broadcast(f, from, type, fixture_dims(f, 0));
    f->target.last_cache_bytes = last_cache_bytes;
    fixture_return(f, 1, fixture_value(f, OP_negate, type, from, NULL));
    bool is = fixture_count_in_ir(f, "!nontemporal") > 0;
    arena_destroy(arena);
    return is;
}

Test(loops, results_are_stored_past_the_caches_if_no_cache_holds_them_and_what_they_depend_on)
{
    need_whole_lines();
    cr_expect(is_streamed(8 << 20, false, 32 << 20));
    cr_expect_not(is_streamed(17 << 18, false, 32 << 20));
    cr_expect(is_streamed(17 << 18, false, 2 << 20));
    cr_expect_not(is_streamed(1 << 20, false, 2 << 20));
}

Test(loops, a_result_that_fills_the_last_level_of_cache_alone_is_stored_past_it)
{
    need_whole_lines();
    cr_expect(is_streamed(8 << 20, true, 32 << 20));
    cr_expect_not(is_streamed((8 << 20) - 64, true, 32 << 20));
}

/* A bf16 product is rounded to bf16 before it is converted to f32. */
Test(loops, conversion_from_small_floats)
{
    enum { SIZE = 100 };
    static const enum dtype small[] = {DTYPE_BF16, DTYPE_F16};
    for (int d = 0; d < 2; d++) {
        struct arena *arena = fixture_arena();
        const struct type *type = fixture_type(arena, small[d], 1, SIZE);
        struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
        struct value *x = fixture_arg(f, 0);
        struct value *product = fixture_value(f, OP_multiply, type, x, x);
        const struct type *wide = fixture_type(arena, DTYPE_F32, 1, SIZE);
        fixture_return(f, 1, fixture_value(f, OP_convert, wide, product, NULL));
        uint16_t *in = fixture_memory(f, SIZE * sizeof *in);
        for (int i = 0; i < SIZE; i++)
            dtype_from_double(small[d], 1 + i / 37.0, &in[i]);
        for (int t = 0; t < 2; t++) {
            float *out = fixture_memory(f, SIZE * sizeof *out);
            fixture_run(f, tiers[t], 0, (void *[]){in, out}, NULL);
            for (int i = 0; i < SIZE; i++) {
                double exact = dtype_to_double(small[d], &in[i]);
                uint16_t rounded;
                dtype_from_double(small[d], exact * exact, &rounded);
                cr_assert_eq(out[i], dtype_to_double(small[d], &rounded), "%s %d: %.9g",
                             dtype_name(small[d]), i, out[i]);
            }
        }
        arena_destroy(arena);
    }
}

/* Softmax of rows as one fusion. */
Test(loops, softmax)
{
    static const int shapes[][2] = {{1, 1},  {3, 5},  {7, 16}, {4, 100}, {2, 1000}, {5, 4096},
                                    {65, 3}, {9, 33}, {3, 54}, {2, 127}, {4, 1025}, {2, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        int rows = shapes[s][0], columns = shapes[s][1];
        struct arena *arena = fixture_arena();
        const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, columns);
        const struct type *row = fixture_type(arena, DTYPE_F32, 1, rows),
                          *scalar = type_scalar(arena, DTYPE_F32);
        struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
        struct value *x = fixture_arg(f, 0);
        struct value *low = fixture_constant(f, scalar, -INFINITY),
                     *zero = fixture_constant(f, scalar, 0);
        struct value *top = fixture_reduce(f, x, low, OP_maximum, row, fixture_dims(f, 1, 1));
        struct value *centered = fixture_value(
            f, OP_subtract, type, x, fixture_broadcast(f, top, type, fixture_dims(f, 1, 0)));
        struct value *power = fixture_value(f, OP_exponential, type, centered, NULL);
        struct value *sum = fixture_reduce(f, power, zero, OP_add, row, fixture_dims(f, 1, 1));
        struct value *wide = fixture_broadcast(f, sum, type, fixture_dims(f, 1, 0));
        fixture_return(f, 1, fixture_value(f, OP_divide, type, power, wide));
        float *in = fixture_floats(f, rows * columns, 3);
        for (int t = 0; t < 4; t++) {
            float *out = fixture_memory(f, (size_t)(rows * columns) * 4);
            fixture_run(f, tiers[t % 2], t / 2, (void *[]){in, out}, NULL);
            fixture_guarded(out, (size_t)(rows * columns) * 4);
            for (int i = 0; i < rows; i++) {
                double most = -INFINITY, total = 0;
                for (int j = 0; j < columns; j++)
                    most = fmax(most, in[i * columns + j]);
                for (int j = 0; j < columns; j++)
                    total += exp(in[i * columns + j] - most);
                for (int j = 0; j < columns; j++)
                    cr_assert_float_eq(
                        out[i * columns + j], exp(in[i * columns + j] - most) / total, 1e-6,
                        "%dx%d at %d %d: %g", rows, columns, i, j, out[i * columns + j]);
            }
        }
        arena_destroy(arena);
    }
}

/* x y minus the maximum of its row is never positive, and is zero at least once, even if the
 * product is computed differently at each use. */
Test(loops, a_product_that_two_use_is_one_number)
{
    enum { ROWS = 65, COLUMNS = 19 };
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, ROWS, COLUMNS);
    const struct type *row = fixture_type(arena, DTYPE_F32, 1, ROWS);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){type, type}, arena);
    struct value *product =
        fixture_value(f, OP_multiply, type, fixture_arg(f, 0), fixture_arg(f, 1));
    struct value *low = fixture_constant(f, type_scalar(arena, DTYPE_F32), -INFINITY);
    struct value *top = fixture_reduce(f, product, low, OP_maximum, row, fixture_dims(f, 1, 1));
    struct value *wide = fixture_broadcast(f, top, type, fixture_dims(f, 1, 0));
    fixture_return(f, 1, fixture_value(f, OP_subtract, type, product, wide));
    float *x = fixture_floats(f, ROWS * COLUMNS, 5), *y = fixture_floats(f, ROWS * COLUMNS, 6);
    for (int t = 0; t < 4; t++) {
        float *out = fixture_memory(f, (size_t)(ROWS * COLUMNS) * 4);
        fixture_run(f, tiers[t % 2], t / 2, (void *[]){x, y, out}, NULL);
        for (int i = 0; i < ROWS; i++) {
            float most = -INFINITY;
            for (int j = 0; j < COLUMNS; j++)
                most = fmaxf(most, out[i * COLUMNS + j]);
            cr_assert_eq(most, 0, "row %d: %g", i, most);
        }
    }
    arena_destroy(arena);
}

/* exp(tanh(x)), its sum along rows, or the sum of x along rows. */
static void run_sum(bool functions, bool sums, int tier, float *x, float *out)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, 5, 700);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
    struct value *value = fixture_arg(f, 0);
    if (functions)
        value = fixture_value(f, OP_exponential, type, fixture_value(f, OP_tanh, type, value, NULL),
                              NULL);
    if (sums)
        value = fixture_reduce(f, value, fixture_constant(f, type_scalar(arena, DTYPE_F32), 0),
                               OP_add, fixture_type(arena, DTYPE_F32, 1, 5), fixture_dims(f, 1, 1));
    fixture_return(f, 1, value);
    float *in = fixture_memory(f, 5 * 700 * 4), *result = fixture_memory(f, 5 * 700 * 4);
    memcpy(in, x, 5 * 700 * 4);
    fixture_run(f, tier, 1, (void *[]){in, result}, NULL);
    memcpy(out, result, (sums ? 5 : 5 * 700) * sizeof *out);
    arena_destroy(arena);
}

/* A sum has the same bits whether its terms are computed in its kernel or stored first. */
Test(loops, the_order_of_a_sum_does_not_depend_on_its_terms)
{
    static float x[5 * 700], terms[5 * 700], fused[5], separate[5];
    for (int i = 0; i < 5 * 700; i++)
        x[i] = sinf((float)i);
    for (int t = 0; t < 2; t++) {
        run_sum(true, true, tiers[t], x, fused);
        run_sum(true, false, tiers[t], x, terms);
        run_sum(false, true, tiers[t], terms, separate);
        cr_expect_arr_eq(fused, separate, sizeof fused, "tier %d", tiers[t]);
    }
}

/* The lanes of a kernel that sums rows of `columns` elements, or a function of them. */
static int lanes_of_rows(int64_t columns, enum op_code function)
{
    const struct target target = {.isa.vector_bytes = 32};
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, (int64_t)500, columns);
    const struct type *row = fixture_type(arena, DTYPE_F32, 1, (int64_t)500);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *terms = fixture_value(f, function, type, fixture_arg(f, 0), NULL);
    const struct value *sum =
        fixture_reduce(f, terms, fixture_constant(f, type_scalar(arena, DTYPE_F32), 0), OP_add, row,
                       fixture_dims(f, 1, 1));
    struct nest nest = {.shape = row, .count = 1, .roots = &sum};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.lanes;
}

/* Each register of a strided load takes several loads, and more of them only more code. */
Test(loops, vectors_of_short_rows_are_long_only_for_slow_functions)
{
    cr_expect_eq(lanes_of_rows(7, OP_negate), 8);
    cr_expect_eq(lanes_of_rows(7, OP_exponential), 32);
    cr_expect_eq(lanes_of_rows(70, OP_negate), 1, "a row is in vectors itself");
}

/* The work items of a kernel that repeats each of `rows` rows of 16 elements. */
static int64_t items_of_repeat(int rows)
{
    const struct target target = {.isa.vector_bytes = 64};
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, 16);
    const struct type *twice = fixture_type(arena, DTYPE_F32, 3, rows, 2, 16);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    const struct value *repeat =
        fixture_broadcast(f, fixture_arg(f, 0), twice, fixture_dims(f, 2, 0, 2));
    struct nest nest = {.shape = twice, .count = 1, .roots = &repeat};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.work;
}

Test(loops, several_short_rows_are_an_item_if_enough_items_remain)
{
    cr_expect_eq(items_of_repeat(500), 500);
    cr_expect_eq(items_of_repeat(50), 100);
}

/* The work items of a transpose. */
static int64_t items_of_transpose(int64_t rows, int64_t columns)
{
    const struct target target = {.isa.vector_bytes = 64};
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, DTYPE_F32, 2, columns, rows),
                      *out = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    struct op *moved = fixture_op(f, f->block, OP_transpose, out, 1, fixture_arg(f, 0));
    const struct value *root = &moved->results[0];
    moved->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
    struct nest nest = {.shape = out, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.work;
}

/* Items store four cache lines of a row at a time, and read whole rows of the operand if enough
 * items remain. */
Test(loops, transposes_store_long_pieces)
{
    cr_expect_eq(items_of_transpose(4096, 4096), 64);
    cr_expect_eq(items_of_transpose(512, 512), 8 * 8);
    cr_expect_eq(items_of_transpose(100, 100), 2);
    cr_expect_eq(items_of_transpose(16, 100000), 98);
    cr_expect_eq(items_of_transpose(100000, 16), 64);
}

enum terms { ELEMENTS, SQUARES, WEIGHTED };

/* The lanes of a kernel that sums columns: elements, their squares, or products with a vector. */
static int lanes_of_columns(int vector_bytes, int64_t columns, enum terms kind, int cores)
{
    const struct target target = {.isa.vector_bytes = vector_bytes, .cores = cores};
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, (int64_t)500, columns);
    const struct type *row = fixture_type(arena, DTYPE_F32, 1, columns);
    const struct type *types[] = {type, fixture_type(arena, DTYPE_F32, 1, (int64_t)500)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    struct value *terms = fixture_arg(f, 0), *weights = fixture_arg(f, 1);
    weights = fixture_broadcast(f, weights, type, fixture_dims(f, 1, 0));
    if (kind != ELEMENTS)
        terms = fixture_value(f, OP_multiply, type, terms, kind == SQUARES ? terms : weights);
    const struct value *sum =
        fixture_reduce(f, terms, fixture_constant(f, type_scalar(arena, DTYPE_F32), 0), OP_add, row,
                       fixture_dims(f, 1, 0));
    struct nest nest = {.shape = row, .count = 1, .roots = &sum};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.lanes;
}

/* Several registers are accumulators, unless threads or lanes would be idle, or terms need
 * registers. */
Test(loops, sums_of_many_columns_read_long_pieces)
{
    cr_expect_eq(lanes_of_columns(32, 4096, ELEMENTS, 2), 64);
    cr_expect_eq(lanes_of_columns(64, 4096, ELEMENTS, 2), 128);
    cr_expect_eq(lanes_of_columns(32, 4096, ELEMENTS, 64), 32);
    cr_expect_eq(lanes_of_columns(32, 500, ELEMENTS, 2), 32);
    cr_expect_eq(lanes_of_columns(32, 4096, SQUARES, 2), 32);
    cr_expect_eq(lanes_of_columns(32, 4096, WEIGHTED, 2), 64);
}

/* The lanes of a kernel that applies `count` operations to each of `size` elements, of which
 * `bits` are on their bits. */
static int lanes_of_chain(int count, int bits, int64_t size, enum dtype dtype)
{
    const struct target target = {.isa.vector_bytes = 64};
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 1, size),
                      *integers = fixture_type(arena, DTYPE_U32, 1, size);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *value = fixture_arg(f, 0);
    for (int i = 0; i < count - bits; i++)
        value = fixture_value(f, OP_multiply, type, value, fixture_arg(f, 0));
    if (bits)
        value = fixture_value(f, OP_bitcast_convert, integers, value, NULL);
    for (int i = 0; i < bits; i++)
        value = fixture_value(f, OP_xor, integers, value, value->def->operands[0]);
    const struct value *root = value;
    struct nest nest = {.shape = type, .count = 1, .roots = &root};
    nest_schedule_choose(&target, &nest);
    arena_destroy(arena);
    return nest.schedule.lanes;
}

/* While one register's operations wait for each other, another's are executed. */
Test(loops, long_chains_of_operations_have_two_registers)
{
    cr_expect_eq(lanes_of_chain(50, 0, 1 << 20, DTYPE_F32), 16, "the next vector's begin anyway");
    cr_expect_eq(lanes_of_chain(200, 0, 1 << 20, DTYPE_F32), 32);
    cr_expect_eq(lanes_of_chain(200, 0, 1000, DTYPE_F32), 16, "twice the code for little");
    cr_expect_eq(lanes_of_chain(200, 0, 1 << 20, DTYPE_F64), 16, "these are two registers");
}

Test(loops, long_chains_of_operations_on_integers_have_four_registers)
{
    cr_expect_eq(lanes_of_chain(200, 100, 1 << 20, DTYPE_F32), 64);
    cr_expect_eq(lanes_of_chain(200, 100, (1 << 20) + 1, DTYPE_F32), 32, "the rest is code, too");
    cr_expect_eq(lanes_of_chain(200, 40, 1 << 20, DTYPE_F32), 32, "floats need the registers");
    cr_expect_eq(lanes_of_chain(200, 100, 1 << 18, DTYPE_F32), 32,
                 "four times the code for little");
}

/* Storing halves of two registers at once saves time where memory decides, not arithmetic. */
Test(loops, few_operations_that_narrow_have_two_registers)
{
    cr_expect_eq(lanes_of_chain(5, 0, 1 << 20, DTYPE_BF16), 32);
    cr_expect_eq(lanes_of_chain(30, 0, 1 << 20, DTYPE_BF16), 16, "twice the code for nothing");
}

/* Sums columns [0, 16) of two rows; columns from 32 of the second may not be read. */
static void sum_first_columns(int columns, int tier)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    float *in = (float *)(void *)(pages + page) - columns - 32;
    for (int i = 0; i < columns + 32; i++)
        in[i] = (float)i;
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, 2, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    f->target.isa.vector_bytes = 16;
    fixture_return(
        f, 1,
        fixture_reduce(f, fixture_arg(f, 0), fixture_constant(f, type_scalar(arena, DTYPE_F32), 0),
                       OP_add, fixture_type(arena, DTYPE_F32, 1, columns), fixture_dims(f, 1, 0)));
    struct fixture_kernel kernel = fixture_compile(f, tier, NULL);
    cr_assert_eq(kernel.work, 2, "%d items", (int)kernel.work);
    float *out = fixture_memory(f, (size_t)columns * sizeof *out);
    kernel.run((void *[]){in, out}, 0, 1);
    for (int i = 0; i < 16; i++)
        cr_expect_eq(out[i], (float)(2 * i + columns), "column %d: %g", i, out[i]);
    fixture_release(kernel);
    arena_destroy(arena);
    munmap(pages, 2 * page);
}

/* The columns that remain after the whole vectors are computed by the last item, not by all. */
Test(loops, an_item_computes_its_own_columns_only)
{
    for (int t = 0; t < 2; t++)
        for (int columns = 33; columns <= 36; columns++)
            sum_first_columns(columns, tiers[t]);
}

/* Sums over every subset of the dimensions of a rank-4 tensor. */
Test(loops, sums)
{
    static const int shapes[][4] = {{2, 3, 5, 7},   {4, 16, 3, 64}, {1, 33, 1, 17},
                                    {3, 1, 100, 1}, {2, 70, 66, 2}, {3, 1, 2, 2500}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int subset = 1; subset < 16; subset++) {
            const int *d = shapes[s];
            struct arena *arena = fixture_arena();
            const struct type *type = fixture_type(arena, DTYPE_F32, 4, d[0], d[1], d[2], d[3]);
            struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
            int64_t kept[4], *gone = ARENA_ARRAY(arena, int64_t, 4);
            int kept_count = 0, gone_count = 0;
            for (int i = 0; i < 4; i++)
                if (subset >> i & 1)
                    gone[gone_count++] = i;
                else
                    kept[kept_count++] = d[i];
            const struct type *result = type_tensor(arena, DTYPE_F32, kept_count, kept);
            struct value *half = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0.5);
            fixture_return(f, 1,
                           fixture_reduce(f, fixture_arg(f, 0), half, OP_add, result,
                                          (struct dims){gone_count, gone}));
            float *in = fixture_floats(f, type_elements(type), 4);
            int64_t count = type_elements(result);
            double *expected = ARENA_ARRAY(arena, double, (size_t)count);
            for (int64_t i = 0; i < type_elements(type); i++) {
                int64_t rest = i, at = 0, stride = 1;
                for (int k = 3; k >= 0; k--) {
                    if (!(subset >> k & 1)) {
                        at += rest % d[k] * stride;
                        stride *= d[k];
                    }
                    rest /= d[k];
                }
                expected[at] += in[i];
            }
            for (int t = 0; t < 2; t++) {
                float *out = fixture_memory(f, (size_t)count * 4);
                fixture_run(f, tiers[t], t, (void *[]){in, out}, NULL);
                fixture_guarded(out, (size_t)count * 4);
                for (int64_t i = 0; i < count; i++)
                    cr_assert_float_eq(out[i], expected[i] + 0.5, 1e-2,
                                       "shape %d subset %d at %d: %g %g", (int)s, subset, (int)i,
                                       out[i], expected[i] + 0.5);
            }
            arena_destroy(arena);
        }
}

/* sum(exp(a), 0) + b, which is stored over b. */
Test(loops, sums_of_columns_that_do_not_fill_vectors)
{
    static const int sizes[] = {65, 120, 127, 128, 130, 500, 700};
    enum { ROWS = 3 };
    for (size_t s = 0; s < 2 * sizeof sizes / sizeof *sizes; s++) {
        int columns = sizes[s / 2];
        struct arena *arena = fixture_arena();
        const struct type *rows = fixture_type(arena, DTYPE_F32, 2, ROWS, columns),
                          *row = fixture_type(arena, DTYPE_F32, 1, columns);
        struct fixture *f =
            fixture_begin(FUSION_LOOP, 2, (const struct type *[]){rows, row}, arena);
        struct value *terms = fixture_value(f, OP_exponential, rows, fixture_arg(f, 0), NULL);
        struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
        struct value *sum = fixture_reduce(f, terms, zero, OP_add, row, fixture_dims(f, 1, 0));
        fixture_return(f, 1, fixture_value(f, OP_add, row, sum, fixture_arg(f, 1)));
        float *a = fixture_floats(f, ROWS * columns, 1), *b = fixture_floats(f, columns, 2),
              *before = fixture_floats(f, columns, 2);
        fixture_run(f, tiers[s % 2], s % 2, (void *[]){a, b, b}, NULL);
        for (int i = 0; i < columns; i++) {
            double expected = before[i];
            for (int r = 0; r < ROWS; r++)
                expected += exp(a[r * columns + i]);
            cr_assert_float_eq(b[i], expected, 1e-5, "%d of %d: %g", i, columns, b[i]);
        }
        arena_destroy(arena);
    }
}

/* b[i, j] += a[i], over b: what remains of a row after whole vectors ends where the next row
 * begins. */
static void add_to_rows(enum dtype dtype, int columns, int tier)
{
    enum { ROWS = 5 };
    struct arena *arena = fixture_arena();
    const struct type *rows = fixture_type(arena, dtype, 2, ROWS, columns),
                      *column = fixture_type(arena, dtype, 1, ROWS);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){column, rows}, arena);
    struct value *wide = fixture_broadcast(f, fixture_arg(f, 0), rows, fixture_dims(f, 1, 0));
    fixture_return(f, 1, fixture_value(f, OP_add, rows, wide, fixture_arg(f, 1)));
    size_t bytes = (size_t)dtype_bytes(dtype), size = (size_t)(ROWS * columns) * bytes;
    char *a = fixture_memory(f, ROWS * bytes), *b = fixture_memory(f, size);
    for (int i = 0; i < ROWS; i++)
        dtype_from_double(dtype, i + 1, a + (size_t)i * bytes);
    for (int i = 0; i < ROWS * columns; i++)
        dtype_from_double(dtype, i % 61, b + (size_t)i * bytes);
    fixture_run(f, tier, 0, (void *[]){a, b, b}, NULL);
    fixture_guarded(b, size);
    for (int i = 0; i < ROWS * columns; i++)
        cr_assert_eq(dtype_to_double(dtype, b + (size_t)i * bytes), i % 61 + i / columns + 1,
                     "%s: %d of rows of %d", dtype_name(dtype), i, columns);
    arena_destroy(arena);
}

Test(loops, rows_of_any_length_are_overwritten)
{
    static const enum dtype dtypes[] = {DTYPE_S8, DTYPE_BF16, DTYPE_F32, DTYPE_F64, DTYPE_C64};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (int columns = 1; columns < 36; columns++)
            add_to_rows(dtypes[d], columns, columns % 2);
    add_to_rows(DTYPE_S8, 63, 1);
    add_to_rows(DTYPE_S8, 127, 1);
}
