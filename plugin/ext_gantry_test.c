#include "plugin/ext_gantry.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/handles.h"
#include "report/json_fixture.h"
#include "plugin/plugin.h"
#include "runtime/clients.h"
#include "runtime/fake_device.h"

static struct client *client;

static void setup(void)
{
    setenv("GANTRY_SYSFS_ROOT", "memory/testdata/machines/quota", 1);
    cr_assert_null(client_create(&fake_library, NULL, &client));
}

static void teardown(void)
{
    client_close(client);
}

TestSuite(ext_gantry, .init = setup, .fini = teardown);

/* Parses and frees a text returned by the extension. */
static cJSON *parse(PJRT_Gantry_Json json)
{
    cJSON *object = cJSON_ParseWithLength(json.text, json.size);
    cr_assert_not_null(object, "%.*s", (int)json.size, json.text);
    json.deleter(json.holder);
    return object;
}

static cJSON *member(const cJSON *object, const char *name)
{
    cJSON *found = cJSON_GetObjectItem(object, name);
    cr_assert_not_null(found, "%s", name);
    return found;
}

static double figure(const cJSON *object, const char *name)
{
    cr_assert(cJSON_IsNumber(member(object, name)), "%s", name);
    return member(object, name)->valuedouble;
}

Test(ext_gantry, is_in_the_table)
{
    const PJRT_Api *api = plugin_api(&fake_library);
    PJRT_Extension_Base *at = api->extension_start;
    while (at && at != &ext_gantry.base)
        at = at->next;
    cr_assert_eq(at, &ext_gantry.base);
    cr_expect_str_eq(ext_gantry.name, "gantry");
    cr_expect_gt((int)at->type, 1000, "outside of what openxla gives out");
}

Test(ext_gantry, describes_a_recorded_machine)
{
    PJRT_Gantry_Machine_Args args = {.struct_size = PJRT_Gantry_Machine_Args_STRUCT_SIZE,
                                     .client = client_handle(client)};
    cr_assert_null(ext_gantry.machine(&args));
    cJSON *json = parse(args.json), *machine = member(json, "machine");
    cr_expect(cJSON_IsTrue(member(machine, "recorded")));
    cr_expect_eq(figure(machine, "packages"), 2);
    cr_expect_eq(figure(machine, "bytes"), 128.0 * (1 << 30));
    cr_expect_eq(figure(machine, "limit"), 16.0 * (1 << 30), "the control group's");
    cr_expect_eq(cJSON_GetArraySize(member(machine, "nodes")), 2);
    cr_expect_eq(cJSON_GetArraySize(member(machine, "cores")), 16);
    cr_expect_eq(cJSON_GetArraySize(member(machine, "cpus")), 16);
    cr_expect_eq(figure(member(json, "workers"), "width"), 4, "the control group's quota");
    cr_expect_eq(cJSON_GetArraySize(member(json, "devices")), client->device_count);
    const cJSON *device = cJSON_GetArrayItem(member(json, "devices"), 0);
    cr_expect_eq(cJSON_GetArraySize(member(device, "memories")), 3);
    cJSON_Delete(json);
}

Test(ext_gantry, lists_live_buffers)
{
    struct storage *storage;
    struct client_memory *memory = &client->devices[1]->memories[1];
    struct label label = result_labels_host_array(DTYPE_F32);
    PJRT_Gantry_LiveBuffers_Args args = {.struct_size = PJRT_Gantry_LiveBuffers_Args_STRUCT_SIZE,
                                         .device = device_handle(client->devices[1])};
    cr_assert_null(space_alloc_labeled(memory->space, 100, &label, &storage));
    cr_assert_null(ext_gantry.live_buffers(&args));
    cJSON *json = parse(args.json);
    cr_expect_eq(figure(json, "device"), 1);
    const cJSON *pinned = cJSON_GetArrayItem(member(json, "memories"), 1);
    cr_expect_str_eq(member(pinned, "kind")->valuestring, "pinned_host");
    cr_expect_eq(figure(pinned, "buffers"), 1);
    const cJSON *largest = cJSON_GetArrayItem(member(pinned, "largest"), 0);
    cr_expect_eq(figure(largest, "bytes"), 100);
    cr_expect_str_eq(member(largest, "label")->valuestring, "f32 array from the host");
    cJSON_Delete(json);
    storage_release(storage);
}

Test(ext_gantry, checks_its_arguments)
{
    PJRT_Gantry_Machine_Args args = {.struct_size = PJRT_Gantry_Machine_Args_STRUCT_SIZE};
    struct error *error = (struct error *)ext_gantry.machine(&args);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    args.struct_size = 4;
    error = (struct error *)ext_gantry.machine(&args);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

/* A hand-built program with two arguments, one of which is aliased to the first result. */
Test(ext_gantry, gives_the_plan_of_a_program)
{
    struct loaded_executable *loaded;
    cr_assert_null(fake_load(client, "add", 2, 100, true, 1, &loaded));
    PJRT_Gantry_Plan_Args args = {.struct_size = PJRT_Gantry_Plan_Args_STRUCT_SIZE,
                                  .executable = (PJRT_Executable *)loaded->executable};
    cr_assert_null(ext_gantry.plan(&args));
    cJSON *json = parse(args.json);
    cr_expect_eq(figure(json, "argument_bytes"), 800);
    cr_expect_eq(figure(json, "output_bytes"), 800);
    cr_expect_eq(figure(json, "alias_bytes"), 800);
    cr_expect_eq(figure(json, "temp_bytes"), 0);
    cr_expect_eq(figure(json, "peak_bytes"), 2 * 448);
    cr_expect(cJSON_IsTrue(member(json, "fits")));
    cr_expect_eq(figure(member(member(json, "memories"), "pinned_host"), "peak_bytes"), 0);
    cr_expect_eq(cJSON_GetArraySize(member(json, "arguments")), 2);
    cr_expect_eq(cJSON_GetArraySize(member(json, "steps")), 0);
    cJSON_Delete(json);
    args.struct_size = 8;
    struct error *error = (struct error *)ext_gantry.plan(&args);
    cr_expect(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    loaded_executable_release(loaded);
}

/* A program is read, not compiled: one function of it is private, none is @main. */
Test(ext_gantry, gives_the_signatures_of_a_program)
{
    static char text[] = "func.func @f(%a: tensor<2x3xf32>, %b: tensor<ui8>) -> tensor<ui8> {\n"
                         "  return %b : tensor<ui8>\n}\n"
                         "func.func private @g() { return }\n";
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = text,
                            .code_size = sizeof text - 1,
                            .format = "mlir",
                            .format_size = 4};
    PJRT_Gantry_Signature_Args args = {.struct_size = PJRT_Gantry_Signature_Args_STRUCT_SIZE,
                                       .program = &program};
    cr_assert_null(ext_gantry.signature(&args));
    cJSON *json = parse(args.json), *functions = member(json, "functions");
    cr_assert_eq(cJSON_GetArraySize(functions), 2);
    const cJSON *f = cJSON_GetArrayItem(functions, 0), *g = cJSON_GetArrayItem(functions, 1);
    cr_expect_str_eq(member(f, "name")->valuestring, "f");
    cr_expect(cJSON_IsTrue(member(f, "public")) && cJSON_IsFalse(member(f, "entry")));
    const cJSON *argument = cJSON_GetArrayItem(member(f, "arguments"), 0);
    cr_expect_str_eq(member(argument, "dtype")->valuestring, "f32");
    cr_expect_eq(cJSON_GetArrayItem(member(argument, "dims"), 1)->valuedouble, 3);
    cr_expect_eq(cJSON_GetArraySize(member(f, "results")), 1);
    cr_expect(cJSON_IsFalse(member(g, "public")));
    cJSON_Delete(json);
    program.code_size = 5;
    struct error *error = (struct error *)ext_gantry.signature(&args);
    cr_expect(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

/* ---- exhausted memory ------------------------------------------------------------------------ */
/* Frees what a function of the extension returned; returns whether it was JSON. */
static bool drop(PJRT_Error *error, PJRT_Gantry_Json json)
{
    if (error)
        cr_assert_eq(error_code((struct error *)error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    else
        json.deleter(json.holder);
    error_free((struct error *)error);
    return !error;
}

#define ASKING(function, Name)                                                                     \
    static bool ask_##function(void *args)                                                         \
    {                                                                                              \
        PJRT_Error *error = ext_gantry.function(args);                                             \
        return drop(error, ((PJRT_Gantry_##Name##_Args *)args)->json);                             \
    }
ASKING(machine, Machine)
ASKING(live_buffers, LiveBuffers)
ASKING(plan, Plan)
ASKING(signature, Signature)
ASKING(metrics, Metrics)

Test(ext_gantry, a_machine_needs_memory)
{
    PJRT_Gantry_Machine_Args args = {.struct_size = PJRT_Gantry_Machine_Args_STRUCT_SIZE,
                                     .client = client_handle(client)};
    json_exhaust(ask_machine, &args);
}

Test(ext_gantry, a_list_of_buffers_needs_memory)
{
    struct storage *storage;
    struct label label = result_labels_host_array(DTYPE_F32);
    PJRT_Gantry_LiveBuffers_Args args = {.struct_size = PJRT_Gantry_LiveBuffers_Args_STRUCT_SIZE,
                                         .device = device_handle(client->devices[0])};
    cr_assert_null(space_alloc_labeled(client->devices[0]->memories[0].space, 8, &label, &storage));
    json_exhaust(ask_live_buffers, &args);
    storage_release(storage);
}

Test(ext_gantry, a_plan_needs_memory)
{
    struct loaded_executable *loaded;
    cr_assert_null(fake_load(client, "add", 2, 100, true, 1, &loaded));
    PJRT_Gantry_Plan_Args args = {.struct_size = PJRT_Gantry_Plan_Args_STRUCT_SIZE,
                                  .executable = (PJRT_Executable *)loaded->executable};
    json_exhaust(ask_plan, &args);
    loaded_executable_release(loaded);
}

Test(ext_gantry, metrics_of_the_process)
{
    struct loaded_executable *loaded;
    PJRT_Gantry_Metrics_Args args = {.struct_size = PJRT_Gantry_Metrics_Args_STRUCT_SIZE};
    clients_add(client);
    cr_assert_null(fake_load(client, "add", 2, 100, true, 1, &loaded));
    cr_assert_null(ext_gantry.metrics(&args));
    cJSON *report = parse(args.json);
    cr_expect_eq(figure(report, "version"), 1);
    cr_expect_eq(figure(report, "pid"), getpid());
    cr_expect_eq(figure(member(report, "counters"), "failed_compilations"), 0);
    cr_expect_eq(figure(member(member(report, "times"), "compile"), "count"),
                 figure(member(report, "counters"), "compilations"));
    const cJSON *device = cJSON_GetArrayItem(member(report, "devices"), 0);
    cr_expect_eq(cJSON_GetArraySize(member(report, "devices")), client->local_count);
    cr_expect_eq(figure(device, "queued"), 0);
    cr_expect(cJSON_IsNull(member(device, "program")));
    cr_expect_eq(cJSON_GetArraySize(member(device, "memories")),
                 client->local_devices[0]->device->space_count);
    cJSON_Delete(report);
    loaded_executable_release(loaded);
    clients_remove(client);
}

Test(ext_gantry, metrics_need_memory)
{
    PJRT_Gantry_Metrics_Args args = {.struct_size = PJRT_Gantry_Metrics_Args_STRUCT_SIZE};
    clients_add(client);
    json_exhaust(ask_metrics, &args);
    clients_remove(client);
}

Test(ext_gantry, signatures_need_memory)
{
    static char text[] = "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                         "  return %a : tensor<2x3xf32>\n}\n";
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = text,
                            .code_size = sizeof text - 1,
                            .format = "mlir",
                            .format_size = 4};
    PJRT_Gantry_Signature_Args args = {.struct_size = PJRT_Gantry_Signature_Args_STRUCT_SIZE,
                                       .program = &program};
    json_exhaust(ask_signature, &args);
}
