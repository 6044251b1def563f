/* literal.h: a constant tensor: a type and its bytes (dense, row-major, unpacked, little-endian),
 * or the bytes of one element that all elements equal (splat). Immutable. The bytes are in the
 * arena or borrowed from the program, which outlives the compile. */
#ifndef GANTRY_COMPILER_IR_LITERAL_H
#define GANTRY_COMPILER_IR_LITERAL_H

#include "compiler/ir/type.h"

struct literal {
    const struct type *type;
    const void *bytes; /* type_bytes(type) bytes, or dtype_bytes(dtype) when splat */
    bool splat;
};

/* The bytes of element i (row-major). */
const void *literal_at(const struct literal *literal, int64_t i);
const struct literal *literal_splat(struct arena *arena, const struct type *type,
                                    const void *element);
const struct literal *literal_dense(struct arena *arena, const struct type *type,
                                    const void *bytes);
const struct literal *literal_from_double(struct arena *arena, const struct type *type,
                                          double value);
/* All elements as int64; NULL unless they are integers or pred. */
const int64_t *literal_int64s(struct arena *arena, const struct literal *literal);
/* True when all elements have the same bytes, splat or not; false if there are no elements. */
bool literal_is_uniform(const struct literal *literal);
bool literal_is_splat_of(const struct literal *literal, double value); /* exact; -0.0 is not 0.0 */
bool literal_equal(const struct literal *a, const struct literal *b);
void literal_print(const struct literal *literal, struct text *out); /* dense<...> */

#endif
