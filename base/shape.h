/* shape.h: the description of an array that all of Gantry uses: element type, dimensions, layout
 * and memory kind. The IR's tensor types, the program's parameters and results, buffers, transfers
 * and custom calls all hold a `struct shape`.
 *
 * The layout is that of XLA (xla/layout.h): `minor_to_major` lists the dimensions from the one that
 * varies fastest; tiles, outermost first, divide the minor-most dimensions into blocks that are
 * stored one after another, each padded to its full size.
 *
 * A shape borrows its arrays; the struct that stores a shape documents their owner. Shapes are
 * values: compare them with shape_equal(), never by address. Pure functions, thread-safe. */
#ifndef GANTRY_BASE_SHAPE_H
#define GANTRY_BASE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/memory_kind.h"
#include "base/text.h"

enum { SHAPE_MAX_RANK = 32, SHAPE_MAX_TILES = 4 };

/* A dimension that is unknown at compile time. Programs and buffers have none. */
#define SHAPE_DYNAMIC INT64_MIN

/* Block sizes for the `rank` minor-most dimensions, major to minor. The first tile divides those of
 * the array (a scalar counts as one element), each further one those that the tiles before it made:
 * the numbers of blocks, then the sizes within a block. */
struct shape_tile {
    int rank;
    const int64_t *dims; /* each >= 1 */
};

struct shape {
    enum dtype dtype;
    int rank;                       /* 0 .. SHAPE_MAX_RANK */
    const int64_t *dims;            /* `rank` sizes, each >= 0; may be NULL when rank is 0 */
    const int64_t *minor_to_major;  /* a permutation of 0 .. rank-1; NULL: row-major */
    int tile_count;                 /* 0 .. SHAPE_MAX_TILES */
    const struct shape_tile *tiles; /* outermost first */
    enum memory_kind memory;
};

/* Room for the arrays of a layout that is made for a shape. */
struct shape_layout {
    int64_t minor_to_major[SHAPE_MAX_RANK];
    struct shape_tile tiles[SHAPE_MAX_TILES];
    int64_t blocks[SHAPE_MAX_TILES][2]; /* of tiles of up to two dimensions */
};

/* Validates a shape from outside against the invariants above. INVALID_ARGUMENT names `what`
 * ("argument 3"), the field, the value found and the allowed values. Dynamic dimensions and arrays
 * larger than 2^62 bytes are rejected too. */
struct error *shape_check(const struct shape *shape, const char *what);

/* Number of elements; -1 when it overflows int64 or a dimension is dynamic. */
int64_t shape_elements(const struct shape *shape);
/* Bytes of the densely stored elements without tiles (sub-byte elements take one byte each); -1
 * likewise. */
int64_t shape_bytes(const struct shape *shape);
/* Bytes in memory with the padding of the tiles; -1 likewise. */
int64_t shape_padded_bytes(const struct shape *shape);

/* Whether the elements are stored in row-major order without tiles. Dimensions of size 1 may be
 * anywhere in minor_to_major. */
bool shape_is_row_major(const struct shape *shape);
/* Element `i` of minor_to_major, also when that is NULL. */
int64_t shape_minor_to_major(const struct shape *shape, int i);
/* Writes strides[rank], the distance in bytes between neighbors along each dimension. For checked
 * shapes without tiles. */
void shape_byte_strides(const struct shape *shape, int64_t *strides);

/* Whether minor_to_major (NULL: row-major) contains each of 0 .. rank-1 once. */
bool shape_is_permutation(int rank, const int64_t *minor_to_major);

bool shape_same_dims(const struct shape *a, const struct shape *b);   /* rank and sizes */
bool shape_same_layout(const struct shape *a, const struct shape *b); /* equal ranks; tiles too */
bool shape_equal(const struct shape *a, const struct shape *b);       /* every field */

/* The shape without its layout: row-major, without tiles. Borrows the other arrays of `shape`. */
struct shape shape_without_layout(const struct shape *shape);

/* A copy whose arrays are in the arena. */
struct shape shape_copy(struct arena *arena, const struct shape *shape);
/* A copy whose arrays share one allocation, *owned (alloc_free; NULL when it needs none).
 * RESOURCE_EXHAUSTED. */
struct error *shape_clone(const struct shape *shape, struct shape *out, void **owned);

/* The same for existing memory: the size of the arrays in bytes, and a copy whose arrays are in
 * `memory`, which has at least that size and is aligned for pointers. */
size_t shape_arrays_size(const struct shape *shape);
struct shape shape_copy_into(void *memory, const struct shape *shape);

/* "f32[2,3]{1,0:T(8,128)}" as XLA prints it; the layout only if it is not row-major, the memory
 * kind only if it is not the device's: "f32[2,3]{0,1} in pinned_host". */
void shape_print(const struct shape *shape, struct text *out);
/* The layout alone: "{1,0:T(8,128)(8,1)E(4)}". E are the bits of an element, said of types of less
 * than a byte in layouts with tiles, where they are packed. */
void shape_print_layout(const struct shape *shape, struct text *out);
/* These bits; 0 where they are not said. */
int shape_packed_bits(const struct shape *shape);

#endif
