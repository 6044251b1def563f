/* cmd_info.c: gantry info. Each plugin is queried in its own process, so that a plugin that crashes
 * is reported as rejected, with the reason. */
#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/cpu.h"
#include "devices/registry.h"
#include "memory/numa.h"
#include "tools/abi.h"
#include "tools/describe.h"
#include "tools/info_text.h"
#include "tools/cmd_report.h"
#include "tools/plugins.h"
#include "tools/probe.h"
#include "tools/session.h"
#include "tools/settings.h"
#include "version.h"

enum { MAX_SECONDS = 60 }; /* for a plugin to describe itself */

/* ---- Plugins --------------------------------------------------------------------------------- */

static void ask(const void *path, cJSON *json)
{
    struct abi_plugin plugin;
    struct error *error = abi_load(path, &plugin);
    if (error)
        cJSON_AddStringToObject(json, "error", error_message(error, NULL));
    else
        describe_plugin(plugin.api, json);
    error_free(error);
}

static void add_plugin(cJSON *list, const char *path, const char *source)
{
    cJSON *json = cJSON_CreateObject(), *said = probe_run(ask, path, MAX_SECONDS);
    cJSON_AddStringToObject(json, "path", path);
    cJSON_AddStringToObject(json, "found_by", source);
    for (cJSON *item = said->child, *next; item; item = next) {
        next = item->next;
        cJSON_AddItemToObject(json, item->string, cJSON_Duplicate(item, 1));
    }
    cJSON_Delete(said);
    cJSON_AddItemToArray(list, json);
}

static struct error *add_plugins(cJSON *json, const char *only)
{
    cJSON *list = cJSON_AddArrayToObject(json, "plugins");
    if (only) {
        add_plugin(list, only, "--plugin");
        return NULL;
    }
    struct plugins plugins;
    TRY(plugins_find(&plugins));
    for (size_t i = 0; i < plugins.count; i++)
        add_plugin(list, plugins.files[i].path, plugins.files[i].source);
    plugins_free(&plugins);
    return NULL;
}

/* ---- The machine ----------------------------------------------------------------------------- */

static void add_machine(cJSON *json)
{
    char name[64];
    cJSON *cpu = cJSON_AddObjectToObject(json, "cpu");
    cpu_name(name, sizeof name);
    cJSON_AddStringToObject(cpu, "name", name);
    cJSON_AddStringToObject(cpu, "features", cpu_feature_names());
    cJSON_AddNumberToObject(cpu, "usable_cores", cpu_usable_cores());
    cJSON_AddNumberToObject(cpu, "vector_bytes", cpu_vector_bytes());
    cJSON *caches = cJSON_AddArrayToObject(cpu, "cache_bytes");
    for (int level = 1; level <= 3; level++)
        cJSON_AddItemToArray(caches, cJSON_CreateNumber((double)cpu_cache_bytes(level)));
    cJSON *nodes = cJSON_AddArrayToObject(json, "numa_nodes");
    for (int node = 0; node < numa_count(); node++) {
        int cpus[1024], count = numa_cpus(node, cpus, 1024);
        cJSON *item = cJSON_CreateObject(), *list;
        cJSON_AddNumberToObject(item, "bytes", (double)numa_memory(node));
        list = cJSON_AddArrayToObject(item, "cpus");
        for (int i = 0; i < count && i < 1024; i++)
            cJSON_AddItemToArray(list, cJSON_CreateNumber(cpus[i]));
        cJSON_AddItemToArray(nodes, item);
    }
}

static void add_devices(cJSON *json)
{
    cJSON *devices = cJSON_AddArrayToObject(json, "known_devices");
    for (int i = 0; i < REGISTRY_COUNT; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", registry_device(i)->name);
        cJSON_AddStringToObject(item, "PJRT_DEVICE", registry_device(i)->choice);
        cJSON_AddStringToObject(item, "meaning", registry_device(i)->meaning);
        cJSON_AddItemToArray(devices, item);
    }
}

/* ---- The command ----------------------------------------------------------------------------- */

static struct error *collect(const char *plugin, cJSON *json)
{
    cJSON_AddStringToObject(json, "gantry", GANTRY_VERSION " " GANTRY_BUILD_ID);
    TRY(add_plugins(json, plugin));
    add_devices(json);
    add_machine(json);
    settings_describe(json);
    return NULL;
}

enum exit_code cmd_info_run(int argc, char **argv)
{
    static const struct report_command info = {"info", collect, info_text_print, NULL};
    return cmd_report_run(&info, argc, argv);
}
