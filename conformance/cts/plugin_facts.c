/* plugin_facts.c: asks a plugin about itself. */
#include "conformance/cts/plugin_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cts/child.h"
#include "conformance/cts/rule_context.h"

/* Where the child writes: `path` is the question, `facts` the answer. */
struct inquiry {
    const char *path;
    struct plugin_facts facts;
};

static void copy(char *to, size_t capacity, const char *bytes, size_t size)
{
    snprintf(to, capacity, "%.*s", (int)(size < capacity ? size : capacity), bytes ? bytes : "");
}
#define COPY(to, bytes, size) copy((to), sizeof(to), (bytes), (size))

/* Keeps the reason if there is an error (moved); returns whether there is none. */
static bool keep(struct plugin_facts *facts, const char *what, struct error *error)
{
    if (error && !*facts->problem)
        snprintf(facts->problem, sizeof facts->problem, "%s: %s: %s", what,
                 error_code_name(error_code(error)), error_message(error, NULL));
    error_free(error);
    return !error;
}

static void print_value(const PJRT_NamedValue *from, char *to, size_t capacity)
{
    if (from->type == PJRT_NamedValue_kString)
        copy(to, capacity, from->string_value, from->value_size);
    else if (from->type == PJRT_NamedValue_kInt64)
        snprintf(to, capacity, "%" PRId64, from->int64_value);
    else if (from->type == PJRT_NamedValue_kFloat)
        snprintf(to, capacity, "%g", (double)from->float_value);
    else if (from->type == PJRT_NamedValue_kBool)
        snprintf(to, capacity, "%s", from->bool_value ? "true" : "false");
    else if (from->type == PJRT_NamedValue_kInt64List)
        for (size_t i = 0, at = 0; i < from->value_size && at + 24 < capacity; i++)
            at += (size_t)snprintf(to + at, capacity - at, "%s%" PRId64, i ? "." : "",
                                   from->int64_array_value[i]);
}

static void read_attributes(struct rule_context *t, struct plugin_facts *facts)
{
    ARGS(t, Plugin_Attributes, args, );
    if (!keep(facts, "PJRT_Plugin_Attributes", CALL(t, Plugin_Attributes, &args)))
        return;
    for (size_t i = 0; i < args.num_attributes && i < FACTS_MAX_ATTRIBUTES; i++) {
        struct plugin_attribute *to = &facts->attributes[facts->attribute_count++];
        COPY(to->name, args.attributes[i].name, args.attributes[i].name_size);
        print_value(&args.attributes[i], to->value, sizeof to->value);
    }
}

static void read_table(struct rule_context *t, struct plugin_facts *facts)
{
    size_t at = 0;
    facts->has_table = true;
    facts->major = t->api->pjrt_api_version.major_version;
    facts->minor = t->minor;
    facts->table_size = t->api->struct_size;
    for (PJRT_Extension_Base *e = t->api->extension_start; e && at + 8 < sizeof facts->extensions;
         e = e->next)
        at += (size_t)snprintf(facts->extensions + at, sizeof facts->extensions - at, "%s%d",
                               at ? " " : "", (int)e->type);
}

static void read_kind(struct rule_context *t, PJRT_Device *device, struct plugin_facts *facts)
{
    ARGS(t, Device_GetDescription, get, .device = device);
    if (!keep(facts, "PJRT_Device_GetDescription", CALL(t, Device_GetDescription, &get)))
        return;
    ARGS(t, DeviceDescription_Kind, kind, .device_description = get.device_description);
    if (keep(facts, "PJRT_DeviceDescription_Kind", CALL(t, DeviceDescription_Kind, &kind)))
        COPY(facts->device_kind, kind.device_kind, kind.device_kind_size);
}

static void read_client(struct rule_context *t, struct plugin_facts *facts)
{
    ARGS(t, Client_PlatformName, name, .client = t->client);
    if (keep(facts, "PJRT_Client_PlatformName", CALL(t, Client_PlatformName, &name)))
        COPY(facts->platform, name.platform_name, name.platform_name_size);
    ARGS(t, Client_PlatformVersion, version, .client = t->client);
    if (keep(facts, "PJRT_Client_PlatformVersion", CALL(t, Client_PlatformVersion, &version)))
        COPY(facts->platform_version, version.platform_version, version.platform_version_size);
    ARGS(t, Client_Devices, all, .client = t->client);
    ARGS(t, Client_AddressableDevices, here, .client = t->client);
    if (keep(facts, "PJRT_Client_Devices", CALL(t, Client_Devices, &all)))
        facts->device_count = all.num_devices;
    if (keep(facts, "PJRT_Client_AddressableDevices", CALL(t, Client_AddressableDevices, &here)))
        facts->addressable_count = here.num_addressable_devices;
    if (facts->device_count)
        read_kind(t, all.devices[0], facts);
}

static void ask(const void *user, struct outcome *outcome)
{
    struct inquiry *inquiry = (struct inquiry *)(uintptr_t)user;
    struct plugin_facts *facts = &inquiry->facts;
    struct rule_context t = {.path = inquiry->path, .outcome = outcome};
    if (!rule_open_table(&t))
        return;
    read_table(&t, facts);
    ARGS(&t, Plugin_Initialize, initialize, );
    if (!keep(facts, "PJRT_Plugin_Initialize", CALL(&t, Plugin_Initialize, &initialize)))
        return;
    read_attributes(&t, facts);
    ARGS(&t, Client_Create, create, );
    if (!keep(facts, "PJRT_Client_Create", CALL(&t, Client_Create, &create)))
        return;
    facts->has_client = true;
    t.client = create.client;
    read_client(&t, facts);
    rule_close(&t);
}

/* What the facts lack when the child did not come to its end. */
static void note_end(const struct child_end *end, const struct outcome *outcome,
                     struct plugin_facts *facts)
{
    const char *call = atomic_load(&outcome->call);
    if (end->how == CHILD_DONE && !facts->has_table)
        COPY(facts->problem, outcome->text, strcspn(outcome->text, "\n"));
    else if (end->how != CHILD_DONE)
        snprintf(facts->problem, sizeof facts->problem, "%s in %s: %s",
                 end->how == CHILD_TIMED_OUT ? "no answer" : "the process ended",
                 call ? call : "the library", end->output);
}

struct error *plugin_facts_read(const char *path, struct plugin_facts *out)
{
    struct inquiry *inquiry = child_share(sizeof *inquiry);
    struct child_task task = {ask, inquiry};
    struct child child = {0};
    struct child_end end;
    *out = (struct plugin_facts){0};
    if (!inquiry)
        return error_out_of_memory();
    inquiry->path = path;
    struct error *error = child_run(&child, &task, &end);
    if (!error) {
        note_end(&end, child.outcome, &inquiry->facts);
        *out = inquiry->facts;
    }
    child_close(&child);
    child_unshare(inquiry, sizeof *inquiry);
    return error;
}
