/* top_text.h: a report of metrics_json.h as the page that `gantry top` shows. */
#ifndef GANTRY_TOOLS_TOP_TEXT_H
#define GANTRY_TOOLS_TOP_TEXT_H

#include <cjson/cJSON.h>

#include "base/text.h"

/* `before`: an earlier report of the same process, from which rates follow; NULL: rates are since
 * the process began. Members that are missing or of other types count as 0 or as absent. */
void top_text_print(const cJSON *report, const cJSON *before, struct text *out);

#endif
