/* functions.h: functions that StableHLO has no operation for, built of operations that it has:
 * those of CHLO and of HLO's own list. They compute in f64 (complex numbers in c128) and round
 * once, so that a formula need not be the best one for each type. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_H

#include "compiler/ir/build.h"

/* Is it a name of these, by CHLO's name ("acos", "erf_inv", "next_after", "mulhi" ...)? */
bool functions_know(const char *name);

/* The function's value. INVALID_ARGUMENT for a wrong number of operands or types that it does not
 * take; `name` must be known. All operands have one shape. */
struct error *functions_apply(struct builder *b, const char *name, int count,
                              struct value *const *operands, struct value **out);

/* The first k of a stable sort along the last dimension, and where they stood (s32). */
struct error *functions_top_k(struct builder *b, struct value *operand, int64_t k, bool largest,
                              struct value *out[2]);

#endif
