/* describe.h: describes a plugin as JSON. cJSON is thread-safe except for its error pointer and its
 * allocation hooks, which are not used, as long as no thread calls setlocale(). */
#ifndef GANTRY_TOOLS_DESCRIBE_H
#define GANTRY_TOOLS_DESCRIBE_H

#include <cjson/cJSON.h>

#include "pjrt_c_api.h"

/* Adds to `json` the API version, extensions and attributes, and the platform, devices and memories
 * of a temporary client. Facts that the plugin does not report are omitted. If no client can be
 * created, "error" has the reason. */
void describe_plugin(const PJRT_Api *api, cJSON *json);

#endif
