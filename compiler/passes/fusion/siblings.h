/* siblings.h: kernels that read the same arrays become one. Two fusions that compute elements of
 * the same shape, one by one, from a common array, and of which neither needs the other, read that
 * array once, share what both compute of it, and are one step. In the body of a loop a carried
 * array that both read is then free when both are done, so that its new value may overwrite it.
 * Requires fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_SIBLINGS_H
#define GANTRY_COMPILER_PASSES_FUSION_SIBLINGS_H

#include "compiler/ir/ir.h"

struct target;

struct error *siblings_run(struct module *module, const struct target *target);

#endif
