/* functions_gamma.h: the gamma function and related functions of f64; zeta of f32, too. NULL
 * operands give NULL. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_GAMMA_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_GAMMA_H

#include "compiler/frontend/functions/functions_math.h"

V *functions_gamma_lgamma(struct builder *b, V *x);
V *functions_gamma_digamma(struct builder *b, V *x);
V *functions_gamma_zeta(struct builder *b, V *x, V *q);
V *functions_gamma_polygamma(struct builder *b, V *n, V *x);

#endif
