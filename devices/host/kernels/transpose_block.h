/* transpose_block.h: copies of small matrices whose rows become contiguous, of f32 and f64: in
 * squares that are transposed in registers, on every x86-64 processor. Strides are in elements.
 * Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_TRANSPOSE_BLOCK_H
#define GANTRY_DEVICES_HOST_KERNELS_TRANSPOSE_BLOCK_H

#include <stdint.h>

typedef float transpose_f32x4 __attribute__((vector_size(16)));
typedef float transpose_f32x4_loose __attribute__((vector_size(16), aligned(4), may_alias));
typedef double transpose_f64x2 __attribute__((vector_size(16)));
typedef double transpose_f64x2_loose __attribute__((vector_size(16), aligned(8), may_alias));

/* to[j * to_stride + i] = from[i * stride + j] for i, j < 4. */
static inline void transpose_block_f32(const float *from, int64_t stride, float *to,
                                       int64_t to_stride)
{
    const transpose_f32x4 a = *(const transpose_f32x4_loose *)from,
                          b = *(const transpose_f32x4_loose *)(from + stride),
                          c = *(const transpose_f32x4_loose *)(from + 2 * stride),
                          d = *(const transpose_f32x4_loose *)(from + 3 * stride);
    const transpose_f32x4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                          ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                          cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                          cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(transpose_f32x4_loose *)to = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *(transpose_f32x4_loose *)(to + to_stride) =
        __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *(transpose_f32x4_loose *)(to + 2 * to_stride) =
        __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *(transpose_f32x4_loose *)(to + 3 * to_stride) =
        __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/* The same for i, j < 2. */
static inline void transpose_block_f64(const double *from, int64_t stride, double *to,
                                       int64_t to_stride)
{
    const transpose_f64x2 a = *(const transpose_f64x2_loose *)from,
                          b = *(const transpose_f64x2_loose *)(from + stride);
    *(transpose_f64x2_loose *)to = __builtin_shufflevector(a, b, 0, 2);
    *(transpose_f64x2_loose *)(to + to_stride) = __builtin_shufflevector(a, b, 1, 3);
}

/* to[i * to_row + j] = from[i * row + j * column] for i < rows, j < columns; fast if `row` is 1.
 * Lines of the source are read from one to the other end. transpose_block_gather_f32() and
 * transpose_block_gather_f64(). */
#define TRANSPOSE_BLOCK_GATHER(name, type, edge, transpose)                                        \
    static inline void name(const type *from, int64_t row, int64_t column, int64_t rows,           \
                            int64_t columns, type *to, int64_t to_row)                             \
    {                                                                                              \
        int64_t whole_rows = row == 1 ? rows / (edge) * (edge) : 0,                                \
                whole_columns = columns / (edge) * (edge);                                         \
        for (int64_t j = 0; j < whole_columns; j += edge)                                          \
            for (int64_t i = 0; i < whole_rows; i += edge)                                         \
                transpose(from + i + j * column, column, to + i * to_row + j, to_row);             \
        for (int64_t i = 0; i < rows; i++)                                                         \
            for (int64_t j = i < whole_rows ? whole_columns : 0; j < columns; j++)                 \
                to[i * to_row + j] = from[i * row + j * column];                                   \
    }
TRANSPOSE_BLOCK_GATHER(transpose_block_gather_f32, float, 4, transpose_block_f32)
TRANSPOSE_BLOCK_GATHER(transpose_block_gather_f64, double, 2, transpose_block_f64)
#undef TRANSPOSE_BLOCK_GATHER

#endif
