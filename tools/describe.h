/* describe.h: what a plugin says of itself, as JSON. cJSON is thread-safe but for its error pointer
 * and its allocation hooks, neither of which is used, and while no thread calls setlocale(). */
#ifndef GANTRY_TOOLS_DESCRIBE_H
#define GANTRY_TOOLS_DESCRIBE_H

#include <cjson/cJSON.h>

#include "pjrt_c_api.h"

/* Adds to `json`: the API's version, extensions, attributes and, of a client it makes for that,
 * platform, devices and memories. What the plugin does not report is omitted; when it gives no
 * client, "error" says why. */
void describe_plugin(const PJRT_Api *api, cJSON *json);

#endif
