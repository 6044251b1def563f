/* loop_index.h: indices that the iterations of a loop compute from its counters. Pure functions of
 * the IR, before and after fusion and buffer assignment. */
#ifndef GANTRY_COMPILER_ANALYSIS_LOOP_INDEX_H
#define GANTRY_COMPILER_ANALYSIS_LOOP_INDEX_H

#include <stdbool.h>

#include "compiler/ir/ir.h"

/* Whether an integer of the body of a `while`, or of a fusion in it, is each of 0 ... count - 1 in
 * the first `count` iterations, upward or downward: a sum or difference of constants and counters,
 * none of which overflows. False where it is not known. */
bool loop_index_is_each(const struct op *loop, const struct value *index, int64_t count);

#endif
