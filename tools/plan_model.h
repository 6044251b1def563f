/* plan_model.h: the plan of a modeled accelerator, as text or HTML page: whether it fits, the
 * largest values, step time with its uncertainty, operations by time, suggested changes. Reads the
 * JSON of PJRT_Gantry_Plan of a program that was compiled for its plan. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_MODEL_H
#define GANTRY_TOOLS_PLAN_MODEL_H

#include "tools/plan_view.h"

/* Whether the JSON has a modeled plan. */
bool plan_model_has(const cJSON *json);

void plan_model_text(const cJSON *json, const struct plan_view *view, struct text *out);
/* `more`: sections to add at the end of the page, as HTML; NULL: none. */
void plan_model_html(const cJSON *json, const struct plan_view *view, const char *more,
                     struct text *out);

#endif
