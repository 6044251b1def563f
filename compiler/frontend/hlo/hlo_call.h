/* hlo_call.h: reads the attributes of HLO's custom calls and the frontend attributes of any
 * instruction. Everything is in the arena. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_CALL_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_CALL_H

#include "compiler/frontend/hlo/hlo_fields.h"

hlo_fields_set hlo_call_fields;

/* Those of a ragged-all-to-all, which is the custom call @ragged_all_to_all in the IR. */
hlo_fields_set hlo_call_ragged;

/* Frontend attributes as {key = "value"}; NULL: none. */
const struct dict *hlo_call_frontend(struct arena *arena,
                                     const Gantry__Hlo__FrontendAttributes *from);

/* The frontend attributes as {mhlo.frontend_attributes = {key = "value"}}; NULL: none. */
const struct dict *hlo_call_discardable(struct arena *arena, const hlo_instruction *in);

/* If the call is of the typed FFI and its configuration is a dictionary in MLIR text, adds it to
 * op->discardable as mhlo.backend_config; of a ragged-all-to-all, {replica_groups, channel_id}.
 * INVALID_ARGUMENT for a malformed dictionary or malformed groups. */
struct error *hlo_call_config(struct hlo *h, const hlo_instruction *in, struct op *op);

/* Notes the device on which the instruction's sharding puts the operation, if it does
 * (ir_device). */
void hlo_call_place(const hlo_instruction *in, struct op *op);

/* Bytes as a NUL-terminated string. */
struct string hlo_call_string(struct arena *arena, ProtobufCBinaryData data);

#endif
