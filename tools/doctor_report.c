/* doctor_report.c: problems, and the report as text. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/doctor.h"

enum { TEXT = 2048 };

/* ---- Problems -------------------------------------------------------------------------------- */

void doctor_problem(cJSON *report, enum doctor_severity severity, const char *advice,
                    const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cJSON *list = cJSON_GetObjectItem(report, "problems"), *item = cJSON_CreateObject();
    if (!list)
        list = cJSON_AddArrayToObject(report, "problems");
    cJSON_AddStringToObject(item, "severity", severity == DOCTOR_ERROR ? "error" : "note");
    cJSON_AddStringToObject(item, "what", text);
    cJSON_AddStringToObject(item, "advice", advice);
    cJSON_AddItemToArray(list, item);
}

int doctor_count(const cJSON *report, enum doctor_severity severity)
{
    const char *wanted = severity == DOCTOR_ERROR ? "error" : "note";
    const cJSON *item;
    int count = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(report, "problems")) count +=
        !strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(item, "severity")), wanted);
    return count;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static const char *text_of(const cJSON *json, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(json, name));
    return text ? text : "";
}

static double number_of(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(json, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static const char *mark(const cJSON *json)
{
    return cJSON_GetObjectItem(json, "error") ? "FAIL" : "ok";
}

/* Prints text whose later lines are indented like the first one. */
static void print_lines(const char *text, int indent)
{
    for (; *text; text++) {
        putchar(*text);
        if (*text == '\n' && text[1])
            printf("%*s", indent, "");
    }
    puts("");
}

static void print_error(const cJSON *json, int indent)
{
    if (cJSON_GetObjectItem(json, "error")) {
        printf("%*s", indent, "");
        print_lines(text_of(json, "error"), indent);
    }
}

static void print_machine(const cJSON *machine)
{
    const double gib = 1 << 30;
    const cJSON *limit;
    printf("machine\n  system     %s\n  processor  %s\n  cores      %.0f, usable %.0f; %s\n"
           "  memory     %.1f GiB, available %.1f GiB",
           text_of(machine, "system"), text_of(machine, "processor"), number_of(machine, "cores"),
           number_of(machine, "usable_cores"), text_of(machine, "features"),
           number_of(machine, "memory_bytes") / gib, number_of(machine, "available_bytes") / gib);
    if (cJSON_GetObjectItem(machine, "memory_limit_bytes"))
        printf(", control group %.1f GiB", number_of(machine, "memory_limit_bytes") / gib);
    printf("; huge pages %s\n  limits    ", text_of(machine, "huge_pages"));
    cJSON_ArrayForEach(limit, cJSON_GetObjectItem(machine, "limits"))
        printf(" %s=%.0f", limit->string, limit->valuedouble);
    puts("");
}

static void print_libraries(const cJSON *report)
{
    const cJSON *item;
    printf("libraries in %s\n", text_of(report, "folder"));
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(report, "libraries"))
    {
        printf("  %-4s %-31s %10.0f bytes\n", mark(item), text_of(item, "name"),
               number_of(item, "bytes"));
        print_error(item, 7);
    }
}

static void print_plugin(const cJSON *plugin)
{
    const cJSON *test;
    printf("  %-4s %s (%s)\n", mark(plugin), text_of(plugin, "path"), text_of(plugin, "found_by"));
    if (cJSON_GetObjectItem(plugin, "platform_name")) {
        printf("       PJRT %s, platform %s%s\n       ", text_of(plugin, "pjrt_api_version"),
               text_of(plugin, "platform_name"),
               cJSON_GetObjectItem(plugin, "modeled_by") ? " (modeled by Gantry)" : "");
        print_lines(text_of(plugin, "platform_version"), 7);
    }
    print_error(plugin, 7);
    if (cJSON_GetObjectItem(plugin, "compile_seconds"))
        printf("       compiles a program in %.3f s\n", number_of(plugin, "compile_seconds"));
    cJSON_ArrayForEach(test, cJSON_GetObjectItem(plugin, "self_test"))
    {
        printf("       %-4s %s runs it in %.4f s\n", mark(test), text_of(test, "device"),
               number_of(test, "seconds"));
        print_error(test, 12);
    }
    if (cJSON_GetObjectItem(plugin, "devices_left"))
        printf("       %.0f more devices were not tested: out of time\n",
               number_of(plugin, "devices_left"));
}

static void print_plugins(const cJSON *report)
{
    const cJSON *item;
    puts("plugins");
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(report, "plugins")) print_plugin(item);
}

static void print_clients(const cJSON *report)
{
    const cJSON *item, *package, *list = cJSON_GetObjectItem(report, "clients");
    puts(list && list->child ? "clients" : "clients: none on PATH");
    cJSON_ArrayForEach(item, list)
    {
        printf("  %s %s%s%s:", text_of(item, "kind"), text_of(item, "version"),
               *text_of(item, "version") ? " " : "", text_of(item, "folder"));
        const char *separator = " ";
        cJSON_ArrayForEach(package, cJSON_GetObjectItem(item, "packages"))
        {
            printf("%s%s %s", separator, package->string, package->valuestring);
            separator = ", ";
        }
        puts(*separator == ' ' ? " no client" : "");
    }
}

static void print_environment(const cJSON *report)
{
    const cJSON *item, *list = cJSON_GetObjectItem(report, "environment");
    puts(list && list->child ? "environment" : "environment: nothing is set");
    cJSON_ArrayForEach(item, list) printf("  %s=%s\n", item->string, item->valuestring);
}

void doctor_print_problems(const cJSON *report)
{
    int errors = doctor_count(report, DOCTOR_ERROR), notes = doctor_count(report, DOCTOR_NOTE);
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(report, "problems"))
    {
        printf("%-6s ", strcmp(text_of(item, "severity"), "error") ? "note" : "ERROR");
        print_lines(text_of(item, "what"), 7);
        printf("       -> %s\n", text_of(item, "advice"));
    }
    printf("%d error%s, %d note%s\n", errors, errors == 1 ? "" : "s", notes, notes == 1 ? "" : "s");
}

void doctor_print(const cJSON *report)
{
    printf("gantry %s\n", text_of(report, "gantry"));
    print_machine(cJSON_GetObjectItem(report, "machine"));
    print_libraries(report);
    print_plugins(report);
    print_clients(report);
    print_environment(report);
    puts("");
    doctor_print_problems(report);
}
