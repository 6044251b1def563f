/* pjrt_functions_test.c: sizes by version, beside known ones. */
#include <criterion/criterion.h>

#include "conformance/cts/pjrt_functions.h"
#include "pjrt_c_api.h"

Test(pjrt_functions, table_ends_with_its_version)
{
    cr_expect_eq(pjrt_functions_table_size(117), PJRT_Api_STRUCT_SIZE);
    cr_expect_eq(pjrt_functions_table_size(112), 1144); /* as JAX 0.10 has it */
    cr_expect_eq(pjrt_functions_table_size(104), 1120);
    cr_expect_eq(pjrt_functions_table_size(101), pjrt_functions_table_size(102) - sizeof(void *));
    cr_expect_eq(pjrt_functions_table_size(90), 1064); /* as headers of 0.90 have it */
    cr_expect_lt(pjrt_functions_table_size(45), pjrt_functions_table_size(48));
    cr_expect_eq(pjrt_functions_table_size(200), PJRT_Api_STRUCT_SIZE);
}

Test(pjrt_functions, in_the_order_of_the_table)
{
    for (int i = 1; i < FUNCTION_COUNT; i++) {
        cr_expect_eq(pjrt_functions[i].offset, pjrt_functions[i - 1].offset + sizeof(void *));
        cr_expect_leq(pjrt_functions[i - 1].since, pjrt_functions[i].since, "%s",
                      pjrt_functions[i].name);
    }
    cr_expect_eq(pjrt_functions[FUNCTION_COUNT - 1].offset + sizeof(void *), PJRT_Api_STRUCT_SIZE);
}

Test(pjrt_functions, structs_grow)
{
    cr_expect_eq(FUNCTIONS_SIZE(Executable_GetCompiledMemoryStats_Args, 75),
                 112); /* PyTorch/XLA's */
    cr_expect_eq(FUNCTIONS_SIZE(Executable_GetCompiledMemoryStats_Args, 90), 120);
    cr_expect_eq(FUNCTIONS_SIZE(Executable_GetCompiledMemoryStats_Args, 104), 144);
    cr_expect_eq(FUNCTIONS_SIZE(ExecuteOptions, 75), 80); /* PyTorch/XLA's */
    cr_expect_eq(FUNCTIONS_SIZE(ExecuteOptions, 90), 112);
    cr_expect_eq(FUNCTIONS_SIZE(ExecuteOptions, 112), 144); /* JAX 0.10's */
    cr_expect_eq(FUNCTIONS_SIZE(ExecuteOptions, 116), 160); /* JAX 0.12's */
    cr_expect_eq(FUNCTIONS_SIZE(Executable_DeserializeAndLoad_Args, 104), 64);
    cr_expect_eq(FUNCTIONS_SIZE(Device_MemoryStats_Args, 104), 185);
    cr_expect_eq(FUNCTIONS_SIZE(Client_CreateErrorBuffer_Args, 90), 96);
    cr_expect_eq(FUNCTIONS_SIZE(Device_PoisonExecution_Args, 90), 49);
    cr_expect_eq(FUNCTIONS_SIZE(Client_Devices_Args, 45), PJRT_Client_Devices_Args_STRUCT_SIZE);
}
