#include "plugin/create_options.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env_check.h"
#include "base/log.h"
#include "base/number.h"
#include "compiler/compile.h"
#include "devices/registry.h"

enum { MAX_OPTIONS = 1024, MAX_NAME = 1024, MAX_PROCESSES = 1 << 16 };

/* Names are printed in messages, so their size is checked first. */
static struct error *check_name(const PJRT_NamedValue *value, size_t index)
{
    if (!value->name || value->name_size > MAX_NAME)
        return ERROR(INVALID_ARGUMENT,
                     "create option %zu has a name of %zu bytes; allowed: 1 to %d", index,
                     value->name ? value->name_size : 0, MAX_NAME);
    return NULL;
}

static bool is(const PJRT_NamedValue *value, const char *name)
{
    return value->name_size == strlen(name) && !memcmp(value->name, name, value->name_size);
}

static struct error *wrong(const PJRT_NamedValue *value, const char *wanted)
{
    bool text = value->type == PJRT_NamedValue_kString && value->string_value;
    size_t shown = text && value->value_size < 64 ? value->value_size : text ? 64 : 0;
    return ERROR(INVALID_ARGUMENT, "create option '%.*s' %s%.*s%smust be %s", (int)value->name_size,
                 value->name, text ? "is '" : "", (int)shown, text ? value->string_value : "",
                 text ? "'; it " : "", wanted);
}

static struct error *read_text(const PJRT_NamedValue *value, char *out, size_t capacity)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a string of at most %zu bytes", capacity - 1);
    if (value->type != PJRT_NamedValue_kString || value->value_size >= capacity)
        return wrong(value, wanted);
    if (value->value_size && !value->string_value)
        return wrong(value, "a string: its address is NULL");
    if (value->value_size) /* the address of no bytes may be NULL */
        memcpy(out, value->string_value, value->value_size);
    out[value->value_size] = '\0';
    return NULL;
}

static struct error *read_number(const PJRT_NamedValue *value, int64_t max, int64_t *out)
{
    char text[32];
    *out = value->int64_value;
    if (value->type == PJRT_NamedValue_kString) {
        TRY(read_text(value, text, sizeof text));
        if (!number_read(text, INT64_MIN, INT64_MAX, out))
            return wrong(value, "a number");
    } else if (value->type != PJRT_NamedValue_kInt64) {
        return wrong(value, "a number");
    }
    return *out >= 0 && *out <= max
               ? NULL
               : ERROR(INVALID_ARGUMENT, "create option '%.*s' is %lld; allowed: 0 to %lld",
                       (int)value->name_size, value->name, (long long)*out, (long long)max);
}

static struct error *read_bytes(const PJRT_NamedValue *value, uint64_t *out)
{
    char text[32];
    int64_t number;
    if (value->type == PJRT_NamedValue_kString) {
        TRY(read_text(value, text, sizeof text));
        if (!env_parse_bytes(text, &number))
            return wrong(value, "a number of bytes, like 17179869184 or 16G");
    } else {
        TRY(read_number(value, INT64_MAX, &number));
    }
    *out = (uint64_t)number;
    return NULL;
}

/* ---- topology -------------------------------------------------------------------------------- */
struct error *create_options_set_topology(struct create_options *options, const char *name,
                                          size_t size)
{
    size_t capacity = sizeof options->topology - strlen(options->topology_options);
    if (size >= capacity)
        return ERROR(INVALID_ARGUMENT, "a topology name of %zu bytes; at most %zu are allowed",
                     size, capacity - 1);
    memmove(options->topology, name, size);
    strcpy(options->topology + size, options->topology_options);
    options->device.topology = options->topology;
    return NULL;
}

/* A value as text: a string, a number, or a list of up to three numbers, "2x2x1". */
static struct error *text_of_value(const PJRT_NamedValue *value, char *out, size_t capacity)
{
    size_t used = 0;
    const int64_t *list = &value->int64_value;
    size_t count = 1;
    if (value->type == PJRT_NamedValue_kString)
        return read_text(value, out, capacity);
    if (value->type == PJRT_NamedValue_kInt64List)
        list = value->int64_array_value, count = value->value_size;
    else if (value->type != PJRT_NamedValue_kInt64)
        return wrong(value, "a string, a number or a list of numbers");
    if (count < 1 || count > 3 || !list)
        return wrong(value, "a list of 1 to 3 numbers");
    for (size_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%" PRId64, i ? "x" : "", list[i]);
    return used < capacity ? NULL : wrong(value, "smaller numbers");
}

/* The options of a topology are kept as text that is added to its name. */
static struct error *read_topology_option(const PJRT_NamedValue *value, struct create_options *out)
{
    char text[64];
    size_t used = strlen(out->topology_options), capacity = sizeof out->topology_options - used;
    TRY(text_of_value(value, text, sizeof text));
    for (char *at = text; *at; at++) /* a list may be written "2,2,1" */
        *at = *at == ',' ? 'x' : *at;
    int size = snprintf(out->topology_options + used, capacity, ",%.*s=%s", (int)value->name_size,
                        value->name, text);
    return size >= 0 && (size_t)size < capacity ? NULL : wrong(value, "given once");
}

static bool is_topology_option(const PJRT_NamedValue *value)
{
    return is(value, "chips_per_host_bounds") || is(value, "num_slices") ||
           is(value, "chip_config_name") || is(value, "numerics");
}

/* ---- memory limits --------------------------------------------------------------------------- */
static const struct {
    const char *option;
    enum env_variable variable;
} limits[MEMORY_KIND_COUNT] = {
    [MEMORY_DEVICE] = {"memory_limit", ENV_GANTRY_DEVICE_MEMORY},
    [MEMORY_PINNED_HOST] = {"pinned_host_memory_limit", ENV_GANTRY_PINNED_HOST_MEMORY},
    [MEMORY_UNPINNED_HOST] = {"unpinned_host_memory_limit", ENV_GANTRY_UNPINNED_HOST_MEMORY},
};

static void read_variables(uint64_t out[MEMORY_KIND_COUNT])
{
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        out[kind] = (uint64_t)env_int(limits[kind].variable, 0);
}

static struct error *check_device(const struct device_library *library,
                                  const PJRT_NamedValue *value)
{
    char name[64];
    TRY(read_text(value, name, sizeof name));
    if (strcmp(name, library->name))
        return ERROR(
            INVALID_ARGUMENT,
            "create option 'device' is '%s', but this plugin's device is '%s': GANTRY_DEVICE, "
            "the plugin's file name or PJRT_DEVICE select the device",
            name, library->name);
    return NULL;
}

/* node_id and num_nodes: this process, and how many there are. */
static struct error *read_process(const PJRT_NamedValue *value, int most, int *out)
{
    int64_t number;
    TRY(read_number(value, most, &number));
    *out = (int)number;
    return NULL;
}

static struct error *check_process(const struct create_options *options)
{
    if (options->process_count <= 1 || options->process < options->process_count)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "node_id is %d; allowed with num_nodes %d: 0 to %d",
                 options->process, options->process_count, options->process_count - 1);
}

static struct error *read_one(const struct device_library *library, const PJRT_NamedValue *value,
                              struct create_options *out)
{
    int64_t number;
    if (is(value, "device"))
        return check_device(library, value);
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        if (is(value, limits[kind].option))
            return read_bytes(value, &out->device.memory_limit[kind]);
    if (is(value, "platform_name")) {
        TRY(read_text(value, out->platform_name, sizeof out->platform_name));
        out->device.platform_name = out->platform_name[0] ? out->platform_name : NULL;
    } else if (is(value, "topology")) {
        TRY(read_text(value, out->topology, sizeof out->topology));
        out->device.topology = out->topology[0] ? out->topology : NULL;
    } else if (is_topology_option(value) && !library->is_host) {
        return read_topology_option(value, out);
    } else if (is(value, "device_count")) {
        TRY(read_number(value, 1 << 16, &number));
        out->device.device_count = (int)number;
    } else if (is(value, "memory_check")) {
        TRY(read_number(value, 1, &number));
        out->device.plans_only = !number;
    } else if (is(value, "num_nodes")) {
        return read_process(value, MAX_PROCESSES, &out->process_count);
    } else if (is(value, "node_id")) {
        return read_process(value, MAX_PROCESSES - 1, &out->process);
    } else {
        LOG(INFO, "create option '%.*s' is unknown and has no effect", (int)value->name_size,
            value->name);
    }
    return NULL;
}

/* Whether a NULL-terminated list contains a word. */
static bool among(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list))
        list++;
    return *list != NULL;
}

/* torch_xla's device selection; other values are for another plugin, or mistyped. */
static void note_device(void)
{
    static const char *const neutral[] = {"GANTRY", "GANTRYTPU", "LIBRARY", NULL};
    const char *chosen = env_text(ENV_PJRT_DEVICE);
    if (chosen && *chosen && !registry_find_choice(chosen) && !among(chosen, neutral))
        LOG(WARNING,
            "PJRT_DEVICE is '%s', which is unknown and ignored: use CPU, TPU, GANTRY, GANTRYTPU or "
            "LIBRARY",
            chosen);
}

/* Logs values that have no meaning here, once per process. */
static void note_environment(void)
{
    static const char *const known[] = {"xla_dump_to", "xla_dump_hlo_as_text",
                                        "xla_dump_hlo_as_proto",
                                        "xla_force_host_platform_device_count", NULL};
    char name[128];
    note_device();
    for (const char *at = NULL; (at = env_xla_flag_name(at, name, sizeof name));)
        if (!among(name, known))
            LOG(INFO, "XLA_FLAGS: --%s is unknown and has no effect", name);
}

/* The number of CPU devices from the first of Gantry's variable, PyTorch/XLA's variable and XLA's
 * flag that is set; 0: none is set. */
static struct error *read_cpu_devices(int *out)
{
    char flag[32];
    const char *text, *name = "GANTRY_CPU_DEVICES";
    const struct env_rule *allowed = env_rule(ENV_GANTRY_CPU_DEVICES);
    if (!(text = env_text(ENV_GANTRY_CPU_DEVICES))) {
        name = "CPU_NUM_DEVICES";
        text = env_text(ENV_CPU_NUM_DEVICES);
    }
    if (!text && env_xla_flag("xla_force_host_platform_device_count", flag, sizeof flag)) {
        name = "XLA_FLAGS --xla_force_host_platform_device_count";
        text = flag;
    }
    if (text && !env_allows(ENV_GANTRY_CPU_DEVICES, text))
        return ERROR(INVALID_ARGUMENT, "%s is '%.64s'; allowed: %lld to %lld", name, text,
                     (long long)allowed->min, (long long)allowed->max);
    *out = text ? atoi(text) : 0;
    return NULL;
}

struct error *create_options_read(const struct device_library *library,
                                  const PJRT_NamedValue *values, size_t count,
                                  struct create_options *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, note_environment);
    *out = (struct create_options){0};
    TRY(env_check());
    TRY(compile_check_dump());
    read_variables(out->device.memory_limit);
    if (count > MAX_OPTIONS || (count && !values))
        return ERROR(INVALID_ARGUMENT, "%zu create options at %p; at most %d are allowed", count,
                     (const void *)values, MAX_OPTIONS);
    for (size_t i = 0; i < count; i++)
        TRY(check_name(&values[i], i));
    for (size_t i = 0; i < count; i++)
        TRY(read_one(library, &values[i], out));
    TRY(check_process(out));
    if (out->device.topology || *out->topology_options)
        TRY(create_options_set_topology(out, out->topology, strlen(out->topology)));
    if (!out->device.device_count && library->is_host)
        TRY(read_cpu_devices(&out->device.device_count));
    return NULL;
}
