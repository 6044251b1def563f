/* tile_plan.h: how a nest that transposes is divided into tiles. Lanes run along the last axis of
 * the result, but an argument is contiguous along another axis, that of the tiles: a tile is as
 * many rows of the result as there are lanes. A work item has a block of tiles, and for each of
 * them a chunk of a few vectors, so that it stores whole cache lines one after the other in each
 * row. Its loop over the tiles reads as many rows of the argument as the chunk has lanes, in the
 * order of memory. */
#ifndef GANTRY_COMPILER_SCHEDULE_TILE_PLAN_H
#define GANTRY_COMPILER_SCHEDULE_TILE_PLAN_H

#include "compiler/schedule/nest_schedule.h"

/* The axis of the tiles; -1: none, the nest does not transpose. */
int tile_plan_axis(const struct nest *nest);
/* Sets outer, tile_block, chunk and work of a nest with tiles. */
void tile_plan(struct nest *nest);
/* Tiles along their axis, the last of which may overlap the one before, and blocks of them. */
int64_t tile_plan_tiles(const struct schedule *schedule);
int64_t tile_plan_blocks(const struct schedule *schedule);
/* Whether a tile stays in registers: each of its rows has code of its own. Otherwise it is copied
 * to the stack, from where a loop reads its rows. */
bool tile_plan_unrolls(const struct nest *nest);

#endif
