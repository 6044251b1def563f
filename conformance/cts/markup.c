/* markup.c: entities. */
#include "conformance/cts/markup.h"

static const char *entity_of(char c)
{
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
}

void markup_add(struct text *out, const char *words)
{
    for (; words && *words; words++) {
        unsigned char c = (unsigned char)*words;
        if (entity_of(*words))
            text_add(out, "%s", entity_of(*words));
        else
            text_add(out, "%c", c >= ' ' || c == '\n' || c == '\t' ? c : '?');
    }
}
