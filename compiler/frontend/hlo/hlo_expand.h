/* hlo_expand.h: instructions that become several operations: functions, the order of complex
 * numbers, indices that are one tensor, scans and products of ragged groups. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_EXPAND_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_EXPAND_H

#include "compiler/frontend/hlo/hlo_body.h"

/* acos, mulhi ...: the functions of functions.h. */
struct error *hlo_expand_function(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);

/* compare by anything but EQ and NE, of complex numbers, which HLO orders as pairs: by the real
 * parts, and where these are equal by the imaginary ones. */
bool hlo_expand_is_complex_order(struct hlo_frame *f, const hlo_instruction *in);
struct error *hlo_expand_complex_order(struct hlo_frame *f, const hlo_instruction *in,
                                       const struct hlo_node **out);

/* dynamic-slice and dynamic-update-slice may take their indices as one tensor of rank 1, which is
 * the last operand: it becomes a scalar an index. INVALID_ARGUMENT unless it has one index for
 * each dimension. */
struct error *hlo_expand_indices(struct hlo_frame *f, const hlo_instruction *in,
                                 hlo_values *operands);

/* scan: its operands are inputs and then initial carries; the computation takes a slice of each
 * input and the carries, and gives a slice of each output and the next carries. */
struct error *hlo_expand_scan(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out);

/* ragged-dot: a product whose ragged dimension of the left operand is cut into groups by sizes that
 * are known at run time only. */
struct error *hlo_expand_ragged_dot(struct hlo_frame *f, const hlo_instruction *in,
                                    const struct hlo_node **out);

#endif
