/* unused_functions.h: removes functions that the entry does not need. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_UNUSED_FUNCTIONS_H
#define GANTRY_COMPILER_PASSES_REWRITE_UNUSED_FUNCTIONS_H

#include "compiler/ir/ir.h"

/* Keeps the entry and what custom calls reference, directly or through such functions. Of inlined
 * modules: other calls do not count. */
void unused_functions_remove(struct module *module);

#endif
