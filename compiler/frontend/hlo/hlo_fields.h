/* hlo_fields.h: converts the fields of HLO's instructions to the attributes of operations, with a
 * function for each set of attrs.def. The verifier checks the attributes. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_FIELDS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_FIELDS_H

#include "compiler/frontend/hlo/hlo_body.h"

typedef struct error *hlo_fields_set(struct hlo_frame *f, const hlo_instruction *in,
                                     union attrs *attrs);

hlo_fields_set hlo_fields_all_gather, hlo_fields_all_reduce, hlo_fields_all_to_all,
    hlo_fields_batch_norm, hlo_fields_broadcast, hlo_fields_cholesky, hlo_fields_collective,
    hlo_fields_collective_permute, hlo_fields_collective_reduce, hlo_fields_compare,
    hlo_fields_convolution, hlo_fields_dimension, hlo_fields_dimensions, hlo_fields_dot,
    hlo_fields_dynamic_slice, hlo_fields_fft, hlo_fields_gather, hlo_fields_iota, hlo_fields_pad,
    hlo_fields_reduce_precision, hlo_fields_reduce_scatter, hlo_fields_rng_bit_generator,
    hlo_fields_scatter, hlo_fields_select_and_scatter, hlo_fields_slice, hlo_fields_sort,
    hlo_fields_transpose, hlo_fields_triangular_solve, hlo_fields_window;

#endif
