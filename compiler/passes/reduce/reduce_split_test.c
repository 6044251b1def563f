/* Tests which reductions are split. */
#include "compiler/passes/reduce/reduce_split.h"

#include <math.h>

#include "compiler/passes/passes_fixture.h"
#include "compiler/passes/rewrite/rewrite.h"

TestSuite(reduce_split, .init = fixture_begin, .fini = fixture_end);

static struct error *split(struct module *module, const struct target *target)
{
    static const struct target test = {.name = "test", .cores = 4, .parallel_cost = 200000};
    (void)target;
    return reduce_split_run(module, &test);
}

static int reductions(void)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == OP_reduce;
    return found;
}

static void reduce(const char *type, int count, const int64_t *dims)
{
    MAIN(type);
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    RETURN(build_reduce(&fixture, argument(0), zero, OP_add, count, dims));
    fixture_run(split);
}

Test(reduce_split, vector_to_scalar)
{
    reduce("f32 1048576", 1, (int64_t[]){0});
    cr_expect_eq(reductions(), 2);
}

Test(reduce_split, matrix_to_scalar)
{
    reduce("f32 1024 1024", 2, (int64_t[]){0, 1});
    cr_expect_eq(reductions(), 2);
    cr_expect_eq(fixture.block->last->operands[0]->def->operands[0]->type->shape.dims[0], 1024);
}

Test(reduce_split, few_columns)
{
    reduce("f32 2 65536 16", 2, (int64_t[]){0, 1});
    cr_expect_eq(reductions(), 2);
}

Test(reduce_split, rows_keep_threads_busy)
{
    reduce("f32 1024 1024", 1, (int64_t[]){1});
    cr_expect_eq(reductions(), 1);
}

Test(reduce_split, small)
{
    reduce("f32 1000", 1, (int64_t[]){0});
    cr_expect_eq(reductions(), 1);
}

/* The largest element and its position: the lower one of equal elements. */
static void reduce_positions(const char *type)
{
    MAIN(type);
    struct module *module = fixture_module;
    const struct type *floats = argument(0)->type, *f32 = type_scalar(module->arena, DTYPE_F32),
                      *s32 = type_scalar(module->arena, DTYPE_S32);
    const struct type *positions =
        type_tensor(module->arena, DTYPE_S32, floats->shape.rank, floats->shape.dims);
    struct value *operands[] = {argument(0), MAKE(iota, positions, {.iota = {0}}),
                                build_scalar(&fixture, DTYPE_F32, -INFINITY),
                                build_scalar(&fixture, DTYPE_S32, 0)};
    struct op *op = ir_op(module, OP_reduce, 4, operands, 2, (const struct type *[]){f32, s32}, 1);
    op->attrs.dimensions.dimensions = rewrite_range(module, 0, floats->shape.rank);
    op->regions[0] =
        ir_block(module, fixture.block->func, op, 4, (const struct type *[]){f32, s32, f32, s32});
    struct value *a = op->regions[0]->arguments;
    struct builder b = {module, op->regions[0], NULL, NULL};
    struct value *is_larger = build_compare(&b, COMPARE_GT, &a[0], &a[2]);
    build_return(&b, 2,
                 (struct value *[]){build_select(&b, is_larger, &a[0], &a[2]),
                                    build_select(&b, is_larger, &a[1], &a[3])});
    ir_append(fixture.block, op);
    RETURN(&op->results[0], &op->results[1]);
    fixture_run(split);
}

Test(reduce_split, of_values_and_positions)
{
    reduce_positions("f32 2097152");
    cr_expect_eq(reductions(), 2);
    const struct op *last = fixture.block->last->operands[1]->def, *first = last->operands[1]->def;
    cr_expect_eq(first->code, OP_reduce);
    cr_expect_eq(first->results[1].type->shape.dims[0], 64);
    cr_expect_eq(first->operands[3], last->operands[3], "both start from the initial values");
}

Test(reduce_split, of_fewer_values_and_positions_is_not_compiled_twice)
{
    reduce_positions("f32 1048576");
    cr_expect_eq(reductions(), 1);
}

Test(reduce_split, initial_values_come_in_once)
{
    MAIN("s32 1048576");
    struct value *one = build_scalar(&fixture, DTYPE_S32, 1);
    RETURN(build_reduce(&fixture, argument(0), one, OP_xor, 1, (int64_t[]){0}));
    fixture_run(split);
    cr_expect_eq(reductions(), 1);
}
