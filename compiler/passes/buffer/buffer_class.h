/* buffer_class.h: classes of values that share memory. Merging takes O(log n) per member on
 * average, as does finding the members that are live at a given time. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_CLASS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_CLASS_H

#include "base/vec.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/buffer/live_ranges.h"

/* An operation that uses a value, or the outermost loop around it: it is live until `time`. */
struct buffer_use {
    const struct op *op;
    int64_t time;
    int operand; /* the number of the operand; -1 where `op` is a loop around the use */
};

struct item { /* a value and its aliases; stored in value->note */
    struct value *value;
    int64_t def, last;
    uint64_t bytes;
    struct class *class;
    struct item *next;             /* the next one in the class */
    VEC(struct buffer_use) uses;   /* in order of time */
    VEC(struct live_range) ranges; /* in order, apart; from `def` to `last` */
};

struct class
{
    struct class *merged_into; /* another class, or NULL */
    struct item *members;
    struct live_ranges ranges; /* of the members */
    size_t range_count;
    int64_t def, last;
    uint64_t bytes, offset;
    int allocation;          /* -1: temporary */
    enum memory_kind memory; /* classes of different kinds merge only in buffer_coalesce_always() */
    bool read_only;          /* a parameter or constant, which the plan never writes */
    struct op *scratch_of;   /* the fusion, for a scratch class; NULL for classes of values */
};

/* The current class of an item, after all merges so far. */
struct class *buffer_class_of(const struct item *item);
/* Merges `from` into `into`, which takes over the allocation of `from` if it has one. */
void buffer_class_merge(struct class *into, struct class *from);
/* Whether `test` returns true for any pair of live ranges, one of each class, that overlap. */
bool buffer_class_any(const struct class *x, const struct class *y,
                      bool (*test)(void *range, struct live_range *other));

#endif
