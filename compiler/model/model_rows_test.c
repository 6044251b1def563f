/* Tests of model_rows.h through plans of programs that gather or scatter: an accelerator that reads
 * 1 TB/s, with a clock of 1 GHz. */
#include "compiler/model/model_rows.h"

#include "compiler/model/accelerator_fixture.h"
#include "compiler/model/model.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(model_rows, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator accelerator = {ACCELERATOR_FIXTURE, .hbm_bytes = 1ull << 34,
                                               .vmem_for_values = 6 << 20, .cores = 1,
                                               .bf16_rate = 1e14};
enum { ROWS = 4096 };

/* The plan of a program that gathers ROWS rows of the table. */
static const struct model_plan *gathers(const char *table, const char *rows,
                                        const struct accelerator *on)
{
    static struct target target;
    static const int64_t one = 1, zero = 0;
    target = (struct target){.name = "test", .accelerator = on};
    MAIN(table, "s32 4096 1");
    int64_t sizes[] = {1, argument(0)->type->shape.dims[1]};
    const union attrs attrs = {.gather = {.offset_dims = {1, &one},
                                          .collapsed_slice_dims = {1, &zero},
                                          .start_index_map = {1, &zero},
                                          .index_vector_dim = 1,
                                          .slice_sizes = {2, sizes}}};
    RETURN(build_declared(&fixture, OP_gather, 2, (struct value *[]){argument(0), argument(1)},
                          fixture_type(rows), &attrs));
    cr_assert_null(model_run(fixture_module, &target));
    return fixture_module->model;
}

static double cycles(const struct model_plan *plan)
{
    return plan->seconds * accelerator.clock_hz;
}

Test(model_rows, a_table_that_fits_is_copied_to_vector_memory)
{
    const struct model_plan *plan = gathers("f32 8192 128", "f32 4096 128", &accelerator);
    double copied = 8192 * 128 * 4 / 1e12 * 1e9;
    cr_expect_gt(cycles(plan), copied + ROWS, "the kernel begins after the copy");
    cr_expect_lt(cycles(plan), copied + 3 * ROWS);
    cr_expect_gt(plan->hbm_bytes, 8192 * 128 * 4 + ROWS * 128 * 4 - 1);
}

Test(model_rows, rows_of_others_are_copied_one_by_one)
{
    double each = cycles(gathers("f32 1048576 128", "f32 4096 128", &accelerator)) / ROWS;
    cr_expect(each > 5 && each < 6, "%g cycles", each);
}

Test(model_rows, long_rows_take_longer)
{
    double each = cycles(gathers("f32 1048576 512", "f32 4096 512", &accelerator)) / ROWS;
    cr_expect(each > 10 && each < 11, "%g cycles", each);
}

Test(model_rows, cores_share_the_rows)
{
    struct accelerator two = accelerator;
    two.cores = 2;
    double each = cycles(gathers("f32 1048576 512", "f32 4096 512", &two)) / ROWS;
    cr_expect(each > 5 && each < 5.5, "%g cycles", each);
}

Test(model_rows, a_table_in_another_layout_is_copied_whole)
{
    const struct model_plan *plan = gathers("f32 262144 80", "f32 4096 80", &accelerator);
    double copied = 2.0 * 262144 * 80 * 4;
    cr_expect_gt(plan->hbm_bytes, copied, "it is read and written");
    cr_expect_gt(plan->seconds, copied / accelerator.hbm_rate);
}
