/* vhlo_types.h: reads the types of VHLO and StableHLO from bytecode. Both functions: see struct
 * mlir_dialect. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_TYPES_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_TYPES_H

#include "compiler/frontend/bytecode/mlir_entry.h"

struct error *vhlo_types_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                              struct mlir_type *out);

/* Writers convert StableHLO's operations and their types to VHLO, but operations of Shardy keep
 * StableHLO's own type: a token. UNIMPLEMENTED for its other types. */
struct error *vhlo_types_read_stablehlo(struct mlir_file *file, struct bytes *in, uint64_t code,
                                        struct mlir_type *out);

#endif
