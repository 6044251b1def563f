/* infer_check.h: checks shared by the type inference of all operations. Each returns
 * INVALID_ARGUMENT with the operation, its location, the value found and the values allowed. Used
 * only by compiler/ir/infer*.c. */
#ifndef GANTRY_COMPILER_IR_INFER_CHECK_H
#define GANTRY_COMPILER_IR_INFER_CHECK_H

#include "compiler/ir/ir.h"

#define INFER_MAX_SIZE ((int64_t)1 << 40) /* of window sizes, strides, dilations and paddings */

/* Bits: the classes of element types that an operand may have. */
enum infer_class {
    INFER_PRED = 1 << 0,
    INFER_INTEGER = 1 << 1,
    INFER_FLOAT = 1 << 2,
    INFER_COMPLEX = 1 << 3,
    INFER_NUMBER = INFER_INTEGER | INFER_FLOAT | INFER_COMPLEX,
    INFER_ANY = INFER_NUMBER | INFER_PRED
};

/* INVALID_ARGUMENT: "dot_general at f (model.py:1:2): <message>". */
struct error *infer_check_bad(struct arena *arena, const struct op *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The element type's bit of enum infer_class; 0 for opaque types such as tokens. */
unsigned infer_check_class(enum dtype dtype);

/* Operand i is a tensor; a tensor whose element type is in `classes`; such a scalar. */
struct error *infer_check_tensor(struct arena *arena, const struct op *op, int i);
struct error *infer_check_classes(struct arena *arena, const struct op *op, int i,
                                  unsigned classes);
struct error *infer_check_scalar(struct arena *arena, const struct op *op, int i, unsigned classes);
/* Operands i and j have the same sizes; the same element type. */
struct error *infer_check_same_shape(struct arena *arena, const struct op *op, int i, int j);
struct error *infer_check_same_dtype(struct arena *arena, const struct op *op, int i, int j);

/* Sets result i's type if it is unset, otherwise compares (memory and layout are not compared). */
struct error *infer_check_result(struct arena *arena, struct op *op, int i,
                                 const struct type *type);
struct error *infer_check_result_dims(struct arena *arena, struct op *op, int i, enum dtype dtype,
                                      int rank, const int64_t *dims);
/* Result i has a declared type, a tensor. */
struct error *infer_check_declared(struct arena *arena, const struct op *op, int i);

/* A number in [low, high]; a list of `count` entries, each in [low, high]; a list of distinct
 * numbers in [0, limit). */
struct error *infer_check_range(struct arena *arena, const struct op *op, const char *name,
                                int64_t value, int64_t low, int64_t high);
struct error *infer_check_list(struct arena *arena, const struct op *op, const char *name,
                               struct dims list, int64_t count, int64_t low, int64_t high);
struct error *infer_check_distinct(struct arena *arena, const struct op *op, const char *name,
                                   struct dims list, int64_t limit);
/* Replaces an empty list by `count` times `value`, and empty paddings by zeros. */
void infer_check_default(struct arena *arena, struct dims *list, int64_t count, int64_t value);
void infer_check_default_pairs(struct arena *arena, struct pairs *pairs, int64_t rows);

/* There are `count` regions, each with a block that ends in `return`. */
struct error *infer_check_regions(struct arena *arena, const struct op *op, int count);
/* Region r takes `count` scalar tensors. */
struct error *infer_check_scalar_arguments(struct arena *arena, const struct op *op, int r,
                                           int count);
/* Region r is a reducer: its arguments i and count + i and its i-th result are scalars of one
 * element type, to which the element type of operand `from` + i can be promoted (same class). */
struct error *infer_check_reducer(struct arena *arena, const struct op *op, int r, int count,
                                  int from);
/* Region r returns exactly one scalar of pred. */
struct error *infer_check_returns_pred(struct arena *arena, const struct op *op, int r);
const struct op *infer_check_return(const struct op *op, int r); /* the region's terminator */

/* The size of a windowed dimension: the number of positions of the window. */
struct infer_window {
    int64_t size, stride, low, high, base_dilation, window_dilation;
};
struct error *infer_check_window(struct arena *arena, const struct op *op, int64_t in,
                                 const struct infer_window *window, int64_t *out);

static inline const struct type *infer_check_type(const struct op *op, int operand)
{
    return op->operands[operand]->type;
}

#endif
