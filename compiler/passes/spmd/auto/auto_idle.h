/* auto_idle.h: values that take memory at a time at which nothing reads them, as those that the
 * forward pass of a training step leaves to the backward one. There are two forms:
 *
 *   a value   of the entry function, made or read before the moment at which most is live, and
 *             read again after it
 *   a stack   that a loop fills with an element in each iteration, and another loop reads an
 *             element of in each (the results that a scan leaves to its gradient) */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_IDLE_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_IDLE_H

#include <stdint.h>

#include "base/vec.h"
#include "compiler/ir/ir.h"

struct auto_idle {
    struct value *value; /* a stack: the result of the loop that fills it */
    /* The operation of the entry function before which it is needed again; of a stack: the loop
     * that reads it. */
    struct op *late;
    struct op *push; /* the dynamic_update_slice that adds an element; NULL: no stack */
    int64_t count;   /* elements of a stack, each written once; 1: no stack; 0: not known */
};

struct auto_idles {
    VEC(struct auto_idle) items; /* in the order of `late` */
};

enum { AUTO_IDLE_MOST = 512 }; /* the largest ones */

/* Reads a module that is flat, and numbers the entry's operations in their notes: the same values
 * for every copy of a module. In the arena. O(n log n). */
void auto_idle_find(struct arena *arena, const struct module *module, struct auto_idles *out);

/* The place of an operation of the entry function, or of the one around it, in program order. */
int64_t auto_idle_position(const struct module *module, const struct op *op);
/* The place of the value's last use. */
int64_t auto_idle_last_use(const struct module *module, const struct value *value);

#endif
