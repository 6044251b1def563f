/* suite_client.c: clients, devices and memories, and the consistency of their properties. */
#include <string.h>

#include "conformance/test_context.h"

/* ---- The client ------------------------------------------------------------------------------ */

static void platform(struct test_context *t)
{
    ABI_ARGS(Client_PlatformName, name, .client = t->client);
    ABI_ARGS(Client_PlatformName, again, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_PlatformName, &name));
    NEED_OK(t, ABI_CALL(t->api, Client_PlatformName, &again));
    CHECK(t, name.platform_name && name.platform_name_size, "no platform name");
    CHECK(t, name.platform_name == again.platform_name, "the platform name moves");
    ABI_ARGS(Client_PlatformVersion, version, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_PlatformVersion, &version));
    CHECK(t, version.platform_version && version.platform_version_size, "no platform version");
    ABI_ARGS(Client_ProcessIndex, process, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_ProcessIndex, &process));
    CHECK(t, process.process_index == 0, "process %d of one", process.process_index);
}

static void two_clients(struct test_context *t)
{
    PJRT_Client *other;
    NEED_OK(t, abi_client_create(t->api, NULL, 0, &other));
    CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
    abi_client_destroy(t->api, other);
    CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
}

/* Unknown options are rejected or ignored: frameworks pass options meant for other plugins. */
static void unknown_option(struct test_context *t)
{
    PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                              .name = "no_such_option",
                              .name_size = strlen("no_such_option"),
                              .type = PJRT_NamedValue_kInt64,
                              .int64_value = 1,
                              .value_size = 1};
    PJRT_Client *client;
    struct error *error = abi_client_create(t->api, &option, 1, &client);
    if (error)
        CHECK_CODE(t, INVALID_ARGUMENT, error);
    else
        abi_client_destroy(t->api, client);
}

static void device_assignment(struct test_context *t)
{
    int ids[1] = {-1};
    ABI_ARGS(Client_DefaultDeviceAssignment, one, .client = t->client, .num_replicas = 1,
             .num_partitions = 1, .default_assignment_size = 1, .default_assignment = ids);
    NEED_OK(t, ABI_CALL(t->api, Client_DefaultDeviceAssignment, &one));
    ABI_ARGS(Client_LookupDevice, lookup, .client = t->client, .id = ids[0]);
    CHECK_OK(t, ABI_CALL(t->api, Client_LookupDevice, &lookup));
    ABI_ARGS(Client_DefaultDeviceAssignment, many, .client = t->client, .num_replicas = 1000,
             .num_partitions = 1000, .default_assignment_size = 1, .default_assignment = ids);
    CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Client_DefaultDeviceAssignment, &many));
    ABI_ARGS(Client_DefaultDeviceAssignment, none, .client = t->client, .num_replicas = 0,
             .num_partitions = -1, .default_assignment_size = 1, .default_assignment = ids);
    CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Client_DefaultDeviceAssignment, &none));
}

static void topology(struct test_context *t)
{
    ABI_ARGS(Client_TopologyDescription, own, .client = t->client);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Client_TopologyDescription, &own));
    ABI_ARGS(TopologyDescription_PlatformName, name, .topology = own.topology);
    NEED_OK(t, ABI_CALL(t->api, TopologyDescription_PlatformName, &name));
    ABI_ARGS(Client_PlatformName, client, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_PlatformName, &client));
    CHECK(t,
          name.platform_name_size == client.platform_name_size &&
              !memcmp(name.platform_name, client.platform_name, name.platform_name_size),
          "the topology's platform is not the client's");
    ABI_ARGS(TopologyDescription_GetDeviceDescriptions, of, .topology = own.topology);
    NEED_OK(t, ABI_CALL(t->api, TopologyDescription_GetDeviceDescriptions, &of));
    ABI_ARGS(Client_Devices, devices, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_Devices, &devices));
    CHECK(t, of.num_descriptions == devices.num_devices, "%zu descriptions of %zu devices",
          of.num_descriptions, devices.num_devices);
}

/* ---- Devices --------------------------------------------------------------------------------- */

static int id_of(struct test_context *t, PJRT_Device *device)
{
    ABI_ARGS(Device_GetDescription, description, .device = device);
    if (!CHECK_OK(t, ABI_CALL(t->api, Device_GetDescription, &description)))
        return -1;
    ABI_ARGS(DeviceDescription_Id, id, .device_description = description.device_description);
    CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_Id, &id));
    return id.id;
}

static void check_description(struct test_context *t, PJRT_Device *device)
{
    ABI_ARGS(Device_GetDescription, get, .device = device);
    NEED_OK(t, ABI_CALL(t->api, Device_GetDescription, &get));
    PJRT_DeviceDescription *of = get.device_description;
    ABI_ARGS(DeviceDescription_Kind, kind, .device_description = of);
    CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_Kind, &kind));
    CHECK(t, kind.device_kind_size, "a device without a kind");
    ABI_ARGS(DeviceDescription_DebugString, debug, .device_description = of);
    CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_DebugString, &debug));
    CHECK(t, debug.debug_string_size, "an empty debug string");
    ABI_ARGS(DeviceDescription_ToString, text, .device_description = of);
    CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_ToString, &text));
    CHECK(t, text.to_string_size, "an empty text");
    ABI_ARGS(DeviceDescription_ProcessIndex, process, .device_description = of);
    CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_ProcessIndex, &process));
    ABI_ARGS(DeviceDescription_Attributes, attributes, .device_description = of);
    CHECK_OK(t, ABI_CALL(t->api, DeviceDescription_Attributes, &attributes));
    for (size_t i = 0; i < attributes.num_attributes; i++)
        CHECK(t, attributes.attributes[i].name_size, "attribute %zu has no name", i);
}

static void devices(struct test_context *t)
{
    ABI_ARGS(Client_Devices, all, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_Devices, &all));
    NEED(t, all.num_devices, "no device");
    for (size_t i = 0; i < all.num_devices; i++) {
        int id = id_of(t, all.devices[i]);
        CHECK(t, i == 0 || id > id_of(t, all.devices[i - 1]), "ids do not ascend");
        ABI_ARGS(Client_LookupDevice, lookup, .client = t->client, .id = id);
        CHECK_OK(t, ABI_CALL(t->api, Client_LookupDevice, &lookup));
        CHECK(t, lookup.device == all.devices[i], "looking up %d gives another device", id);
        check_description(t, all.devices[i]);
    }
}

static void addressable_devices(struct test_context *t)
{
    ABI_ARGS(Client_Devices, all, .client = t->client);
    ABI_ARGS(Client_AddressableDevices, here, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_Devices, &all));
    NEED_OK(t, ABI_CALL(t->api, Client_AddressableDevices, &here));
    for (size_t i = 0, k = 0; i < here.num_addressable_devices; i++, k++) {
        PJRT_Device *device = here.addressable_devices[i];
        while (k < all.num_devices && all.devices[k] != device)
            k++;
        CHECK(t, k < all.num_devices, "addressable device %zu is not among all, or out of order",
              i);
        ABI_ARGS(Device_IsAddressable, is, .device = device);
        CHECK_OK(t, ABI_CALL(t->api, Device_IsAddressable, &is));
        CHECK(t, is.is_addressable, "addressable device %zu says that it is not", i);
        ABI_ARGS(Device_LocalHardwareId, local, .device = device);
        CHECK_OK(t, ABI_CALL(t->api, Device_LocalHardwareId, &local));
        ABI_ARGS(Client_LookupAddressableDevice, lookup, .client = t->client,
                 .local_hardware_id = local.local_hardware_id);
        CHECK_OK(t, ABI_CALL(t->api, Client_LookupAddressableDevice, &lookup));
        CHECK(t, lookup.addressable_device == device, "looking up hardware %d gives another device",
              local.local_hardware_id);
    }
}

static void no_such_device(struct test_context *t)
{
    static const int ids[] = {-1, 1 << 30, -2147483647 - 1};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        ABI_ARGS(Client_LookupDevice, lookup, .client = t->client, .id = ids[i]);
        CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Client_LookupDevice, &lookup));
        ABI_ARGS(Client_LookupAddressableDevice, local, .client = t->client,
                 .local_hardware_id = ids[i]);
        CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Client_LookupAddressableDevice, &local));
    }
}

static void device_attributes(struct test_context *t)
{
    ABI_ARGS(Device_GetAttributes, args, .device = t->device);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Device_GetAttributes, &args));
    for (size_t i = 0; i < args.num_attributes; i++)
        CHECK(t, args.attributes[i].name_size, "attribute %zu has no name", i);
    if (args.attributes_deleter)
        args.attributes_deleter(args.device_attributes);
}

/* ---- Memories -------------------------------------------------------------------------------- */

static bool lists(PJRT_Memory *const *memories, size_t count, PJRT_Memory *memory)
{
    for (size_t i = 0; i < count; i++)
        if (memories[i] == memory)
            return true;
    return false;
}

static void check_memory(struct test_context *t, PJRT_Memory *memory)
{
    ABI_ARGS(Memory_Kind, kind, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_Kind, &kind));
    CHECK(t, kind.kind_size, "a memory without a kind");
    ABI_ARGS(Memory_Kind_Id, kind_id, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_Kind_Id, &kind_id));
    ABI_ARGS(Memory_Id, id, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_Id, &id));
    ABI_ARGS(Memory_DebugString, debug, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_DebugString, &debug));
    ABI_ARGS(Memory_ToString, text, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_ToString, &text));
    ABI_ARGS(Memory_AddressableByDevices, by, .memory = memory);
    CHECK_OK(t, ABI_CALL(t->api, Memory_AddressableByDevices, &by));
    CHECK(t, by.num_devices, "a memory that no device can use");
    for (size_t i = 0; i < by.num_devices; i++) {
        ABI_ARGS(Device_AddressableMemories, of, .device = by.devices[i]);
        CHECK_OK(t, ABI_CALL(t->api, Device_AddressableMemories, &of));
        CHECK(t, lists(of.memories, of.num_memories, memory), "a device does not know its memory");
    }
}

static void memories(struct test_context *t)
{
    ABI_ARGS(Client_AddressableMemories, all, .client = t->client);
    NEED_OK(t, ABI_CALL(t->api, Client_AddressableMemories, &all));
    NEED(t, all.num_addressable_memories, "no memory");
    for (size_t i = 0; i < all.num_addressable_memories; i++)
        check_memory(t, all.addressable_memories[i]);
    ABI_ARGS(Device_DefaultMemory, home, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &home));
    CHECK(t, lists(all.addressable_memories, all.num_addressable_memories, home.memory),
          "the default memory is none of the client's");
}

/* Checks relations between the memory statistics of a plugin. */
static void check_stats(struct test_context *t, const PJRT_Device_MemoryStats_Args *stats)
{
    if (stats->bytes_limit_is_set)
        CHECK(t, stats->bytes_limit >= stats->bytes_in_use, "more is in use than the limit allows");
    if (stats->peak_bytes_in_use_is_set)
        CHECK(t, stats->peak_bytes_in_use >= stats->bytes_in_use,
              "more is in use than at the peak");
    if (stats->pool_bytes_is_set)
        CHECK(t, stats->pool_bytes >= stats->bytes_in_use, "the pool is less than what is in use");
    if (stats->peak_pool_bytes_is_set)
        CHECK(t, stats->peak_pool_bytes >= stats->pool_bytes, "the pool is more than at its peak");
    if (stats->peak_bytes_reserved_is_set)
        CHECK(t, stats->peak_bytes_reserved >= stats->bytes_reserved,
              "more is reserved than at the peak");
    if (stats->bytes_reservable_limit_is_set)
        CHECK(t, stats->bytes_reservable_limit >= stats->bytes_reserved,
              "more is reserved than the limit allows");
    if (stats->largest_free_block_bytes_is_set && stats->bytes_limit_is_set)
        CHECK(t, stats->largest_free_block_bytes <= stats->bytes_limit - stats->bytes_in_use,
              "the largest free range is larger than what is free");
}

static void memory_stats(struct test_context *t)
{
    ABI_ARGS(Device_MemoryStats, before, .device = t->device);
    memset(&before.bytes_in_use, 0xa5,
           sizeof before - offsetof(PJRT_Device_MemoryStats_Args, bytes_in_use));
    NEED_SUPPORTED(t, ABI_CALL(t->api, Device_MemoryStats, &before));
    const int64_t dims[] = {1 << 20};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Device_MemoryStats, during, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_MemoryStats, &during));
    CHECK(t, during.bytes_in_use - before.bytes_in_use >= 4 << 20, "4 MiB count as %lld bytes",
          (long long)(during.bytes_in_use - before.bytes_in_use));
    check_stats(t, &during);
    abi_buffer_destroy(t->api, buffer);
    ABI_ARGS(Device_MemoryStats, after, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_MemoryStats, &after));
    CHECK(t, after.bytes_in_use == before.bytes_in_use, "%lld bytes stay in use",
          (long long)(after.bytes_in_use - before.bytes_in_use));
}

static const struct test_context_case cases[] = {
    {"platform", platform, STAGE_CLIENT, 0},
    {"two_clients", two_clients, STAGE_CLIENT, 0},
    {"unknown_option", unknown_option, STAGE_CLIENT, 0},
    {"device_assignment", device_assignment, STAGE_CLIENT, 0},
    {"topology", topology, STAGE_CLIENT, 0},
    {"devices", devices, STAGE_CLIENT, 0},
    {"addressable_devices", addressable_devices, STAGE_CLIENT, 0},
    {"no_such_device", no_such_device, STAGE_CLIENT, 0},
    {"device_attributes", device_attributes, STAGE_CLIENT, 0},
    {"memories", memories, STAGE_CLIENT, 0},
    {"memory_stats", memory_stats, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_client = {"client", cases};
