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
        "gantry fake devices 2 memory 0,0,0 name 4:fake",
        "gantry fake devices 2 memory 0,0,0 name 5:fake topology ",
        "gantry fake devices 2 memory 0,0,0 name 9999999:fake topology ",
        "gantry fake devices 2 memory 0,0,0 name 4 fake topology ",
        "gantry other devices 2 memory 0,0,0 name 4:fake topology ",
        "gantry fake devices 0 memory 0,0,0 name 4:fake topology ",
        "gantry fake devices -1 memory 0,0,0 name 4:fake topology ",
        "gantry fake devices two memory 0,0,0 name 4:fake topology ",
        "gantry fake devices 4294967297 memory 0,0,0 name 4:fake topology ",
    };
    static const char right[] = "gantry fake devices 3 memory 4096,0,0 name 4:mine topology ";
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

static const char *platform_of(PJRT_TopologyDescription *topology)
{
    PJRT_TopologyDescription_PlatformName_Args args = {
        .struct_size = PJRT_TopologyDescription_PlatformName_Args_STRUCT_SIZE,
        .topology = topology};
    cr_assert_null(api->PJRT_TopologyDescription_PlatformName(&args));
    return args.platform_name;
}

/* A name is any text: "my gpu", or one that looks like the rest of the line. */
Test(api_topology, names_with_spaces_are_read_back)
{
    static const char *const names[] = {"my gpu", " mine", "mine ", "x topology y", "7:seven"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        PJRT_TopologyDescription *topology, *again;
        PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                  .name = "platform_name",
                                  .name_size = sizeof "platform_name" - 1,
                                  .type = PJRT_NamedValue_kString,
                                  .string_value = names[i],
                                  .value_size = strlen(names[i])};
        PJRT_TopologyDescription_Create_Args made = {
            .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE,
            .create_options = &option,
            .num_options = 1};
        cr_assert_null(api->PJRT_TopologyDescription_Create(&made));
        topology = made.topology;
        PJRT_TopologyDescription_Serialize_Args bytes = {
            .struct_size = PJRT_TopologyDescription_Serialize_Args_STRUCT_SIZE,
            .topology = topology};
        cr_assert_null(api->PJRT_TopologyDescription_Serialize(&bytes));
        cr_assert_null(read_bytes(bytes.serialized_bytes, bytes.serialized_bytes_size, &again));
        cr_expect_str_eq(platform_of(again), names[i]);
        bytes.serialized_topology_deleter(bytes.serialized_topology);
        drop(topology);
        drop(again);
    }
}

/* ---- memories ---- */
#define KIND_IDS(args, topology_)                                                                  \
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args args = {                                   \
        .struct_size = PJRT_TopologyDescription_GetMemorySpaceKindIds_Args_STRUCT_SIZE,            \
        .topology = topology_};                                                                    \
    cr_assert_null(api->PJRT_TopologyDescription_GetMemorySpaceKindIds(&args))

typedef PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args canonical_args;

static canonical_args shape_in(PJRT_TopologyDescription *topology, int kind_id,
                               PJRT_Buffer_Type type, size_t rank, const int64_t *dims)
{
    return (canonical_args){
        .struct_size = PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args_STRUCT_SIZE,
        .topology = topology,
        .memory_space_kind_id = kind_id,
        .dims = dims,
        .num_dims = rank,
        .element_type = type};
}

static PJRT_Error *make_shape(canonical_args *args)
{
    return api->PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace(args);
}

Test(api_topology, canonical_shapes_are_messages)
{
    /* type 11 (F32), dimensions {2, 300}, layout {1, 0}, neither dimension dynamic */
    static const unsigned char expected[] = {0x10, 11, 0x1a, 3, 2,    0xac, 2, 0x2a, 4,
                                             0x0a, 2,  1,    0, 0x32, 2,    0, 0};
    static const int64_t dims[] = {2, 300}, negative[] = {2, -300};
    PJRT_TopologyDescription *topology;
    cr_assert_null(create(NULL, 0, &topology));
    KIND_IDS(kinds, topology);
    cr_assert_eq(kinds.num_memory_space_kind_ids, 3);
    int id = kinds.memory_space_kind_ids[0];
    canonical_args args = shape_in(topology, id, PJRT_Buffer_Type_F32, 2, dims);
    cr_assert_null(make_shape(&args));
    cr_assert_eq(args.serialized_shape_size, sizeof expected);
    cr_expect_not(memcmp(args.serialized_shape, expected, sizeof expected));
    args.serialized_shape_deleter(args.serialized_shape);
    args = shape_in(topology, 77, PJRT_Buffer_Type_F32, 2, dims);
    refused(make_shape(&args), "no memory has kind id 77");
    args = shape_in(topology, id, PJRT_Buffer_Type_F32, (size_t)1 << 40, dims);
    refused(make_shape(&args), "rank 1099511627776");
    args = shape_in(topology, id, PJRT_Buffer_Type_F32, 2, negative);
    refused(make_shape(&args), "-300");
    args = shape_in(topology, id, PJRT_Buffer_Type_F32, 2, NULL);
    refused(make_shape(&args), "dim");
    args = shape_in(topology, id, (PJRT_Buffer_Type)12345, 2, dims);
    refused(make_shape(&args), "type");
    drop(topology);
}
