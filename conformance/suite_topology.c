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
    {"compile_and_load", compile_and_load, STAGE_CLIENT, 0}, {0}};
const struct test_context_suite suite_topology = {"topology", cases};
