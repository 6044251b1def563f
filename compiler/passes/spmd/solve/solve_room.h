/* solve_room.h: the free bytes of each row (solve_problem.h) as a tree, so that what an interval of
 * rows takes is added, and its effect known, without a visit of each row. O(log rows) for each end
 * of the interval, and each place in it where rows with enough and too little room meet. In an
 * arena. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_ROOM_H
#define GANTRY_COMPILER_PASSES_SPMD_SOLVE_SOLVE_ROOM_H

#include "base/arena.h"

struct solve_room;

struct solve_room *solve_room_create(struct arena *arena, int row_count);
/* Sets the free bytes of each row. */
void solve_room_set(struct solve_room *room, const int64_t *bytes);

/* Takes bytes (less than 0: gives back) in rows first to last. */
void solve_room_take(struct solve_room *room, int first, int last, int64_t bytes);

/* The excess is the sum over all rows of the bytes that are taken above the free ones. growth: by
 * how much it would grow if these bytes were taken. */
int64_t solve_room_excess(const struct solve_room *room);
int64_t solve_room_growth(const struct solve_room *room, int first, int last, int64_t bytes);
/* The least free bytes of rows first to last. */
int64_t solve_room_least(const struct solve_room *room, int first, int last);

#endif
