/* repeated_batch.h: reads a broadcast operand of a product with vectors unbroadcast, if it is
 * repeated along batching dimensions, like keys and values shared by several query heads:
 *
 *   dot(q[b, h * r, ...], reshape(broadcast(k[b, h, ...], [b, h, r, ...])))
 *
 * becomes a product of q[b, h, r, ...] and k with the batching dimensions b and h: r counts rows of
 * q. A transposed operand is read in its original layout, and a transpose of the result is applied
 * to the product's dimensions; what remains of them are the transposes that layout.h expects.
 * Requires canonical operations; leaves unused operations. No errors of its own. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_REPEATED_BATCH_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_REPEATED_BATCH_H

#include "compiler/ir/ir.h"

struct target;
struct error *repeated_batch_run(struct module *module, const struct target *target);

#endif
