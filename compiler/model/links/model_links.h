/* model_links.h: how long collectives take on the links between chips. Chips of a slice are a
 * torus; an axis is a ring or a line (accelerator.h). Bytes go along all axes that a group has at
 * once; of an axis with k members a chip has two links in a ring, one at the end of a line:
 *
 *   all-gather, reduce-scatter, broadcast of V bytes by n chips: V (n-1)/n / the links' rates
 *   all-reduce: twice that
 *   all-to-all of b bytes a device: the slowest axis' b/k floor(k^2/4) / its links' rate
 *   permute: the link that most bytes cross, when each goes the shorter way along x, then y,
 *            then z
 *
 * and for each chip on the longest way a hop. Groups whose members are not neighbors share the
 * links between them with the groups to which those belong. */
#ifndef GANTRY_COMPILER_MODEL_LINKS_MODEL_LINKS_H
#define GANTRY_COMPILER_MODEL_LINKS_MODEL_LINKS_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

struct model_links { /* set module and target, and the rest to zero */
    const struct module *module;
    const struct target *target;
    /* In the module's arena: */
    int64_t *crossings; /* of each link, all 0 between calls */
    struct map *uses;   /* which links a list of groups uses, by the address of its members */
};

/* Seconds of one execution of a collective among `groups`, each member of which has an operand of
 * `bytes` bytes, without what it does in the memory of each. Linear in members and their distances
 * for the first collective among these groups, which are recognized by the address of their
 * members: equal groups of collective_groups() have one. Later ones are linear in the groups'
 * different boxes: the groups along axes of a mesh are mostly equal but for their place. */
double model_links_seconds(struct model_links *links, const struct op *op,
                           const struct program_groups *groups, double bytes);

#endif
