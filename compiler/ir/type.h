/* type.h: the type of an IR value: element type, dimensions, layout, memory kind (struct shape) and
 * sharding; it is the only place where these are stored. Types are immutable and are in the
 * module's arena; they are compared by type_equal() and type_same(), never by address. Pure
 * functions. */
#ifndef GANTRY_COMPILER_IR_TYPE_H
#define GANTRY_COMPILER_IR_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/shape.h"
#include "base/text.h"

enum type_kind { TYPE_TENSOR, TYPE_TOKEN, TYPE_TUPLE, TYPE_BUFFER /* custom calls only */ };

struct sharding; /* compiler/ir/sharding.h; NULL: unspecified */

struct quantization { /* NULL on plain types */
    enum dtype expressed;
    int axis; /* -1: per tensor */
    int64_t storage_min, storage_max;
    int scale_count;
    const double *scales;
    const int64_t *zero_points;
};

struct type {
    enum type_kind kind;
    struct shape shape; /* of tensors and buffers; dimensions are SHAPE_DYNAMIC until refused */
    const struct sharding *sharding;
    const struct quantization *quantization;
    int element_count; /* tuples */
    const struct type *const *elements;
};

/* Constructors copy what they are given into the arena. type_with_dtype() keeps shape, layout,
 * memory and sharding; type_with_dims() keeps element type and memory. */
const struct type *type_tensor(struct arena *arena, enum dtype dtype, int rank,
                               const int64_t *dims);
const struct type *type_scalar(struct arena *arena, enum dtype dtype);
const struct type *type_token(struct arena *arena);
const struct type *type_tuple(struct arena *arena, int count, const struct type *const *elements);
const struct type *type_with_dtype(struct arena *arena, const struct type *type, enum dtype dtype);
const struct type *type_with_dims(struct arena *arena, const struct type *type, int rank,
                                  const int64_t *dims);

/* The type without layout, memory kind and sharding: what an operation makes of an annotated
 * operand does not inherit its annotations. `type` itself when it has none. */
const struct type *type_plain(struct arena *arena, const struct type *type);

/* The type of a value's bytes: row-major, with the dimensions in the order of the layout, major to
 * minor. `type` itself when it is row-major. Its layout has no tiles. */
const struct type *type_stored(struct arena *arena, const struct type *type);

/* Number of elements, and bytes in unpacked row-major form. -1 when it overflows int64 or is
 * dynamic. */
int64_t type_elements(const struct type *type);
int64_t type_bytes(const struct type *type);

bool type_equal(const struct type *a, const struct type *b);      /* sharding and memory included */
bool type_same_shape(const struct type *a, const struct type *b); /* rank and sizes only */
/* Kind, element type, sizes and quantization; memory and layout are not compared. */
bool type_same(const struct type *a, const struct type *b);
/* "tensor<4x8xf32>" */
void type_print(const struct type *type, struct text *out);
char *type_text(struct arena *arena, const struct type *type);

#endif
