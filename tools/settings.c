/* settings.c: see settings.h. */
#include "tools/settings.h"

#include "base/alloc.h"
#include "base/env_check.h"

/* The number of CPU devices has other sources: plugin/create_options.c reads them in this order. */
static const char *text_of(enum env_variable variable, char flag[64], const char **source)
{
    const char *text = env_text(variable);
    *source = "environment";
    if (text || variable != ENV_GANTRY_CPU_DEVICES)
        return text;
    *source = "environment: CPU_NUM_DEVICES";
    text = env_text(ENV_CPU_NUM_DEVICES);
    if (text || !env_xla_flag("xla_force_host_platform_device_count", flag, 64))
        return text;
    *source = "environment: XLA_FLAGS";
    return flag;
}

static void add_allowed(cJSON *json, enum env_variable variable)
{
    struct text text = {0};
    char *allowed;
    env_add_allowed(variable, &text);
    struct error *error = text_finish(&text, &allowed, NULL);
    if (!error)
        cJSON_AddStringToObject(json, "allowed", allowed);
    error_free(error);
    alloc_free(allowed);
}

void settings_describe(cJSON *json)
{
    cJSON *settings = cJSON_AddObjectToObject(json, "settings");
    for (int i = 0; i < ENV_COUNT; i++) {
        char flag[64];
        const char *source, *text = text_of((enum env_variable)i, flag, &source);
        cJSON *item = cJSON_AddObjectToObject(settings, env_name(i));
        cJSON_AddStringToObject(item, "value", text ? text : env_default(i));
        cJSON_AddStringToObject(item, "source", text ? source : "default");
        add_allowed(item, i);
        cJSON_AddBoolToObject(item, "valid", !text || env_allows(i, text));
    }
}

bool settings_is_setting(const cJSON *json)
{
    return cJSON_IsObject(json) && cJSON_GetObjectItem(json, "source") &&
           cJSON_GetObjectItem(json, "allowed");
}
