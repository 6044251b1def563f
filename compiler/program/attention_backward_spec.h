/* attention_backward_spec.h: which steps for the gradient of attention (struct
 * attention_backward_spec, program.h) are executed, and what memory they read and write. The
 * compiler asks before it makes one, program_check proves it of programs of any origin. Pure
 * functions, thread-safe. The limits of sizes are those of attention_spec.h. */
#ifndef GANTRY_COMPILER_PROGRAM_ATTENTION_BACKWARD_SPEC_H
#define GANTRY_COMPILER_PROGRAM_ATTENTION_BACKWARD_SPEC_H

#include "compiler/program/program.h"

/* Whether the five products fit together, with arrays of rows dense and row-major in all of them,
 * and are of types and sizes that the step supports. */
bool attention_backward_spec_is_supported(const struct attention_backward_spec *spec);

/* The number of slices of a supported step. */
int attention_backward_spec_slices(const struct attention_backward_spec *spec);

/* Whether the products of a supported step stay inside its slices, as many as there should be. */
bool attention_backward_spec_fits(const struct attention_backward_spec *spec,
                                  const struct slice *slices);

#endif
