/* Tests of model_sort.h: a unit of 8 x 128 lanes that issues one instruction a second. */
#include "compiler/model/units/model_sort.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(model_sort, .init = fixture_begin, .fini = fixture_end);

static const struct accelerator accelerator = {
    .sublanes = 8, .lanes = 128, .vector_slots = 1, .cores = 1, .clock_hz = 1};

static struct op *sort_of(const char *type, int dimension)
{
    MAIN("f32 1");
    const struct type *sorted = fixture_type(type);
    struct value *in = ARENA_NEW(fixture_module->arena, struct value);
    *in = (struct value){.type = sorted};
    struct op *op = ir_op(fixture_module, OP_sort, 1, &in, 1, &sorted, 0);
    op->attrs.sort.dimension = dimension;
    return op;
}

static double seconds_of(const char *type, int dimension)
{
    return model_sort_seconds(&accelerator, sort_of(type, dimension));
}

Test(model_sort, all_stages_pass_all_vectors)
{
    double two = seconds_of("f32 2 1024", 0); /* two vectors, one stage */
    cr_expect_gt(two, 0);
    cr_expect_float_eq(seconds_of("f32 4 1024", 0), 2 * 3 * two, 1e-6, "two levels, 1 + 2 stages");
    cr_expect_float_eq(seconds_of("f32 1024 1024", 0), 512 * 55 * two, 1e-3);
    cr_expect_float_eq(seconds_of("f32 1000 1024", 0), 500 * 55 * two, 1e-3);
    cr_expect_eq(seconds_of("f32 1 1024", 0), 0);
}

Test(model_sort, lanes_are_shuffled)
{
    double between = seconds_of("f32 1024 128", 0), along = seconds_of("f32 64 1024", 1);
    cr_expect_gt(2 * along, 1.5 * between, "the other order of f32[64,1024] pads more");
    cr_expect_float_eq(seconds_of("f32 1024 128", 0), seconds_of("f32 128 1024", 1), 1e-6,
                       "f32[128,1024] is sorted in the other order");
}

Test(model_sort, a_copy_in_the_other_order_has_its_size)
{
    uint64_t bytes;
    struct op *op = sort_of("f32 128 1024", 1);
    cr_expect_not(model_sort_is_along_lanes(&accelerator, op, op->operands[0], &bytes));
    cr_expect_eq(bytes, 128 * 1024 * 4);
    op = sort_of("f32 1024 128", 0);
    cr_expect_not(model_sort_is_along_lanes(&accelerator, op, op->operands[0], &bytes));
    cr_expect_eq(bytes, 0);
    op = sort_of("f32 1024", 0);
    cr_expect(model_sort_is_along_lanes(&accelerator, op, op->operands[0], &bytes));
}

Test(model_sort, cores_divide_lists)
{
    struct accelerator two = accelerator;
    two.cores = 2;
    cr_expect_float_eq(model_sort_seconds(&two, sort_of("f32 64 1024", 1)),
                       seconds_of("f32 64 1024", 1) / 2, 1e-6);
    cr_expect_float_eq(model_sort_seconds(&two, sort_of("f32 8 4096", 1)),
                       seconds_of("f32 8 4096", 1), 1e-3, "there is one tile of lists");
    cr_expect_float_eq(model_sort_seconds(&two, sort_of("f32 65536", 0)),
                       seconds_of("f32 65536", 0), 1e-3, "there is one list");
}

static double first_of(int64_t count)
{
    struct op *op = sort_of("f32 8 4096", 1);
    int64_t start[] = {0, 0}, limit[] = {8, count}, strides[] = {1, 1};
    union attrs attrs = {.slice = {.start_indices = {2, start},
                                   .limit_indices = {2, limit},
                                   .strides = {2, strides}}};
    struct type *part = ARENA_NEW(fixture_module->arena, struct type);
    *part = *fixture_type("f32 8 8");
    ir_append(fixture.block, op);
    build_declared(&fixture, OP_slice, 1, (struct value *[]){&op->results[0]}, part, &attrs);
    return model_sort_seconds(&accelerator, op);
}

Test(model_sort, the_first_ones_cost_less)
{
    double all = seconds_of("f32 8 4096", 1);
    cr_expect_lt(first_of(8), all / 5);
    cr_expect_lt(first_of(1), first_of(8) / 5);
}

Test(model_sort, a_list_by_itself_is_sorted_whole)
{
    struct op *op = sort_of("f32 65536", 0);
    int64_t start = 0, limit = 1, stride = 1;
    union attrs attrs = {.slice = {.start_indices = {1, &start},
                                   .limit_indices = {1, &limit},
                                   .strides = {1, &stride}}};
    ir_append(fixture.block, op);
    build_declared(&fixture, OP_slice, 1, (struct value *[]){&op->results[0]},
                   fixture_type("f32 1"), &attrs);
    cr_expect_float_eq(model_sort_seconds(&accelerator, op), seconds_of("f32 65536", 0), 1e-9);
}
