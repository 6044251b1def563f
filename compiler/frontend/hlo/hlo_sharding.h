/* hlo_sharding.h: reads shardings (OpSharding). */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_SHARDING_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_SHARDING_H

#include "compiler/frontend/hlo/hlo_body.h"
#include "compiler/ir/sharding_parse.h"

/* The sharding of a leaf: an element of a tuple's sharding, else `from` itself. */
const Gantry__Hlo__Sharding *hlo_sharding_leaf(const Gantry__Hlo__Sharding *from, size_t leaf);

/* The sharding of a value of this type; unknown when `from` is NULL or the value is no tensor.
 * Errors: those of sharding_tiles_read(), INVALID_ARGUMENT for too many dimensions, and those of
 * hlo_module_charge() for lists of many devices. Linear in the size of `from`; callers share the
 * result between leaves that share `from`. */
struct error *hlo_sharding_read(struct hlo *h, const Gantry__Hlo__Sharding *from,
                                const struct type *type, struct sharding_note *out);

/* Adds the sharding of an instruction to the types of the operation's results, and appends a
 * sharding_group for each result that is in a group. Errors: those of hlo_sharding_read(). */
struct error *hlo_sharding_annotate(struct hlo_frame *f, const hlo_instruction *in, struct op *op);

/* Reads a serialized OpSharding of `count` values; a tuple has one for each of them. out[i] is NULL
 * for an unknown sharding and for values that are no tensors. Errors: those of wire_unpack() and
 * sharding_tiles_read(), INVALID_ARGUMENT for a tuple of another number. */
struct error *hlo_sharding_parse(const struct module *module, struct string bytes, int count,
                                 const struct type *const *types, const struct sharding **out);

#endif
