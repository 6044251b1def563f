/* bounded.h: programs with sizes that are known only at run time, up to a bound: tensor<?xf32,
 * #stablehlo.bounds<8>>, or is_dynamic_dimension of an HLO shape. They become static programs whose
 * arrays have the size of the bound, and scalars beside them:
 *
 *   set_dimension_size   the operand; the size belongs to it from there on (sized.h)
 *   get_dimension_size   the size
 *   other operations     have a rule (bounded_rules.h): which sizes their results have, and where
 *                        the padding of an operand must not be read, what takes its place
 *   branches, loops      a further result, and carried value, for each size (bounded_control.c)
 *   arguments, results   of the entry get an additional argument (result) for each size, of type
 *                        s32, behind all others (argument_info.is_size)
 *
 * The sizes are those that XLA's inference of dynamic dimensions gives (xla/service/
 * dynamic_dimension_inference.h, dynamic_padder.h). Needs: no calls. Gives: a module without sizes
 * that vary. Errors: UNIMPLEMENTED with the operation and its location for those without a rule,
 * for a carried value that has a size but no bound, and for programs of several devices. */
#ifndef GANTRY_COMPILER_PASSES_DYNAMIC_BOUNDED_H
#define GANTRY_COMPILER_PASSES_DYNAMIC_BOUNDED_H

#include "compiler/ir/ir.h"

struct target;
struct error *bounded_run(struct module *module, const struct target *target);

#endif
