/* argument_shapes.h: reads the compile option gantry_argument_shapes: the types of a program's
 * arguments, in order, separated by commas: "3x4xf32,s32". Element types have XLA's names or
 * MLIR's. */
#ifndef GANTRY_COMPILER_FRONTEND_ARGUMENT_SHAPES_H
#define GANTRY_COMPILER_FRONTEND_ARGUMENT_SHAPES_H

#include "compiler/ir/type.h"

/* The types are in the arena. Empty text gives none. INVALID_ARGUMENT with the part that is not a
 * type. */
struct error *argument_shapes_read(struct arena *arena, const char *text, int *count,
                                   const struct type *const **out);

#endif
