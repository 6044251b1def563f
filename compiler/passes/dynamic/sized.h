/* sized.h: values with bounded dimensions, and their sizes. Such a value has a static type, whose
 * sizes are bounds; along a dimension with a size (an s32 scalar of the program, in [0, bound]) the
 * elements from this size on are padding: anything. */
#ifndef GANTRY_COMPILER_PASSES_DYNAMIC_SIZED_H
#define GANTRY_COMPILER_PASSES_DYNAMIC_SIZED_H

#include "compiler/ir/build.h"

struct sized {
    struct module *module;
    struct map *sizes; /* value -> its sizes by dimension (NULL: static) */
};

/* The size of a dimension; NULL: it is that of the type. */
struct value *sized_of(const struct sized *s, const struct value *value, int64_t dimension);
void sized_set(struct sized *s, const struct value *value, int64_t dimension, struct value *size);
/* Whether a dimension has a size. */
bool sized_any(const struct sized *s, const struct value *value);
/* Whether a dimension of an operand of `op` has one. */
bool sized_any_operand(const struct sized *s, const struct op *op);
/* All sizes of `from` become those of `to`, a value of the same rank. */
void sized_copy(struct sized *s, const struct value *to, const struct value *from);

/* The size of a dimension as a value, also where it is static. */
struct value *sized_value(const struct sized *s, struct builder *b, const struct value *value,
                          int64_t dimension);
/* s32 arithmetic with a constant. */
struct value *sized_with(struct builder *b, enum op_code code, struct value *size, int64_t number);
/* The index of each element along a dimension: s32, of the sizes of `type`. */
struct value *sized_index(struct builder *b, const struct type *type, int64_t dimension);
/* Whether each element of an array of the sizes of `type` is before `size` in a dimension. */
struct value *sized_inside(struct builder *b, const struct type *type, int64_t dimension,
                           struct value *size);
/* The value with `fill`, a scalar, from `size` on along a dimension. */
struct value *sized_mask_by(struct builder *b, struct value *value, int64_t dimension,
                            struct value *size, struct value *fill);
/* The same with the size of that dimension; the value itself where it has none. */
struct value *sized_mask(const struct sized *s, struct builder *b, struct value *value,
                         int64_t dimension, struct value *fill);

/* UNIMPLEMENTED: "reverse at f (model.py:1:2): dimension 0 of operand 1 has a size ...". */
struct error *sized_refuse(const struct sized *s, const struct op *op);

#endif
