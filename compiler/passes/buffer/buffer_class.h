/* buffer_class.h: classes of values that share memory. Merging is O(log n) a member on average, and
 * so is asking which members are live at some time. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_CLASS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_CLASS_H

#include "compiler/ir/ir.h"
#include "compiler/passes/buffer/live_ranges.h"

struct item { /* a value with all other names of its bytes; value->note */
    struct value *value;
    int64_t def, last;
    uint64_t bytes;
    struct class *class;
    struct item *next; /* in the class */
    struct live_range range;
};

struct class
{
    struct class *joined; /* into which other class, or NULL */
    struct item *members;
    size_t member_count;
    struct live_ranges ranges; /* of the members */
    int64_t def, last;
    uint64_t bytes, offset;
    int allocation;        /* -1: temp */
    bool fixed;            /* parameter or constant: never written here */
    struct op *scratch_of; /* a fusion's scratch, not a value */
};

/* The class that an item is in now, after merges. */
struct class *buffer_class_of(const struct item *item);
/* Makes `from` a part of `into`, which takes over its allocation if there is one. */
void buffer_class_merge(struct class *into, struct class *from);
/* Whether any two items, one of each class, that are live at one time pass the test. */
bool buffer_class_any(const struct class *x, const struct class *y,
                      bool (*test)(void *item, struct live_range *other));

#endif
