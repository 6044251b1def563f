/* model_pallas_test.c: memory and time of two Pallas kernels on an accelerator of round figures: a
 * copy takes 500 cycles and one for each 1,000 bytes. */
#include "compiler/model/pallas/model_pallas.h"

#include <math.h>

#include "base/error_fixture.h"
#include "base/map.h"
#include "compiler/frontend/mosaic/mosaic_fixture.h"
#include "compiler/model/model.h"
#include "compiler/passes/mosaic/mosaic_calls.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target.h"

static struct accelerator accelerator;
static struct target target;

static void setup(void)
{
    fixture_begin();
    accelerator = (struct accelerator){.name = "test",
                                       .sublanes = 8,
                                       .lanes = 128,
                                       .vmem_bytes = 64 << 20,
                                       .vmem_for_kernel = 1 << 20,
                                       .hbm_rate = 1e12,
                                       .dma_in_seconds = 500e-9,
                                       .dma_out_seconds = 500e-9,
                                       .dma_smem_seconds = 500e-9,
                                       .clock_hz = 1e9,
                                       .cores = 1,
                                       .matrix_units = 4,
                                       .matrix_unit_size = 128,
                                       .bf16_rate = 1e14,
                                       .f32_passes_default = 1,
                                       .f32_passes_highest = 6};
    target = (struct target){.name = "test", .accelerator = &accelerator, .plans_only = true};
}

TestSuite(model_pallas, .init = setup, .fini = fixture_end);

static struct error *plan(const char *config, const char *result, struct model_pallas_cost **out)
{
    struct value *operands[] = {argument(0), argument(1)};
    const struct type *type = fixture_type(result);
    struct op *op = ir_op(fixture_module, OP_custom_call, 2, operands, 1, &type, 0);
    struct map *all;
    op->attrs.custom_call.call_target_name = (struct string){15, "tpu_custom_call"};
    op->attrs.custom_call.backend_config = (struct string){strlen(config), config};
    ir_append(fixture.block, op);
    RETURN(&op->results[0]);
    cr_assert_null(mosaic_calls_run(fixture_module, &target));
    TRY(model_pallas(fixture_module, &accelerator, &all));
    *out = model_pallas_find(all, fixture_module, op);
    cr_assert(*out);
    return NULL;
}

/* Two inputs and an output of f32[128,256], each twice, in four steps, which copy most of the time:
 * 500 + 131 cycles a copy. Inputs of step i + 1 are copied during step i, and so are outputs. */
Test(model_pallas, blocks_are_in_vmem_twice_and_copies_run_beside)
{
    enum { BLOCK = 128 * 256 * 4 };
    struct model_pallas_cost *cost;
    MAIN("f32 256 512", "f32 256 512");
    cr_assert_null(plan(FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS), "f32 256 512", &cost));
    cr_expect_eq(cost->windows.vmem_bytes, 6 * BLOCK);
    cr_expect_eq(cost->windows.count, 3);
    cr_expect_eq(cost->windows.items[2].role, PALLAS_OUTPUT);
    cr_expect_eq(cost->windows.items[2].buffers, 2);
    cr_expect_eq(cost->grid.steps, 4);
    cr_expect_eq(cost->grid.hbm_bytes, 3 * 256 * 512 * 4);
    cr_expect(cost->grid.is_exact);
    double copy = 500 + BLOCK / 1000.0;
    cr_expect(cost->grid.cycles > 4 * copy && cost->grid.cycles < 5 * copy, "%g",
              cost->grid.cycles);
    cr_expect(cost->grid.waited > 0.8 * cost->grid.cycles);
    cr_expect(cost->grid.matrix == 0 && cost->grid.vector > 0);
}

Test(model_pallas, the_plan_has_the_name_of_the_kernel)
{
    struct model_pallas_cost *cost;
    MAIN("f32 256 512", "f32 256 512");
    cr_assert_null(plan(FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS), "f32 256 512", &cost));
    cr_assert_null(model_run(fixture_module, &target));
    const struct model_plan *made = fixture_module->model;
    cr_assert_eq(made->operation_count, 1);
    cr_expect_eq(model_plan_operations(made)[0].pallas, 1);
    cr_expect_str_eq(model_plan_text(made, model_plan_operations(made)[0].label),
                     cost->call->kernel->name);
}

/* Operands of bf16[128,128] move in each step, the result only with the first two dimensions. */
Test(model_pallas, blocks_that_stay_are_not_copied_again)
{
    enum { NARROW = 128 * 128 * 2, WIDE = 128 * 128 * 4 };
    struct model_pallas_cost *cost;
    MAIN("bf16 256 256", "bf16 256 256");
    cr_assert_null(plan(FIXTURE_CONFIG(FIXTURE_PRODUCT), "f32 256 256", &cost));
    cr_expect_eq(cost->windows.vmem_bytes, 4 * NARROW + 2 * WIDE + WIDE);
    cr_expect_eq(cost->windows.items[3].role, PALLAS_SCRATCH);
    cr_expect_eq(cost->grid.steps, 8);
    cr_expect_eq(cost->grid.hbm_bytes, 8 * 2 * NARROW + 4 * WIDE);
    cr_expect_eq(cost->grid.flops, 2.0 * 256 * 256 * 256);
    cr_expect(cost->grid.matrix > 0);
}

/* Two cores share the first parallel dimension. */
Test(model_pallas, cores_share_parallel_dimensions)
{
    struct model_pallas_cost *cost;
    accelerator.cores = 2;
    MAIN("bf16 256 256", "bf16 256 256");
    cr_assert_null(plan(FIXTURE_CONFIG(FIXTURE_PRODUCT), "f32 256 256", &cost));
    cr_expect_eq(cost->grid.steps, 4);
    cr_expect_eq(cost->grid.flops, 2.0 * 256 * 256 * 256);
}

Test(model_pallas, branches_that_are_not_taken_cost_nothing)
{
    struct model_pallas_cost *cost;
    MAIN("bf16 256 256", "bf16 256 256");
    cr_assert_null(plan(FIXTURE_CONFIG(FIXTURE_PRODUCT), "f32 256 256", &cost));
    const struct pallas_step *steps = cost->grid.first;
    cr_assert(cost->grid.shown == 8);
    double zeroes = steps[0].computed - steps[0].ready, stores = steps[1].computed - steps[1].ready,
           again = steps[2].computed - steps[2].ready;
    cr_expect(zeroes > 0 && stores > 0 && fabs(zeroes - again) < 1e-9);
}

Test(model_pallas, too_much_vmem_is_an_error_that_lists_the_windows)
{
    struct model_pallas_cost *cost;
    accelerator.vmem_for_kernel = 512 << 10;
    MAIN("f32 256 512", "f32 256 512");
    struct error *error = plan(FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS), "f32 256 512", &cost);
    cr_assert(error);
    cr_expect(strstr(error_message(error, NULL), "allocation of 0.75M exceeds the limit of 0.50M"),
              "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), "input 0: memref<128x256xf32"));
    expect(error, PJRT_Error_Code_RESOURCE_EXHAUSTED);
}

Test(model_pallas, clients_may_raise_the_limit)
{
    struct model_pallas_cost *cost;
    accelerator.vmem_for_kernel = 512 << 10;
    MAIN("f32 256 512", "f32 256 512");
    cr_expect_null(plan("{\"custom_call_config\": {\"body\": \"" FIXTURE_ADD_BLOCKS
                        "\"}, \"scoped_memory_configs\": [{\"memory_space\": 1, \"offset\": 0, "
                        "\"size\": 1048576}]}",
                        "f32 256 512", &cost));
}

static uint64_t padded(enum dtype dtype, int rank, int64_t d0, int64_t d1, int64_t d2)
{
    struct kernel_type type = {.kind = KERNEL_REF,
                               .space = KERNEL_VMEM,
                               .dtype = dtype,
                               .rank = rank,
                               .dims = {d0, d1, d2},
                               .elements = 1};
    return pallas_windows_padded(&accelerator, &type);
}

/* Tiles of 8, 16 and 32 rows; fewer rows take a tile of one, two or four sublanes. */
Test(model_pallas, arrays_are_padded_to_tiles)
{
    cr_expect_eq(padded(DTYPE_F32, 2, 8, 128, 0), 4096);
    cr_expect_eq(padded(DTYPE_F32, 2, 9, 129, 0), 16 * 256 * 4);
    cr_expect_eq(padded(DTYPE_F32, 2, 1, 512, 0), 512 * 4);
    cr_expect_eq(padded(DTYPE_F32, 2, 3, 128, 0), 4 * 128 * 4);
    cr_expect_eq(padded(DTYPE_BF16, 2, 17, 128, 0), 32 * 128 * 2);
    cr_expect_eq(padded(DTYPE_BF16, 2, 3, 128, 0), 4 * 128 * 2);
    cr_expect_eq(padded(DTYPE_S8, 2, 5, 1, 0), 8 * 128);
    cr_expect_eq(padded(DTYPE_S8, 3, 2, 33, 128), 2 * 64 * 128);
    cr_expect_eq(padded(DTYPE_F32, 1, 200, 0, 0), 2 * 128 * 4);
    cr_expect_eq(padded(DTYPE_F32, 3, INT64_MAX / 2, INT64_MAX / 2, 128), UINT64_MAX);
}

/* VMEM of a kernel with an input and an output of f32[1,columns], without a grid. */
static uint64_t vmem_of_row(int64_t columns)
{
    struct kernel_type type = {.kind = KERNEL_REF,
                               .space = KERNEL_VMEM,
                               .dtype = DTYPE_F32,
                               .rank = 2,
                               .dims = {1, columns},
                               .elements = columns};
    struct kernel_value arguments[] = {{&type, 0}, {&type, 1}};
    struct kernel_function main = {.body = {.argument_count = 2, .arguments = arguments}};
    struct kernel_window windows[2] = {0};
    struct kernel kernel = {.main = &main, .array_count = 2, .windows = windows};
    return pallas_windows(fixture_module->arena, &accelerator, &kernel, 1).vmem_bytes;
}

Test(model_pallas, windows_are_allocated_in_kibibytes)
{
    cr_expect_eq(vmem_of_row(256), 2048);
    cr_expect_eq(vmem_of_row(128), 2048);
    cr_expect_eq(vmem_of_row(640), 6144);
    cr_expect_eq(vmem_of_row(1), 512 + 1024); /* an input of one element has its tile alone */
}
