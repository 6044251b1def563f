/* lower_library.h: lowers dots and convolutions that a library of the target computes to steps with
 * a specification (analysis/library_spec.h). */
#ifndef GANTRY_COMPILER_LOWER_LOWER_LIBRARY_H
#define GANTRY_COMPILER_LOWER_LOWER_LIBRARY_H

#include "compiler/lower/lowerer.h"

/* Lowers a dot_general or FUSION_DOT. INTERNAL when no specification describes it; passes/layout.h
 * rewrites such dots. */
struct error *lower_library_dot(struct lowerer *l, const struct op *dot, struct step *out);

struct step lower_library_convolution(struct lowerer *l, const struct op *convolution);

#endif
