/* sharding_tiles.h: a sharding as GSPMD writes it (HLO's OpSharding, mhlo.sharding): an array of
 * tiles over which a list of devices is laid out row-major. The list is either explicit, or an
 * iota: 0 .. n-1 reshaped to `reshape` and transposed by `permutation`. Converts to and from struct
 * sharding. */
#ifndef GANTRY_COMPILER_IR_SHARDING_TILES_H
#define GANTRY_COMPILER_IR_SHARDING_TILES_H

#include "compiler/ir/sharding.h"

enum { SHARDING_MAX_TILES = 64 }; /* dimensions of the array of tiles, or of `reshape` */

enum tiles_kind { /* the numbers are OpSharding's */
                  TILES_REPLICATED,
                  TILES_MAXIMAL,
                  TILES_TUPLE,
                  TILES_TILED,
                  TILES_MANUAL,
                  TILES_UNKNOWN, /* any sharding; may have a group */
                  TILES_UNREDUCED
};

struct sharding_tiles {
    enum tiles_kind kind;
    int tile_count; /* of the dimensions of the tensor, then of the subgroups */
    int64_t tiles[SHARDING_MAX_TILES];
    int64_t device_count;   /* of an explicit list; 1 for MAXIMAL */
    const int64_t *devices; /* borrowed; NULL: an iota */
    int reshape_count;      /* of an iota */
    int64_t reshape[SHARDING_MAX_TILES];
    int permutation[SHARDING_MAX_TILES]; /* reshape_count entries */
    /* What the last `subgroup_count` dimensions of the array do: TILES_REPLICATED, TILES_MANUAL or
     * TILES_UNREDUCED. */
    int subgroup_count;
    enum tiles_kind subgroups[SHARDING_MAX_TILES];
    bool has_group; /* shard_as, shard_like: equal shardings within the group */
    int64_t group;
};

/* A part of the numbering of devices: the digit with this stride and number of values. */
struct digit {
    int64_t stride, size;
};

/* Writes the digits of a permutation of 0 .. count-1, major to minor, such that device number i of
 * the list is the sum of i's digits times their strides. At most `capacity`. Returns their number;
 * -1 when the list is no such permutation. Linear in `count` times the number of digits. */
int sharding_tiles_digits(int64_t count, const int64_t *devices, int capacity, struct digit *out);

/* Converts tiles to the sharding of a tensor of `rank` dimensions. Tiles over an iota, and lists
 * that are one, become sub-axes of one axis "devices"; other lists a mesh with device ids. *out is
 * NULL for TILES_UNKNOWN. `device_count` is that of the program, for shardings that do not state
 * theirs; manual ones are over all devices. Errors: INVALID_ARGUMENT for counts that do not match
 * each other or `rank`, for more than SHARDING_MAX_DEVICES devices, and for a list that does not
 * have every device once. */
struct error *sharding_tiles_read(struct arena *arena, const struct sharding_tiles *tiles, int rank,
                                  int64_t device_count, const struct sharding **out);

/* Converts a sharding to tiles; NULL is replicated. Manual axes are omitted when they shard a
 * dimension, as in the sharding of a full value. The result borrows device ids from the mesh or has
 * them in the arena. UNIMPLEMENTED for more than SHARDING_MAX_TILES dimensions. */
struct error *sharding_tiles_write(struct arena *arena, const struct sharding *sharding,
                                   struct sharding_tiles *out);

/* Replaces an iota by the explicit list of its devices, in the arena. */
void sharding_tiles_list(struct arena *arena, struct sharding_tiles *tiles);

/* The syntax of HLO text, "{devices=[2,1,2]<=[4] last_tile_dim_replicate}", in the arena; see
 * sharding_parse.h. Groups are omitted. */
char *sharding_tiles_text(struct arena *arena, const struct sharding_tiles *tiles);

#endif
