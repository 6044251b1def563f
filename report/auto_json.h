/* auto_json.h: how shardings were chosen, as JSON (compiler/program/auto_plan.h). */
#ifndef GANTRY_REPORT_AUTO_JSON_H
#define GANTRY_REPORT_AUTO_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "compiler/program/auto_plan.h"

/* Sets `auto_sharding` in `root`: planned, was_cut, memory_bytes, program_nodes, program_seconds,
 * bound_seconds, and the lists plans (the answer first) and changes of name, seconds, peak_bytes
 * and fits. program_seconds is 0 if the integer program found no answer. Returns false when memory
 * is exhausted. */
bool auto_json_add(const struct auto_plan *plan, cJSON *root);

#endif
