/* auto_cone.h: the operations that compute an idle value again from what is in memory anyway when
 * it is needed:
 *
 *   a value   from arguments, and from what is read at that time or later
 *   a stack   an element from elements of the same number of other stacks that the same loop
 *             fills and the same one reads, from slices of arrays by that number, and from
 *             what is defined outside of both loops */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_CONE_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_CONE_H

#include "base/map.h"
#include "compiler/passes/spmd/auto/auto_idle.h"

/* Of each idle value. */
enum auto_saving { AUTO_STAYS, AUTO_RECOMPUTED, AUTO_OFFLOADED };

enum { AUTO_CONE_OPS = 256 }; /* at most */

struct auto_cone {
    VEC(struct op *) ops;       /* in the order of their dependences; the value is the last's */
    VEC(struct value *) leaves; /* that they read */
};

struct auto_cones { /* what is known of all idle values */
    struct arena *arena;
    const struct module *module;
    const struct auto_idles *idles;
    const uint8_t *savings; /* enum auto_saving of each; NULL: all stay */
    struct map *replaced;   /* values that are in memory again: by what, since when needed */
    struct map *elements;   /* of stacks, as they are pushed: index of the idle value plus 1 */
};

struct auto_cones auto_cone_begin(struct arena *arena, const struct module *module,
                                  const struct auto_idles *idles, const uint8_t *savings);

/* False: it cannot be computed again. */
bool auto_cone_find(const struct auto_cones *cones, int idle, struct auto_cone *out);

/* The stack, as an index of the idle values, that holds the element for the cone of `idle`; -1:
 * none does. */
int auto_cone_stack_of(const struct auto_cones *cones, int idle, const struct value *element);

#endif
