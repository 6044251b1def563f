/* mlir_type.h: types of MLIR in one generic form, whatever dialect they are of and however they are
 * written. What the IR can hold becomes a struct type here; the rest keeps its name, and is an
 * error only where a value would have it. Everything is in the arena and immutable once read. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_TYPE_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_TYPE_H

#include "compiler/ir/ir.h"

#define MLIR_MAX_WEIGHT                                                                            \
    (1 << 20) /* parts of one attribute or type, shared ones counted as often as they occur */

enum mlir_type_kind {
    MLIR_TYPE_OTHER,   /* known by name only: an error where a value has it */
    MLIR_TYPE_NONE,    /* "no type" as an attribute's value */
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
    int64_t weight;   /* number of types in it, shared ones as often as they occur */
    enum dtype dtype; /* ELEMENT; DTYPE_INVALID for integers of odd widths */
    int bits;         /* ELEMENT: width of an integer or float */
    const struct quantization *quantization; /* ELEMENT, may be NULL */
    const struct type *type;                 /* VALUE */
    struct mlir_types inputs, outputs;       /* FUNCTION */
};

/* Adds a part's weight to its owner's; INVALID_ARGUMENT beyond MLIR_MAX_WEIGHT. */
struct error *mlir_type_weigh(int64_t *owner, int64_t part);

/* Fill *out from a type's parts. */
void mlir_type_element(enum dtype dtype, const char *name, struct mlir_type *out);
struct error *mlir_type_complex(struct arena *arena, const struct mlir_type *part,
                                struct mlir_type *out);
struct error *mlir_type_tensor(struct arena *arena, struct dims shape,
                               const struct mlir_type *element, struct mlir_type *out);
struct error *mlir_type_tuple(struct arena *arena, struct mlir_types elements,
                              struct mlir_type *out);

/* The IR's type of a value; UNIMPLEMENTED for types that values cannot have. */
struct error *mlir_type_value(const struct mlir_type *type, const struct type **out);

#endif
