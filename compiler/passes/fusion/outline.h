/* outline.h: small loops become one kernel. A while whose condition and body cost little per
 * iteration, and hold only what can be generated, moves into a FUSION_REGION, since steps would
 * cost more than its work. Matrix products in it become FUSION_STANDALONE; values it captures
 * become operands. Other loops stay step lists. Needs: fusion has run. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_OUTLINE_H
#define GANTRY_COMPILER_PASSES_FUSION_OUTLINE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *outline_run(struct module *module, const struct target *target);

#endif
