/* Tests which reductions share a kernel with reductions that need their results, and what is stored
 * for several kernels. */
#include "compiler/passes/fusion/fusion_join.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(fusion_join, .init = fixture_begin, .fini = fixture_end);

static struct error *fuse(struct module *module, const struct target *target)
{
    static const struct target test = {.name = "test",
                                       .cores = 2,
                                       .cache_bytes = 1 << 20,
                                       .alignment = 64,
                                       .parallel_cost = 200000};
    (void)target;
    return fusion_run(module, &test);
}

static int count(enum op_code code)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

static int fusions(void)
{
    fixture_run(fuse);
    return count(OP_fusion);
}

static struct value *sum(struct value *operand, int64_t dim)
{
    return build_reduce(&fixture, operand, build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, &dim);
}

static int fusions_of_squared_deviations(const char *shape)
{
    MAIN(shape);
    struct value *rows =
        build_broadcast(&fixture, sum(argument(0), 1), argument(0)->type, 1, (int64_t[]){0});
    struct value *away = build_binary(&fixture, OP_subtract, argument(0), rows);
    RETURN(sum(build_binary(&fixture, OP_multiply, away, away), 1));
    return fusions();
}

/* What a reduction of a row needs of the whole row is computed before its loop, which then reads
 * the row from the cache. */
Test(fusion_join, a_sum_that_another_sum_of_the_row_needs_is_with_it)
{
    cr_expect_eq(fusions_of_squared_deviations("f32 512 512"), 1);
}

Test(fusion_join, a_sum_of_a_short_row_that_another_sum_needs_is_stored)
{
    cr_expect_eq(fusions_of_squared_deviations("f32 512 64"), 2);
}

/* The rows of the inner sums are the elements of the outer one. */
Test(fusion_join, sums_of_the_rows_that_a_sum_adds_are_stored)
{
    MAIN("f32 64 64 512");
    struct value *sums = sum(argument(0), 2);
    RETURN(sum(build_binary(&fixture, OP_multiply, sums, sums), 1));
    cr_expect_eq(fusions(), 2);
}

static struct dims one(int64_t number)
{
    return (struct dims){1, arena_copy(fixture_arena, &number, sizeof number)};
}

/* x[:, i + j < 0 ? i + j + 50 : i + j]: code generation knows that i + j is not negative. */
Test(fusion_join, wrapped_positions_are_computed_where_they_are_indices)
{
    MAIN("f32 300 50");
    const struct type *plane = fixture_type("s32 40 11");
    struct value *row = MAKE(iota, plane, {.iota.iota_dimension = 0});
    struct value *column = MAKE(iota, plane, {.iota.iota_dimension = 1});
    struct value *at = build_binary(&fixture, OP_add, row, column);
    struct value *negative =
        build_compare(&fixture, COMPARE_LT, at, build_splat(&fixture, plane, 0));
    struct value *next = build_binary(&fixture, OP_add, at, build_splat(&fixture, plane, 50));
    struct value *select = build_select(&fixture, negative, next, at);
    struct value *index = build_reshape(&fixture, select, 3, (int64_t[]){40, 11, 1});
    static const int64_t sizes[] = {300, 1};
    union attrs attrs = {.gather = {.offset_dims = one(0),
                                    .collapsed_slice_dims = one(1),
                                    .start_index_map = one(1),
                                    .index_vector_dim = 2,
                                    .slice_sizes = {2, sizes}}};
    struct value *operands[] = {argument(0), index};
    RETURN(build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs));
    cr_expect_eq(fusions(), 1);
}

/* The sum of table[-i, -j] over the inner dimension of i and j: which of them a component of the
 * index vector is, is known where each is computed. */
Test(fusion_join, components_of_indices_are_computed_where_a_sum_gathers)
{
    MAIN("f32 300 50", "s32 5000 16 1", "s32 5000 16 1");
    struct value *parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] = build_unary(&fixture, OP_negate, argument(1 + i));
    union attrs joined = {.dimension = {.dimension = 2}};
    static const int64_t both[] = {0, 1}, sizes[] = {1, 1};
    union attrs attrs = {.gather = {.collapsed_slice_dims = {2, both},
                                    .start_index_map = {2, both},
                                    .index_vector_dim = 2,
                                    .slice_sizes = {2, sizes}}};
    struct value *index = build_declared(&fixture, OP_concatenate, 2, parts, NULL, &joined);
    struct value *operands[] = {argument(0), index};
    RETURN(sum(build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs), 1));
    cr_expect_eq(fusions(), 1);
}

/* g @ (g @ x), where g = table[i], of rows of a table as long as `row`. */
static int kernels_of_products_with_looked_up(struct value *index, int64_t row)
{
    const int64_t sizes[] = {1, row};
    union attrs attrs = {.gather = {.offset_dims = one(1),
                                    .collapsed_slice_dims = one(0),
                                    .start_index_map = one(0),
                                    .index_vector_dim = 1,
                                    .slice_sizes = {2, sizes}}};
    struct value *operands[] = {argument(0), index};
    struct value *found = build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs);
    struct value *g = build_reshape(&fixture, found, 2, (int64_t[]){200, 200});
    struct value *x = argument(2);
    for (int64_t i = 0; i < 2; i++) {
        struct value *factors = build_broadcast(&fixture, x, g->type, 1, (int64_t[]){1 - i});
        x = sum(build_binary(&fixture, OP_multiply, g, factors), 1 - i);
    }
    RETURN(x);
    return fusions();
}

Test(fusion_join, elements_looked_up_one_at_a_time_are_stored_for_two_kernels)
{
    MAIN("f32 300 1", "s32 40000 1", "f32 200");
    cr_expect_eq(kernels_of_products_with_looked_up(argument(1), 1), 3);
}

Test(fusion_join, rows_of_a_table_are_read_by_both_kernels)
{
    MAIN("f32 300 200", "s32 200 1", "f32 200");
    cr_expect_eq(kernels_of_products_with_looked_up(argument(1), 200), 2);
}

static struct value *doubled(void)
{
    struct value *parts[] = {argument(0), argument(0)};
    return build_declared(&fixture, OP_concatenate, 2, parts, NULL, &(union attrs){{0}});
}

/* A concatenation is stored for its sum; the reshape that is returned is the same memory. */
Test(fusion_join, reshapes_of_what_is_stored_are_no_copies)
{
    MAIN("f32 1000000");
    struct value *both = doubled();
    RETURN(sum(both, 0), build_reshape(&fixture, both, 2, (int64_t[]){2, 1000000}));
    cr_expect_eq(fusions(), 2);
    cr_expect_eq(count(OP_reshape), 1);
}

Test(fusion_join, reshapes_of_what_is_returned_are_kernels)
{
    MAIN("f32 1000000");
    struct value *both = doubled();
    RETURN(both, build_reshape(&fixture, both, 2, (int64_t[]){2, 1000000}));
    cr_expect_eq(fusions(), 2);
    cr_expect_eq(count(OP_reshape), 0);
}

static int fusions_of_first_elements(int64_t size)
{
    MAIN("f32 8000");
    struct value *sine = build_unary(&fixture, OP_sine, argument(0)), *first[2];
    for (int i = 0; i < 2; i++)
        first[i] = build_unary(
            &fixture, OP_negate,
            build_slice(&fixture, sine, (int64_t[]){0}, (int64_t[]){size + i}, (int64_t[]){1}));
    RETURN(first[0], first[1]);
    return fusions();
}

/* Each kernel computes them, not a third one the whole array. */
Test(fusion_join, few_elements_of_an_expensive_array_are_computed_twice)
{
    cr_expect_eq(fusions_of_first_elements(900), 2);
}

Test(fusion_join, many_elements_of_an_expensive_array_are_stored)
{
    cr_expect_eq(fusions_of_first_elements(7000), 3);
}

/* Differences of adjacent elements of an array that `count` cheap operations compute. */
static int fusions_of_differences(int count)
{
    MAIN("f32 20000");
    struct value *array = argument(0), *part[2];
    for (int i = 0; i < count; i++)
        array = build_unary(&fixture, i % 2 ? OP_abs : OP_negate, array);
    for (int64_t i = 0; i < 2; i++)
        part[i] = build_slice(&fixture, array, &i, (int64_t[]){19999 + i}, (int64_t[]){1});
    RETURN(build_binary(&fixture, OP_subtract, part[1], part[0]));
    return fusions();
}

Test(fusion_join, one_cheap_operation_is_computed_twice)
{
    cr_expect_eq(fusions_of_differences(1), 1);
}

/* Each of them costs less than a kernel that stores it: all of them count. */
Test(fusion_join, many_cheap_operations_are_computed_once)
{
    cr_expect_eq(fusions_of_differences(40), 2);
}

/* The second stage of a sum is computed by each work item that adds it, the first is not. */
Test(fusion_join, the_first_stage_of_a_sum_is_not_computed_with_a_function_of_the_sum)
{
    MAIN("f32 64 1024 2", "f32 512 1024");
    const struct type *type = argument(0)->type;
    struct value *total = build_broadcast(&fixture, sum(sum(argument(1), 0), 0), type, 0, NULL);
    RETURN(build_binary(&fixture, OP_add, argument(0), total));
    cr_expect_eq(fusions(), 2);
}

static int fusions_of_weighted_columns(enum op_code code, const char *weights, const char *values)
{
    MAIN(weights, values);
    struct value *weight = build_unary(&fixture, code, argument(0));
    struct value *weight_of_each =
        build_broadcast(&fixture, weight, argument(1)->type, 2, (int64_t[]){0, 1});
    RETURN(sum(build_binary(&fixture, OP_multiply, weight_of_each, argument(1)), 1));
    return fusions();
}

/* Lanes are along the rows of two, in which the weight is the same: within the sum it would be
 * computed of one element at a time. */
Test(fusion_join, square_roots_for_short_rows_of_a_sum_are_computed_before)
{
    cr_expect_eq(fusions_of_weighted_columns(OP_sqrt, "f32 40 40", "f32 40 40 2"), 2);
}

Test(fusion_join, few_square_roots_for_rows_of_a_sum_are_computed_within)
{
    cr_expect_eq(fusions_of_weighted_columns(OP_sqrt, "f32 8 8", "f32 8 8 2"), 1);
}

Test(fusion_join, cheap_weights_of_rows_of_a_sum_are_computed_within)
{
    cr_expect_eq(fusions_of_weighted_columns(OP_negate, "f32 40 40", "f32 40 40 2"), 1);
}

/* Each element has its own. */
Test(fusion_join, square_roots_of_what_a_sum_adds_are_computed_within)
{
    MAIN("f32 40 40 2");
    RETURN(sum(build_unary(&fixture, OP_sqrt, argument(0)), 1));
    cr_expect_eq(fusions(), 1);
}

/* ---- which way lanes run --------------------------------------------------------------------- */
static struct value *part_of(struct value *value, int64_t column)
{
    const int64_t rows = value->type->shape.dims[0];
    return build_slice(&fixture, value, (int64_t[]){0, column}, (int64_t[]){rows, column + 1},
                       (int64_t[]){1, 1});
}

/* Lanes are along many rows, in which operands of a concatenation alternate. */
Test(fusion_join, functions_of_what_alternates_in_short_rows_are_computed_within)
{
    MAIN("f32 4096 2");
    struct value *e = build_unary(&fixture, OP_exponential, part_of(argument(0), 0));
    struct value *both[] = {e, build_unary(&fixture, OP_negate, e)};
    union attrs attrs = {.dimension = {.dimension = 1}};
    struct value *pair =
        build_declared(&fixture, OP_concatenate, 2, both, argument(0)->type, &attrs);
    RETURN(build_unary(&fixture, OP_abs, pair));
    cr_expect_eq(fusions(), 1);
}

static int fusions_of_corner(const char *corners)
{
    MAIN(corners, "f32 400 3");
    const struct type *type = fixture_type("f32 400 200 3");
    struct value *corner = argument(0);
    if (corner->type->shape.rank == 3)
        corner = build_reshape(&fixture,
                               build_slice(&fixture, corner, (int64_t[]){0, 1, 0},
                                           (int64_t[]){200, 2, 3}, (int64_t[]){1, 1, 1}),
                               2, (int64_t[]){200, 3});
    struct value *point = build_broadcast(&fixture, argument(1), type, 2, (int64_t[]){0, 2});
    corner = build_broadcast(&fixture, corner, type, 2, (int64_t[]){1, 2});
    RETURN(build_binary(&fixture, OP_subtract, corner, point));
    return fusions();
}

Test(fusion_join, short_rows_that_are_adjacent_are_not_stored)
{
    cr_expect_eq(fusions_of_corner("f32 200 3"), 1);
}

/* Of triangles, each with three corners: rows of a slice are not adjacent. */
Test(fusion_join, short_rows_that_are_read_often_are_stored_adjacent)
{
    cr_expect_eq(fusions_of_corner("f32 200 3 3"), 2);
}

/* What a kernel would read in another order costs more than to compute it again. */
Test(fusion_join, cheap_elements_that_are_needed_in_another_order_are_computed_again)
{
    MAIN("f32 40", "f32 24");
    const struct type *type = fixture_type("f32 24 40");
    struct value *x = build_broadcast(&fixture, argument(0), type, 1, (int64_t[]){1}),
                 *y = build_broadcast(&fixture, argument(1), type, 1, (int64_t[]){0});
    struct value *each = build_unary(&fixture, OP_abs, build_binary(&fixture, OP_subtract, x, y));
    struct value *all = build_broadcast(&fixture, sum(each, 0), type, 1, (int64_t[]){1});
    union attrs attrs = {.transpose = {.permutation = {2, (int64_t[]){1, 0}}}};
    struct value *share = build_binary(&fixture, OP_divide, each, all);
    RETURN(build_declared(&fixture, OP_transpose, 1, &share, fixture_type("f32 40 24"), &attrs));
    cr_expect_eq(fusions(), 1);
}

/* Rows of `row` elements of a table, or single elements of a vector. */
static struct value *look_up(struct value *table, struct value *index, int64_t row)
{
    const int rank = table->type->shape.rank;
    const int64_t *sizes =
        arena_copy(fixture_module->arena, (int64_t[]){1, row}, 2 * sizeof *sizes);
    union attrs attrs = {.gather = {.offset_dims = rank > 1 ? one(1) : (struct dims){0},
                                    .collapsed_slice_dims = one(0),
                                    .start_index_map = one(0),
                                    .index_vector_dim = 1,
                                    .slice_sizes = {rank, sizes}}};
    const int64_t count = index->type->shape.dims[0];
    index = build_reshape(&fixture, index, 2, (int64_t[]){count, 1});
    struct value *operands[] = {table, index};
    return build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs);
}

/* Rows whose indices are the last of a chain of `gathers`. */
static int kernels_of_chain(int gathers, int64_t row)
{
    struct value *index = argument(2);
    for (int i = 0; i < gathers; i++)
        index = build_unary(&fixture, OP_negate, look_up(argument(1), index, 1));
    RETURN(look_up(argument(0), index, row));
    return fusions();
}

Test(fusion_join, the_last_of_a_chain_of_gathers_is_not_computed_for_each_short_row)
{
    MAIN("f32 5000 3", "s32 9000", "s32 9000");
    cr_expect_eq(kernels_of_chain(2, 3), 2);
}

static int fusions_of_transposed_sums(const char *shape)
{
    MAIN(shape);
    RETURN(build_transpose(&fixture, sum(argument(0), 0), (int64_t[]){1, 0}));
    return fusions();
}

/* Lanes along the rows of the result would each read another row of what is summed. */
Test(fusion_join, sums_of_columns_are_stored_before_they_are_transposed)
{
    cr_expect_eq(fusions_of_transposed_sums("f32 100 64 32"), 2);
}

Test(fusion_join, sums_of_few_columns_are_computed_where_the_transpose_is)
{
    cr_expect_eq(fusions_of_transposed_sums("f32 100 64 4"), 1);
}

Test(fusion_join, sums_of_little_are_computed_where_the_transpose_is)
{
    cr_expect_eq(fusions_of_transposed_sums("f32 40 20 20"), 1);
}

/* The fusions of a negated concatenation of arrays, or of functions of them. */
static int fusions_of_concatenated(int parts, const char *size, bool computed)
{
    MAIN(size, size);
    struct value *operands[64];
    union attrs attrs = {.dimension = {.dimension = 0}};
    for (int i = 0; i < parts; i++)
        operands[i] = computed ? build_unary(&fixture, i % 2 ? OP_tanh : OP_sine, argument(0))
                               : argument(i % 2);
    struct value *all = build_declared(&fixture, OP_concatenate, parts, operands, NULL, &attrs);
    RETURN(build_unary(&fixture, OP_negate, all));
    return fusions();
}

Test(fusion_join, many_arrays_are_copied)
{
    cr_expect_eq(fusions_of_concatenated(40, "f32 100", false), 2);
}

Test(fusion_join, many_numbers_are_copied)
{
    cr_expect_eq(fusions_of_concatenated(40, "f32 1", false), 2);
}

Test(fusion_join, many_computed_arrays_are_stored_and_copied)
{
    cr_expect_eq(fusions_of_concatenated(40, "f32 100", true), 42);
}

Test(fusion_join, operands_that_are_copied_are_in_memory)
{
    enum { PARTS = 40 };
    MAIN("f32 100");
    struct value *parts[PARTS];
    union attrs attrs = {.dimension = {.dimension = 0}};
    for (int i = 0; i < PARTS; i++)
        parts[i] = i ? argument(0) : build_splat(&fixture, argument(0)->type, 1);
    RETURN(build_declared(&fixture, OP_concatenate, PARTS, parts, NULL, &attrs));
    cr_expect_eq(fusions(), 2, "one fills the constant");
}

/* The number of kernels of x.T.ravel()[first::stride]. */
static int kernels_of_strided_slice(const char *shape, int64_t size, int64_t stride)
{
    MAIN(shape);
    struct value *moved = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    struct value *flat = build_reshape(&fixture, moved, 1, (int64_t[]){size});
    RETURN(build_slice(&fixture, flat, (int64_t[]){0}, (int64_t[]){size}, (int64_t[]){stride}));
    return fusions();
}

Test(fusion_join, few_elements_of_a_transpose_are_read_where_they_are)
{
    cr_expect_eq(kernels_of_strided_slice("f32 300 200", 60000, 7), 1);
}

Test(fusion_join, many_elements_of_a_transpose_are_stored)
{
    cr_expect_eq(kernels_of_strided_slice("f32 300 200", 60000, 3), 2);
}

/* Bytes are cheap to move. */
Test(fusion_join, every_seventh_byte_of_a_transpose_is_stored)
{
    cr_expect_eq(kernels_of_strided_slice("s8 300 200", 60000, 7), 2);
}

/* The rows are in one set of the cache. */
Test(fusion_join, every_seventh_element_of_rows_of_a_page_is_stored)
{
    cr_expect_eq(kernels_of_strided_slice("f32 300 1024", 307200, 7), 2);
}

Test(fusion_join, every_fifth_element_of_rows_of_few_sets_is_stored)
{
    cr_expect_eq(kernels_of_strided_slice("f32 300 384", 115200, 5), 2);
}

/* What is returned has no slice to ask. */
Test(fusion_join, a_flat_view_of_a_transpose_that_is_returned_is_stored)
{
    MAIN("f32 300 200");
    struct value *moved = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    struct value *flat = build_reshape(&fixture, moved, 1, (int64_t[]){60000});
    RETURN(flat, build_slice(&fixture, flat, (int64_t[]){0}, (int64_t[]){60000}, (int64_t[]){9}));
    cr_expect_eq(fusions(), 2);
}
