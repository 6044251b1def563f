/* mlir_type.h: MLIR types in a generic form that is independent of dialect and syntax. Types of
 * values are converted to a struct type; others keep their name and are errors only as the type of
 * a value. Everything is in the arena and immutable once read. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_TYPE_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_TYPE_H

#include "compiler/ir/ir.h"

#define MLIR_MAX_WEIGHT (1 << 20) /* parts of an attribute or type, each occurrence counted */

enum mlir_type_kind {
    MLIR_TYPE_OTHER,   /* known by name only: an error as the type of a value */
    MLIR_TYPE_NONE,    /* none */
    MLIR_TYPE_ELEMENT, /* i32, bf16, index, complex<f32>, a quantized type */
    MLIR_TYPE_VALUE,   /* tensor, token, tuple, buffer */
    MLIR_TYPE_FUNCTION
};

struct mlir_types {
    size_t count;
    const struct mlir_type *const *at;
};

struct mlir_type {
    enum mlir_type_kind kind;
    const char *name; /* static or in the arena: for messages */
    int64_t weight;   /* number of contained types, each occurrence counted */
    enum dtype dtype; /* ELEMENT; DTYPE_INVALID for unsupported widths of integers */
    int bits;         /* ELEMENT: width of an integer or float */
    const struct quantization *quantization; /* ELEMENT, may be NULL */
    const struct type *type;                 /* VALUE */
    struct mlir_types inputs, outputs;       /* FUNCTION */
};

/* Adds the weight of a part to its owner's; INVALID_ARGUMENT beyond MLIR_MAX_WEIGHT. */
struct error *mlir_type_weigh(int64_t *owner, int64_t part);

/* Set *out from a type's parts. */
void mlir_type_element(enum dtype dtype, const char *name, struct mlir_type *out);
struct error *mlir_type_complex(struct arena *arena, const struct mlir_type *part,
                                struct mlir_type *out);
/* Gives the unknown sizes of a tensor their bounds, by dimension; SHAPE_DYNAMIC and other negative
 * numbers are none. The shape gets the bounds, and type.bounded says which. INVALID_ARGUMENT unless
 * there is one for each dimension. */
struct error *mlir_type_bound(struct arena *arena, struct dims bounds, struct mlir_type *out);
struct error *mlir_type_tensor(struct arena *arena, struct dims shape,
                               const struct mlir_type *element, struct mlir_type *out);
struct error *mlir_type_tuple(struct arena *arena, struct mlir_types elements,
                              struct mlir_type *out);

/* The IR's type; UNIMPLEMENTED for types that values cannot have. */
struct error *mlir_type_value(const struct mlir_type *type, const struct type **out);

#endif
