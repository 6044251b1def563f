/* metrics_json.h: the metrics of this process as JSON, for pjrt_c_api_gantry_extension.h and
 * `gantry top`. From the first report on, executions are timed. Thread-safe.
 *
 *   {"version": 1, "pid": 4711, "build": "gantry 0.1.0 ...", "seconds": 12.5,
 *    "counters": {"compilations": 3, ...},                         a row of metrics.def each
 *    "times": {"compile": {"count": 3, "seconds": 0.4, "p50": 0.1, "p90": 0.2, "p99": 0.2,
 *                          "max": 0.2}, "execute": {...}},         seconds; percentiles within 6 %
 *    "programs": [{"name": "jit_f", "compilations": 2, "seconds": 0.3, "last_seconds": 0.1,
 *                  "reason": "argument 0 was f32[4], is f32[5]"}],  the dearest first
 *    "devices": [{"name": "gantry_cpu:0", "queued": 1, "program": "jit_f", "program_seconds": 2.5,
 *                 "step": "dot_general at a.py:7", "step_seconds": 0.1,
 *                 "memories": [as in live_json.h, and "limit" (0: none), "peak"]}]} */
#ifndef GANTRY_REPORT_METRICS_JSON_H
#define GANTRY_REPORT_METRICS_JSON_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* Owned: cJSON_Delete. RESOURCE_EXHAUSTED. */
struct error *metrics_json(cJSON **out);

#endif
