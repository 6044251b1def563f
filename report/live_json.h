/* live_json.h: reports the users of a device's memories as JSON for ext_gantry. Thread-safe.
 *
 *   {"device": 0, "memories": [{"kind": "device", "in_use": 128, "buffers": 2,
 *     "largest": [{"count": 2, "bytes": 64, "label": "result 0 of 'jit_f': ..."}],
 *     "others": {"count": 0, "bytes": 0}}]} */
#ifndef GANTRY_REPORT_LIVE_JSON_H
#define GANTRY_REPORT_LIVE_JSON_H

#include <cjson/cJSON.h>

#include "runtime/client.h"

/* Owned: cJSON_Delete. RESOURCE_EXHAUSTED. */
struct error *live_json(const struct client_device *device, cJSON **out);

#endif
