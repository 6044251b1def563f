/* markup.h: text inside of XML and HTML. */
#ifndef GANTRY_CONFORMANCE_MARKUP_H
#define GANTRY_CONFORMANCE_MARKUP_H

#include "base/text.h"

/* Adds text with &, <, >, quotes as entities; bytes that XML cannot have become '?'. NULL is
 * empty. */
void markup_add(struct text *out, const char *words);

#endif
