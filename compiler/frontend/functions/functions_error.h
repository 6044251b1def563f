/* functions_error.h: error functions and a Bessel function of f64 or, with an error of about 6 ulp,
 * of f32. NULL operands give NULL. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_ERROR_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_ERROR_H

#include "compiler/frontend/functions/functions_math.h"

V *functions_error_erfc(struct builder *b, V *x);
V *functions_error_erf_inv(struct builder *b, V *x);
/* exp(-|x|) I1(x) */
V *functions_error_bessel_i1e(struct builder *b, V *x);

#endif
