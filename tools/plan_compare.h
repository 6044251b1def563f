/* plan_compare.h: differences of the plans of two programs: memory, time, collectives, and changes
 * by source line. Reads the JSON of PJRT_Gantry_Plan. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_COMPARE_H
#define GANTRY_TOOLS_PLAN_COMPARE_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/text.h"

struct plan_side {     /* one of the two */
    const char *name;  /* of its file */
    const cJSON *json; /* borrowed */
};

/* As text, or as JSON with the members
 *
 *   figures      name, unit ("bytes", "seconds", "flops", "count"), a, b: what either has
 *   collectives  kind, count_a, count_b, bytes_a, bytes_b: that a device sends in an execution
 *   lines        where, bytes_a, bytes_b: of what is alive at the peak of the device's memory;
 *                seconds_a, seconds_b; sent_a, sent_b; the lines at which these differ, the
 *                largest changes first
 *
 * INVALID_ARGUMENT when one of them is not a plan, RESOURCE_EXHAUSTED. */
struct error *plan_compare_print(const struct plan_side sides[2], bool as_json, struct text *out);

#endif
