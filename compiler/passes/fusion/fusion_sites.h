/* fusion_sites.h: where inside the loops of a kernel a value is computed, and so how often.
 *
 * A kernel's root has a loop a dimension, the first outermost; a reduction opens further loops
 * inside. Generated code computes everything in the outermost loop that it depends on. A `site`
 * says, for every dimension of a value, which loop variable its index comes from and how often
 * that loop's body runs. A value is computed at as many sites as it has different indices. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_SITES_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_SITES_H

#include "compiler/ir/ir.h"

struct site_dim {
    uint64_t var; /* identity of the index expression; 0 for a dimension of size 1 */
    double cum;   /* how often the body of its loop runs; 0 for a dimension of size 1 */
};
struct site {
    int rank;
    struct site_dim *dims;
    bool inner; /* inside the loop of a reduction */
};
/* at most SITES_MAX are kept; `count` may be more */
struct sites {
    int count;
    struct site *at;
};
enum { SITES_MAX = 6 };

/* The loops over a root. */
struct site site_root(struct arena *arena, const struct op *root);
/* Where operand `operand` of op is computed when op is computed at `site`. */
struct site site_of_operand(struct arena *arena, const struct op *op, int operand,
                            const struct site *site);
bool site_equal(const struct site *a, const struct site *b); /* the same index */
/* How often a value is computed at a site: at least once. */
double site_evals(const struct site *site);
/* Unless it is there. */
void sites_add(struct arena *arena, struct sites *sites, const struct site *site);
double sites_evals(const struct sites *sites);

/* A reshape whose operand's dimensions are each split into several (or kept, or size 1 put in or
 * taken out): its index is a sum of products. */
bool site_reshape_splits(const struct op *reshape);

#endif
