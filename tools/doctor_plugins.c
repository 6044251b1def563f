/* doctor_plugins.c: the plugins on this machine, and whether programs run on their devices. */
#include <string.h>

#include "tools/abi.h"
#include "tools/describe.h"
#include "tools/doctor.h"
#include "tools/plugins.h"
#include "tools/probe.h"

enum { DESCRIBE_SECONDS = 60, TEST_SECONDS = 60 };

static void describe(const void *path, cJSON *out)
{
    struct abi_plugin plugin;
    struct error *error = abi_load(path, &plugin);
    if (error)
        cJSON_AddStringToObject(out, "error", error_message(error, NULL));
    else
        describe_plugin(plugin.api, out);
    error_free(error);
}

static void self_test(const void *path, cJSON *out)
{
    doctor_self_test(path, out);
}

/* Moves the members of `from` (deleted) to `to`. */
static void move_members(cJSON *to, cJSON *from)
{
    for (cJSON *item; (item = from->child);) {
        cJSON_DetachItemViaPointer(from, item);
        if (cJSON_GetObjectItem(to, item->string))
            cJSON_Delete(item);
        else
            cJSON_AddItemToObject(to, item->string, item);
    }
    cJSON_Delete(from);
}

static const char *error_of(const cJSON *json)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(json, "error"));
}

/* A plugin that only happens to be in a folder of go-xla's is not Gantry's business. */
static enum doctor_severity severity_of(const char *source)
{
    return strcmp(source, "go-xla") ? DOCTOR_ERROR : DOCTOR_NOTE;
}

/* Whether the message is about a setting, which the environment's part of the report explains. */
static bool is_about_a_setting(const char *message)
{
    return strstr(message, "the environment variable ") != NULL;
}

static void add_problems(const cJSON *json, cJSON *report, const char *path, const char *source)
{
    const char *error = error_of(json);
    const cJSON *test;
    if (error && !is_about_a_setting(error))
        doctor_problem(report, severity_of(source), doctor_library_advice(error), "%s: %s", path,
                       error);
    cJSON_ArrayForEach(test, cJSON_GetObjectItem(json, "self_test")) if (error_of(test))
        doctor_problem(report, severity_of(source),
                       "report this with the whole output of gantry doctor", "%s: %s: %s", path,
                       cJSON_GetStringValue(cJSON_GetObjectItem(test, "device")), error_of(test));
}

static void add_plugin(cJSON *list, cJSON *report, const char *path, const char *source)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToArray(list, json);
    cJSON_AddStringToObject(json, "path", path);
    cJSON_AddStringToObject(json, "found_by", source);
    move_members(json, probe_run(describe, path, DESCRIBE_SECONDS));
    if (!error_of(json))
        move_members(json, probe_run(self_test, path, TEST_SECONDS));
    add_problems(json, report, path, source);
}

struct error *doctor_plugins(cJSON *report, const char *only)
{
    cJSON *list = cJSON_AddArrayToObject(report, "plugins");
    if (only) {
        add_plugin(list, report, only, "--plugin");
        return NULL;
    }
    struct plugins plugins;
    TRY(plugins_find(&plugins));
    for (size_t i = 0; i < plugins.count; i++)
        add_plugin(list, report, plugins.files[i].path, plugins.files[i].source);
    if (!plugins.count)
        doctor_problem(report, DOCTOR_ERROR, "install Gantry, or name a plugin with --plugin",
                       "this installation has no plugin");
    plugins_free(&plugins);
    return NULL;
}
