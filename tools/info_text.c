/* info_text.c: see info_text.h. */
#include "tools/info_text.h"

#include <stdio.h>
#include <string.h>

#include "tools/settings.h"
#include "tools/topo_view.h"

static void show(const cJSON *json, int depth);

static bool is_flat(const cJSON *list)
{
    for (const cJSON *item = list->child; item; item = item->next)
        if (cJSON_IsArray(item) || cJSON_IsObject(item))
            return false;
    return true;
}

/* Whether a member of this name is a number of bytes. */
static bool counts_bytes(const char *name)
{
    return strstr(name, "bytes") || strstr(name, "alloc_size");
}

static void show_value(const cJSON *value, bool bytes)
{
    char size[TOPO_VIEW_SIZE];
    char *text = cJSON_IsString(value) ? NULL : cJSON_PrintUnformatted(value);
    if (bytes && cJSON_IsNumber(value))
        fputs(topo_view_bytes(value->valuedouble, size), stdout);
    else
        fputs(text ? text : cJSON_IsString(value) ? value->valuestring : "", stdout);
    cJSON_free(text);
}

static void show_list(const cJSON *list, bool bytes)
{
    for (const cJSON *part = list->child; part; part = part->next) {
        fputs(bytes && part != list->child ? ", " : " ", stdout);
        show_value(part, bytes);
    }
    puts(list->child ? "" : " none");
}

/* "auto (default)", "4 (environment)", "abc (environment; allowed: 0 to 65536)". */
static void show_setting(const cJSON *setting)
{
    const char *value = topo_view_text(setting, "value");
    bool valid = topo_view_truth(setting, "valid");
    printf(" %s (%s%s%s)\n", *value ? value : "unset", topo_view_text(setting, "source"),
           valid ? "" : "; NOT ALLOWED, use ", valid ? "" : topo_view_text(setting, "allowed"));
}

/* Prints a member of an object: one line, or indented lines under its name. */
static void show_member(const cJSON *item, int depth)
{
    bool bytes = counts_bytes(item->string);
    printf("%*s%s:", 2 * depth, "", item->string);
    if (settings_is_setting(item)) {
        show_setting(item);
    } else if (cJSON_IsArray(item) && is_flat(item)) {
        show_list(item, bytes);
    } else if (cJSON_IsArray(item) || cJSON_IsObject(item)) {
        puts(item->child ? "" : " none");
        show(item, depth + 1);
    } else {
        putchar(' ');
        show_value(item, bytes);
        putchar('\n');
    }
}

static void show(const cJSON *json, int depth)
{
    for (const cJSON *item = json->child; item; item = item->next) {
        if (cJSON_IsObject(json)) {
            show_member(item, depth);
        } else {
            show(item, depth);
            if (item->next)
                puts("");
        }
    }
}

void info_text_print(const cJSON *json)
{
    show(json, 0);
}
