/* dispatch.h: the top of code generation. Maps each operation, and each kind of fusion, to the
 * function that emits it. */
#ifndef GANTRY_COMPILER_CODEGEN_DISPATCH_H
#define GANTRY_COMPILER_CODEGEN_DISPATCH_H

#include "compiler/codegen/kernels/kernel.h"

extern const struct dispatch dispatch_table;

#endif
