/* plan_page.h: parts of the HTML page of a memory plan (plan_html.c, plan_svg.c). */
#ifndef GANTRY_TOOLS_PLAN_PAGE_H
#define GANTRY_TOOLS_PLAN_PAGE_H

#include "tools/plan_view.h"

/* Writes at most `most` bytes of `words`, escaped for HTML. */
void plan_page_escape(const char *words, size_t max, struct text *out);

/* Begins a page with a title, up to and including its heading. */
void plan_page_begin(const char *title, struct text *out);

/* Draws one memory in program order as an inline SVG: the bytes in use, and below them the offsets
 * of the temporaries. The memory must have temporaries. */
void plan_page_picture(const struct plan_view *view, int memory, struct text *out);

#endif
