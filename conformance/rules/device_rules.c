/* device_rules.c: area 6, sections 2 and 3: devices and their descriptions. */
#include <limits.h>
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/named_values.h"
#include "conformance/rules/sample_buffers.h"

/* ---- The devices of the client --------------------------------------------------------------- */

struct devices {
    PJRT_Device *const *all, *const *here;
    size_t count, count_here; /* all devices, addressable ones */
};

static bool list_devices(struct rule_context *t, struct devices *out)
{
    ARGS(t, Client_Devices, all, .client = t->client);
    ARGS(t, Client_AddressableDevices, here, .client = t->client);
    if (!rule_need_ok(t, "PJRT_Client_Devices", CALL(t, Client_Devices, &all)) ||
        !rule_need_ok(t, "PJRT_Client_AddressableDevices",
                      CALL(t, Client_AddressableDevices, &here)))
        return false;
    *out = (struct devices){all.devices, here.addressable_devices, all.num_devices,
                            here.num_addressable_devices};
    return true;
}

/* Declares `list`, the devices of a client. */
#define NEED_DEVICES(t, list)                                                                      \
    struct devices list;                                                                           \
    NEED_CLIENT(t);                                                                                \
    RULE_NEED_(list_devices((t), &(list)))

static PJRT_DeviceDescription *description_of(struct rule_context *t, PJRT_Device *device)
{
    ARGS(t, Device_GetDescription, args, .device = device);
    CHECK_OK(t, CALL(t, Device_GetDescription, &args));
    return args.device_description;
}

static int id_of(struct rule_context *t, PJRT_Device *device)
{
    ARGS(t, DeviceDescription_Id, args, .device_description = description_of(t, device));
    CHECK_OK(t, CALL(t, DeviceDescription_Id, &args));
    return args.id;
}

static int local_id_of(struct rule_context *t, PJRT_Device *device)
{
    ARGS(t, Device_LocalHardwareId, args, .device = device);
    CHECK_OK(t, CALL(t, Device_LocalHardwareId, &args));
    return args.local_hardware_id;
}

/* ---- 6.2 Devices ----------------------------------------------------------------------------- */

void rule_client_has_devices(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    CHECK(t, list.count, "no devices");
    CHECK(t, list.count_here, "no addressable devices");
}

void rule_client_keeps_its_lists(struct rule_context *t)
{
    NEED_DEVICES(t, first);
    NEED_DEVICES(t, second);
    CHECK(t, first.all == second.all && first.count == second.count, "another array of devices");
    CHECK(t, first.here == second.here && first.count_here == second.count_here,
          "another array of addressable devices");
}

void rule_client_ids_are_unique(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < i; k++) {
            int id = id_of(t, list.all[i]);
            CHECK(t, id != id_of(t, list.all[k]), "devices %zu and %zu both have id %d", k, i, id);
        }
}

void rule_client_ids_are_natural(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++)
        CHECK(t, id_of(t, list.all[i]) >= 0, "device %zu has id %d", i, id_of(t, list.all[i]));
}

void rule_client_ids_ascend(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 1; i < list.count; i++) {
        int id = id_of(t, list.all[i]), before = id_of(t, list.all[i - 1]);
        CHECK(t, before < id, "device %d is followed by %d", before, id);
    }
}

void rule_client_addressable_devices_are_devices(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0, k = 0; i < list.count_here; i++, k++) {
        while (k < list.count && list.all[k] != list.here[i])
            k++;
        NEED(t, k < list.count, "addressable device %zu is not behind the one before", i);
    }
}

static bool is_addressable(const struct devices *list, PJRT_Device *device)
{
    for (size_t i = 0; i < list->count_here; i++)
        if (list->here[i] == device)
            return true;
    return false;
}

void rule_client_addressable_devices_say_so(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Device_IsAddressable, args, .device = list.all[i]);
        NEED_OK(t, CALL(t, Device_IsAddressable, &args));
        CHECK(t, args.is_addressable == is_addressable(&list, list.all[i]),
              "device %zu says that it is%s addressable", i, args.is_addressable ? "" : " not");
    }
}

void rule_client_finds_devices(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Client_LookupDevice, args, .client = t->client, .id = id_of(t, list.all[i]));
        NEED_OK(t, CALL(t, Client_LookupDevice, &args));
        CHECK(t, args.device == list.all[i], "id %d gives another device", args.id);
    }
}

/* Numbers that no device has in the list. */
static const int wrong_ids[] = {-1, INT_MIN, INT_MAX, 1 << 30};
enum { WRONG_IDS = sizeof wrong_ids / sizeof *wrong_ids };

void rule_client_finds_no_other_device(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int i = 0; i < WRONG_IDS; i++) {
        ARGS(t, Client_LookupDevice, args, .client = t->client, .id = wrong_ids[i]);
        CHECK_ERROR(t, CALL(t, Client_LookupDevice, &args));
    }
}

void rule_client_finds_addressable_devices(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count_here; i++) {
        int id = local_id_of(t, list.here[i]);
        ARGS(t, Client_LookupAddressableDevice, args, .client = t->client, .local_hardware_id = id);
        NEED_OK(t, CALL(t, Client_LookupAddressableDevice, &args));
        CHECK(t, args.addressable_device == list.here[i], "%d gives another device", id);
    }
}

void rule_client_finds_no_other_addressable_device(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int i = 0; i < WRONG_IDS; i++) {
        ARGS(t, Client_LookupAddressableDevice, args, .client = t->client,
             .local_hardware_id = wrong_ids[i]);
        CHECK_ERROR(t, CALL(t, Client_LookupAddressableDevice, &args));
    }
}

void rule_client_local_ids_are_unique(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count_here; i++) {
        int id = local_id_of(t, list.here[i]);
        CHECK(t, id >= 0, "addressable device %zu has local hardware id %d", i, id);
        for (size_t k = 0; k < i; k++)
            CHECK(t, id != local_id_of(t, list.here[k]), "devices %zu and %zu both have %d", k, i,
                  id);
    }
}

void rule_client_calls_lookups_invalid(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_LookupDevice, device, .client = t->client, .id = -1);
    CHECK_CODE(t, INVALID_ARGUMENT, CALL(t, Client_LookupDevice, &device));
    ARGS(t, Client_LookupAddressableDevice, local, .client = t->client, .local_hardware_id = -1);
    CHECK_CODE(t, INVALID_ARGUMENT, CALL(t, Client_LookupAddressableDevice, &local));
}

void rule_client_counts_memory(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Device_MemoryStats, s, .device = t->device);
    NEED_OK(t, CALL(t, Device_MemoryStats, &s));
    CHECK(t, s.bytes_in_use >= 0, "%lld bytes are in use", (long long)s.bytes_in_use);
    CHECK(t, !s.bytes_limit_is_set || s.bytes_limit >= s.bytes_in_use, "the limit is exceeded");
    CHECK(t, !s.peak_bytes_in_use_is_set || s.peak_bytes_in_use >= s.bytes_in_use,
          "more is in use than at the peak");
    CHECK(t, !s.peak_pool_bytes_is_set || !s.pool_bytes_is_set || s.peak_pool_bytes >= s.pool_bytes,
          "the pool is larger than at its peak");
    CHECK(t,
          !s.peak_bytes_reserved_is_set || !s.bytes_reserved_is_set ||
              s.peak_bytes_reserved >= s.bytes_reserved,
          "more is reserved than at the peak");
}

void rule_client_forgets_peaks(struct rule_context *t)
{
    static const float values[1 << 18];
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    NEED_OK(t, rule_upload_floats(t, values, sizeof values / sizeof *values, &buffer));
    CHECK_OK(t, buffer_await(t, buffer));
    DESTROY(t, Buffer, buffer, buffer);
    ARGS(t, Device_ClearMemoryStats, clear, .device = t->device);
    NEED_OK(t, CALL(t, Device_ClearMemoryStats, &clear));
    ARGS(t, Device_MemoryStats, s, .device = t->device);
    NEED_OK(t, CALL(t, Device_MemoryStats, &s));
    CHECK(t,
          !s.peak_bytes_in_use_is_set ||
              s.peak_bytes_in_use < s.bytes_in_use + (int64_t)sizeof values,
          "the peak is %lld bytes, and %lld are in use", (long long)s.peak_bytes_in_use,
          (long long)s.bytes_in_use);
}

/* ---- 6.3 Descriptions ------------------------------------------------------------------------ */

void rule_client_keeps_descriptions(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++)
        CHECK(t, description_of(t, list.all[i]) == description_of(t, list.all[i]),
              "device %zu has another description in the second call", i);
}

void rule_client_names_kinds(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, DeviceDescription_Kind, args, .device_description = description_of(t, list.all[i]));
        NEED_OK(t, CALL(t, DeviceDescription_Kind, &args));
        CHECK(t, args.device_kind && args.device_kind_size, "device %zu has no kind", i);
    }
}

void rule_client_has_texts(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        PJRT_DeviceDescription *of = description_of(t, list.all[i]);
        ARGS(t, DeviceDescription_DebugString, debug, .device_description = of);
        ARGS(t, DeviceDescription_ToString, text, .device_description = of);
        NEED_OK(t, CALL(t, DeviceDescription_DebugString, &debug));
        NEED_OK(t, CALL(t, DeviceDescription_ToString, &text));
        CHECK(t, debug.debug_string && debug.debug_string_size, "device %zu: no debug string", i);
        CHECK(t, text.to_string && text.to_string_size, "device %zu: no text", i);
    }
}

struct texts {
    const char *kind, *debug, *text;
};

static struct texts texts_of(struct rule_context *t, PJRT_DeviceDescription *of)
{
    ARGS(t, DeviceDescription_Kind, kind, .device_description = of);
    ARGS(t, DeviceDescription_DebugString, debug, .device_description = of);
    ARGS(t, DeviceDescription_ToString, text, .device_description = of);
    CHECK_OK(t, CALL(t, DeviceDescription_Kind, &kind));
    CHECK_OK(t, CALL(t, DeviceDescription_DebugString, &debug));
    CHECK_OK(t, CALL(t, DeviceDescription_ToString, &text));
    return (struct texts){kind.device_kind, debug.debug_string, text.to_string};
}

void rule_client_keeps_texts(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        PJRT_DeviceDescription *of = description_of(t, list.all[i]);
        struct texts first = texts_of(t, of), second = texts_of(t, of);
        CHECK(t, first.kind == second.kind, "device %zu: the kind is elsewhere", i);
        CHECK(t, first.debug == second.debug, "device %zu: the debug string is elsewhere", i);
        CHECK(t, first.text == second.text, "device %zu: the text is elsewhere", i);
    }
}

void rule_client_devices_know_their_process(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    ARGS(t, Client_ProcessIndex, own, .client = t->client);
    NEED_OK(t, CALL(t, Client_ProcessIndex, &own));
    for (size_t i = 0; i < list.count_here; i++) {
        ARGS(t, DeviceDescription_ProcessIndex, args,
             .device_description = description_of(t, list.here[i]));
        NEED_OK(t, CALL(t, DeviceDescription_ProcessIndex, &args));
        CHECK(t, args.process_index == own.process_index, "device %zu is of process %d", i,
              args.process_index);
    }
}

void rule_client_describes_devices(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, DeviceDescription_Attributes, args,
             .device_description = description_of(t, list.all[i]));
        NEED_OK(t, CALL(t, DeviceDescription_Attributes, &args));
        named_values_check(t, args.attributes, args.num_attributes);
        named_values_check_unique(t, args.attributes, args.num_attributes);
    }
}

void rule_client_gives_attributes(struct rule_context *t)
{
    NEED_DEVICES(t, list);
    for (size_t i = 0; i < list.count; i++) {
        ARGS(t, Device_GetAttributes, args, .device = list.all[i]);
        NEED_OK(t, CALL(t, Device_GetAttributes, &args));
        named_values_check(t, args.attributes, args.num_attributes);
        named_values_check_unique(t, args.attributes, args.num_attributes);
        CHECK(t, args.attributes_deleter || !args.device_attributes, "device %zu: no deleter", i);
        if (args.attributes_deleter)
            args.attributes_deleter(args.device_attributes);
    }
}

static bool get_and_delete_attributes(struct rule_context *t)
{
    ARGS(t, Device_GetAttributes, args, .device = t->device);
    if (!rule_need_ok(t, "PJRT_Device_GetAttributes", CALL(t, Device_GetAttributes, &args)))
        return false;
    if (args.attributes_deleter)
        args.attributes_deleter(args.device_attributes);
    return true;
}

void rule_client_gives_attributes_without_leaks(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 50000, get_and_delete_attributes);
}
