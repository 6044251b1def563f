/* label.h: the origin of a storage's contents, for messages and memory reports: the result of a
 * program, a program's temporaries, a host array. A label refers to the originating object and is
 * formatted only on request, so that an allocation costs one reference. By value; thread-safe if
 * the object is. */
#ifndef GANTRY_MEMORY_LABEL_H
#define GANTRY_MEMORY_LABEL_H

#include <stddef.h>

#include "base/text.h"

struct label_kind { /* static */
    /* Reference counting of the object; both NULL when there is nothing to count. Called with a
     * lock of live.h held, so they must not acquire another lock of the core or call a function of
     * a client. */
    void (*retain)(void *object);
    void (*release)(void *object);
    /* "result 0 of 'jit_f': dot.3: jit(f)/dot_general (model.py:12:3)" */
    void (*print)(const void *object, int index, struct text *out);
};

struct label {                     /* borrowed until label_retain() is called for it */
    const struct label_kind *kind; /* NULL: unknown */
    void *object;
    int index; /* defined by the kind */
};

static inline void label_retain(const struct label *label)
{
    if (label->kind && label->kind->retain)
        label->kind->retain(label->object);
}
static inline void label_release(const struct label *label)
{
    if (label->kind && label->kind->release)
        label->kind->release(label->object);
}
static inline int label_equal(const struct label *a, const struct label *b)
{
    return a->kind == b->kind && a->object == b->object && a->index == b->index;
}
static inline void label_print(const struct label *label, struct text *out)
{
    if (label->kind)
        label->kind->print(label->object, label->index, out);
    else
        text_add(out, "a buffer of the client");
}

#endif
