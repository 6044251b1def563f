/* mlir_enums.h: the enumerations of mlir_enums.def with their numbers and keywords. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_ENUMS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_ENUMS_H

enum mlir_enum {
#define MLIR_ENUM(name, ...) MLIR_ENUM_##name,
#include "compiler/frontend/mlir/mlir_enums.def"
#undef MLIR_ENUM
    MLIR_ENUM_COUNT
};

struct mlir_enum_info {
    const char *name;
    int lowest, count; /* numbers are lowest .. lowest + count - 1 */
    const char *const *keywords;
};
const struct mlir_enum_info *mlir_enums_info(enum mlir_enum which); /* static */

#endif
