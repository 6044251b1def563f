/* suite_topology.c: topologies without a client, and compiling for them. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

static struct error *create(struct test_context *t, const char *name,
                            PJRT_TopologyDescription **out)
{
    ABI_ARGS(TopologyDescription_Create, args, .topology_name = name,
             .topology_name_size = strlen(name));
    *out = NULL;
    TRY(ABI_CALL(t->api, TopologyDescription_Create, &args));
    *out = args.topology;
    return NULL;
}

static uint64_t fingerprint(struct test_context *t, const PJRT_TopologyDescription *topology)
{
    ABI_ARGS(TopologyDescription_Fingerprint, args, .topology = topology);
    error_free(ABI_CALL(t->api, TopologyDescription_Fingerprint, &args));
    return args.fingerprint;
}

static void own(struct test_context *t)
{
    PJRT_TopologyDescription *topology;
    NEED_SUPPORTED(t, create(t, "", &topology));
    ABI_ARGS(TopologyDescription_PlatformName, name, .topology = topology);
    CHECK_OK(t, ABI_CALL(t->api, TopologyDescription_PlatformName, &name));
    CHECK(t, name.platform_name_size, "no platform name");
    ABI_ARGS(TopologyDescription_PlatformVersion, version, .topology = topology);
    CHECK_OK(t, ABI_CALL(t->api, TopologyDescription_PlatformVersion, &version));
    ABI_ARGS(TopologyDescription_GetDeviceDescriptions, devices, .topology = topology);
    CHECK_OK(t, ABI_CALL(t->api, TopologyDescription_GetDeviceDescriptions, &devices));
    CHECK(t, devices.num_descriptions, "no devices");
    for (size_t i = 0; i < devices.num_descriptions; i++) {
        ABI_ARGS(DeviceDescription_Id, id, .device_description = devices.descriptions[i]);
        CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_Id, &id));
    }
    ABI_ARGS(TopologyDescription_Attributes, attributes, .topology = topology);
    CHECK_OK(t, ABI_CALL(t->api, TopologyDescription_Attributes, &attributes));
    ABI_DESTROY(t->api, TopologyDescription, topology, topology);
}

static void unknown_name(struct test_context *t)
{
    PJRT_TopologyDescription *topology;
    NEED_SUPPORTED(t, create(t, "", &topology));
    ABI_DESTROY(t->api, TopologyDescription, topology, topology);
    CHECK_ERROR(t, create(t, "no such topology:9x9x9x9", &topology));
}

static void round_trip(struct test_context *t)
{
    PJRT_TopologyDescription *topology;
    NEED_SUPPORTED(t, create(t, "", &topology));
    ABI_ARGS(TopologyDescription_Serialize, bytes, .topology = topology);
    NEED_SUPPORTED(t, ABI_CALL(t->api, TopologyDescription_Serialize, &bytes));
    ABI_ARGS(TopologyDescription_Deserialize, again, .serialized_topology = bytes.serialized_bytes,
             .serialized_topology_size = bytes.serialized_bytes_size);
    if (CHECK_OK(t, ABI_CALL(t->api, TopologyDescription_Deserialize, &again))) {
        CHECK(t, fingerprint(t, topology) == fingerprint(t, again.topology),
              "another topology comes back");
        ABI_DESTROY(t->api, TopologyDescription, topology, again.topology);
    }
    for (size_t cut = 0; cut < bytes.serialized_bytes_size; cut++) {
        ABI_ARGS(TopologyDescription_Deserialize, damaged,
                 .serialized_topology = bytes.serialized_bytes, .serialized_topology_size = cut);
        struct error *error = ABI_CALL(t->api, TopologyDescription_Deserialize, &damaged);
        if (!error) /* a truncated description may be valid */
            ABI_DESTROY(t->api, TopologyDescription, topology, damaged.topology);
        error_free(error);
    }
    bytes.serialized_topology_deleter(bytes.serialized_topology);
    ABI_DESTROY(t->api, TopologyDescription, topology, topology);
}

/* Compiled without a client, loaded with one. */
static void compile_and_load(struct test_context *t)
{
    PJRT_TopologyDescription *topology;
    char *code;
    PJRT_Program program = {
        .struct_size = PJRT_Program_STRUCT_SIZE, .format = "mlir", .format_size = 4};
    NEED_SUPPORTED(t, create(t, "", &topology));
    NEED_OK(t, test_context_program_bytes(t, PROGRAM_matmul, ".mlirbc", &code, &program.code_size));
    program.code = code;
    ABI_ARGS(Compile, args, .topology = topology, .program = &program);
    bool supported =
        test_context_supported(t, __FILE__, __LINE__, ABI_CALL(t->api, Compile, &args));
    free(code);
    if (supported) {
        ABI_ARGS(Client_Load, load, .client = t->client, .executable = args.executable);
        if (test_context_supported(t, __FILE__, __LINE__, ABI_CALL(t->api, Client_Load, &load))) {
            CHECK_OK(t, test_context_run_once(t, PROGRAM_matmul, load.loaded_executable));
            abi_executable_destroy(t->api, load.loaded_executable);
        }
        ABI_DESTROY(t->api, Executable, executable, args.executable);
    }
    ABI_DESTROY(t->api, TopologyDescription, topology, topology);
}

static const struct test_context_case cases[] = {
    {"own", own, STAGE_PLUGIN, 0},
    {"unknown_name", unknown_name, STAGE_PLUGIN, 0},
    {"round_trip", round_trip, STAGE_PLUGIN, 0},
    {"compile_and_load", compile_and_load, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_topology = {"topology", cases};
