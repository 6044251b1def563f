/* model_json.h: the modeled plan of a program as JSON (compiler/program/model_plan.h). */
#ifndef GANTRY_REPORT_MODEL_JSON_H
#define GANTRY_REPORT_MODEL_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "compiler/program/model_plan.h"

/* Sets in `root`: argument_bytes, output_bytes, alias_bytes, temp_bytes, peak_bytes,
 * capacity_bytes, fits, seconds, seconds_low, seconds_high, mfu, flops, hbm_bytes, unknown_trips,
 * operations and largest. Returns false when memory is exhausted. */
bool model_json_add(const struct model_plan *plan, cJSON *root);

#endif
