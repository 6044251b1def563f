/* svg_shapes.h: the shapes and colors of the pictures of gantry topo, for light and dark pages.
 * Names of classes are those of the style in svg_shapes.c. One thread at a time. */
#ifndef GANTRY_TOOLS_SVG_SHAPES_H
#define GANTRY_TOOLS_SVG_SHAPES_H

#include "base/text.h"

void svg_box(struct text *out, const char *class, int x, int y, int width, int height);
void svg_line(struct text *out, int x, int y, int to_x, int to_y);
/* A text, escaped, and truncated to `limit` bytes with an ellipsis. */
void svg_label(struct text *out, const char *class, int x, int y, int limit, const char *format,
               ...) __attribute__((format(printf, 6, 7)));
/* Adds the picture with these shapes (moved). */
void svg_page(struct text *out, struct text *shapes, int width, int height);

#endif
