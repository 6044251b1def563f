/* api_device_test.c: memory statistics that begin anew; functions of memories and errors;
 * callbacks that executions do not take. */
#include <criterion/criterion.h>
#include <string.h>

#include "plugin/handles.h"
#include "plugin/plugin.h"
#include "runtime/fake_device.h"

static const PJRT_Api *api;
static struct client *client;

static void setup(void)
{
    api = plugin_api(&fake_library);
    cr_assert_null(client_create(&fake_library, NULL, &client));
}

static void teardown(void)
{
    client_close(client);
}

TestSuite(api_device, .init = setup, .fini = teardown);

static PJRT_Device_MemoryStats_Args stats(void)
{
    PJRT_Device_MemoryStats_Args args = {.struct_size = PJRT_Device_MemoryStats_Args_STRUCT_SIZE,
                                         .device = device_handle(client->devices[0])};
    cr_assert_null(api->PJRT_Device_MemoryStats(&args));
    return args;
}

Test(api_device, memory_stats_begin_anew)
{
    int64_t dims[] = {1000};
    PJRT_Client_CreateUninitializedBuffer_Args create = {
        .struct_size = PJRT_Client_CreateUninitializedBuffer_Args_STRUCT_SIZE,
        .client = client_handle(client),
        .shape_dims = dims,
        .shape_num_dims = 1,
        .shape_element_type = PJRT_Buffer_Type_F32,
        .memory = memory_handle(&client->devices[0]->memories[0])};
    cr_assert_null(api->PJRT_Client_CreateUninitializedBuffer(&create));
    buffer_release(buffer_of(create.buffer));
    PJRT_Device_MemoryStats_Args before = stats();
    cr_expect(before.peak_bytes_in_use >= 4000 && before.peak_allocated_bytes_is_set);
    PJRT_Device_ClearMemoryStats_Args clear = {.struct_size =
                                                   PJRT_Device_ClearMemoryStats_Args_STRUCT_SIZE,
                                               .device = device_handle(client->devices[0])};
    cr_assert_null(api->PJRT_Device_ClearMemoryStats(&clear));
    PJRT_Device_MemoryStats_Args after = stats();
    cr_expect(!after.peak_bytes_in_use && !after.num_allocs && !after.largest_alloc_size);
}

Test(api_device, errors_begin_with_their_functions)
{
    PJRT_Client_LookupDevice_Args lookup = {.struct_size =
                                                PJRT_Client_LookupDevice_Args_STRUCT_SIZE,
                                            .client = client_handle(client),
                                            .id = 99};
    PJRT_Error *error = api->PJRT_Client_LookupDevice(&lookup);
    const char *message;
    size_t size;
    cr_assert_not_null(error);
    cr_expect_eq(error->vtable->struct_size, PJRT_Error_FunctionTable_STRUCT_SIZE);
    error->vtable->message(error, &message, &size);
    cr_expect(size == strlen(message) && strstr(message, "99"));
    cr_expect_eq(error->vtable->get_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error->vtable->for_each_payload(error, NULL, NULL);
    error->vtable->destroy(error);
    error = (PJRT_Error *)error_out_of_memory();
    cr_expect_eq(error->vtable->get_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error->vtable->destroy(error);
}

static void count(void *data)
{
    ++*(int *)data;
}

Test(api_device, memories_keep_what_is_attached)
{
    static const char key;
    static int ended;
    PJRT_Memory *first = memory_handle(&client->devices[0]->memories[0]),
                *second = memory_handle(&client->devices[0]->memories[1]);
    cr_expect_eq(first->vtable->instance_struct_size, sizeof *first);
    first->vtable->set_user_data(first, &key, &ended, count);
    cr_expect_eq(first->vtable->get_user_data(first, &key), &ended);
    cr_expect_null(second->vtable->get_user_data(second, &key));
    first->vtable->set_user_data(first, &key, NULL, NULL);
    cr_expect_eq(ended, 1);
}

/* Callbacks for outputs of instructions, as clients of 0.115 can give. */
Test(api_device, executions_take_no_callbacks_for_outputs_of_instructions)
{
    struct loaded_executable *loaded;
    cr_assert_null(fake_load(client, "add", 0, 1, false, 1, &loaded));
    PJRT_HloOutputCallbackInfo info = {0};
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                   .hlo_output_callbacks = &info,
                                   .num_hlo_output_callbacks = 1};
    PJRT_Buffer **none = NULL, *const *no_arguments = NULL;
    PJRT_LoadedExecutable_Execute_Args args = {.struct_size =
                                                   PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE,
                                               .executable = loaded_executable_handle(loaded),
                                               .options = &options,
                                               .argument_lists = &no_arguments,
                                               .num_devices = 1,
                                               .output_lists = &none};
    PJRT_Error *error = api->PJRT_LoadedExecutable_Execute(&args);
    cr_assert_not_null(error);
    cr_expect_eq(error->vtable->get_code(error), PJRT_Error_Code_UNIMPLEMENTED);
    error->vtable->destroy(error);
    loaded_executable_release(loaded);
}
