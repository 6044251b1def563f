/* fusion_split.h: computes some values of a fusion's body in kernels of their own. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_FUSION_SPLIT_H
#define GANTRY_COMPILER_PASSES_REWRITE_FUSION_SPLIT_H

#include <stddef.h>

#include "compiler/ir/ir.h"

/* Whether an operand of a fusion is defined where the new kernels will be. */
typedef bool fusion_split_test(const struct value *operand, const void *context);

/* Whether all operands that the values depend on pass the test. `values`: results of operations at
 * the top of the fusion's body. Linear in the body. */
bool fusion_split_may(struct arena *arena, const struct op *fusion, size_t count,
                      struct value *const *values, fusion_split_test *is_defined,
                      const void *context);

/* Inserts a FUSION_LOOP for each value in front of `position`, and replaces the fusion, which it
 * removes, by one of its kind that reads them. Returns that one. What several kernels need and is
 * none of the values is computed in each. Requires that the operands pass fusion_split_may(). */
struct op *fusion_split(struct module *module, struct op *fusion, size_t count,
                        struct value *const *values, struct op *position);

#endif
