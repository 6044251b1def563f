/* plan_kinds.c: see plan_kinds.h. */
#include "tools/plan_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "tools/plan_page.h"

/* "tanh" of "fusion.3: jit(f)/jvp()/tanh (model.py:12:3)", "dot_general" if there is no name. */
static struct plan_kind name_of(const char *label)
{
    const char *begin = strstr(label, ": ");
    begin = begin ? begin + 2 : label;
    const char *end = strstr(begin, " (");
    end = end ? end : begin + strlen(begin);
    for (const char *at = begin; at < end; at++)
        if (*at == '/')
            begin = at + 1;
    return (struct plan_kind){.name = begin, .size = (size_t)(end - begin)};
}

/* Its index, or the count of the kinds if it is not among them. */
static size_t find(const struct plan_kinds *kinds, const struct plan_kind *kind)
{
    size_t i = 0;
    while (i < kinds->count && (kinds->kinds[i].size != kind->size ||
                                memcmp(kinds->kinds[i].name, kind->name, kind->size) != 0))
        i++;
    return i;
}

static int by_area(const void *left, const void *right)
{
    double a = ((const struct plan_kind *)left)->area, b = ((const struct plan_kind *)right)->area;
    return (a < b) - (a > b);
}

void plan_kinds_find(const struct plan_view *view, int memory, struct plan_kinds *out)
{
    out->count = 0;
    for (size_t i = 0; i < view->buffer_count; i++) {
        const struct plan_buffer *at = &view->buffers[i];
        if (at->memory != memory || at->result >= 0)
            continue;
        struct plan_kind kind = name_of(at->operation);
        size_t place = find(out, &kind);
        if (place == PLAN_KINDS_MAX)
            continue;
        if (place == out->count)
            out->kinds[out->count++] = kind;
        out->kinds[place].area += at->bytes * (double)(at->last + 1 - at->first);
    }
    qsort(out->kinds, out->count, sizeof *out->kinds, by_area);
}

static size_t named(const struct plan_kinds *kinds)
{
    return kinds->count <= PLAN_KINDS_COLORS ? kinds->count : PLAN_KINDS_COLORS - 1;
}

int plan_kinds_color(const struct plan_kinds *kinds, const char *operation)
{
    struct plan_kind kind = name_of(operation);
    size_t place = find(kinds, &kind);
    return (int)(place < named(kinds) ? place : PLAN_KINDS_COLORS - 1);
}

void plan_kinds_legend(const struct plan_kinds *kinds, struct text *out)
{
    text_add(out, "<div class=\"legend dim\">");
    for (size_t i = 0; i < named(kinds); i++) {
        char name[80];
        size_t size = kinds->kinds[i].size < sizeof name ? kinds->kinds[i].size : sizeof name - 1;
        memcpy(name, kinds->kinds[i].name, size);
        name[size] = 0;
        text_add(out, "<span><i class=\"c%zu\"></i>", i);
        plan_page_escape(name, SIZE_MAX, out);
        text_add(out, "</span>");
    }
    if (kinds->count > named(kinds))
        text_add(out, "<span><i class=\"c%d\"></i>%zu others</span>", PLAN_KINDS_COLORS - 1,
                 kinds->count - named(kinds));
    text_add(out, "</div>\n");
}
