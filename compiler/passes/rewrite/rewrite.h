/* rewrite.h: helpers for graph rewrites. New objects are allocated in the module's arena. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_REWRITE_H
#define GANTRY_COMPILER_PASSES_REWRITE_REWRITE_H

#include "compiler/ir/build.h"

/* A builder that inserts operations before `op`, with its location. */
struct builder rewrite_before(struct module *module, const struct op *op);

/* Replaces every use of op's results by `values`, one per result, and removes op. On error op is
 * unchanged: the error of build_check() for a value that could not be built, or INTERNAL if the
 * type of a value differs from that of the result. */
struct error *rewrite_replace(struct module *module, struct op *op, struct value *const *values);
/* The same for an op with one result. */
struct error *rewrite_with(struct module *module, struct op *op, struct value *value);

/* Returns the `count` numbers begin, begin + 1, ... in the arena. */
struct dims rewrite_range(struct module *module, int64_t begin, int64_t count);
/* Returns a copy of `count` numbers in the arena. */
struct dims rewrite_dims(struct module *module, const int64_t *at, int64_t count);
/* Returns permutation[i] for each i of the list, in the arena. */
struct dims rewrite_permuted(struct module *module, struct dims list, const int64_t *permutation);
/* Whether list is 0, 1, 2, ...; whether it is nothing but a number. */
bool rewrite_is_range(struct dims list);
bool rewrite_is_all(struct dims list, int64_t number);

/* Broadcasts a scalar to the shape of `type`. */
struct value *rewrite_broadcast_scalar(struct builder *b, struct value *scalar,
                                       const struct type *type);
/* Broadcasts a vector to the shape of `type`: its index is that of dimension `dim`. */
struct value *rewrite_broadcast_vector(struct builder *b, struct value *vector,
                                       const struct type *type, int64_t dim);
/* The transpose in the block of a value's definition that is the only use of the value, or NULL. */
struct op *rewrite_only_transpose(const struct value *value);
/* The operand of a concatenation that has all elements from `first` to `last` of its dimension, and
 * in *before how many are in operands before it; NULL when several operands have them. */
struct value *rewrite_piece(const struct op *concatenate, int64_t first, int64_t last,
                            int64_t *before);

#endif
