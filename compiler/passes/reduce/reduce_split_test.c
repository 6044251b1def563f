/* Tests which reductions are split. */
#include "compiler/passes/reduce/reduce_split.h"

#include "compiler/passes/passes_fixture.h"

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
