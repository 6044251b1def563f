/* attention_plan.h: how attention and its gradient divide rows into blocks, and a thread's scratch
 * into arrays. */
#ifndef GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_PLAN_H
#define GANTRY_DEVICES_HOST_ATTENTION_ATTENTION_PLAN_H

#include "compiler/program/program.h"

/* Rows of a block: whole tiles, at most `most` rows, whose scores take at most `bytes`; one tile if
 * its scores take more. */
int64_t attention_plan_rows(const struct dot_spec *scores, int64_t bytes, int64_t most);

/* Where an array of `count` elements of `size` bytes begins in a scratch, which grows by it. */
size_t attention_plan_reserve(size_t *scratch_bytes, int64_t count, int size);

#endif
