/* vhlo_attrs.h: the attributes of the VHLO dialect, from their bytecode entries. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_ATTRS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_ATTRS_H

#include "compiler/frontend/bytecode/mlir_attr.h"

/* codes, those of enumerations included */
enum vhlo_attr {
    VHLO_ARG_RESULT_ALIAS = 0,
    VHLO_ARRAY = 1,
    VHLO_BOOL = 2,
    VHLO_COMPARISON_DIRECTION = 3,
    VHLO_COMPARISON_TYPE = 4,
    VHLO_API_VERSION = 5,
    VHLO_DICT = 6,
    VHLO_FFT_TYPE = 7,
    VHLO_FLOAT = 8,
    VHLO_INTEGER = 9,
    VHLO_ALIAS = 10,
    VHLO_PRECISION = 11,
    VHLO_RNG_ALGORITHM = 12,
    VHLO_RNG_DISTRIBUTION = 13,
    VHLO_STRING = 14,
    VHLO_TENSOR_DATA = 15,
    VHLO_TRANSPOSE = 16,
    VHLO_TYPE = 17,
    VHLO_TYPE_EXTENSIONS = 18,
    VHLO_RESULT_ACCURACY_MODE = 19,
    VHLO_RESULT_ACCURACY = 20,
    VHLO_ATTR_COUNT = 26
};

/* Reads the fields of the attribute with this code into *out. */
struct error *vhlo_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                              struct mlir_attr *out);

#endif
