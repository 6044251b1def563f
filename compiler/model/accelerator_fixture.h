/* accelerator_fixture.h: round figures of the accelerator for which tests of the model plan. A test
 * adds its memories, cores and rate of products. */
#ifndef GANTRY_COMPILER_MODEL_ACCELERATOR_FIXTURE_H
#define GANTRY_COMPILER_MODEL_ACCELERATOR_FIXTURE_H

#include "compiler/accelerator.h"

#define ACCELERATOR_FIXTURE                                                                        \
    .name = "test", .sublanes = 8, .lanes = 128, .result_alignment = 32, .hbm_rate = 1e12,         \
    .clock_hz = 1e9, .vector_slots = 4, .matrix_units = 4, .matrix_unit_size = 128,                \
    .f32_passes_default = 1, .f32_passes_high = 3, .f32_passes_highest = 6

#endif
