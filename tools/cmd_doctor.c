/* cmd_doctor.c: gantry doctor: a report of everything that decides whether Gantry works here. */
#include <stdio.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/doctor.h"
#include "tools/session.h"
#include "version.h"

static struct error *collect(const char *plugin, cJSON *report)
{
    double start = session_seconds();
    cJSON_AddStringToObject(report, "gantry", GANTRY_VERSION " build " GANTRY_BUILD_ID);
    doctor_machine(report);
    TRY(doctor_libraries(report));
    TRY(doctor_plugins(report, plugin));
    TRY(doctor_environment(report));
    doctor_clients(report);
    cJSON_AddNumberToObject(report, "seconds", session_seconds() - start);
    return NULL;
}

static bool any_plugin(const cJSON *report)
{
    const cJSON *plugin;
    cJSON_ArrayForEach(
        plugin, cJSON_GetObjectItem(
                    report, "plugins")) if (!cJSON_GetObjectItem(plugin, "error")) return true;
    return false;
}

static void print(const cJSON *report, bool as_json)
{
    char *text = as_json ? cJSON_Print(report) : NULL;
    if (text)
        puts(text);
    else
        doctor_print(report);
    cJSON_free(text);
}

enum exit_code cmd_doctor_run(int argc, char **argv)
{
    const char *plugin = NULL, *value;
    bool as_json = false;
    for (int i = 0; i < argc; i++) {
        struct error *error = session_value("--plugin", argc, argv, &i, &value);
        if (error)
            return commands_fail(EXIT_USAGE, error);
        if (value)
            plugin = value;
        else if (!strcmp(argv[i], "--json"))
            as_json = true;
        else
            return commands_fail(EXIT_USAGE, commands_unknown("doctor", argv[i]));
    }
    cJSON *report = cJSON_CreateObject();
    struct error *error = collect(plugin, report);
    print(report, as_json);
    enum exit_code code = !any_plugin(report)                  ? EXIT_NO_PLUGIN
                          : doctor_count(report, DOCTOR_ERROR) ? EXIT_FAILED
                                                               : EXIT_DONE;
    cJSON_Delete(report);
    return error ? commands_fail(EXIT_FAILED, error) : code;
}
