/* plan_model_svg.h: two pictures of a modeled accelerator's plan: the units that each operation
 * keeps busy over the time of one execution, and the roofline. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_MODEL_SVG_H
#define GANTRY_TOOLS_PLAN_MODEL_SVG_H

#include "tools/plan_view.h"

/* Both print a section of the HTML page, or
 * nothing if no operation takes time (has floating-point operations and bytes, of the roofline). */
void plan_model_svg_timeline(const struct plan_view *view, double seconds, struct text *out);
void plan_model_svg_roofline(const struct plan_view *view, struct text *out);

#endif
