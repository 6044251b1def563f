/* along_dim.h: constructors of operations that change one dimension of a value. Each makes at most
 * one operation and the constants that it needs at the builder's position, none where nothing
 * changes; none fails (build.h). Start indices are integer scalars of any type. */
#ifndef GANTRY_COMPILER_IR_ALONG_DIM_H
#define GANTRY_COMPILER_IR_ALONG_DIM_H

#include "compiler/ir/build.h"

/* Elements first .. first + size. */
struct value *along_dim_slice(struct builder *b, struct value *value, int dim, int64_t first,
                              int64_t size);
/* Element `index`, without the dimension: a slice and a reshape. */
struct value *along_dim_element(struct builder *b, struct value *value, int dim, int64_t index);
/* `size` elements from element `start` on, clamped to the dimension. */
struct value *along_dim_take(struct builder *b, struct value *value, int dim, struct value *start,
                             int64_t size);
/* The same of one element, without the dimension: also a reshape. */
struct value *along_dim_take_one(struct builder *b, struct value *value, int dim,
                                 struct value *start);
/* The value with elements of `update`, from element `start` on. */
struct value *along_dim_update(struct builder *b, struct value *value, int dim,
                               struct value *update, struct value *start);
/* Pads with `fill`, a scalar (NULL: zero), before, behind and between elements; negative numbers
 * before and behind remove elements. */
struct value *along_dim_pad(struct builder *b, struct value *value, int dim, int64_t low,
                            int64_t high, int64_t interior, struct value *fill);
/* Pads the end with zeros, or cuts it, to `size`. */
struct value *along_dim_resize(struct builder *b, struct value *value, int dim, int64_t size);
struct value *along_dim_concatenate(struct builder *b, int count, struct value *const *values,
                                    int dim);
/* The value's type with another size of the dimension, row-major, without a sharding. */
const struct type *along_dim_type(struct builder *b, const struct type *type, int dim,
                                  int64_t size);
/* True for each element whose index along the dimension, plus `start` (an s64 scalar), is in
 * begin .. end (INT64_MIN or INT64_MAX, not both: no bound): a value of the shape of `type`. */
struct value *along_dim_between(struct builder *b, const struct type *type, int dim,
                                struct value *start, int64_t begin, int64_t end);

#endif
