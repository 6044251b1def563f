/* settings.h: the environment variables of base/env.def with their values in this process and where
 * these come from, for `gantry info`. Not thread-safe. */
#ifndef GANTRY_TOOLS_SETTINGS_H
#define GANTRY_TOOLS_SETTINGS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Adds "settings" to `json`: for each variable {"value", "source", "allowed", "valid"}, all but the
 * last as text. The source is "environment", "default", or the variable of other software that
 * Gantry reads in its place. */
void settings_describe(cJSON *json);

/* Whether the value is one of these objects. */
bool settings_is_setting(const cJSON *json);

#endif
