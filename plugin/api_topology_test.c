/* api_topology_test.c: names and bytes of topologies that are missing or wrong. Right ones:
 * plugin_test.c. */
#include <criterion/criterion.h>
#include <string.h>

#include "plugin/plugin.h"
#include "runtime/fake_device.h"

static const PJRT_Api *api;

static void setup(void)
{
    api = plugin_api(&fake_library);
}

TestSuite(api_topology, .init = setup);

static void refused(PJRT_Error *got, const char *part)
{
    struct error *error = (struct error *)got;
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

static PJRT_Error *create(const char *name, size_t size, PJRT_TopologyDescription **out)
{
    PJRT_TopologyDescription_Create_Args args = {
        .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE,
        .topology_name = name,
        .topology_name_size = size};
    PJRT_Error *error = api->PJRT_TopologyDescription_Create(&args);
    *out = args.topology;
    return error;
}

static PJRT_Error *read_bytes(const char *bytes, size_t size, PJRT_TopologyDescription **out)
{
    PJRT_TopologyDescription_Deserialize_Args args = {
        .struct_size = PJRT_TopologyDescription_Deserialize_Args_STRUCT_SIZE,
        .serialized_topology = bytes,
        .serialized_topology_size = size};
    PJRT_Error *error = api->PJRT_TopologyDescription_Deserialize(&args);
    *out = args.topology;
    return error;
}

static void drop(PJRT_TopologyDescription *topology)
{
    PJRT_TopologyDescription_Destroy_Args args = {
        .struct_size = PJRT_TopologyDescription_Destroy_Args_STRUCT_SIZE, .topology = topology};
    cr_assert_null(api->PJRT_TopologyDescription_Destroy(&args));
}

Test(api_topology, a_name_is_no_more_than_its_size)
{
    char name[512];
    PJRT_TopologyDescription *topology;
    memset(name, 'x', sizeof name);
    refused(create(NULL, 4, &topology), "topology_name is NULL");
    refused(create(name, sizeof name, &topology), "a topology name of 512 bytes");
    cr_assert_null(create(NULL, 0, &topology), "the device's default");
    drop(topology);
}

Test(api_topology, bytes_are_a_whole_topology_of_this_device)
{
    static const char *const wrong[] = {
        "",
        "gantry",
        "gantry fake devices 2 memory 0,0,0",
        "gantry other devices 2 memory 0,0,0 name fake topology ",
        "gantry fake devices 0 memory 0,0,0 name fake topology ",
        "gantry fake devices -1 memory 0,0,0 name fake topology ",
        "gantry fake devices two memory 0,0,0 name fake topology ",
    };
    static const char right[] = "gantry fake devices 3 memory 4096,0,0 name mine topology ";
    char many[600];
    PJRT_TopologyDescription *topology;
    refused(read_bytes(NULL, 5, &topology), "serialized_topology is NULL");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(read_bytes(wrong[i], strlen(wrong[i]), &topology), "not a serialized topology");
    memset(many, ' ', sizeof many);
    memcpy(many, right, sizeof right - 1);
    refused(read_bytes(many, sizeof many, &topology), "not a serialized topology");
    cr_assert_null(read_bytes(right, sizeof right - 1, &topology));
    PJRT_TopologyDescription_GetDeviceDescriptions_Args devices = {
        .struct_size = PJRT_TopologyDescription_GetDeviceDescriptions_Args_STRUCT_SIZE,
        .topology = topology};
    cr_assert_null(api->PJRT_TopologyDescription_GetDeviceDescriptions(&devices));
    cr_expect_eq(devices.num_descriptions, 3);
    drop(topology);
}
