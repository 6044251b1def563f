/* model_json.h: the modeled plan of a program as JSON (compiler/program/model_plan.h). */
#ifndef GANTRY_REPORT_MODEL_JSON_H
#define GANTRY_REPORT_MODEL_JSON_H

#include "compiler/program/model_plan.h"
#include "report/json_stream.h"

/* Adds argument_bytes, output_bytes, alias_bytes, temp_bytes, peak_bytes, capacity_bytes, fits,
 * seconds, seconds_low, seconds_high, mfu, flops, hbm_bytes, unknown_trips, and the lists
 * operations, largest, collectives and kernels. */
void model_json_add(const struct model_plan *plan, struct json_stream *to);

#endif
