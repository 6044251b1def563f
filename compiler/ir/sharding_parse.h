/* sharding_parse.h: reads shardings in the syntax of HLO text, which mhlo.sharding has, too:
 *
 *   {replicated}  {manual}  {unreduced}  {maximal device=3}  {unknown shard_as 0}
 *   {devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}
 *   {devices=[2,4]<=[4,2]T(1,0) last_tile_dims={manual, replicated} shard_like 7}
 *   {{replicated}, {manual}}                      for each element of a tuple
 *
 * Metadata is skipped. */
#ifndef GANTRY_COMPILER_IR_SHARDING_PARSE_H
#define GANTRY_COMPILER_IR_SHARDING_PARSE_H

#include "compiler/ir/ir.h"
#include "compiler/ir/sharding_tiles.h"

/* What is known of one value. */
struct sharding_note {
    const struct sharding *sharding; /* NULL: unknown */
    bool has_group;                  /* shard_as, shard_like: equal shardings within the group */
    int64_t group;
};

/* Reads the shardings of `count` values; a sharding that is no tuple is that of each of them. A
 * value of rank -1 is no tensor: its sharding is ignored. `device_count` is that of the program.
 * Errors: INVALID_ARGUMENT with the place and what is expected there, and those of
 * sharding_tiles_read(). Memory and time are proportional to the text and `count`, but for lists
 * that no axes describe, which have up to SHARDING_MAX_DEVICES entries. */
struct error *sharding_parse(struct arena *arena, struct string text, int count, const int *ranks,
                             int64_t device_count, struct sharding_note *out);

/* Reads one sharding that is no tuple as it is written: the numbers in it are not checked. */
struct error *sharding_parse_tiles(struct arena *arena, struct string text,
                                   struct sharding_tiles *out);

/* The same, of the first element if it is a tuple; what follows is not read. */
struct error *sharding_parse_first(struct arena *arena, struct string text,
                                   struct sharding_tiles *out);

#endif
