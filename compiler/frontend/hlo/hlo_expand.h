/* hlo_expand.h: expands instructions to several operations: functions, comparisons of complex
 * numbers, all-to-alls of tuples, index vectors, scans and ragged dots. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_EXPAND_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_EXPAND_H

#include "compiler/frontend/hlo/hlo_body.h"

/* acos, mulhi ...: the functions of functions.h. */
struct error *hlo_expand_function(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);

/* compare with a direction other than EQ and NE for complex numbers, which HLO orders
 * lexicographically: by real parts, then by imaginary parts. */
bool hlo_expand_is_complex_order(struct hlo_frame *f, const hlo_instruction *in);
struct error *hlo_expand_complex_order(struct hlo_frame *f, const hlo_instruction *in,
                                       const struct hlo_node **out);

/* all-to-all with an operand and a result for each participant, in place of an array that is
 * split: operand i goes to participant i of the group, result i comes from it. */
bool hlo_expand_is_all_to_all(const hlo_instruction *in);
struct error *hlo_expand_all_to_all(struct hlo_frame *f, const hlo_instruction *in,
                                    const struct hlo_node **out);

/* dynamic-slice and dynamic-update-slice may have a vector of indices as their last operand:
 * replaces it by a scalar for each index. INVALID_ARGUMENT unless it has one index for each
 * dimension. */
struct error *hlo_expand_indices(struct hlo_frame *f, const hlo_instruction *in,
                                 hlo_values *operands);

/* scan: the operands are inputs, then initial carries. The computation's parameters are a slice of
 * each input and the carries; it returns a slice of each output and the next carries. */
struct error *hlo_expand_scan(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out);

/* ragged-dot: a product in which an operand with group sizes partitions the ragged dimension of the
 * left operand into groups. */
struct error *hlo_expand_ragged_dot(struct hlo_frame *f, const hlo_instruction *in,
                                    const struct hlo_node **out);

#endif
