/* Tests which operations share a kernel. */
#include "compiler/passes/fusion/fusion.h"

#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(fusion, .init = fixture_begin, .fini = fixture_end);

static struct error *fuse(struct module *module, const struct target *target)
{
    static const struct target test = {.name = "test",
                                       .cores = 2,
                                       .alignment = 64,
                                       .supports_dot = target_fixture_supports_dot,
                                       .supports_convolution = target_fixture_supports_convolution,
                                       .parallel_cost = 200000,
                                       .region_cost = 20000};
    (void)target;
    return fusion_run(module, &test);
}

static int count(const struct block *block, enum op_code code)
{
    int found = 0;
    for (const struct op *op = block->first; op; op = op->next)
        found += op->code == code;
    return found;
}

static const struct op *fusion_at(int number)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_fusion && number-- == 0)
            return op;
    return NULL;
}

static struct value *broadcast_rows(struct value *rows, const struct type *type)
{
    return build_broadcast(&fixture, rows, type, 1, (int64_t[]){0});
}

Test(fusion, elementwise_chain_is_one)
{
    MAIN("f32 64 64", "f32 64 64");
    struct value *sum = build_binary(&fixture, OP_add, argument(0), argument(1));
    RETURN(build_unary(&fixture, OP_tanh, build_unary(&fixture, OP_negate, sum)));
    fixture_run(fuse);
    cr_assert_eq(count(fixture.block, OP_fusion), 1);
    cr_expect_eq(fusion_at(0)->operand_count, 2);
    cr_expect_eq(fusion_at(0)->attrs.fusion.fusion_kind, FUSION_LOOP);
}

Test(fusion, splats_are_made_inside)
{
    MAIN("f32 64 64");
    RETURN(build_binary(&fixture, OP_multiply, argument(0),
                        build_splat(&fixture, argument(0)->type, 2)));
    fixture_run(fuse);
    cr_expect_eq(fusion_at(0)->operand_count, 1);
    cr_expect_eq(count(fixture.block, OP_constant), 0);
}

/* A kernel fills the array; no constant of its size remains. */
Test(fusion, returned_splats_are_written_by_kernels)
{
    MAIN("f32 64 64");
    struct value *splat = build_splat(&fixture, argument(0)->type, 2);
    RETURN(splat, splat);
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 2);
    cr_expect_eq(count(fixture.block, OP_constant), 0);
}

static int fusions_of_scaled_rows(const char *scales, const char *rows)
{
    MAIN(scales, rows);
    struct value *e = build_unary(&fixture, OP_exponential, argument(0));
    RETURN(build_binary(&fixture, OP_multiply, broadcast_rows(e, argument(1)->type), argument(1)));
    fixture_run(fuse);
    return count(fixture.block, OP_fusion);
}

/* Without exp, vectors of the kernel are adjacent elements of several rows. */
Test(fusion, functions_of_many_rows_are_computed_before)
{
    cr_expect_eq(fusions_of_scaled_rows("f32 1000", "f32 1000 4"), 2);
}

Test(fusion, functions_of_few_rows_are_computed_within)
{
    cr_expect_eq(fusions_of_scaled_rows("f32 20", "f32 20 64"), 1);
}

/* The product needs exp in memory; the other user reads it there. */
Test(fusion, expensive_values_are_computed_once)
{
    MAIN("f32 128 128");
    struct value *e = build_unary(&fixture, OP_exponential, argument(0));
    struct value *t = build_transpose(&fixture, e, (int64_t[]){1, 0});
    RETURN(t, build_unary(&fixture, OP_negate, e));
    fixture_run(fuse);
    int made = 0;
    for (int i = 0; fusion_at(i); i++)
        made += count(fusion_at(i)->regions[0], OP_exponential);
    cr_expect_eq(made, 1);
}

Test(fusion, a_transpose_is_part_of_the_update_that_it_is_for)
{
    MAIN("f32 512 512", "f32 256 512", "s32");
    struct value *t = build_transpose(&fixture, argument(1), (int64_t[]){1, 0});
    struct value *operands[] = {argument(0), t, argument(2), argument(2)};
    RETURN(&build_op(&fixture, OP_dynamic_update_slice, 4, operands, 1, NULL)->results[0]);
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
    cr_expect_eq(fusion_at(0)->attrs.fusion.fusion_kind, FUSION_UPDATE);
}

Test(fusion, softmax_is_one_kernel)
{
    MAIN("f32 128 512");
    const struct type *type = argument(0)->type;
    struct value *low = build_scalar(&fixture, DTYPE_F32, -1e30),
                 *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *max = build_reduce(&fixture, argument(0), low, OP_maximum, 1, (int64_t[]){1});
    struct value *e =
        build_unary(&fixture, OP_exponential,
                    build_binary(&fixture, OP_subtract, argument(0), broadcast_rows(max, type)));
    struct value *sum = build_reduce(&fixture, e, zero, OP_add, 1, (int64_t[]){1});
    RETURN(build_binary(&fixture, OP_divide, e, broadcast_rows(sum, type)));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

static struct value *sum_of_rows(struct value *operand)
{
    return build_reduce(&fixture, operand, build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1,
                        (int64_t[]){1});
}

/* Functions of sums of rows would be computed one at a time. */
Test(fusion, expensive_functions_of_sums_are_vectors)
{
    MAIN("f32 5000 10");
    RETURN(build_unary(&fixture, OP_tanh, sum_of_rows(argument(0))));
    fixture_run(fuse);
    cr_assert_eq(count(fixture.block, OP_fusion), 2);
    cr_expect_eq(count(fusion_at(0)->regions[0], OP_tanh), 0);
}

Test(fusion, cheap_functions_of_sums_are_with_them)
{
    MAIN("f32 5000 10", "f32 5000");
    RETURN(build_binary(&fixture, OP_multiply, sum_of_rows(argument(0)), argument(1)));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

/* The rows are the lanes of a vector. */
Test(fusion, functions_of_short_sums_are_with_them)
{
    MAIN("f32 5000 3");
    RETURN(build_unary(&fixture, OP_tanh,
                       build_unary(&fixture, OP_exponential, sum_of_rows(argument(0)))));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

/* Lanes along the rows would visit the columns one element at a time. */
Test(fusion, sums_of_rows_and_of_columns_are_apart)
{
    MAIN("f32 128 128", "f32 128 128");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *columns = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){0});
    RETURN(build_binary(&fixture, OP_add, columns, sum_of_rows(argument(1))));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 2);
}

Test(fusion, sums_of_columns_are_not_with_rows_that_they_are_for)
{
    MAIN("f32 128 128");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *columns = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){0});
    const struct type *type = fixture_type("f32 128 40");
    RETURN(build_unary(&fixture, OP_negate, broadcast_rows(columns, type)));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 2);
}

/* The largest of four sums: lanes that are rows would gather what each of them sums. */
static void largest_of_sums(const char *type)
{
    MAIN(type);
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sums = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){2});
    RETURN(build_reduce(&fixture, sums, zero, OP_maximum, 1, (int64_t[]){1}));
    fixture_run(fuse);
}

Test(fusion, long_sums_inside_of_reductions_are_stored)
{
    largest_of_sums("f32 50 4 50");
    cr_expect_eq(count(fixture.block, OP_fusion), 2);
}

Test(fusion, short_sums_inside_of_reductions_are_not_stored)
{
    largest_of_sums("f32 500 4 5");
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

/* The mean of the columns would be recomputed for every row. */
Test(fusion, statistics_over_rows_stay_apart)
{
    MAIN("f32 512 128");
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, argument(0), zero, OP_add, 1, (int64_t[]){0});
    struct value *spread = build_broadcast(&fixture, sum, argument(0)->type, 1, (int64_t[]){1});
    RETURN(build_binary(&fixture, OP_subtract, argument(0), spread));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 2);
}

/* m is returned and read by p: one kernel writes both. */
Test(fusion, values_needed_twice_are_second_results)
{
    MAIN("f32 256 256", "f32 256 256");
    struct value *m = build_binary(&fixture, OP_add, argument(0), argument(1));
    struct value *p =
        build_binary(&fixture, OP_divide, argument(1), build_unary(&fixture, OP_sqrt, m));
    RETURN(m, p);
    fixture_run(fuse);
    cr_assert_eq(count(fixture.block, OP_fusion), 1);
    cr_expect_eq(fusion_at(0)->result_count, 2);
}

/* The update must not read the array that it updates in place. */
Test(fusion, updates_do_not_read_what_they_write)
{
    MAIN("f32 64", "s32");
    struct value *slice =
        build_slice(&fixture, argument(0), (int64_t[]){8}, (int64_t[]){16}, (int64_t[]){1});
    struct value *update = build_unary(&fixture, OP_negate, slice);
    struct op *op = build_op(&fixture, OP_dynamic_update_slice, 3,
                             (struct value *[]){argument(0), update, argument(1)}, 1, NULL);
    RETURN(&op->results[0]);
    fixture_run(fuse);
    cr_assert_eq(count(fixture.block, OP_fusion), 2);
    cr_expect_eq(fusion_at(1)->attrs.fusion.fusion_kind, FUSION_UPDATE);
    cr_expect_eq(count(fusion_at(1)->regions[0], OP_slice), 0);
}

Test(fusion, library_calls_stay)
{
    MAIN("f32 32 32", "f64 32 32");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(0)}};
    struct op *dot = build_op(&fixture, OP_dot_general, 2,
                              (struct value *[]){argument(0), argument(0)}, 1, &attrs);
    RETURN(build_unary(&fixture, OP_negate, &dot->results[0]));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_dot_general), 1);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

/* `count` rows of arguments, each negated, side by side. */
static struct value *columns_of(int count)
{
    struct value *operands[8];
    union attrs attrs = {.dimension = {.dimension = 1}};
    for (int i = 0; i < count; i++)
        operands[i] = build_unary(&fixture, OP_negate, argument(i % 2));
    return build_declared(&fixture, OP_concatenate, count, operands, NULL, &attrs);
}

/* A stack of few arrays is computed where its elements are used; one of many is stored. */
Test(fusion, few_columns_join_what_uses_them)
{
    MAIN("f32 5000 1", "f32 5000 1");
    struct value *three = columns_of(3), *five = columns_of(5);
    RETURN(build_unary(&fixture, OP_cosine, three), build_unary(&fixture, OP_cosine, five));
    fixture_run(fuse);
    for (int i = 0; i < 2; i++) {
        const struct op *fusion = fixture.block->last->operands[i]->def;
        cr_expect_eq(count(fusion->regions[0], OP_cosine), 1);
        cr_expect_eq(count(fusion->regions[0], OP_concatenate), i == 0);
    }
}

/* A kernel with very many operands would execute as many comparisons for each element. */
Test(fusion, wide_concatenations_are_trees)
{
    enum { PARTS = 5000 };
    MAIN("f32 64");
    struct value **parts = ARENA_ARRAY(fixture_arena, struct value *, PARTS);
    union attrs attrs = {.dimension = {.dimension = 0}};
    for (int i = 0; i < PARTS; i++)
        parts[i] = argument(0);
    RETURN(build_declared(&fixture, OP_concatenate, PARTS, parts, NULL, &attrs));
    fixture_run(fuse);
    cr_expect_eq(fixture.block->last->operands[0]->type->shape.dims[0], 64 * PARTS);
    for (int i = 0; fusion_at(i); i++)
        for (const struct op *op = fusion_at(i)->regions[0]->first; op; op = op->next)
            cr_expect_leq(op->operand_count, 128);
}

/* The size of a kernel's code is bounded for chains of any length. */
Test(fusion, long_chains_are_cut)
{
    MAIN("f32 64 64");
    struct value *x = argument(0);
    for (int i = 0; i < 300; i++)
        x = build_unary(&fixture, i % 3 ? OP_sine : OP_tanh, x);
    RETURN(x);
    fixture_run(fuse);
    int kernels = count(fixture.block, OP_fusion);
    cr_expect(kernels >= 10 && kernels <= 40, "%d", kernels);
}

/* A chain of free operations with many users is cloned for only a few of them. */
Test(fusion, clones_have_a_bound)
{
    enum { LENGTH = 100, USERS = 2000 };
    MAIN("f32 8");
    struct value *x = argument(0), *results[USERS];
    for (int i = 0; i < LENGTH; i++)
        x = build_broadcast(&fixture, x, x->type, 1, (int64_t[]){0});
    for (int i = 0; i < USERS; i++)
        results[i] = build_reduce(
            &fixture, build_binary(&fixture, OP_add, x, build_splat(&fixture, x->type, i)),
            build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, (int64_t[]){0});
    fixture_return(USERS, results);
    fixture_run(fuse);
    int64_t operations = 0;
    for (int i = 0; fusion_at(i); i++)
        for (const struct op *op = fusion_at(i)->regions[0]->first; op; op = op->next)
            operations += op->code == OP_broadcast_in_dim;
    cr_expect_leq(operations, 8 * (LENGTH + 3 * USERS));
}

/* Whether x = update(x, f(slice(x)) is one kernel, for slices of x from `start`. */
static bool is_read_within(int64_t start, bool reverses, bool keeps)
{
    MAIN("f32 64 32", "f32 60 32");
    struct value *slice = build_slice(&fixture, argument(0), (int64_t[]){start, 0},
                                      (int64_t[]){start + 60, 32}, (int64_t[]){1, 1});
    union attrs attrs = {.dimensions = {.dimensions = {1, (int64_t[]){0}}}};
    struct value *sum = build_binary(
        &fixture, OP_add,
        reverses ? build_declared(&fixture, OP_reverse, 1, &slice, NULL, &attrs) : slice,
        argument(1));
    struct value *operands[] = {argument(0), sum, build_scalar(&fixture, DTYPE_S64, 3),
                                build_scalar(&fixture, DTYPE_S64, 0)};
    struct value *updated =
        build_declared(&fixture, OP_dynamic_update_slice, 4, operands, NULL, NULL);
    RETURN(updated, keeps ? slice : updated);
    fixture_run(fuse);
    return count(fixture.block, OP_fusion) == 1;
}

/* Each element is read before it is written. */
Test(fusion, updates_read_what_they_write_at_the_same_index)
{
    cr_expect(is_read_within(3, false, false));
}

Test(fusion, updates_do_not_read_elements_that_others_write)
{
    cr_expect_not(is_read_within(2, false, false));
}

Test(fusion, updates_do_not_read_what_they_write_in_another_order)
{
    cr_expect_not(is_read_within(3, true, false));
}

Test(fusion, updates_do_not_read_what_is_also_stored)
{
    cr_expect_not(is_read_within(3, false, true));
}

/* An array that is updated in place is stored, even if recomputing it is free. */
Test(fusion, updates_write_what_is_stored)
{
    MAIN("f32", "f32 8", "s32");
    const struct type *type = fixture_type("f32 64");
    struct value *wide = build_broadcast(&fixture, argument(0), type, 0, NULL);
    struct op *op = build_op(&fixture, OP_dynamic_update_slice, 3,
                             (struct value *[]){wide, argument(1), argument(2)}, 1, NULL);
    RETURN(&op->results[0], build_unary(&fixture, OP_negate, wide));
    fixture_run(fuse);
    for (int i = 0; fusion_at(i); i++)
        if (fusion_at(i)->attrs.fusion.fusion_kind == FUSION_UPDATE)
            cr_expect_eq(count(fusion_at(i)->regions[0], OP_broadcast_in_dim), 0);
}

/* Neither does the slice of an update's own window, which may be computed there, bring in what
 * computes the array: the update would begin with the operand of that instead. */
Test(fusion, what_computes_an_updated_array_is_not_part_of_the_update)
{
    MAIN("f32 8 3");
    struct value *transposed = build_transpose(&fixture, argument(0), (int64_t[]){1, 0});
    struct value *rows = build_reshape(&fixture, transposed, 2, (int64_t[]){6, 4});
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *row =
        build_slice(&fixture, rows, (int64_t[]){0, 0}, (int64_t[]){1, 4}, (int64_t[]){1, 1});
    struct value *operands[] = {rows, build_unary(&fixture, OP_exponential, row), zero, zero};
    RETURN(&build_op(&fixture, OP_dynamic_update_slice, 4, operands, 1, NULL)->results[0]);
    fixture_run(fuse);
    for (int i = 0; fusion_at(i); i++)
        if (fusion_at(i)->attrs.fusion.fusion_kind == FUSION_UPDATE)
            cr_expect_eq(count(fusion_at(i)->regions[0], OP_reshape), 0);
}

/* Each roll of the flat array reads the one before at two positions; a reshape in between must not
 * make these look like one, or the code would double with every step. */
Test(fusion, flat_rolls_do_not_double_the_code_of_those_before)
{
    MAIN("f32 8 16");
    struct value *x = argument(0);
    for (int step = 0; step < 30; step++) {
        struct value *flat = build_reshape(&fixture, x, 1, (int64_t[]){128});
        struct value *parts[] = {
            build_slice(&fixture, flat, (int64_t[]){127}, (int64_t[]){128}, (int64_t[]){1}),
            build_slice(&fixture, flat, (int64_t[]){0}, (int64_t[]){127}, (int64_t[]){1})};
        union attrs attrs = {0};
        flat = &build_op(&fixture, OP_concatenate, 2, parts, 1, &attrs)->results[0];
        x = build_reshape(&fixture, flat, 2, (int64_t[]){8, 16});
    }
    RETURN(x);
    fixture_run(fuse);
    for (int i = 0; fusion_at(i); i++)
        cr_expect(count(fusion_at(i)->regions[0], OP_concatenate) <= 4, "fusion %d: %d", i,
                  count(fusion_at(i)->regions[0], OP_concatenate));
}

/* Concatenates two slices of x that meet at index 1 of a dimension: the neighbours' elements. */
static struct value *rolled(struct value *x, int dimension)
{
    const struct shape *shape = &x->type->shape;
    int64_t zeros[SHAPE_MAX_RANK] = {0}, ones[SHAPE_MAX_RANK], cut[SHAPE_MAX_RANK];
    for (int i = 0; i < shape->rank; i++) {
        ones[i] = 1;
        cut[i] = shape->dims[i];
    }
    cut[dimension] = 1;
    struct value *first = build_slice(&fixture, x, zeros, cut, ones);
    zeros[dimension] = 1;
    struct value *parts[] = {build_slice(&fixture, x, zeros, shape->dims, ones), first};
    union attrs attrs = {.dimension = {.dimension = dimension}};
    return build_declared(&fixture, OP_concatenate, 2, parts, NULL, &attrs);
}

/* Finite differences: the shifted arrays are selected row by row, or by vectors, and not stored. */
Test(fusion, shifted_arrays_are_not_stored)
{
    MAIN("f32 50 30 40");
    struct value *x = argument(0), *sum = x;
    for (int i = 0; i < 3; i++)
        sum = build_binary(&fixture, OP_subtract, sum, rolled(x, i));
    RETURN(sum);
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

/* A step of a stencil is one kernel; the next would compute every element again for each of its
 * neighbours, below conditions. */
Test(fusion, steps_of_a_stencil_are_stored)
{
    MAIN("f32 50 30 40");
    struct value *x = argument(0);
    for (int step = 0; step < 3; step++) {
        struct value *up = rolled(x, 0), *left = rolled(x, 1);
        x = build_binary(&fixture, OP_add, build_binary(&fixture, OP_add, up, left), x);
    }
    RETURN(x);
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 3);
}

/* Rows of an image with channels are long, though each pixel is short. */
Test(fusion, images_shifted_by_rows_are_not_stored)
{
    MAIN("f32 50 300 4");
    RETURN(build_binary(&fixture, OP_subtract, argument(0), rolled(argument(0), 0)));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

Test(fusion, shifted_arrays_of_short_rows_are_stored)
{
    MAIN("f32 5000 3");
    RETURN(build_binary(&fixture, OP_subtract, argument(0), rolled(argument(0), 0)));
    fixture_run(fuse);
    cr_expect_gt(count(fixture.block, OP_fusion), 1, "a condition for every three elements");
}

/* Each element asks which window it is of, whether windows are stored or not. */
Test(fusion, windows_of_a_stack_are_not_stored)
{
    enum { WINDOWS = 16 };
    MAIN("f32 300 400");
    struct value *parts[WINDOWS];
    for (int i = 0; i < WINDOWS; i++) {
        struct value *part = build_slice(&fixture, argument(0), (int64_t[]){0, i},
                                         (int64_t[]){300, i + 384}, (int64_t[]){1, 1});
        parts[i] = build_reshape(&fixture, part, 3, (int64_t[]){300, 384, 1});
    }
    union attrs attrs = {.dimension = {.dimension = 2}};
    RETURN(build_declared(&fixture, OP_concatenate, WINDOWS, parts, NULL, &attrs));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 1);
}

/* Tiles of transposes are not below conditions. */
Test(fusion, selected_rows_are_not_transposed)
{
    MAIN("f32 100 80");
    struct value *x = argument(0);
    struct value *turned = build_transpose(&fixture, x, (int64_t[]){1, 0});
    RETURN(build_unary(&fixture, OP_negate, rolled(turned, 0)));
    fixture_run(fuse);
    for (int i = 0; fusion_at(i); i++)
        cr_expect(!count(fusion_at(i)->regions[0], OP_negate) ||
                  !count(fusion_at(i)->regions[0], OP_transpose));
}

/* A mask is computed where it is used, in each kernel, though it is broadcast. */
Test(fusion, masks_of_positions_are_not_stored)
{
    MAIN("f32 24 128 128");
    const struct type *square = fixture_type("s32 128 128"), *cube = argument(0)->type;
    union attrs rows = {.iota = {.iota_dimension = 0}}, columns = {.iota = {.iota_dimension = 1}};
    struct value *mask = build_compare(
        &fixture, COMPARE_GE, build_declared(&fixture, OP_iota, 0, NULL, square, &rows),
        build_declared(&fixture, OP_iota, 0, NULL, square, &columns));
    struct value *all = build_broadcast(
        &fixture, mask, type_with_dtype(fixture_arena, cube, DTYPE_PRED), 2, (int64_t[]){1, 2});
    struct value *e = build_unary(&fixture, OP_exponential, argument(0));
    RETURN(build_select(&fixture, all, e, build_splat(&fixture, cube, 0)));
    fixture_run(fuse);
    cr_assert_eq(count(fixture.block, OP_fusion), 1);
    cr_expect_eq(fusion_at(0)->operand_count, 1);
}

/* What a library reads and returns is in memory: no kernel copies it. */
Test(fusion, reshapes_of_arguments_and_products_are_aliases)
{
    MAIN("f32 64 1 64", "f32 64 64");
    struct value *flat = build_reshape(&fixture, argument(0), 2, (int64_t[]){64, 64});
    union attrs dot = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(0)}};
    struct value *operands[] = {flat, argument(1)};
    struct value *product = build_declared(&fixture, OP_dot_general, 2, operands, NULL, &dot);
    RETURN(build_reshape(&fixture, product, 3, (int64_t[]){1, 64, 64}));
    fixture_run(fuse);
    cr_expect_eq(count(fixture.block, OP_fusion), 0);
    cr_expect_eq(count(fixture.block, OP_reshape), 2);
}
