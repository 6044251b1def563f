/* mosaic_calls_test.c: which calls are Pallas kernels that a device can run. */
#include "compiler/passes/mosaic/mosaic_calls.h"

#include <stdlib.h>

#include "base/error_fixture.h"
#include "compiler/frontend/mosaic/mosaic_fixture.h"
#include "compiler/passes/passes_fixture.h"

static const struct accelerator accelerator = {.name = "test"};
static struct target modeled = {.name = "tpu", .accelerator = &accelerator, .plans_only = true};
static struct target host = {.name = "cpu"};

TestSuite(mosaic_calls, .init = fixture_begin, .fini = fixture_end);

static struct op *call(const char *config, const char *result, int operand_count)
{
    struct value *operands[] = {argument(0), argument(1)};
    const struct type *type = fixture_type(result);
    struct op *op = ir_op(fixture_module, OP_custom_call, operand_count, operands, 1, &type, 0);
    op->attrs.custom_call.call_target_name = (struct string){15, "tpu_custom_call"};
    op->attrs.custom_call.backend_config = (struct string){strlen(config), config};
    ir_append(fixture.block, op);
    return op;
}

static void refused(struct error *error, PJRT_Error_Code code, const char *part)
{
    cr_assert(error);
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    expect(error, code);
}

Test(mosaic_calls, reads_a_kernel_once)
{
    static const char config[] = FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS);
    MAIN("f32 256 512", "f32 256 512");
    struct op *first = call(config, "f32 256 512", 2), *second = call(config, "f32 256 512", 2);
    RETURN(&first->results[0], &second->results[0]);
    cr_assert_null(mosaic_calls_run(fixture_module, &modeled));
    const struct mosaic_call *found = mosaic_call_find(fixture_module, first);
    cr_assert(found);
    cr_expect(mosaic_call_find(fixture_module, second) == found);
    cr_expect_str_eq(found->kernel->name, "add_blocks");
    cr_expect(!found->meets);
}

Test(mosaic_calls, operands_must_fit_the_kernel)
{
    MAIN("f32 256 512", "bf16 256 512");
    struct op *op = call(FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS), "f32 256 512", 2);
    RETURN(&op->results[0]);
    refused(mosaic_calls_run(fixture_module, &modeled), PJRT_Error_Code_INVALID_ARGUMENT,
            "'add_blocks'");
}

Test(mosaic_calls, operands_must_be_as_many_as_the_kernel_has)
{
    MAIN("f32 256 512", "f32 256 512");
    struct op *op = call(FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS), "f32 256 512", 1);
    RETURN(&op->results[0]);
    refused(mosaic_calls_run(fixture_module, &modeled), PJRT_Error_Code_INVALID_ARGUMENT,
            "1 operands");
}

Test(mosaic_calls, memory_spaces_must_be_of_operands)
{
    MAIN("f32 256 512", "f32 256 512");
    struct op *op = call("{\"custom_call_config\": {\"body\": \"" FIXTURE_ADD_BLOCKS
                         "\", \"input_memory_space_colors\": [{\"operand_index\": 2, \"color\": "
                         "1}]}}",
                         "f32 256 512", 2);
    RETURN(&op->results[0]);
    refused(mosaic_calls_run(fixture_module, &modeled), PJRT_Error_Code_INVALID_ARGUMENT,
            "operand 2 of 2");
}

Test(mosaic_calls, other_devices_say_how_to_run_kernels)
{
    unsetenv("GANTRY_PALLAS");
    MAIN("f32 256 512", "f32 256 512");
    struct op *op = call(FIXTURE_CONFIG(FIXTURE_ADD_BLOCKS), "f32 256 512", 2);
    RETURN(&op->results[0]);
    refused(mosaic_calls_run(fixture_module, &host), PJRT_Error_Code_UNIMPLEMENTED,
            "GANTRY_PALLAS=1");
    setenv("GANTRY_PALLAS", "1", 1);
    cr_expect_null(mosaic_calls_run(fixture_module, &host));
}

Test(mosaic_calls, damaged_kernels_are_errors)
{
    MAIN("f32 256 512", "f32 256 512");
    struct op *op = call(FIXTURE_CONFIG("AAAA"), "f32 256 512", 2);
    RETURN(&op->results[0]);
    refused(mosaic_calls_run(fixture_module, &modeled), PJRT_Error_Code_INVALID_ARGUMENT,
            "Mosaic failed to compile TPU kernel");
}
