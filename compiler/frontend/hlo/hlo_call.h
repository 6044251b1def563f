/* hlo_call.h: the attributes of HLO's custom calls, and those that any instruction may carry for
 * clients (frontend attributes), as the other formats give them. Everything is in the arena. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_CALL_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_CALL_H

#include "compiler/frontend/hlo/hlo_fields.h"

hlo_fields_set hlo_call_fields;

/* The frontend attributes as {mhlo.frontend_attributes = {key = "value"}}; NULL: none. */
const struct dict *hlo_call_extra(struct arena *arena, const hlo_instruction *in);

/* For calls of the typed interface whose configuration is a dictionary in MLIR's text: adds it to
 * op->extra under mhlo.backend_config. INVALID_ARGUMENT for a dictionary that cannot be read. */
struct error *hlo_call_config(struct arena *arena, const hlo_instruction *in, struct op *op);

/* Bytes as a string that ends in a NUL. */
struct string hlo_call_string(struct arena *arena, ProtobufCBinaryData data);

#endif
