#include "compiler/frontend/mlir/mlir_enums.h"

#define MLIR_ENUM(name, lowest, ...) static const char *const name##_keywords[] = {__VA_ARGS__};
#include "compiler/frontend/mlir/mlir_enums.def"
#undef MLIR_ENUM

static const struct mlir_enum_info table[MLIR_ENUM_COUNT] = {
#define MLIR_ENUM(name, lowest, ...)                                                               \
    {#name, lowest, (int)(sizeof name##_keywords / sizeof *name##_keywords), name##_keywords},
#include "compiler/frontend/mlir/mlir_enums.def"
#undef MLIR_ENUM
};

const struct mlir_enum_info *mlir_enums_info(enum mlir_enum which)
{
    return &table[which];
}
