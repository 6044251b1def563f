/* tile_pack.h: how the panels and rows of tile_product.h are packed. Strides are in numbers;
 * `width` is a panel's columns, of which there are `count`. There are implementations with vectors
 * of 64 bytes, for processors that have them, and of 16; they write the same numbers, and the
 * former zeros behind `count`, at most up to `width`. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_TILES_TILE_PACK_H
#define GANTRY_DEVICES_HOST_TILES_TILE_PACK_H

#include <stdbool.h>
#include <stdint.h>

/* to[i * width + j] = from[i * k_stride + j * column_stride] for i < k, j < count. */
void tile_pack_f32(const float *from, int64_t k_stride, int64_t column_stride, int64_t k,
                   int64_t count, int64_t width, float *to);

/* The same with pairs along k as elements of `to`. If k is odd, the second number of the last pairs
 * is not written. */
void tile_pack_bf16(const uint16_t *from, int64_t k_stride, int64_t column_stride, int64_t k,
                    int64_t count, int64_t width, uint16_t *to);

/* Adjacent rows, at most TILE_ROWS: to[i * TILE_ROWS + r] = from[i * k_stride + r] for i < k. */
void tile_pack_left_f32(const float *from, int64_t k_stride, int64_t k, int64_t rows, float *to);

/* The same as pairs along k: to[(i / 2 * TILE_ROWS + r) * 2 + i % 2] =
 * from[i * k_stride + r] for i < k. If k is odd, so is the second number of the last pairs,
 * as if the first one were there twice. `has_more`: eight numbers can be read at each i. */
void tile_pack_left_bf16(const uint16_t *from, int64_t k_stride, int64_t k, int64_t rows,
                         bool has_more, uint16_t *to);

#endif
