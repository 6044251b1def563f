/* auto_savings.h: how an answer of automatic sharding needs less memory than its shardings alone:
 * idle values (auto_idle.h) are computed again (auto_cone.h) where they are needed, or are in the
 * host's memory until then. Both are written to the module as a client would: copied operations,
 * behind an optimization_barrier that keeps them from being merged with the first ones, and copies
 * between memory kinds, which hostoffload/ places. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SAVINGS_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SAVINGS_H

#include "compiler/passes/spmd/auto/auto_classes.h"
#include "compiler/passes/spmd/auto/auto_cone.h"

struct auto_savings {
    int count;         /* idle values of the module */
    const uint8_t *at; /* enum auto_saving of each */
};

/* An idle value as a choice. Figures are of the whole value, replicated: all of a stack. */
struct auto_candidate {
    const struct type *type;
    const struct op *maker; /* of the value, or of a stack's elements */
    int number;             /* of the value in the classes; below 0: none */
    double bytes;
    bool can_recompute;
    double multiply_adds, traffic; /* to compute it again; traffic: bytes read and written */
};

struct auto_candidates {
    int count; /* as many as there are idle values */
    const struct auto_candidate *at;
};

/* In the arena. Linear in the program, but for sorting: cones are bounded. */
void auto_savings_find(struct arena *arena, const struct module *module,
                       const struct auto_classes *classes, struct auto_candidates *out);

/* Changes the module: the one that the choices were found in, or a copy of it; shardings make no
 * difference. What cannot be computed again beside the other choices stays. */
void auto_savings_apply(struct module *module, const struct auto_savings *savings);

#endif
