#include <criterion/criterion.h>
#include <string.h>

#include "pjrt_c_api_memory_descriptions_extension.h"
#include "plugin/plugin.h"
#include "runtime/fake_device.h"

static const PJRT_Api *api;
static PJRT_Client *client;

static void setup(void)
{
    api = plugin_api(&fake_library);
    cr_assert_not_null(api);
    PJRT_Client_Create_Args args = {.struct_size = PJRT_Client_Create_Args_STRUCT_SIZE};
    cr_assert_null(api->PJRT_Client_Create(&args));
    client = args.client;
}

static void teardown(void)
{
    PJRT_Client_Destroy_Args args = {.struct_size = PJRT_Client_Destroy_Args_STRUCT_SIZE,
                                     .client = client};
    cr_assert_null(api->PJRT_Client_Destroy(&args));
}

TestSuite(plugin, .init = setup, .fini = teardown);

#define ARGS(name, ...)                                                                            \
    name##_Args args = {.struct_size = name##_Args_STRUCT_SIZE, __VA_ARGS__};                      \
    cr_assert_null(api->name(&args), #name)

static PJRT_Error_Code code_of(PJRT_Error *error)
{
    PJRT_Error_GetCode_Args args = {.struct_size = PJRT_Error_GetCode_Args_STRUCT_SIZE,
                                    .error = error};
    cr_assert_not_null(error);
    cr_assert_null(api->PJRT_Error_GetCode(&args));
    PJRT_Error_Message_Args text = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE,
                                    .error = error};
    api->PJRT_Error_Message(&text);
    cr_expect_gt(text.message_size, 10);
    PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Destroy(&destroy);
    return args.code;
}

static PJRT_Device *device(size_t index)
{
    ARGS(PJRT_Client_Devices, .client = client);
    cr_assert_lt(index, args.num_devices);
    return args.devices[index];
}

static PJRT_Buffer *upload(const void *data, PJRT_Buffer_Type type, const int64_t *dims,
                           size_t rank)
{
    ARGS(PJRT_Client_BufferFromHostBuffer, .client = client, .data = data, .type = type,
         .dims = dims, .num_dims = rank, .device = device(0));
    PJRT_Event_Await_Args wait = {PJRT_Event_Await_Args_STRUCT_SIZE, NULL,
                                  args.done_with_host_buffer};
    cr_assert_null(api->PJRT_Event_Await(&wait));
    PJRT_Event_Destroy_Args destroy = {PJRT_Event_Destroy_Args_STRUCT_SIZE, NULL,
                                       args.done_with_host_buffer};
    cr_assert_null(api->PJRT_Event_Destroy(&destroy));
    return args.buffer;
}

static void destroy_buffer(PJRT_Buffer *buffer)
{
    ARGS(PJRT_Buffer_Destroy, .buffer = buffer);
}

static void await_and_destroy(PJRT_Event *event)
{
    PJRT_Event_Await_Args wait = {PJRT_Event_Await_Args_STRUCT_SIZE, NULL, event};
    cr_assert_null(api->PJRT_Event_Await(&wait));
    ARGS(PJRT_Event_Destroy, .event = event);
}

static void download(PJRT_Buffer *buffer, void *to, size_t size)
{
    ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .dst = to, .dst_size = size);
    await_and_destroy(args.event);
}

/* ---- the table as a whole -------------------------------------------------------------------- */
Test(plugin, the_table_has_every_member)
{
    cr_expect_eq(api->struct_size, PJRT_Api_STRUCT_SIZE);
    cr_expect_eq(api->pjrt_api_version.minor_version, 117);
    cr_expect_eq(plugin_api(&fake_library), api);
    void *const *members =
        (void *const *)((const char *)api + offsetof(PJRT_Api, PJRT_Error_Destroy));
    for (size_t i = 0; i < (sizeof *api - offsetof(PJRT_Api, PJRT_Error_Destroy)) / sizeof *members;
         i++)
        cr_expect_not_null(members[i], "member %zu", i);
}

enum { POISON = 0xA5, TAIL = 64 };

/* Calls a member with args whose first `size` bytes are zero and belong to the caller, and checks
 * that the rest is not written. */
#define CALL_SHORT(member)                                                                         \
    do {                                                                                           \
        union {                                                                                    \
            member##_Args args;                                                                    \
            unsigned char bytes[sizeof(member##_Args) + TAIL];                                     \
        } space;                                                                                   \
        memset(&space, POISON, sizeof space);                                                      \
        memset(&space, 0, size < sizeof space.args ? size : sizeof space.args);                    \
        if (size >= sizeof(size_t))                                                                \
            space.args.struct_size = size;                                                         \
        else                                                                                       \
            memset(&space, 0, sizeof(size_t));                                                     \
        size_t from = size > sizeof(size_t) ? size : sizeof(size_t);                               \
        PJRT_Error *error = api->member(&space.args);                                              \
        for (size_t i = from; i < sizeof space; i++)                                               \
            cr_expect_eq(space.bytes[i], POISON, #member ": size %zu, byte %zu", size, i);         \
        if (error)                                                                                 \
            code_of(error);                                                                        \
        else                                                                                       \
            cr_expect_geq(size, 16, #member " took %zu bytes", size);                              \
    } while (0);

/* Members that create or require something even if every input is zero, or (attributes, for older
 * headers) write one field past the given size. */
#define MAKES(member)                                                                              \
    (!strcmp(#member, "PJRT_Client_Create") ||                                                     \
     !strcmp(#member, "PJRT_TopologyDescription_Create") ||                                        \
     (!strcmp(#member, "PJRT_Plugin_Attributes") && size == 24) ||                                 \
     !strcmp(#member, "PJRT_Event_Create") || !strcmp(#member, "PJRT_ExecuteContext_Create"))

Test(plugin, short_structs_are_neither_read_nor_written_past_their_size)
{
#define ERROR_API(member, function)
#define API(member, function)                                                                      \
    for (size_t size = 0; size <= sizeof(member##_Args); size++)                                   \
        if (!MAKES(member))                                                                        \
    CALL_SHORT(member)
#define LIBRARY(member, function) API(member, function)
#define UNSUPPORTED(member)
#include "plugin/api.def"
#undef API
#undef LIBRARY
}

Test(plugin, null_args_and_null_handles_are_invalid_argument)
{
#define LIBRARY(member, function) API(member, function)
#define API(member, function)                                                                      \
    {                                                                                              \
        cr_expect_eq(code_of(api->member(NULL)), PJRT_Error_Code_INVALID_ARGUMENT, #member);       \
    }
#include "plugin/api.def"
#undef API
#undef ERROR_API
#undef LIBRARY
#undef UNSUPPORTED
    api->PJRT_Error_Destroy(NULL);
    api->PJRT_Error_Message(NULL);
    PJRT_Error_Destroy_Args nothing = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE};
    api->PJRT_Error_Destroy(&nothing); /* clients pass the result of Event_Error for success */
}

/* ---- the client ------------------------------------------------------------------------------ */
static PJRT_Error *create_with(const char *name, const char *value, PJRT_Client **out)
{
    PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                              .name = name,
                              .name_size = strlen(name),
                              .type = PJRT_NamedValue_kString,
                              .string_value = value,
                              .value_size = strlen(value)};
    PJRT_Client_Create_Args args = {.struct_size = PJRT_Client_Create_Args_STRUCT_SIZE,
                                    .create_options = &option,
                                    .num_options = 1,
                                    .kv_get_user_arg =
                                        (void *)1}; /* uninitialized, as in clients */
    PJRT_Error *error = api->PJRT_Client_Create(&args);
    *out = args.client;
    return error;
}

Test(plugin, create_options)
{
    PJRT_Client *made;
    cr_expect_eq(code_of(create_with("device", "tpu", &made)), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_eq(code_of(create_with("device_count", "many", &made)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_eq(code_of(create_with("num_nodes", "2", &made)), PJRT_Error_Code_INVALID_ARGUMENT);
    static const char *const good[][2] = {{"device", "fake"},    {"platform_name", "mine"},
                                          {"device_count", "5"}, {"allocator", "whatever"},
                                          {"num_nodes", "1"},    {"memory_limit", "4096"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cr_assert_null(create_with(good[i][0], good[i][1], &made));
        PJRT_Client_PlatformName_Args name = {
            .struct_size = PJRT_Client_PlatformName_Args_STRUCT_SIZE, .client = made};
        cr_assert_null(api->PJRT_Client_PlatformName(&name));
        cr_expect_str_eq(name.platform_name, i == 1 ? "mine" : "fake");
        ARGS(PJRT_Client_Devices, .client = made);
        cr_expect_eq(args.num_devices, i == 2 ? 5 : 2);
        PJRT_Client_Destroy_Args destroy = {.struct_size = PJRT_Client_Destroy_Args_STRUCT_SIZE,
                                            .client = made};
        cr_assert_null(api->PJRT_Client_Destroy(&destroy));
    }
}

Test(plugin, devices_describe_themselves)
{
    PJRT_Device_GetDescription_Args get = {
        .struct_size = PJRT_Device_GetDescription_Args_STRUCT_SIZE, .device = device(1)};
    cr_assert_null(api->PJRT_Device_GetDescription(&get));
    PJRT_DeviceDescription_Id_Args id = {.struct_size = PJRT_DeviceDescription_Id_Args_STRUCT_SIZE,
                                         .device_description = get.device_description};
    cr_assert_null(api->PJRT_DeviceDescription_Id(&id));
    cr_expect_eq(id.id, 1);
    ARGS(PJRT_DeviceDescription_Attributes, .device_description = get.device_description);
    cr_assert_eq(args.num_attributes, 2);
    cr_expect_eq(args.attributes[0].int64_array_value[2], 3);
    cr_expect_eq(args.attributes[1].value_size, 4);
    PJRT_Client_LookupDevice_Args lookup = {
        .struct_size = PJRT_Client_LookupDevice_Args_STRUCT_SIZE, .client = client, .id = 1};
    cr_assert_null(api->PJRT_Client_LookupDevice(&lookup));
    cr_expect_eq(lookup.device, device(1));
    lookup.id = 7;
    cr_expect_eq(code_of(api->PJRT_Client_LookupDevice(&lookup)), PJRT_Error_Code_INVALID_ARGUMENT);
}

Test(plugin, memory_stats_say_what_is_set_and_keep_to_older_structs)
{
    PJRT_Device_MemoryStats_Args args;
    memset(&args, POISON, sizeof args);
    args.struct_size = PJRT_Device_MemoryStats_Args_STRUCT_SIZE;
    args.device = device(0);
    cr_assert_null(api->PJRT_Device_MemoryStats(&args));
    cr_expect_eq(args.bytes_in_use, 0);
    cr_expect(args.peak_bytes_in_use_is_set);
    cr_expect_not(args.bytes_limit_is_set);
    cr_expect(args.bytes_reserved_is_set && args.peak_bytes_reserved_is_set);
    cr_expect(args.bytes_reservable_limit_is_set);
    cr_expect(args.pool_bytes_is_set && args.peak_pool_bytes_is_set);
    memset(&args, POISON, sizeof args);
    args.struct_size = offsetof(PJRT_Device_MemoryStats_Args, peak_bytes_in_use);
    args.device = device(0);
    cr_assert_null(api->PJRT_Device_MemoryStats(&args));
    unsigned char *bytes = (unsigned char *)&args;
    for (size_t i = args.struct_size; i < sizeof args; i++)
        cr_expect_eq(bytes[i], POISON);
}

Test(plugin, topologies_alone_and_as_bytes)
{
    PJRT_TopologyDescription_Create_Args create = {
        .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE};
    cr_assert_null(api->PJRT_TopologyDescription_Create(&create));
    ARGS(PJRT_TopologyDescription_Serialize, .topology = create.topology);
    PJRT_TopologyDescription_Deserialize_Args read = {
        .struct_size = PJRT_TopologyDescription_Deserialize_Args_STRUCT_SIZE,
        .serialized_topology = args.serialized_bytes,
        .serialized_topology_size = args.serialized_bytes_size};
    cr_assert_null(api->PJRT_TopologyDescription_Deserialize(&read));
    args.serialized_topology_deleter(args.serialized_topology);
    PJRT_TopologyDescription_Fingerprint_Args
        a = {PJRT_TopologyDescription_Fingerprint_Args_STRUCT_SIZE, NULL, create.topology, 0},
        b = a;
    b.topology = read.topology;
    cr_assert_null(api->PJRT_TopologyDescription_Fingerprint(&a));
    cr_assert_null(api->PJRT_TopologyDescription_Fingerprint(&b));
    cr_expect_eq(a.fingerprint, b.fingerprint);
    read.serialized_topology = "gantry other", read.serialized_topology_size = 12;
    PJRT_TopologyDescription *made = read.topology;
    cr_expect_eq(code_of(api->PJRT_TopologyDescription_Deserialize(&read)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    PJRT_TopologyDescription_Destroy_Args destroy = {
        .struct_size = PJRT_TopologyDescription_Destroy_Args_STRUCT_SIZE, .topology = made};
    cr_assert_null(api->PJRT_TopologyDescription_Destroy(&destroy));
    destroy.topology = create.topology;
    cr_assert_null(api->PJRT_TopologyDescription_Destroy(&destroy));
    PJRT_Client_TopologyDescription_Args of = {
        .struct_size = PJRT_Client_TopologyDescription_Args_STRUCT_SIZE, .client = client};
    cr_assert_null(api->PJRT_Client_TopologyDescription(&of));
    destroy.topology = of.topology;
    cr_expect_eq(code_of(api->PJRT_TopologyDescription_Destroy(&destroy)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
}

Test(plugin, memory_kinds_of_described_devices)
{
    const PJRT_Extension_Base *at = api->extension_start;
    while (at && at->type != PJRT_Extension_Type_MemoryDescriptions)
        at = at->next;
    cr_assert_not_null(at);
    const PJRT_MemoryDescriptions_Extension *extension =
        (const PJRT_MemoryDescriptions_Extension *)at;
    PJRT_TopologyDescription_Create_Args create = {
        .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE};
    cr_assert_null(api->PJRT_TopologyDescription_Create(&create));
    ARGS(PJRT_TopologyDescription_GetDeviceDescriptions, .topology = create.topology);
    PJRT_DeviceDescription_MemoryDescriptions_Args memories = {
        .struct_size = PJRT_DeviceDescription_MemoryDescriptions_Args_STRUCT_SIZE,
        .device_description = args.descriptions[0]};
    cr_assert_null(extension->PJRT_DeviceDescription_MemoryDescriptions(&memories));
    cr_assert_gt(memories.num_memory_descriptions, 0);
    cr_expect_eq(memories.default_memory_index, 0);
    PJRT_MemoryDescription_Kind_Args kind = {.struct_size =
                                                 PJRT_MemoryDescription_Kind_Args_STRUCT_SIZE,
                                             .memory_description = memories.memory_descriptions[0]};
    cr_assert_null(extension->PJRT_MemoryDescription_Kind(&kind));
    cr_expect(kind.kind_size == 6 && !memcmp(kind.kind, "device", 6) && kind.kind_id == 0);
    kind.struct_size = 0;
    cr_expect_eq(code_of(extension->PJRT_MemoryDescription_Kind(&kind)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    PJRT_TopologyDescription_Destroy_Args destroy = {
        .struct_size = PJRT_TopologyDescription_Destroy_Args_STRUCT_SIZE,
        .topology = create.topology};
    cr_assert_null(api->PJRT_TopologyDescription_Destroy(&destroy));
}

/* ---- buffers --------------------------------------------------------------------------------- */
Test(plugin, a_buffer_goes_round)
{
    float data[6] = {0, 1, 2, 3, 4, 5}, got[6];
    int64_t dims[2] = {2, 3}, order[2] = {0, 1};
    PJRT_Buffer *buffer = upload(data, PJRT_Buffer_Type_F32, dims, 2);
    PJRT_Buffer_ToHostBuffer_Args ask = {.struct_size = PJRT_Buffer_ToHostBuffer_Args_STRUCT_SIZE,
                                         .src = buffer};
    cr_assert_null(api->PJRT_Buffer_ToHostBuffer(&ask));
    cr_expect_eq(ask.dst_size, sizeof data);
    download(buffer, got, sizeof got);
    cr_expect_eq(memcmp(got, data, sizeof got), 0);
    PJRT_Buffer_MemoryLayout layout = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = order,
                  .minor_to_major_size = 2}};
    ARGS(PJRT_Buffer_ToHostBuffer, .src = buffer, .host_layout = &layout, .dst = got,
         .dst_size = sizeof got);
    await_and_destroy(args.event);
    cr_expect_eq(got[1], 3);
    layout.tiled.minor_to_major_size = 1;
    cr_expect_eq(code_of(api->PJRT_Buffer_ToHostBuffer(&args)), PJRT_Error_Code_INVALID_ARGUMENT);
    PJRT_Buffer_GetMemoryLayout_Args own = {
        .struct_size = PJRT_Buffer_GetMemoryLayout_Args_STRUCT_SIZE, .buffer = buffer};
    cr_assert_null(api->PJRT_Buffer_GetMemoryLayout(&own));
    cr_expect_eq(own.layout.tiled.minor_to_major[0], 1);
    cr_expect_eq(own.layout.tiled.minor_to_major[1], 0);
    destroy_buffer(buffer);
}

Test(plugin, buffers_outlive_the_client)
{
    float data = 3, got = 0;
    PJRT_Client *kept = client;
    cr_assert_null(create_with("device_count", "1", &client));
    PJRT_Buffer *buffer = upload(&data, PJRT_Buffer_Type_F32, NULL, 0);
    teardown();
    client = kept;
    download(buffer, &got, sizeof got);
    cr_expect_eq(got, 3);
    destroy_buffer(buffer);
}

Test(plugin, copies_to_devices_and_memories)
{
    float data = 3, got = 0;
    PJRT_Buffer *buffer = upload(&data, PJRT_Buffer_Type_F32, NULL, 0);
    PJRT_Buffer_CopyToDevice_Args args = {.struct_size = PJRT_Buffer_CopyToDevice_Args_STRUCT_SIZE,
                                          .buffer = buffer,
                                          .dst_device = device(0)};
    cr_expect_eq(code_of(api->PJRT_Buffer_CopyToDevice(&args)), PJRT_Error_Code_INVALID_ARGUMENT);
    args.dst_device = device(1);
    cr_assert_null(api->PJRT_Buffer_CopyToDevice(&args));
    destroy_buffer(buffer);
    download(args.dst_buffer, &got, sizeof got);
    cr_expect_eq(got, 3);
    destroy_buffer(args.dst_buffer);
}

static void note(PJRT_Error *error, void *seen)
{
    *(PJRT_Error_Code *)seen = error ? code_of(error) : PJRT_Error_Code_OK;
}

static PJRT_Error_Code ready_code(PJRT_Buffer *buffer)
{
    PJRT_Error_Code code = PJRT_Error_Code_UNKNOWN;
    ARGS(PJRT_Buffer_ReadyEvent, .buffer = buffer);
    PJRT_Event_OnReady_Args on = {PJRT_Event_OnReady_Args_STRUCT_SIZE, NULL, args.event, note,
                                  &code};
    cr_assert_null(api->PJRT_Event_OnReady(&on));
    PJRT_Event_Destroy_Args destroy = {PJRT_Event_Destroy_Args_STRUCT_SIZE, NULL, args.event};
    cr_assert_null(api->PJRT_Event_Destroy(&destroy));
    return code;
}

static PJRT_Memory *memory(void)
{
    ARGS(PJRT_Device_DefaultMemory, .device = device(0));
    return args.memory;
}

Test(plugin, error_buffers_have_a_shape_and_an_error)
{
    int64_t dims = 3;
    ARGS(PJRT_Client_CreateErrorBuffer, .client = client, .error_code = PJRT_Error_Code_ABORTED,
         .error_message = "a message of the client", .error_message_size = 23, .shape_dims = &dims,
         .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_S8, .memory = memory());
    cr_expect_eq(ready_code(args.buffer), PJRT_Error_Code_ABORTED);
    destroy_buffer(args.buffer);
}

Test(plugin, buffers_filled_piece_by_piece)
{
    int64_t dims = 4;
    int32_t data[4] = {1, 2, 3, 4}, got[4];
    PJRT_ShapeSpec specs[2] = {{PJRT_ShapeSpec_STRUCT_SIZE, NULL, &dims, 1, PJRT_Buffer_Type_S32}};
    specs[1] = specs[0];
    ARGS(PJRT_Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = specs,
         .num_shape_specs = 2, .memory = memory());
    PJRT_Buffer *buffers[2];
    for (int i = 0; i < 2; i++) {
        PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args get = {
            .struct_size = PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args_STRUCT_SIZE,
            .transfer_manager = args.transfer_manager,
            .buffer_index = i};
        cr_assert_null(api->PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(&get));
        buffers[i] = get.buffer_out;
        cr_expect_eq(code_of(api->PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(&get)),
                     PJRT_Error_Code_FAILED_PRECONDITION);
    }
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args put = {
        .struct_size = PJRT_AsyncHostToDeviceTransferManager_TransferData_Args_STRUCT_SIZE,
        .transfer_manager = args.transfer_manager,
        .data = data + 2,
        .offset = 8,
        .transfer_size = 8};
    cr_assert_null(api->PJRT_AsyncHostToDeviceTransferManager_TransferData(&put));
    put.offset = 12;
    cr_expect_eq(code_of(api->PJRT_AsyncHostToDeviceTransferManager_TransferData(&put)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    put.data = data, put.offset = 0, put.is_last_transfer = true;
    cr_assert_null(api->PJRT_AsyncHostToDeviceTransferManager_TransferData(&put));
    cr_expect_eq(code_of(api->PJRT_AsyncHostToDeviceTransferManager_TransferData(&put)),
                 PJRT_Error_Code_FAILED_PRECONDITION);
    put.buffer_index = 2;
    cr_expect_eq(code_of(api->PJRT_AsyncHostToDeviceTransferManager_TransferData(&put)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    download(buffers[0], got, sizeof got);
    cr_expect_eq(memcmp(got, data, sizeof got), 0);
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args destroy = {
        PJRT_AsyncHostToDeviceTransferManager_Destroy_Args_STRUCT_SIZE, NULL,
        args.transfer_manager};
    cr_assert_null(api->PJRT_AsyncHostToDeviceTransferManager_Destroy(&destroy));
    cr_expect_eq(ready_code(buffers[1]), PJRT_Error_Code_CANCELLED);
    destroy_buffer(buffers[0]), destroy_buffer(buffers[1]);
}

Test(plugin, alias_buffers_wait_for_their_bytes)
{
    float data = 7, got = 0;
    PJRT_Client_CreateAliasBuffer_Args args = {.struct_size =
                                                   PJRT_Client_CreateAliasBuffer_Args_STRUCT_SIZE,
                                               .client = client,
                                               .memory = memory(),
                                               .shape_element_type = PJRT_Buffer_Type_F32};
    cr_assert_null(api->PJRT_Client_CreateAliasBuffer(&args));
    PJRT_Buffer *buffer = upload(&data, PJRT_Buffer_Type_F32, NULL, 0);
    PJRT_Buffer *wrong = upload(&data, PJRT_Buffer_Type_S32, NULL, 0);
    PJRT_Client_FulfillAliasBuffer_Args keep = {
        .struct_size = PJRT_Client_FulfillAliasBuffer_Args_STRUCT_SIZE,
        .client = client,
        .buffer = wrong,
        .fulfill_alias_buffer_cb = args.fulfill_alias_buffer_cb};
    cr_expect_eq(code_of(api->PJRT_Client_FulfillAliasBuffer(&keep)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
    keep.buffer = buffer;
    cr_assert_null(api->PJRT_Client_FulfillAliasBuffer(&keep));
    destroy_buffer(buffer), destroy_buffer(wrong);
    download(args.alias_buffer, &got, sizeof got);
    cr_expect_eq(got, 7);
    destroy_buffer(args.alias_buffer);
}

Test(plugin, donation_behind_a_dependency_and_late_destinations)
{
    float data = 7, got = 0;
    PJRT_Buffer *buffer = upload(&data, PJRT_Buffer_Type_F32, NULL, 0);
    ARGS(PJRT_Buffer_CopyRawToHostFuture, .buffer = buffer, .transfer_size = 4);
    PJRT_Buffer_DonateWithControlDependency_Args donate = {
        .struct_size = PJRT_Buffer_DonateWithControlDependency_Args_STRUCT_SIZE, .buffer = buffer};
    cr_assert_null(api->PJRT_Buffer_DonateWithControlDependency(&donate));
    destroy_buffer(buffer);
    PJRT_Buffer_CopyRawToHostFuture_Callback_Args there = {
        PJRT_Buffer_CopyRawToHostFuture_Callback_Args_STRUCT_SIZE,
        args.callback_data,
        PJRT_Error_Code_OK,
        NULL,
        0,
        &got};
    args.future_ready_callback(&there);
    await_and_destroy(args.event);
    cr_expect_eq(got, 7);
    PJRT_Buffer_DonateWithControlDependency_Callback_Args settled = {
        PJRT_Buffer_DonateWithControlDependency_Callback_Args_STRUCT_SIZE, donate.callback_data,
        PJRT_Error_Code_ABORTED, "the dependency failed", 21};
    donate.dependency_ready_callback(&settled);
    cr_expect_eq(ready_code(donate.out_buffer), PJRT_Error_Code_ABORTED);
    destroy_buffer(donate.out_buffer);
}

Test(plugin, events_of_the_client)
{
    ARGS(PJRT_Event_Create);
    PJRT_Event_Set_Args set = {PJRT_Event_Set_Args_STRUCT_SIZE,
                               NULL,
                               args.event,
                               PJRT_Error_Code_DATA_LOSS,
                               "lost for the test",
                               17};
    cr_assert_null(api->PJRT_Event_Set(&set));
    cr_expect_eq(code_of(api->PJRT_Event_Set(&set)), PJRT_Error_Code_FAILED_PRECONDITION);
    PJRT_Event_Error_Args error = {PJRT_Event_Error_Args_STRUCT_SIZE, NULL, args.event};
    cr_expect_eq(code_of(api->PJRT_Event_Error(&error)), PJRT_Error_Code_DATA_LOSS);
    PJRT_Event_Destroy_Args destroy = {PJRT_Event_Destroy_Args_STRUCT_SIZE, NULL, args.event};
    cr_assert_null(api->PJRT_Event_Destroy(&destroy));
}

Test(plugin, device_layouts_by_an_order_of_dimensions)
{
    float data[6] = {0, 1, 2, 3, 4, 5}, raw[6], back[6];
    int64_t dims[2] = {2, 3}, order[2] = {0, 1}, tile[1] = {8};
    size_t tile_rank = 1;
    PJRT_Buffer_MemoryLayout layout = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.minor_to_major = order, .minor_to_major_size = 2}};
    PJRT_Client_BufferFromHostBuffer_Args args = {
        .struct_size = PJRT_Client_BufferFromHostBuffer_Args_STRUCT_SIZE,
        .client = client,
        .data = data,
        .type = PJRT_Buffer_Type_F32,
        .dims = dims,
        .num_dims = 2,
        .device = device(0),
        .device_layout = &layout};
    cr_assert_null(api->PJRT_Client_BufferFromHostBuffer(&args));
    await_and_destroy(args.done_with_host_buffer);
    PJRT_Buffer_CopyRawToHost_Args bytes = {.struct_size =
                                                PJRT_Buffer_CopyRawToHost_Args_STRUCT_SIZE,
                                            .buffer = args.buffer,
                                            .dst = raw,
                                            .transfer_size = sizeof raw};
    cr_assert_null(api->PJRT_Buffer_CopyRawToHost(&bytes));
    await_and_destroy(bytes.event);
    cr_expect_eq(raw[1], 3, "columns are contiguous");
    download(args.buffer, back, sizeof back);
    cr_expect_eq(memcmp(back, data, sizeof back), 0);
    PJRT_Buffer_GetMemoryLayout_Args own = {
        .struct_size = PJRT_Buffer_GetMemoryLayout_Args_STRUCT_SIZE, .buffer = args.buffer};
    cr_assert_null(api->PJRT_Buffer_GetMemoryLayout(&own));
    cr_expect_eq(own.layout.tiled.minor_to_major[0], 0);
    cr_expect_eq(own.layout.tiled.minor_to_major[1], 1);
    destroy_buffer(args.buffer);
    order[0] = 1;
    cr_expect_eq(code_of(api->PJRT_Client_BufferFromHostBuffer(&args)),
                 PJRT_Error_Code_INVALID_ARGUMENT, "one dimension twice");
    order[1] = 0;
    layout.tiled.tile_dims = tile, layout.tiled.tile_dim_sizes = &tile_rank,
    layout.tiled.num_tiles = 1;
    cr_assert_null(api->PJRT_Client_BufferFromHostBuffer(&args));
    own.buffer = args.buffer;
    cr_assert_null(api->PJRT_Buffer_GetMemoryLayout(&own));
    cr_expect_eq(own.layout.tiled.num_tiles, 1, "clients see the tiles that they asked for");
    destroy_buffer(args.buffer);
    layout.tiled.num_tiles = SIZE_MAX;
    cr_expect_eq(code_of(api->PJRT_Client_BufferFromHostBuffer(&args)),
                 PJRT_Error_Code_INVALID_ARGUMENT, "too many tiles");
    layout.tiled.num_tiles = 1, tile_rank = SIZE_MAX;
    cr_expect_eq(code_of(api->PJRT_Client_BufferFromHostBuffer(&args)),
                 PJRT_Error_Code_INVALID_ARGUMENT, "a tile of too many dimensions");
    tile_rank = 1, layout.tiled.tile_dims = NULL;
    cr_expect_eq(code_of(api->PJRT_Client_BufferFromHostBuffer(&args)),
                 PJRT_Error_Code_INVALID_ARGUMENT, "no sizes");
    args.device = NULL;
    cr_expect_eq(code_of(api->PJRT_Client_BufferFromHostBuffer(&args)),
                 PJRT_Error_Code_INVALID_ARGUMENT);
}
