/* report_json.c: a report as JSON: everything that is known. */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "conformance/cts/report.h"

static void add_plugin(cJSON *json, const struct report *report)
{
    const struct plugin_facts *facts = &report->facts;
    char version[32];
    cJSON *plugin = cJSON_AddObjectToObject(json, "plugin");
    snprintf(version, sizeof version, "%d.%d", facts->major, facts->minor);
    cJSON_AddStringToObject(plugin, "path", report->plugin);
    cJSON_AddStringToObject(plugin, "xxh128", report->digest);
    cJSON_AddStringToObject(plugin, "pjrt_version", version);
    cJSON_AddNumberToObject(plugin, "table_bytes", (double)facts->table_size);
    cJSON_AddStringToObject(plugin, "extensions", facts->extensions);
    cJSON *attributes = cJSON_AddObjectToObject(plugin, "attributes");
    for (size_t i = 0; i < facts->attribute_count; i++)
        cJSON_AddStringToObject(attributes, facts->attributes[i].name, facts->attributes[i].value);
    cJSON_AddBoolToObject(plugin, "client", facts->has_client);
    cJSON_AddStringToObject(plugin, "problem", facts->problem);
    cJSON_AddStringToObject(plugin, "platform", facts->platform);
    cJSON_AddStringToObject(plugin, "platform_version", facts->platform_version);
    cJSON_AddStringToObject(plugin, "device_kind", facts->device_kind);
    cJSON_AddNumberToObject(plugin, "devices", (double)facts->device_count);
    cJSON_AddNumberToObject(plugin, "addressable_devices", (double)facts->addressable_count);
}

static void add_machine(cJSON *json, const struct report_machine *machine)
{
    cJSON *to = cJSON_AddObjectToObject(json, "machine");
    cJSON_AddStringToObject(to, "system", machine->system);
    cJSON_AddStringToObject(to, "processor", machine->processor);
    cJSON_AddNumberToObject(to, "cores", machine->cores);
    cJSON_AddNumberToObject(to, "memory_gib", machine->memory_gib);
}

static void add_result(cJSON *list, const struct report *report, const struct result *result)
{
    struct text command = {0};
    cJSON *item = cJSON_CreateObject();
    report_print_command(report, result->rule->id, &command);
    cJSON_AddStringToObject(item, "id", result->rule->id);
    cJSON_AddStringToObject(item, "name", result->rule->name);
    cJSON_AddStringToObject(item, "level", rule_level_name(result->rule->level));
    cJSON_AddNumberToObject(item, "since_minor", result->rule->since);
    cJSON_AddStringToObject(item, "rule", result->rule->sentence);
    cJSON_AddStringToObject(item, "source", result->rule->source);
    cJSON_AddStringToObject(item, "result", verdict_name(result->verdict));
    cJSON_AddNumberToObject(item, "seconds", result->seconds);
    if (result->detail)
        cJSON_AddStringToObject(item, "detail", result->detail);
    if (result->expected)
        cJSON_AddStringToObject(item, "expected", result->expected);
    cJSON_AddStringToObject(item, "command", command.data ? command.data : "");
    cJSON_AddItemToArray(list, item);
    text_free(&command);
}

static void add_profiles(cJSON *json, const struct report *report)
{
    cJSON *all = cJSON_AddObjectToObject(json, "profiles");
    for (int p = 0; p < PROFILE_COUNT; p++) {
        cJSON *profile = cJSON_AddObjectToObject(all, profiles[p].name);
        cJSON_AddStringToObject(profile, "title", profiles[p].title);
        cJSON *missing = cJSON_AddArrayToObject(profile, "missing");
        for (int i = 0; i < FUNCTION_COUNT; i++)
            if (profiles[p].needs[i] && report->answers.missing[i])
                cJSON_AddItemToArray(missing, cJSON_CreateString(pjrt_functions[i].name));
    }
}

static void add_counts(cJSON *json, const struct report *report)
{
    struct report_counts counts = report_count(report);
    cJSON *to = cJSON_AddObjectToObject(json, "counts");
    cJSON_AddNumberToObject(to, "passed", counts.passed);
    cJSON_AddNumberToObject(to, "failed", counts.failed);
    cJSON_AddNumberToObject(to, "skipped", counts.skipped);
    cJSON *verdicts = cJSON_AddObjectToObject(json, "verdicts");
    for (int i = 0; i < VERDICT_COUNT; i++)
        cJSON_AddNumberToObject(verdicts, verdict_name((enum verdict)i), counts.verdicts[i]);
}

void report_print_json(const struct report *report, struct text *out)
{
    char seed[24];
    cJSON *json = cJSON_CreateObject();
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)report->seed);
    cJSON_AddStringToObject(json, "suite", "gantry cts");
    add_plugin(json, report);
    add_machine(json, &report->machine);
    cJSON_AddStringToObject(json, "seed", seed);
    cJSON_AddNumberToObject(json, "seconds", report->seconds);
    cJSON *results = cJSON_AddArrayToObject(json, "results");
    for (size_t i = 0; i < report->result_count; i++)
        add_result(results, report, &report->results[i]);
    add_profiles(json, report);
    add_counts(json, report);
    char *printed = cJSON_Print(json);
    text_add(out, "%s\n", printed ? printed : "");
    cJSON_free(printed);
    cJSON_Delete(json);
}
