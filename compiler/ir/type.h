/* type.h: the type of an IR value: element type, dimensions, layout, memory kind (struct shape) and
 * sharding, which are stored nowhere else. Types are immutable and allocated in the module's arena;
 * compare them with type_equal() and type_same(), never by address. All functions are pure. */
#ifndef GANTRY_COMPILER_IR_TYPE_H
#define GANTRY_COMPILER_IR_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/shape.h"
#include "base/text.h"

enum type_kind { TYPE_TENSOR, TYPE_TOKEN, TYPE_TUPLE };

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
    struct shape shape; /* of tensors and buffers; the verifier rejects SHAPE_DYNAMIC dimensions */
    const struct sharding *sharding;
    const struct quantization *quantization;
    int element_count; /* tuples */
    const struct type *const *elements;
    /* Of an argument of the entry as a frontend reads it: bit d: the size of dimension d is known
     * only at run time, and that of the shape is its bound (passes/dynamic/bounded.h). Ignored
     * everywhere else. */
    uint32_t bounded;
};

/* Constructors copy their arguments into the arena, which has each distinct type once.
 * type_with_dtype() keeps dimensions, layout, memory kind and sharding; type_with_dims() keeps
 * element type and memory kind. */
const struct type *type_tensor(struct arena *arena, enum dtype dtype, int rank,
                               const int64_t *dims);
const struct type *type_scalar(struct arena *arena, enum dtype dtype);
const struct type *type_token(struct arena *arena);
const struct type *type_tuple(struct arena *arena, int count, const struct type *const *elements);
const struct type *type_with_dtype(struct arena *arena, const struct type *type, enum dtype dtype);
const struct type *type_with_dims(struct arena *arena, const struct type *type, int rank,
                                  const int64_t *dims);
/* The same type with another sharding, which is in the arena; NULL: none. */
const struct type *type_with_sharding(struct arena *arena, const struct type *type,
                                      const struct sharding *sharding);
/* Whether a tensor has a SHAPE_DYNAMIC dimension; such a type with other sizes, and all else. */
bool type_is_dynamic(const struct type *type);
const struct type *type_with_sizes(struct arena *arena, const struct type *type,
                                   const int64_t *dims);
/* The same type in another memory; `type` itself when it is there. */
const struct type *type_with_memory(struct arena *arena, const struct type *type,
                                    enum memory_kind memory);

/* The type without layout, memory kind and sharding, for results: they do not inherit the
 * annotations of operands. Returns `type` itself when it has none. */
const struct type *type_plain(struct arena *arena, const struct type *type);

/* The type without its layout. Returns `type` itself when it has none. */
const struct type *type_without_layout(struct arena *arena, const struct type *type);

/* The type of a value's bytes: row-major, with the dimensions permuted to the order of the layout,
 * major to minor. Returns `type` itself when it is row-major. Tiles don't count. */
const struct type *type_stored(struct arena *arena, const struct type *type);

/* The last dimension with more than one element; 0 if none has, -1 of a scalar. */
int type_innermost(const struct type *type);
/* The number of elements, and the size in bytes (unpacked, row-major). -1 when it overflows int64
 * or is dynamic. */
int64_t type_elements(const struct type *type);
int64_t type_bytes(const struct type *type);
/* Writes strides[rank], the distance in elements between neighbors along each dimension of the
 * row-major array. */
void type_strides(const struct type *type, int64_t *strides);

bool type_equal(const struct type *a, const struct type *b);      /* sharding and memory included */
bool type_same_shape(const struct type *a, const struct type *b); /* rank and sizes only */
/* Kind, element type, sizes and quantization; memory and layout are not compared. */
bool type_same(const struct type *a, const struct type *b);
/* "tensor<4x8xf32>"; "tensor<4x8xf32, "pinned_host">" in another memory than the device's */
void type_print(const struct type *type, struct text *out);
char *type_text(struct arena *arena, const struct type *type);

#endif
