/* dot_tile.h: one tile of a matrix product, computed by one library. A dot plan splits a product
 * into tiles of at most eight shapes (full and edge in batch, m and n) and creates one `dot_tile`
 * for each shape. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_DOT_TILE_H
#define GANTRY_DEVICES_HOST_KERNELS_DOT_TILE_H

#include "base/error.h"
#include "compiler/program/program.h"

struct dot_tile;

struct dot_library { /* a library that computes tiles */
    const char *name;
    /* Whether the library computes a product: by its element types, and its sizes where another
     * library is faster. */
    bool (*applies)(const struct dot_spec *spec);
    /* Whether it has optimized kernels for a tile on this processor. */
    bool (*supports)(const struct dot_spec *tile);
    struct error *(*create)(const struct dot_spec *tile, struct dot_tile **out); /* owned */
};

struct dot_tile {
    struct dot_spec spec;   /* of the tile: unit stride in k or m of lhs, k or n of rhs, n of out */
    uint64_t scratch_bytes; /* scratch that run() needs */
    struct error *(*run)(const struct dot_tile *tile, const void *lhs, const void *rhs, void *out,
                         void *scratch);
    void (*destroy)(struct dot_tile *tile);
};

extern const struct dot_library
    dot_direct; /* f32, f64, s32, u32, s64, u64, with vectors of 32 bytes */
extern const struct dot_library dot_tiles;  /* f32 with AVX-512, bf16 with vectors of pairs */
extern const struct dot_library dot_s8;     /* s8, without VNNI */
extern const struct dot_library dot_onednn; /* f32, bf16, f16, s8 */
extern const struct dot_library dot_blas;   /* f32, f64, c64, c128 (OpenBLAS) */

#endif
