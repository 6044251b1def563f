/* client_rules.c: area 6, sections 1 and 4: clients, and assignments of devices. */
#include <limits.h>
#include <string.h>

#include "conformance/cts/rule_process.h"

/* ---- 6.1 Clients ----------------------------------------------------------------------------- */

void rule_client_can_be_created(struct rule_context *t)
{
    NEED_PLUGIN(t);
    ARGS(t, Client_Create, args, );
    NEED_OK(t, CALL(t, Client_Create, &args));
    CHECK(t, args.client, "PJRT_Client_Create succeeds with a NULL client");
    t->client = args.client;
}

void rule_client_can_be_destroyed(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_Destroy, args, .client = t->client);
    t->client = NULL;
    NEED_OK(t, CALL(t, Client_Destroy, &args));
}

void rule_client_can_be_created_again(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int i = 0; i < 3; i++) {
        rule_close(t);
        ARGS(t, Client_Create, again, );
        NEED_OK(t, CALL(t, Client_Create, &again));
        t->client = again.client;
    }
}

void rule_client_are_independent(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_Create, second, );
    struct error *error = CALL(t, Client_Create, &second);
    if (error) {
        rule_skip(t, "no second client: %s", error_message(error, NULL));
        error_free(error);
        return;
    }
    ARGS(t, Client_AddressableDevices, theirs, .client = second.client);
    CHECK_OK(t, CALL(t, Client_AddressableDevices, &theirs));
    for (size_t i = 0; i < theirs.num_addressable_devices; i++)
        CHECK(t, theirs.addressable_devices[i] != t->device, "both clients have device %zu", i);
    DESTROY(t, Client, client, second.client);
    ARGS(t, Client_AddressableDevices, ours, .client = t->client);
    NEED_OK(t, CALL(t, Client_AddressableDevices, &ours));
    CHECK(t, ours.num_addressable_devices && ours.addressable_devices[0] == t->device,
          "the first client has other devices after the second was destroyed");
}

/* Creates a client with one option; whether it can be created is the plugin's choice. */
static void create_with(struct rule_context *t, const char *name)
{
    PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                              .name = name,
                              .name_size = strlen(name),
                              .type = PJRT_NamedValue_kInt64,
                              .int64_value = 1,
                              .value_size = 1};
    NEED_CLIENT(t);
    rule_close(t);
    ARGS(t, Client_Create, args, .create_options = &option, .num_options = 1);
    struct error *error = CALL(t, Client_Create, &args);
    if (!error)
        t->client = args.client;
    else
        CHECK_ERROR(t, error);
}

void rule_client_survive_unknown_options(struct rule_context *t)
{
    create_with(t, "no_such_option_of_any_plugin");
}

void rule_client_survive_nameless_options(struct rule_context *t)
{
    create_with(t, "");
}

static bool create_and_destroy(struct rule_context *t)
{
    if (!rule_open_client(t))
        return false;
    rule_close(t);
    return true;
}

void rule_client_leak_nothing(struct rule_context *t)
{
    rule_repeat(t, 30, create_and_destroy);
}

void rule_client_name_their_platform(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_PlatformName, first, .client = t->client);
    ARGS(t, Client_PlatformName, second, .client = t->client);
    NEED_OK(t, CALL(t, Client_PlatformName, &first));
    NEED_OK(t, CALL(t, Client_PlatformName, &second));
    CHECK(t, first.platform_name && first.platform_name_size, "no platform name");
    CHECK(t, first.platform_name == second.platform_name, "the platform name is elsewhere");
}

void rule_client_name_their_version(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_PlatformVersion, first, .client = t->client);
    ARGS(t, Client_PlatformVersion, second, .client = t->client);
    NEED_OK(t, CALL(t, Client_PlatformVersion, &first));
    NEED_OK(t, CALL(t, Client_PlatformVersion, &second));
    CHECK(t, first.platform_version && first.platform_version_size, "no platform version");
    CHECK(t, first.platform_version == second.platform_version, "the version is elsewhere");
}

void rule_client_have_process_zero(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Client_ProcessIndex, args, .client = t->client);
    NEED_OK(t, CALL(t, Client_ProcessIndex, &args));
    CHECK(t, args.process_index == 0, "process index %d", args.process_index);
}

void rule_client_agree_on_their_platform(struct rule_context *t)
{
    char name[128] = "";
    size_t size = 0;
    for (int i = 0; i < 2; i++) {
        NEED_CLIENT(t);
        ARGS(t, Client_PlatformName, args, .client = t->client);
        NEED_OK(t, CALL(t, Client_PlatformName, &args));
        NEED(t, args.platform_name_size < sizeof name, "a name of %zu bytes",
             args.platform_name_size);
        if (i)
            CHECK(t, size == args.platform_name_size && !memcmp(name, args.platform_name, size),
                  "'%s' has become '%.*s'", name, (int)args.platform_name_size, args.platform_name);
        size = args.platform_name_size;
        memcpy(name, args.platform_name, size);
        rule_close(t);
    }
}

static void ask_in_thread(struct rule_context *t, int i)
{
    for (int k = 0; k < 1000; k++) {
        ARGS(t, Client_AddressableDevices, args, .client = t->client);
        NEED_OK(t, CALL(t, Client_AddressableDevices, &args));
        NEED(t, args.num_addressable_devices && args.addressable_devices[0] == t->device,
             "thread %d got another first device", i);
        ARGS(t, Device_GetDescription, get, .device = t->device);
        NEED_OK(t, CALL(t, Device_GetDescription, &get));
        ARGS(t, DeviceDescription_Id, id, .device_description = get.device_description);
        NEED_OK(t, CALL(t, DeviceDescription_Id, &id));
        ARGS(t, Client_LookupDevice, lookup, .client = t->client, .id = id.id);
        NEED_OK(t, CALL(t, Client_LookupDevice, &lookup));
        NEED(t, lookup.device == t->device, "thread %d found another device", i);
    }
}

void rule_client_answer_threads(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_threads(t, ask_in_thread);
}

/* ---- 6.4 Device assignments ------------------------------------------------------------------ */

enum { MAX_DEVICES = 1024 };

static struct error *assign(struct rule_context *t, int replicas, int partitions, size_t size,
                            int *out)
{
    ARGS(t, Client_DefaultDeviceAssignment, args, .client = t->client, .num_replicas = replicas,
         .num_partitions = partitions, .default_assignment_size = size, .default_assignment = out);
    return CALL(t, Client_DefaultDeviceAssignment, &args);
}

static size_t count_devices(struct rule_context *t)
{
    ARGS(t, Client_Devices, args, .client = t->client);
    return rule_check_ok(t, "PJRT_Client_Devices", CALL(t, Client_Devices, &args))
               ? args.num_devices
               : 0;
}

void rule_client_assigns_one_device(struct rule_context *t)
{
    int id = -1;
    NEED_CLIENT(t);
    NEED_OK(t, assign(t, 1, 1, 1, &id));
    ARGS(t, Client_LookupDevice, lookup, .client = t->client, .id = id);
    CHECK_OK(t, CALL(t, Client_LookupDevice, &lookup));
}

void rule_client_assigns_all_devices(struct rule_context *t)
{
    int ids[MAX_DEVICES];
    NEED_CLIENT(t);
    size_t count = count_devices(t);
    NEED(t, count && count <= MAX_DEVICES, "%zu devices", count);
    NEED_OK(t, assign(t, (int)count, 1, count, ids));
    for (size_t i = 0; i < count; i++) {
        ARGS(t, Client_LookupDevice, lookup, .client = t->client, .id = ids[i]);
        CHECK_OK(t, CALL(t, Client_LookupDevice, &lookup));
        for (size_t k = 0; k < i; k++)
            CHECK(t, ids[i] != ids[k], "replicas %zu and %zu both have device %d", k, i, ids[i]);
    }
}

void rule_client_assigns_into_the_array(struct rule_context *t)
{
    int ids[2] = {-7, -7};
    NEED_CLIENT(t);
    CHECK_ERROR(t, assign(t, 1, 1, 0, ids));
    CHECK(t, ids[0] == -7 && ids[1] == -7, "an array without elements was written");
}

void rule_client_assigns_existing_devices(struct rule_context *t)
{
    static int ids[2 * MAX_DEVICES];
    NEED_CLIENT(t);
    size_t count = count_devices(t);
    NEED(t, count <= MAX_DEVICES, "%zu devices", count);
    CHECK_ERROR(t, assign(t, 2, (int)count, 2 * count, ids));
}

void rule_client_rejects_empty_assignments(struct rule_context *t)
{
    int ids[4];
    NEED_CLIENT(t);
    CHECK_ERROR(t, assign(t, 0, 1, 4, ids));
    CHECK_ERROR(t, assign(t, 1, -1, 4, ids));
    CHECK_ERROR(t, assign(t, INT_MIN, INT_MIN, 4, ids));
}
