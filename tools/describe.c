/* describe.c: queries everything that a plugin reports without a program. */
#include "tools/describe.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/abi.h"

/* Makes a call and discards its error; returns whether it succeeded. */
#define ASK(api, Function, args) succeeded(ABI_CALL((api), Function, (args)))

static bool succeeded(struct error *error)
{
    bool good = !error;
    error_free(error);
    return good;
}

static void add_text(cJSON *json, const char *name, const char *text, size_t size)
{
    char *copy;
    if (text && succeeded(alloc_copy(text, size, &copy))) {
        cJSON_AddStringToObject(json, name, copy);
        alloc_free(copy);
    }
}

/* ---- Named values ---------------------------------------------------------------------------- */

static cJSON *value_of(const PJRT_NamedValue *value)
{
    cJSON *list;
    switch (value->type) {
    case PJRT_NamedValue_kInt64: return cJSON_CreateNumber((double)value->int64_value);
    case PJRT_NamedValue_kFloat: return cJSON_CreateNumber(value->float_value);
    case PJRT_NamedValue_kBool: return cJSON_CreateBool(value->bool_value);
    case PJRT_NamedValue_kInt64List:
        list = cJSON_CreateArray();
        for (size_t i = 0; i < value->value_size; i++)
            cJSON_AddItemToArray(list, cJSON_CreateNumber((double)value->int64_array_value[i]));
        return list;
    default: return NULL;
    }
}

static void add_values(cJSON *json, const char *name, const PJRT_NamedValue *values, size_t count)
{
    cJSON *object = count ? cJSON_AddObjectToObject(json, name) : NULL;
    for (size_t i = 0; i < count; i++) {
        char *key;
        if (!succeeded(alloc_copy(values[i].name, values[i].name_size, &key)))
            return;
        if (values[i].type == PJRT_NamedValue_kString)
            add_text(object, key, values[i].string_value, values[i].value_size);
        else
            cJSON_AddItemToObject(object, key, value_of(&values[i]));
        alloc_free(key);
    }
}

/* ---- Memories -------------------------------------------------------------------------------- */

static cJSON *memory_of(const PJRT_Api *api, PJRT_Memory *memory)
{
    cJSON *json = cJSON_CreateObject();
    ABI_ARGS(Memory_Id, id, .memory = memory);
    if (ASK(api, Memory_Id, &id))
        cJSON_AddNumberToObject(json, "id", id.id);
    ABI_ARGS(Memory_Kind, kind, .memory = memory);
    if (ASK(api, Memory_Kind, &kind))
        add_text(json, "kind", kind.kind, kind.kind_size);
    ABI_ARGS(Memory_DebugString, debug, .memory = memory);
    if (ASK(api, Memory_DebugString, &debug))
        add_text(json, "debug_string", debug.debug_string, debug.debug_string_size);
    return json;
}

static void add_memories(const PJRT_Api *api, PJRT_Device *device, cJSON *json)
{
    ABI_ARGS(Device_AddressableMemories, memories, .device = device);
    if (!ASK(api, Device_AddressableMemories, &memories))
        return;
    cJSON *list = cJSON_AddArrayToObject(json, "memories");
    ABI_ARGS(Device_DefaultMemory, home, .device = device);
    bool known = ASK(api, Device_DefaultMemory, &home);
    for (size_t i = 0; i < memories.num_memories; i++) {
        cJSON *memory = memory_of(api, memories.memories[i]);
        if (known && memories.memories[i] == home.memory)
            cJSON_AddBoolToObject(memory, "default", 1);
        cJSON_AddItemToArray(list, memory);
    }
}

static void add_memory_stats(const PJRT_Api *api, PJRT_Device *device, cJSON *json)
{
    ABI_ARGS(Device_MemoryStats, stats, .device = device);
    if (!ASK(api, Device_MemoryStats, &stats))
        return;
    const struct {
        const char *name;
        bool is_set;
        int64_t value;
    } figures[] = {
#define FIGURE(name) {#name, stats.name##_is_set, stats.name}
        {"bytes_in_use", true, stats.bytes_in_use},
        FIGURE(peak_bytes_in_use),
        FIGURE(num_allocs),
        FIGURE(largest_alloc_size),
        FIGURE(bytes_limit),
        FIGURE(bytes_reserved),
        FIGURE(peak_bytes_reserved),
        FIGURE(bytes_reservable_limit),
        FIGURE(largest_free_block_bytes),
        FIGURE(pool_bytes),
        FIGURE(peak_pool_bytes),
#undef FIGURE
    };
    cJSON *object = cJSON_AddObjectToObject(json, "memory_stats");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].is_set)
            cJSON_AddNumberToObject(object, figures[i].name, (double)figures[i].value);
}

/* ---- Devices --------------------------------------------------------------------------------- */

static void add_description(const PJRT_Api *api, PJRT_DeviceDescription *of, cJSON *json)
{
    ABI_ARGS(DeviceDescription_Id, id, .device_description = of);
    if (ASK(api, DeviceDescription_Id, &id))
        cJSON_AddNumberToObject(json, "id", id.id);
    ABI_ARGS(DeviceDescription_Kind, kind, .device_description = of);
    if (ASK(api, DeviceDescription_Kind, &kind))
        add_text(json, "kind", kind.device_kind, kind.device_kind_size);
    ABI_ARGS(DeviceDescription_DebugString, debug, .device_description = of);
    if (ASK(api, DeviceDescription_DebugString, &debug))
        add_text(json, "debug_string", debug.debug_string, debug.debug_string_size);
    ABI_ARGS(DeviceDescription_ProcessIndex, process, .device_description = of);
    if (ASK(api, DeviceDescription_ProcessIndex, &process))
        cJSON_AddNumberToObject(json, "process_index", process.process_index);
    ABI_ARGS(DeviceDescription_Attributes, attributes, .device_description = of);
    if (ASK(api, DeviceDescription_Attributes, &attributes))
        add_values(json, "attributes", attributes.attributes, attributes.num_attributes);
}

static cJSON *device_of(const PJRT_Api *api, PJRT_Device *device)
{
    cJSON *json = cJSON_CreateObject();
    ABI_ARGS(Device_GetDescription, description, .device = device);
    if (ASK(api, Device_GetDescription, &description))
        add_description(api, description.device_description, json);
    ABI_ARGS(Device_IsAddressable, addressable, .device = device);
    if (ASK(api, Device_IsAddressable, &addressable))
        cJSON_AddBoolToObject(json, "addressable", addressable.is_addressable);
    if (addressable.is_addressable) {
        add_memories(api, device, json);
        add_memory_stats(api, device, json);
    }
    return json;
}

static void add_client(const PJRT_Api *api, PJRT_Client *client, cJSON *json)
{
    ABI_ARGS(Client_PlatformName, name, .client = client);
    if (ASK(api, Client_PlatformName, &name)) {
        const PJRT_Gantry_Extension *gantry = NULL;
        add_text(json, "platform_name", name.platform_name, name.platform_name_size);
        error_free(abi_gantry(api, &gantry));
        if (gantry && name.platform_name_size == 3 && !memcmp(name.platform_name, "tpu", 3))
            cJSON_AddStringToObject(json, "modeled_by", "Gantry");
    }
    ABI_ARGS(Client_PlatformVersion, version, .client = client);
    if (ASK(api, Client_PlatformVersion, &version))
        add_text(json, "platform_version", version.platform_version, version.platform_version_size);
    ABI_ARGS(Client_Devices, devices, .client = client);
    if (!ASK(api, Client_Devices, &devices))
        return;
    cJSON *list = cJSON_AddArrayToObject(json, "devices");
    for (size_t i = 0; i < devices.num_devices; i++)
        cJSON_AddItemToArray(list, device_of(api, devices.devices[i]));
}

/* ---- The plugin ------------------------------------------------------------------------------ */

static void add_extensions(const PJRT_Api *api, cJSON *json)
{
    static const char *const names[] = {"gpu_custom_call",
                                        "profiler",
                                        "custom_partitioner",
                                        "stream",
                                        "layouts",
                                        "ffi",
                                        "memory_descriptions",
                                        "triton",
                                        "raw_buffer",
                                        "phase_compile",
                                        "example",
                                        "unknown",
                                        "cross_host_transfers",
                                        "executable_metadata",
                                        "callback",
                                        "host_allocator",
                                        "tpu_topology",
                                        "tpu_executable",
                                        "megascale",
                                        "shardings",
                                        "abi_version",
                                        "collectives",
                                        "multi_slice",
                                        "host_memory_allocator",
                                        "xla_transform"};
    cJSON *list = cJSON_AddArrayToObject(json, "extensions");
    int left = 100; /* the plugin's list may be cyclic */
    for (PJRT_Extension_Base *e = api->extension_start; e && left; e = e->next, left--) {
        char number[16];
        snprintf(number, sizeof number, "%d", (int)e->type);
        bool known = (size_t)e->type < sizeof names / sizeof *names;
        const char *other = e->type == PJRT_EXTENSION_TYPE_GANTRY ? "gantry" : number;
        cJSON_AddItemToArray(list, cJSON_CreateString(known ? names[e->type] : other));
    }
}

void describe_plugin(const PJRT_Api *api, cJSON *json)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d", api->pjrt_api_version.major_version,
             api->pjrt_api_version.minor_version);
    cJSON_AddStringToObject(json, "pjrt_api_version", version);
    add_extensions(api, json);
    ABI_ARGS(Plugin_Attributes, attributes, );
    if (ASK(api, Plugin_Attributes, &attributes))
        add_values(json, "attributes", attributes.attributes, attributes.num_attributes);
    PJRT_Client *client;
    struct error *error = abi_client_create(api, NULL, 0, &client);
    if (error) {
        cJSON_AddStringToObject(json, "error", error_message(error, NULL));
        error_free(error);
        return;
    }
    add_client(api, client, json);
    abi_client_destroy(api, client);
}
