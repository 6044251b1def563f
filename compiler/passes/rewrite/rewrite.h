/* rewrite.h: helpers that passes share. They only change the graph; new objects are allocated in
 * the module's arena. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_REWRITE_H
#define GANTRY_COMPILER_PASSES_REWRITE_REWRITE_H

#include "compiler/ir/build.h"

/* A builder that inserts operations before `op`, with its location. */
struct builder rewrite_before(struct module *module, const struct op *op);

/* Replaces every use of op's results by `values` (one for each result) and removes op. Errors,
 * which leave op as it is: that of build_check() for a value that could not be built; INTERNAL when
 * a value has another type than the result. */
struct error *rewrite_replace(struct module *module, struct op *op, struct value *const *values);
struct error *rewrite_with(struct module *module, struct op *op,
                           struct value *value); /* one result */

/* A list in the arena: begin, begin + 1 ... (count numbers). */
struct dims rewrite_range(struct module *module, int64_t begin, int64_t count);
struct dims rewrite_dims(struct module *module, const int64_t *at, int64_t count);
/* True for 0, 1, 2 ... */
bool rewrite_is_range(struct dims list);

/* A scalar spread over all of `type`'s sizes. */
struct value *rewrite_spread(struct builder *b, struct value *scalar, const struct type *type);
/* A vector spread along dimension `dim` of `type`. */
struct value *rewrite_spread_along(struct builder *b, struct value *vector, const struct type *type,
                                   int64_t dim);

#endif
