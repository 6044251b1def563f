/* functions.h: expands functions of CHLO and HLO for which the IR has no operation. Most are
 * computed in f64 (complex numbers in c128) and rounded once, so that one formula is accurate
 * enough for all types. Functions that would take much longer than in f32 are computed in f32 for
 * floats of up to 32 bits, with an error of a few ulp. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_H

#include "compiler/ir/build.h"

/* True for the name of a function: "acos", "erf_inv", "next_after", "mulhi" ... */
bool functions_is_known(const char *name);

/* Builds the value of a known function. All operands must have the same type. INVALID_ARGUMENT for
 * a wrong number of operands and for types that the function does not accept. */
struct error *functions_apply(struct builder *b, const char *name, int count,
                              struct value *const *operands, struct value **out);

/* The first k elements of a stable sort along the last dimension, and their original indices (s32).
 */
struct error *functions_top_k(struct builder *b, struct value *operand, int64_t k, bool largest,
                              struct value *out[2]);

#endif
