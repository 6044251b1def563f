/* Fusion may recompute values only if the total work of the program stays about the same: no
 * reduction is repeated for every element that uses its result. */
#include "compiler/schedule/fusion_work.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/schedule/eval_point.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(fusion_work, .init = fixture_begin, .fini = fixture_end);

enum { N = 20000, MAX_RATIO = 4 };

static const struct target target = {.name = "test",
                                     .cores = 2,
                                     .alignment = 64,
                                     .supports_dot = target_fixture_supports_dot,
                                     .supports_convolution = target_fixture_supports_convolution,
                                     .parallel_cost = 200000,
                                     .region_cost = 20000};

static struct error *fuse(struct module *module, const struct target *unused)
{
    (void)unused;
    return fusion_run(module, &target);
}

static int fusions(const struct block *block)
{
    int count = 0;
    for (const struct op *op = block->first; op; op = op->next)
        count += op->code == OP_fusion;
    return count;
}

/* Fuses, and compares the work before and after fusion. */
static void expect_bounded(void)
{
    struct block *main = fixture_module->entry->body;
    double before = fusion_work_of_block(fixture_arena, main);
    fixture_run(fuse);
    double after = fusion_work_of_block(fixture_arena, main);
    cr_expect_leq(after, MAX_RATIO * before, "work %g before, %g after", before, after);
}

/* ---- programs -------------------------------------------------------------------------------- */
static const struct type *vector(int64_t size)
{
    return type_tensor(fixture_arena, DTYPE_F32, 1, &size);
}

static struct dims list(int64_t count, const int64_t *at)
{
    return (struct dims){count, arena_copy(fixture_arena, at, (size_t)count * sizeof *at)};
}
#define LIST(...) list((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (int64_t[]){__VA_ARGS__})

static struct value *sum(struct value *operand, int64_t dim)
{
    return build_reduce(&fixture, operand, build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, &dim);
}

static struct value *spread(struct value *scalar, int64_t size)
{
    return build_broadcast(&fixture, scalar, vector(size), 0, NULL);
}

static struct value *counter(void)
{
    union attrs attrs = {.iota = {.iota_dimension = 0}};
    return build_declared(&fixture, OP_iota, 0, NULL, vector(N), &attrs);
}

/* where(arange(n) < sum(x), value, 0) */
static struct value *layer(struct value *x, double value)
{
    struct value *less = build_compare(&fixture, COMPARE_LT, counter(), spread(sum(x, 0), N));
    return build_select(&fixture, less, build_splat(&fixture, vector(N), value),
                        build_splat(&fixture, vector(N), 0));
}

static struct value *concatenate(struct value *first, struct value *second, int64_t dim)
{
    union attrs attrs = {.dimension = {.dimension = dim}};
    return build_declared(&fixture, OP_concatenate, 2, (struct value *[]){first, second}, NULL,
                          &attrs);
}

static struct value *stack(struct value *first, struct value *second)
{
    int64_t dims[] = {1, N};
    return concatenate(build_reshape(&fixture, first, 2, dims),
                       build_reshape(&fixture, second, 2, dims), 0);
}

static struct value *pad(struct value *operand)
{
    union attrs attrs = {.pad = {.edge_padding_low = LIST(3),
                                 .edge_padding_high = LIST(3),
                                 .interior_padding = LIST(0)}};
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    return build_declared(&fixture, OP_pad, 2, (struct value *[]){operand, zero}, NULL, &attrs);
}

Test(fusion_work, masks_stacked)
{
    MAIN("f32 20000");
    struct value *first = layer(argument(0), 1);
    RETURN(stack(first, layer(first, 2)));
    expect_bounded();
}

Test(fusion_work, masks_one_after_the_other)
{
    MAIN("f32 20000");
    RETURN(layer(layer(layer(argument(0), 1), 2), 3));
    expect_bounded();
}

Test(fusion_work, padded_sum)
{
    MAIN("f32 20000");
    struct value *padded = pad(spread(sum(argument(0), 0), N));
    RETURN(build_unary(&fixture, OP_negate, padded));
    expect_bounded();
}

Test(fusion_work, sum_in_two_parts_of_a_whole)
{
    MAIN("f32 20000");
    struct value *all = sum(argument(0), 0);
    struct value *scaled = build_binary(&fixture, OP_multiply, argument(0), spread(all, N));
    RETURN(concatenate(spread(all, N), scaled, 0));
    expect_bounded();
}

Test(fusion_work, sums_of_rows_in_a_whole)
{
    MAIN("f32 400 500", "f32 400 500");
    struct value *rows =
        build_broadcast(&fixture, sum(argument(0), 1), argument(0)->type, 1, (int64_t[]){0});
    struct value *scaled = build_binary(&fixture, OP_divide, argument(0), rows);
    RETURN(concatenate(scaled, argument(1), 1));
    expect_bounded();
}

Test(fusion_work, reversed_slice_of_a_padded_sum)
{
    MAIN("f32 20000");
    struct value *padded = pad(spread(sum(argument(0), 0), N));
    struct value *slice =
        build_slice(&fixture, padded, (int64_t[]){2}, (int64_t[]){N}, (int64_t[]){1});
    union attrs attrs = {.dimensions = {.dimensions = LIST(0)}};
    RETURN(build_declared(&fixture, OP_reverse, 1, &slice, NULL, &attrs));
    expect_bounded();
}

Test(fusion_work, gathered_sums)
{
    MAIN("f32 1000 20", "s32 20000 1");
    union attrs attrs = {.gather = {.offset_dims = {0},
                                    .collapsed_slice_dims = LIST(0),
                                    .start_index_map = LIST(0),
                                    .index_vector_dim = 1,
                                    .slice_sizes = LIST(1)}};
    struct value *operands[] = {sum(argument(0), 1), argument(1)};
    RETURN(build_declared(&fixture, OP_gather, 2, operands, NULL, &attrs));
    expect_bounded();
}

Test(fusion_work, two_users_of_a_sum_in_parts)
{
    MAIN("f32 20000");
    struct value *all = spread(sum(argument(0), 0), N);
    struct value *more = build_binary(&fixture, OP_add, argument(0), all);
    struct value *less = build_binary(&fixture, OP_subtract, argument(0), all);
    RETURN(stack(more, less), more);
    expect_bounded();
}

Test(fusion_work, maximum_of_a_padded_sum)
{
    MAIN("f32 20000");
    struct value *padded = pad(spread(sum(argument(0), 0), N));
    RETURN(build_reduce(&fixture, padded, build_scalar(&fixture, DTYPE_F32, 0), OP_maximum, 1,
                        (int64_t[]){0}));
    expect_bounded();
}

Test(fusion_work, statistics_of_columns)
{
    MAIN("f32 512 128");
    struct value *columns =
        build_broadcast(&fixture, sum(argument(0), 0), argument(0)->type, 1, (int64_t[]){1});
    struct value *centered = build_binary(&fixture, OP_subtract, argument(0), columns);
    RETURN(sum(build_binary(&fixture, OP_multiply, centered, centered), 1));
    expect_bounded();
}

Test(fusion_work, masks_in_a_loop)
{
    MAIN("f32 20000");
    struct builder outer = fixture;
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    const struct type *types[] = {zero->type, argument(0)->type};
    struct op *op =
        ir_op(fixture_module, OP_while, 2, (struct value *[]){zero, argument(0)}, 2, types, 2);
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 2, types);
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *less =
        build_compare(&fixture, COMPARE_LT, argument(0), build_scalar(&fixture, DTYPE_S32, 10));
    build_return(&fixture, 1, &less);
    fixture.block = op->regions[1];
    struct value *both = stack(layer(argument(1), 1), layer(argument(1), 2));
    struct value *next[] = {
        build_binary(&fixture, OP_add, argument(0), build_scalar(&fixture, DTYPE_S32, 1)),
        sum(both, 0)};
    build_return(&fixture, 2, next);
    fixture = outer;
    RETURN(&op->results[1]);
    expect_bounded();
}

/* Steps of an unrolled recurrence that store what they compute do not repeat all steps before. */
Test(fusion_work, states_of_an_unrolled_recurrence)
{
    enum { STEPS = 40 };
    MAIN("f32 2 4", "f32 2 4");
    struct value *state = argument(0), *results[2 * STEPS];
    for (int i = 0; i < STEPS; i++) {
        state = build_binary(&fixture, OP_multiply, state, argument(1));
        results[2 * i] = concatenate(state, argument(0), 0);
        results[2 * i + 1] = concatenate(argument(0), state, 1);
    }
    fixture_return(2 * STEPS, results);
    expect_bounded();
}

/* ---- what the estimate cannot see ------------------------------------------------------------ */

/* The sums of the product differ along the lanes, so a work item is part of a row: the sum of the
 * row is a separate kernel. */
Test(fusion_work, sums_of_rows_beside_sums_of_elements)
{
    MAIN("f32 100 5000", "f32 100 100 64");
    struct value *rows =
        build_broadcast(&fixture, sum(argument(0), 1), argument(1)->type, 1, (int64_t[]){0});
    RETURN(sum(build_binary(&fixture, OP_multiply, argument(1), rows), 2));
    fixture_run(fuse);
    cr_expect_eq(fusions(fixture.block), 2);
}

/* A kernel with many rows has several work items, each of which would compute the values that do
 * not depend on the row. */
Test(fusion_work, expensive_sum_for_every_call)
{
    MAIN("f32 2000 2000", "f32 10000");
    struct value *x = argument(1);
    for (int i = 0; i < 5; i++)
        x = build_unary(&fixture, OP_tanh, x);
    struct value *all = build_broadcast(&fixture, sum(x, 0), argument(0)->type, 0, NULL);
    RETURN(build_binary(&fixture, OP_multiply, argument(0), all));
    fixture_run(fuse);
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_fusion && type_elements(op->results[0].type) > N)
            for (const struct op *in = op->regions[0]->first; in; in = in->next)
                cr_expect_neq(in->code, OP_tanh);
}

/* Operands of a concatenation are computed under its condition: for each element that is theirs. */
Test(fusion_work, operands_behind_a_condition)
{
    MAIN("f32 20000");
    struct value *all = sum(argument(0), 0), *wide = spread(all, N),
                 *both = concatenate(wide, wide, 0),
                 *negative = build_unary(&fixture, OP_negate, both);
    RETURN(negative);
    struct eval_point root = eval_point_root(fixture_arena, negative->def);
    root = eval_point_of_operand(fixture_arena, negative->def, 0, &root);
    struct eval_point part = eval_point_of_operand(fixture_arena, both->def, 0, &root);
    struct eval_point scalar = eval_point_of_operand(fixture_arena, wide->def, 0, &part);
    cr_expect_eq(eval_point_count(&scalar), N);
    root = eval_point_root(fixture_arena, wide->def);
    scalar = eval_point_of_operand(fixture_arena, wide->def, 0, &root);
    cr_expect_eq(eval_point_count(&scalar), 1);
}

/* Where the concatenation is what the kernel stores, each operand has loops of its own. */
Test(fusion_work, operands_that_are_stored_one_after_another)
{
    MAIN("f32 20000");
    struct value *x = argument(0), *both = concatenate(x, x, 0);
    RETURN(both);
    struct eval_point root = eval_point_root(fixture_arena, both->def);
    struct eval_point first = eval_point_of_operand(fixture_arena, both->def, 0, &root);
    struct eval_point second = eval_point_of_operand(fixture_arena, both->def, 1, &root);
    cr_expect_eq(eval_point_count(&first), N);
    cr_expect(!eval_point_equal(&first, &second), "they are at different times");
    cr_expect(first.piece && first.whole && !root.piece);
}
