/* tile_product.h: small products of f32 or bf16 matrices on the calling thread: TILE_ROWS rows of
 * a left side with a panel of a packed right side. Sums are f32, in the order of k, with fused
 * multiply-adds where the processor has them, so a result's bits do not depend on the tiles around
 * it. There is one implementation for each instruction set (GANTRY_ISA selects).
 *
 *   panel p of a right side has its columns [p * width, (p + 1) * width), as rows of `width`
 *   elements of `depth` numbers that follow one another along k (1 for f32, 2 for bf16); columns
 *   beyond the last, and numbers beyond k, are zero. Panels follow one another. */
#ifndef GANTRY_DEVICES_HOST_TILES_TILE_PRODUCT_H
#define GANTRY_DEVICES_HOST_TILES_TILE_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

enum { TILE_ROWS = 6, TILE_FEW_ROWS = 4, TILE_USUAL = 57 };

/* Memory that is read later: pieces of `piece` bytes, `stride` bytes apart. Tiles prefetch the next
 * few lines of it while they multiply. */
struct tile_ahead {
    const char *at;
    int64_t piece, stride, pieces; /* at: the next piece; pieces: that are left */
    int64_t in_piece;              /* the byte of it that is fetched next */
    int64_t lines;                 /* that are fetched for TILE_FETCH_STEPS elements along k, */
    int64_t wait;                  /* after so many times none are */
    const struct tile_ahead *next; /* that is read after it, or NULL */
};
enum { TILE_FETCH_STEPS = 16 };

struct tile {              /* out[TILE_ROWS, vectors] = or += lhs[TILE_ROWS, k] * rhs[k, vectors] */
    const void *lhs, *rhs; /* of the product's type; rhs: in a panel, at a multiple of depth */
    float *out;
    int64_t lhs_stride, out_stride; /* between rows, in numbers */
    /* Elements of depth adjacent numbers are depth * lhs_k_stride numbers apart along k. */
    int64_t lhs_k_stride;
    int64_t k;
    int vectors; /* columns that are computed, in vectors of `lanes` */
    bool adds;
    /* If not NULL, the sums of the first `rows` rows and `columns` columns are rounded to bf16 and
     * written here; `out` is undefined afterwards. */
    uint16_t *rounded;
    int64_t rounded_stride, rows, columns;
    bool has_few_rows; /* only the first TILE_FEW_ROWS rows are computed */
    /* If not NULL, the right side is not packed yet: `rhs` is the first of its rows, `width`
     * adjacent numbers each, which are `rhs_stride` apart and are written here as a panel. k is a
     * multiple of depth. All rows are computed. */
    void *packed;
    int64_t rhs_stride;
    /* Prefetched meanwhile: the left side of the next tile, with the same strides; the destination
     * of this tile; and other memory, which counts as fetched then. */
    const void *next_lhs; /* or NULL */
    bool fetches_out;
    struct tile_ahead *ahead; /* or NULL */
};

struct tile_product {
    int lanes, width; /* f32 of a vector, and of a panel: a multiple of lanes */
    int bytes, depth; /* of a number; numbers along k that are packed as one element */
    bool packs;       /* whether tiles can pack their right side */
    void (*multiply)(const struct tile *tile);
    /* Whether no number of a panel's rows is an infinity or NaN; `count` is a multiple of
     * lanes * depth. */
    bool (*is_finite)(const void *numbers, int64_t count);
    /* Whether all numbers are below 2^TILE_USUAL in magnitude; of any count. */
    bool (*is_usual)(const void *numbers, int64_t count);
    /* Rounds to the nearest bf16, ties to even; NaNs become quiet. */
    void (*narrow)(const float *from, int64_t count, uint16_t *to);
    /* The same of two rows, whose numbers alternate: pairs along k. */
    void (*narrow_pairs)(const float *first, const float *second, int64_t count, uint16_t *to);
};

/* The implementations for this processor, of f32 and of bf16 on both sides; static. */
const struct tile_product *tile_product(void);
const struct tile_product *tile_product_bf16(void);

/* Numbers of a packed right side. */
int64_t tile_product_packed(const struct tile_product *product, int64_t k, int64_t columns);

/* The address of row `k`, a multiple of depth, of the panel that begins with `column`, in a packed
 * right side of `rows` along k. */
void *tile_product_at(const struct tile_product *product, void *packed, int64_t rows, int64_t k,
                      int64_t column);

/* Packs a right side of numbers of the product's type, whose strides are in numbers. */
void tile_product_pack(const struct tile_product *product, const void *from, int64_t k_stride,
                       int64_t column_stride, int64_t k, int64_t columns, void *to);

/* Numbers of TILE_ROWS packed rows of a left side. */
int64_t tile_product_packed_left(const struct tile_product *product, int64_t k);

/* Packs a left side of numbers of the product's type whose rows are adjacent: TILE_ROWS of them are
 * elements along k, which follow one another. Of the tile, lhs_stride is depth and lhs_k_stride
 * TILE_ROWS. Rows behind the last are not written. */
void tile_product_pack_left(const struct tile_product *product, const void *from, int64_t k_stride,
                            int64_t k, int64_t rows, void *to);

#endif
