/* functions_complex.h: inverse trigonometric and hyperbolic functions of complex numbers (c128),
 * with the special values of C's Annex G: infinities, NaN and signed zeros on both sides of the
 * branch cuts. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_COMPLEX_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_COMPLEX_H

#include "compiler/frontend/functions/functions_math.h"

V *functions_complex_acos(struct builder *b, V *z);
V *functions_complex_acosh(struct builder *b, V *z);
V *functions_complex_asin(struct builder *b, V *z);
V *functions_complex_asinh(struct builder *b, V *z);
V *functions_complex_atan(struct builder *b, V *z);
V *functions_complex_atanh(struct builder *b, V *z);

#endif
