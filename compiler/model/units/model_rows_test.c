/* Tests of model_rows.h through plans of programs that gather or scatter: an accelerator that reads
 * 1 TB/s, with a clock of 1 GHz. */
#include "compiler/model/units/model_rows.h"

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

/* ---- single elements, and scatters ----------------------------------------------------------- */
/* Cycles for each of ROWS elements of a list. */
static double element_cycles(const char *list, const char *elements)
{
    static struct target target;
    static const int64_t zero = 0, one = 1;
    target = (struct target){.name = "test", .accelerator = &accelerator};
    MAIN(list, "s32 4096 1");
    const union attrs attrs = {.gather = {.collapsed_slice_dims = {1, &zero},
                                          .start_index_map = {1, &zero},
                                          .index_vector_dim = 1,
                                          .slice_sizes = {1, &one}}};
    RETURN(build_declared(&fixture, OP_gather, 2, (struct value *[]){argument(0), argument(1)},
                          fixture_type(elements), &attrs));
    cr_assert_null(model_run(fixture_module, &target));
    return cycles(fixture_module->model) / ROWS;
}

Test(model_rows, elements_of_a_list_are_read_one_by_one)
{
    double each = element_cycles("f32 65536", "f32 4096");
    cr_expect(each > 9 && each < 10, "%g cycles", each);
}

Test(model_rows, narrow_elements_take_longer)
{
    double each = element_cycles("bf16 65536", "bf16 4096");
    cr_expect(each > 13 && each < 14.5, "%g cycles", each);
}

/* Cycles for each of `count` rows of a table in vector memory, without copies. */
static double scatter_cycles(bool adds, const char *indices, const char *rows, int count)
{
    static struct target target;
    static const int64_t zero = 0, one = 1;
    target = (struct target){.name = "test", .accelerator = &accelerator};
    MAIN("f32 4096 128", indices, rows);
    const union attrs attrs = {.scatter = {.update_window_dims = {1, &one},
                                           .inserted_window_dims = {1, &zero},
                                           .scatter_dims_to_operand_dims = {1, &zero},
                                           .index_vector_dim = 1}};
    struct value *operands[] = {argument(0), argument(1), argument(2)};
    const struct type *type = argument(0)->type;
    struct op *op = ir_op(fixture_module, OP_scatter, 3, operands, 1, &type, 1);
    op->attrs = attrs;
    const struct type *scalar = type_scalar(fixture_module->arena, DTYPE_F32);
    const struct type *types[] = {scalar, scalar};
    struct block *body = ir_block(fixture_module, fixture.block->func, op, 2, types);
    struct builder inner = {fixture_module, body, NULL, NULL};
    op->regions[0] = body;
    struct value *both =
        adds ? build_binary(&inner, OP_add, &body->arguments[0], &body->arguments[1])
             : &body->arguments[1];
    build_return(&inner, 1, &both);
    ir_append(fixture.block, op);
    RETURN(&op->results[0]);
    cr_assert_null(model_run(fixture_module, &target));
    double copies = 2.0 * 4096 * 128 * 4 / accelerator.hbm_rate;
    return (fixture_module->model->seconds - copies) * accelerator.clock_hz / count;
}

Test(model_rows, replaced_rows_do_not_wait_for_each_other)
{
    double each = scatter_cycles(false, "s32 1024 1", "f32 1024 128", 1024);
    cr_expect(each > 4 && each < 6, "%g cycles", each);
}

Test(model_rows, rows_that_are_added_wait_for_each_other)
{
    double each = scatter_cycles(true, "s32 1024 1", "f32 1024 128", 1024);
    cr_expect(each > 17 && each < 20, "%g cycles", each);
}

Test(model_rows, many_rows_are_sorted_before)
{
    double many = scatter_cycles(false, "s32 4096 1", "f32 4096 128", 4096);
    cr_expect(many > 17 && many < 20, "%g cycles", many);
}
