/* suite_input.c: invalid programs, options, counts, shapes and handles: each returns an error with
 * a code, none crashes the process, and nothing leaks. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

/* ---- Programs -------------------------------------------------------------------------------- */

static struct error *compile_bytes(struct test_context *t, const char *format, const char *code,
                                   size_t size)
{
    struct abi_program program = {.code = code, .code_size = size, .format = format};
    PJRT_LoadedExecutable *executable;
    struct error *error = abi_compile(t->api, t->client, &program, &executable);
    if (!error)
        abi_executable_destroy(t->api, executable);
    return error;
}

static void cut_programs(struct test_context *t)
{
    for (int name = 0; name < PROGRAM_COUNT; name++) {
        char *code;
        size_t size;
        NEED_OK(t, test_context_program_bytes(t, (enum test_context_program_name)name, ".mlirbc",
                                              &code, &size));
        for (size_t cut = 0; cut < size; cut++) {
            char *exact = malloc(cut + 1); /* so that a sanitizer sees a read past the end */
            memcpy(exact, code, cut);
            CHECK_ERROR(t, compile_bytes(t, "mlir", exact, cut));
            free(exact);
        }
        free(code);
    }
}

/* A program with a changed byte may be valid; it must not crash the process. */
static void changed_programs(struct test_context *t)
{
    static const unsigned char changes[] = {0x01, 0x80, 0xff};
    for (int name = 0; name < PROGRAM_COUNT; name++) {
        char *code;
        size_t size;
        NEED_OK(t, test_context_program_bytes(t, (enum test_context_program_name)name, ".mlirbc",
                                              &code, &size));
        for (size_t at = 0; at < size; at += 1 + size / 150)
            for (size_t i = 0; i < sizeof changes; i++) {
                code[at] = (char)(code[at] ^ changes[i]);
                struct error *error = compile_bytes(t, "mlir", code, size);
                if (error && error_code(error) == PJRT_Error_Code_INTERNAL)
                    test_context_fail(t, __FILE__, __LINE__, "%s, byte %zu: INTERNAL: %s",
                                      test_context_programs[name].name, at,
                                      error_message(error, NULL));
                error_free(error);
                code[at] = (char)(code[at] ^ changes[i]);
            }
        free(code);
    }
}

static void no_programs(struct test_context *t)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "hello",
                                        "module {",
                                        "module {}",
                                        "ML\xef",
                                        "ML\xefR",
                                        "{\"a\": 1}",
                                        "func.func",
                                        "\n\n//\n",
                                        "module { func.func @main() { return %0 : f32 } }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_ERROR(t, compile_bytes(t, "mlir", texts[i], strlen(texts[i])));
        CHECK_ERROR(t, compile_bytes(t, "hlo", texts[i], strlen(texts[i])));
    }
    CHECK_ERROR(t, compile_bytes(t, "no_such_format", "module {}", 9));
    CHECK_ERROR(t, compile_bytes(t, "", "module {}", 9));
    CHECK_ERROR(t, compile_bytes(t, "mlir", NULL, 0));
    CHECK_ERROR(t, compile_bytes(t, "mlir", NULL, 100));
}

static void deep_text(struct test_context *t)
{
    enum { DEPTH = 100000 };
    static const char *const opening[] = {"(", "{", "[", "tensor<", "module {", "dense<["};
    for (size_t i = 0; i < sizeof opening / sizeof *opening; i++) {
        size_t part = strlen(opening[i]);
        char *code = malloc(part * DEPTH + 32);
        memcpy(code, "module attributes {a = ", 23);
        for (size_t k = 0; k < DEPTH; k++)
            memcpy(code + 23 + k * part, opening[i], part);
        CHECK_ERROR(t, compile_bytes(t, "mlir", code, 23 + part * DEPTH));
        free(code);
    }
}

static void wrong_options(struct test_context *t)
{
    static const struct {
        const char *bytes;
        size_t size;
    } options[] = {
        {"\xff\xff\xff\xff", 4},         /* no tag */
        {"\x1a\x7f\x08", 3},             /* a message longer than the input */
        {"\x1a\x03\x20\xe8\x07", 5},     /* 1000 replicas */
        {"\x1a\x04\x20\x01\x28\x7f", 6}, /* 127 partitions */
        {"\x1a\x0b\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13}, /* -1 replicas */
    };
    char *code;
    struct abi_program program = {.format = "mlir"};
    PJRT_LoadedExecutable *executable;
    NEED_OK(t, test_context_program_bytes(t, PROGRAM_add, ".mlirbc", &code, &program.code_size));
    program.code = code;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        program.options = options[i].bytes;
        program.options_size = options[i].size;
        CHECK_ERROR(t, abi_compile(t->api, t->client, &program, &executable));
        if (executable)
            abi_executable_destroy(t->api, executable);
    }
    free(code);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

struct upload {
    const char *what;
    bool no_data, no_place, no_dims;
    int type;
    size_t rank, strides;
    int64_t dims[4];
    int semantics;
};

static const struct upload uploads[] = {
    {"a negative dimension", .type = PJRT_Buffer_Type_F32, .rank = 1, .dims = {-1}},
    {"too many elements", .type = PJRT_Buffer_Type_F32, .rank = 3,
     .dims = {INT64_MAX, INT64_MAX, 2}},
    {"more bytes than 64 bits count", .type = PJRT_Buffer_Type_F64, .rank = 1, .dims = {INT64_MAX}},
    {"no type", .type = PJRT_Buffer_Type_INVALID, .rank = 1, .dims = {4}},
    {"type 999", .type = 999, .rank = 1, .dims = {4}},
    {"type -1", .type = -1, .rank = 1, .dims = {4}},
    {"no data", .no_data = true, .type = PJRT_Buffer_Type_F32, .rank = 1, .dims = {4}},
    {"no device, no memory", .no_place = true, .type = PJRT_Buffer_Type_F32, .rank = 1,
     .dims = {4}},
    {"a rank without dimensions", .no_dims = true, .type = PJRT_Buffer_Type_F32, .rank = 2},
    {"strides of another rank", .type = PJRT_Buffer_Type_F32, .rank = 1, .strides = 2, .dims = {4}},
    {"rank 10^9", .type = PJRT_Buffer_Type_F32, .rank = 1000000000, .no_dims = true},
    {"semantics 99", .type = PJRT_Buffer_Type_F32, .rank = 1, .dims = {4}, .semantics = 99},
};

static void wrong_uploads(struct test_context *t)
{
    static const float data[16];
    static const int64_t strides[] = {4, 4, 4, 4};
    for (size_t i = 0; i < sizeof uploads / sizeof *uploads; i++) {
        const struct upload *upload = &uploads[i];
        ABI_ARGS(Client_BufferFromHostBuffer, args, .client = t->client,
                 .data = upload->no_data ? NULL : data, .type = (PJRT_Buffer_Type)upload->type,
                 .dims = upload->no_dims ? NULL : upload->dims, .num_dims = upload->rank,
                 .byte_strides = upload->strides ? strides : NULL,
                 .num_byte_strides = upload->strides,
                 .host_buffer_semantics = (PJRT_HostBufferSemantics)upload->semantics,
                 .device = upload->no_place ? NULL : t->device);
        struct error *error = ABI_CALL(t->api, Client_BufferFromHostBuffer, &args);
        CHECK(t, error, "%s: accepted", upload->what);
        if (error) {
            CHECK_ERROR(t, error);
        } else {
            abi_buffer_destroy(t->api, args.buffer);
            error_free(abi_await(t->api, args.done_with_host_buffer));
        }
    }
}

static void wrong_places(struct test_context *t)
{
    const int64_t dims[] = {4};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_CopyToDevice, same, .buffer = buffer, .dst_device = t->device);
    CHECK_ERROR(t, ABI_CALL(t->api, Buffer_CopyToDevice, &same));
    ABI_ARGS(Buffer_CopyToMemory, none, .buffer = buffer);
    CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Buffer_CopyToMemory, &none));
    abi_buffer_destroy(t->api, buffer);
}

/* ---- Counts and sizes ------------------------------------------------------------------------ */

/* A count whose low half is valid, and the largest count. The arrays are smaller, so a call that
 * uses the count crashes. */
static const size_t huge_counts[] = {((size_t)1 << 32) + 1, SIZE_MAX};

static void huge_argument_counts(struct test_context *t, size_t huge)
{
    const int64_t four[] = {4}, index[] = {0};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *good, *out = NULL;
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &executable));
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, four, &good));
    PJRT_Buffer *pair[] = {good, good}, *const *inputs = pair, **outputs = &out;
    for (int which = 0; which < 5; which++) {
        PJRT_SendCallbackInfo *sends = NULL;
        PJRT_RecvCallbackInfo *receives = NULL;
        PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                       .non_donatable_input_indices = index,
                                       .send_callbacks = &sends,
                                       .recv_callbacks = &receives,
                                       .num_non_donatable_input_indices = which == 2 ? huge : 0,
                                       .num_send_ops = which == 3 ? huge : 0,
                                       .num_recv_ops = which == 4 ? huge : 0};
        ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
                 .argument_lists = &inputs, .num_devices = which == 0 ? huge : 1,
                 .num_args = which == 1 ? huge : 2, .output_lists = &outputs);
        test_context_expect_code(t, "a huge count of an execution", which,
                                 PJRT_Error_Code_INVALID_ARGUMENT,
                                 ABI_CALL(t->api, LoadedExecutable_Execute, &args));
    }
    abi_buffer_destroy(t->api, good);
    abi_executable_destroy(t->api, executable);
}

/* Dimensions, strides and layouts in every call that creates a buffer. */
static void huge_dimension_counts(struct test_context *t, size_t huge)
{
    static const float data[4];
    const int64_t dims[] = {4}, list[] = {0};
    PJRT_Buffer_MemoryLayout layout = {.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE};
    layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
    layout.tiled.minor_to_major = list;
    layout.tiled.minor_to_major_size = huge;
    PJRT_Buffer_MemoryLayout strides = {.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE};
    strides.type = PJRT_Buffer_MemoryLayout_Type_Strides;
    strides.strides.byte_strides = list;
    strides.strides.num_byte_strides = huge;
    for (int which = 0; which < 4; which++) {
        ABI_ARGS(Client_BufferFromHostBuffer, args, .client = t->client, .data = data,
                 .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = which == 0 ? huge : 1,
                 .byte_strides = list, .num_byte_strides = which == 1 ? huge : 0,
                 .device_layout = which == 2   ? &layout
                                  : which == 3 ? &strides
                                               : NULL,
                 .device = t->device);
        test_context_expect_code(t, "a huge count of a buffer's dimensions", which,
                                 PJRT_Error_Code_INVALID_ARGUMENT,
                                 ABI_CALL(t->api, Client_BufferFromHostBuffer, &args));
        if (which == 1)
            continue;
        ABI_ARGS(Client_CreateUninitializedBuffer, empty, .client = t->client, .shape_dims = dims,
                 .shape_num_dims = which == 0 ? huge : 1,
                 .shape_element_type = PJRT_Buffer_Type_F32,
                 .shape_layout = which == 2   ? &layout
                                 : which == 3 ? &strides
                                              : NULL,
                 .device = t->device);
        CHECK_ERROR(t, ABI_CALL(t->api, Client_CreateUninitializedBuffer, &empty));
        ABI_ARGS(Client_CreateViewOfDeviceBuffer, view, .client = t->client,
                 .device_buffer_ptr = (void *)(uintptr_t)data, .dims = dims,
                 .num_dims = which == 0 ? huge : 1, .element_type = PJRT_Buffer_Type_F32,
                 .layout = which == 2   ? &layout
                           : which == 3 ? &strides
                                        : NULL,
                 .device = t->device);
        CHECK_ERROR(t, ABI_CALL(t->api, Client_CreateViewOfDeviceBuffer, &view));
    }
    PJRT_ShapeSpec spec = {.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                           .dims = dims,
                           .num_dims = huge,
                           .element_type = PJRT_Buffer_Type_F32};
    ABI_ARGS(Device_DefaultMemory, memory, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &memory));
    for (int which = 0; which < 2; which++) {
        ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, args, .client = t->client,
                 .shape_specs = &spec, .num_shape_specs = which ? huge : 1,
                 .memory = memory.memory);
        CHECK_ERROR(t, ABI_CALL(t->api, Client_CreateBuffersForAsyncHostToDevice, &args));
    }
}

static void huge_program_sizes(struct test_context *t, size_t huge)
{
    char *code, *exact;
    struct abi_program right = {.format = "mlir"};
    NEED_OK(t, test_context_program_bytes(t, PROGRAM_add, ".mlirbc", &code, &right.code_size));
    exact = malloc(right.code_size);
    memcpy(exact, code, right.code_size);
    free(code);
    for (int which = 0; which < 3; which++) {
        PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                                .code = exact,
                                .code_size = which == 0 ? huge : right.code_size,
                                .format = "mlir",
                                .format_size = which == 1 ? huge : 4};
        ABI_ARGS(Client_Compile, args, .client = t->client, .program = &program,
                 .compile_options = "", .compile_options_size = which == 2 ? huge : 0);
        test_context_expect_code(t, "a huge size of a program", which,
                                 PJRT_Error_Code_INVALID_ARGUMENT,
                                 ABI_CALL(t->api, Client_Compile, &args));
    }
    ABI_ARGS(Executable_DeserializeAndLoad, load, .client = t->client,
             .serialized_executable = exact, .serialized_executable_size = huge);
    CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Executable_DeserializeAndLoad, &load));
    free(exact);
}

static void huge_option_counts(struct test_context *t, size_t huge)
{
    for (int which = 0; which < 3; which++) {
        PJRT_NamedValue value = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                 .name = "platform_name",
                                 .name_size = which == 1 ? huge : 13,
                                 .type = PJRT_NamedValue_kString,
                                 .string_value = "x",
                                 .value_size = which == 2 ? huge : 1};
        ABI_ARGS(Client_Create, args, .create_options = &value,
                 .num_options = which == 0 ? huge : 1);
        test_context_expect_code(t, "a huge count of create options", which,
                                 PJRT_Error_Code_INVALID_ARGUMENT,
                                 ABI_CALL(t->api, Client_Create, &args));
        ABI_ARGS(TopologyDescription_Create, topology, .topology_name = "",
                 .create_options = &value, .num_options = which == 0 ? huge : 1);
        CHECK_ERROR(t, ABI_CALL(t->api, TopologyDescription_Create, &topology));
    }
    ABI_ARGS(TopologyDescription_Create, named, .topology_name = "v5e:1x1",
             .topology_name_size = huge);
    CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, TopologyDescription_Create, &named));
}

static void huge_counts_of(struct test_context *t, void (*check)(struct test_context *, size_t))
{
    for (size_t i = 0; i < sizeof huge_counts / sizeof *huge_counts; i++)
        check(t, huge_counts[i]);
}

static void huge_arguments(struct test_context *t)
{
    huge_counts_of(t, huge_argument_counts);
}

static void huge_dimensions(struct test_context *t)
{
    huge_counts_of(t, huge_dimension_counts);
}

static void huge_programs(struct test_context *t)
{
    huge_counts_of(t, huge_program_sizes);
}

static void huge_options(struct test_context *t)
{
    huge_counts_of(t, huge_option_counts);
}

/* ---- NULL handles ---------------------------------------------------------------------------- */

/* Calls with a NULL handle and all other fields zeroed. */
/* clang-format off */
#define CALLS_WITH_HANDLE                                                                         \
    X(Client_PlatformName) X(Client_PlatformVersion) X(Client_ProcessIndex) X(Client_Devices)     \
    X(Client_AddressableDevices) X(Client_AddressableMemories) X(Client_LookupDevice)             \
    X(Client_LookupAddressableDevice) X(Client_DefaultDeviceAssignment) X(Client_Compile)         \
    X(Client_BufferFromHostBuffer) X(Client_TopologyDescription) X(Client_Destroy)                \
    X(Client_CreateUninitializedBuffer) X(Client_CreateErrorBuffer) X(Client_DmaMap)              \
    X(Client_CreateViewOfDeviceBuffer) X(Client_CreateBuffersForAsyncHostToDevice)                \
    X(DeviceDescription_Id) X(DeviceDescription_Kind) X(DeviceDescription_Attributes)             \
    X(DeviceDescription_DebugString) X(DeviceDescription_ToString) X(Device_GetDescription)       \
    X(DeviceDescription_ProcessIndex) X(Device_IsAddressable) X(Device_LocalHardwareId)           \
    X(Device_AddressableMemories) X(Device_DefaultMemory) X(Device_MemoryStats) X(Memory_Kind)    \
    X(Device_GetAttributes) X(Memory_Id) X(Memory_DebugString) X(Memory_ToString)                 \
    X(Memory_AddressableByDevices) X(Executable_Name) X(Executable_NumOutputs)                    \
    X(Executable_NumReplicas) X(Executable_Serialize) X(Executable_OptimizedProgram)              \
    X(Executable_DeserializeAndLoad) X(LoadedExecutable_GetExecutable)                            \
    X(LoadedExecutable_Execute) X(LoadedExecutable_AddressableDevices) X(LoadedExecutable_Delete) \
    X(Buffer_ElementType) X(Buffer_Dimensions) X(Buffer_Device) X(Buffer_Memory) X(Buffer_Delete) \
    X(Buffer_IsDeleted) X(Buffer_ToHostBuffer) X(Buffer_ReadyEvent) X(Buffer_IsOnCpu)             \
    X(Buffer_CopyToDevice) X(Buffer_CopyToMemory) X(Buffer_OnDeviceSizeInBytes)                   \
    X(Buffer_GetMemoryLayout) X(Buffer_UnsafePointer) X(Buffer_CopyRawToHost) X(Event_IsReady)    \
    X(Event_Error) X(Event_Await) X(Event_OnReady) X(TopologyDescription_PlatformName)            \
    X(TopologyDescription_GetDeviceDescriptions) X(TopologyDescription_Serialize)
/* clang-format on */

#define X(Function)                                                                                \
    {                                                                                              \
        ABI_ARGS(Function, args, );                                                                \
        struct error *error = ABI_CALL(t->api, Function, &args);                                   \
        PJRT_Error_Code code = error ? error_code(error) : PJRT_Error_Code_OK;                     \
        CHECK(t,                                                                                   \
              code == PJRT_Error_Code_INVALID_ARGUMENT || code == PJRT_Error_Code_UNIMPLEMENTED,   \
              #Function " without a handle: %s", error_code_name(code));                           \
        error_free(error);                                                                         \
    }
static void no_handle(struct test_context *t)
{
    CALLS_WITH_HANDLE
}
#undef X

/* ---- Leaks ----------------------------------------------------------------------------------- */

static int64_t bytes_in_use(struct test_context *t)
{
    ABI_ARGS(Device_MemoryStats, stats, .device = t->device);
    error_free(ABI_CALL(t->api, Device_MemoryStats, &stats));
    return stats.bytes_in_use;
}

static void nothing_left(struct test_context *t)
{
    CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
    int64_t before = bytes_in_use(t);
    wrong_uploads(t);
    wrong_places(t);
    no_programs(t);
    int64_t after = bytes_in_use(t);
    CHECK(t, before == after, "%lld bytes stay in use", (long long)(after - before));
}

static const struct test_context_case cases[] = {
    {"cut_programs", cut_programs, STAGE_CLIENT, 120},
    {"changed_programs", changed_programs, STAGE_CLIENT, 300},
    {"no_programs", no_programs, STAGE_CLIENT, 0},
    {"deep_text", deep_text, STAGE_CLIENT, 0},
    {"wrong_options", wrong_options, STAGE_CLIENT, 0},
    {"wrong_uploads", wrong_uploads, STAGE_CLIENT, 0},
    {"wrong_places", wrong_places, STAGE_CLIENT, 0},
    {"huge_arguments", huge_arguments, STAGE_CLIENT, 0},
    {"huge_dimensions", huge_dimensions, STAGE_CLIENT, 0},
    {"huge_programs", huge_programs, STAGE_CLIENT, 0},
    {"huge_options", huge_options, STAGE_CLIENT, 0},
    {"no_handle", no_handle, STAGE_CLIENT, 0},
    {"nothing_left", nothing_left, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_input = {"input", cases};
