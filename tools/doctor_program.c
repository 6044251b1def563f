/* doctor_program.c: a small program on each device of a plugin. */
#include <stdio.h>
#include <string.h>

#include "tools/abi.h"
#include "tools/doctor.h"
#include "tools/session.h"

enum { SIDE = 64, MAX_SECONDS = 5 };

/* x * x + 1: a matrix product, and generated code. */
static const char code[] =
    "module @doctor {\n"
    "  func.func public @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
    "    %one = stablehlo.constant dense<1.0> : tensor<64x64xf32>\n"
    "    %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, "
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"
    "    %z = stablehlo.add %y, %one : tensor<64x64xf32>\n"
    "    return %z : tensor<64x64xf32>\n"
    "  }\n"
    "}\n";

/* compile_portable_executable (4), and one replica and partition in executable_build_options (3):
 * the program runs on the device of its arguments. */
static const char options[] = "\x1a\x04\x20\x01\x28\x01\x20\x01";

struct test {
    const PJRT_Api *api;
    PJRT_Client *client;
    PJRT_LoadedExecutable *executable;
};

static struct error *check(const float *values)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        float expected = i / SIDE == i % SIDE ? 5 : 1;
        if (values[i] != expected)
            return ERROR(INTERNAL, "wrong result: element %d is %g, expected %g", i,
                         (double)values[i], (double)expected);
    }
    return NULL;
}

static struct error *execute(const struct test *test, PJRT_Device *device, PJRT_Buffer *input,
                             PJRT_Buffer **output)
{
    PJRT_ExecuteOptions execution = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *const *inputs = &input;
    PJRT_Event *done = NULL;
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = test->executable, .options = &execution,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 1, .output_lists = &output,
             .device_complete_events = &done, .execute_device = device);
    TRY(ABI_CALL(test->api, LoadedExecutable_Execute, &args));
    return abi_await(test->api, done);
}

static struct error *run_on(const struct test *test, PJRT_Device *device)
{
    static float values[SIDE * SIDE];
    static const int64_t dims[] = {SIDE, SIDE};
    PJRT_Buffer *input = NULL, *output = NULL;
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = i / SIDE == i % SIDE ? 2 : 0;
    struct abi_array array = {DTYPE_F32, 2, dims, values};
    struct error *error = abi_upload(test->api, test->client, device, &array, &input);
    if (!error)
        error = execute(test, device, input, &output);
    if (!error)
        error = abi_download(test->api, output, values, sizeof values);
    if (!error)
        error = check(values);
    abi_buffer_destroy(test->api, output);
    abi_buffer_destroy(test->api, input);
    return error;
}

static void add_name(const PJRT_Api *api, PJRT_Device *device, cJSON *item)
{
    char name[256] = "?";
    ABI_ARGS(Device_GetDescription, get, .device = device);
    struct error *error = ABI_CALL(api, Device_GetDescription, &get);
    ABI_ARGS(DeviceDescription_DebugString, text, .device_description = get.device_description);
    if (!error)
        error = ABI_CALL(api, DeviceDescription_DebugString, &text);
    if (!error)
        snprintf(name, sizeof name, "%.*s", (int)text.debug_string_size, text.debug_string);
    error_free(error);
    cJSON_AddStringToObject(item, "device", name);
}

static void add_result(cJSON *item, double start, struct error *error /*moved*/)
{
    cJSON_AddNumberToObject(item, "seconds", session_seconds() - start);
    if (error)
        cJSON_AddStringToObject(item, "error", error_message(error, NULL));
    error_free(error);
}

static struct error *open_test(struct test *test)
{
    TRY(abi_client_create(test->api, NULL, 0, &test->client));
    struct abi_program program = {code, sizeof code - 1, "mlir", options, sizeof options - 1};
    return abi_compile(test->api, test->client, &program, &test->executable);
}

static struct error *run(struct test *test, cJSON *list, cJSON *out)
{
    double start = session_seconds();
    TRY(open_test(test));
    cJSON_AddNumberToObject(out, "compile_seconds", session_seconds() - start);
    ABI_ARGS(Client_AddressableDevices, devices, .client = test->client);
    TRY(ABI_CALL(test->api, Client_AddressableDevices, &devices));
    for (size_t i = 0; i < devices.num_addressable_devices; i++) {
        double now = session_seconds();
        if (now - start > MAX_SECONDS) {
            cJSON_AddNumberToObject(out, "devices_left",
                                    (double)(devices.num_addressable_devices - i));
            break;
        }
        PJRT_Device *device = devices.addressable_devices[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(list, item);
        add_name(test->api, device, item);
        add_result(item, now, run_on(test, device));
    }
    return NULL;
}

void doctor_self_test(const char *path, cJSON *out)
{
    struct abi_plugin plugin;
    struct error *error = abi_load(path, &plugin);
    struct test test = {.api = plugin.api};
    cJSON *list = cJSON_AddArrayToObject(out, "self_test");
    if (!error)
        error = run(&test, list, out);
    if (error)
        cJSON_AddStringToObject(out, "error", error_message(error, NULL));
    error_free(error);
    if (!plugin.api)
        return;
    abi_executable_destroy(plugin.api, test.executable);
    abi_client_destroy(plugin.api, test.client);
    abi_unload(&plugin);
}
