/* tile_pack.c: see tile_pack.h. */
#include "devices/host/tiles/tile_pack.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/cpu.h"
#include "devices/host/tiles/tile_product.h"
#include "devices/host/tiles/tile_sizes.h"

/* ---- vectors of 16 bytes --------------------------------------------------------------------- */
typedef float four __attribute__((vector_size(16)));
typedef float loose __attribute__((vector_size(16), aligned(4), may_alias)); /* in memory */
typedef uint16_t eight __attribute__((vector_size(16)));

static four load_four(const float *from)
{
    return *(const loose *)from;
}

static void store_four(float *to, four vector)
{
    *(loose *)to = vector;
}

/* Rows of `count` adjacent elements. */
static void pack_rows(const float *from, int64_t k_stride, int64_t k, int64_t count, int64_t width,
                      float *to)
{
    for (int64_t i = 0; i < k; i++)
        memcpy(to + i * width, from + i * k_stride, (size_t)count * sizeof *to);
}

static void pack_any(const float *from, int64_t k_stride, int64_t column_stride, int64_t k,
                     int64_t count, int64_t width, float *to)
{
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < k; i++)
            to[i * width + j] = from[i * k_stride + j * column_stride];
}

/* Four columns of four elements each, which are adjacent in the source. */
static void transpose_block(const float *from, int64_t column_stride, int64_t width, float *to)
{
    const four a = load_four(from), b = load_four(from + column_stride),
               c = load_four(from + 2 * column_stride), d = load_four(from + 3 * column_stride);
    const four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
               cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store_four(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
    store_four(to + width, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
    store_four(to + 2 * width, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    store_four(to + 3 * width, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

/* Columns of adjacent elements. */
static void pack_columns(const float *from, int64_t column_stride, int64_t k, int64_t count,
                         int64_t width, float *to)
{
    int64_t whole_k = k / 4 * 4, whole = count / 4 * 4;
    for (int64_t i = 0; i < whole_k; i += 4)
        for (int64_t j = 0; j < whole; j += 4)
            transpose_block(from + j * column_stride + i, column_stride, width, to + i * width + j);
    pack_any(from + whole_k, 1, column_stride, k - whole_k, whole, width, to + whole_k * width);
    pack_any(from + whole * column_stride, 1, column_stride, k, count - whole, width, to + whole);
}

static void pack_pairs_any(const uint16_t *from, int64_t k_stride, int64_t column_stride, int64_t k,
                           int64_t count, int64_t width, uint16_t *to)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < count; j++)
            to[(i / 2 * width + j) * 2 + i % 2] = from[i * k_stride + j * column_stride];
}

/* Two rows of adjacent numbers become one of pairs. */
static void interleave(const uint16_t *first, const uint16_t *second, int64_t count, uint16_t *to)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        eight a, b, low, high;
        memcpy(&a, first + i, sizeof a);
        memcpy(&b, second + i, sizeof b);
        low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
        high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
        memcpy(to + 2 * i, &low, sizeof low);
        memcpy(to + 2 * i + 8, &high, sizeof high);
    }
    for (; i < count; i++)
        to[2 * i] = first[i], to[2 * i + 1] = second[i];
}

/* An even number of rows along k. */
static void pack_pairs_of_rows(const uint16_t *from, int64_t k_stride, int64_t k, int64_t count,
                               int64_t width, uint16_t *to)
{
    for (int64_t i = 0; i < k; i += 2)
        interleave(from + i * k_stride, from + (i + 1) * k_stride, count, to + i * width);
}

/* ---- vectors of 64 bytes --------------------------------------------------------------------- */
/* Squares of 16 elements of 32 bits, and pairs of rows of 32 numbers. */
#ifdef __x86_64__
#define TARGET __attribute__((target("avx512f,avx512bw")))
enum { WIDE = 16 };

/* Of the lanes of each 128 bits: element l of vector 4 * q + r becomes element r of 4 * q + l. */
TARGET static inline __attribute__((always_inline)) void transpose_quarters(__m512 v[WIDE])
{
#pragma GCC unroll 4
    for (int q = 0; q < WIDE; q += 4) {
        const __m512 ab_low = _mm512_unpacklo_ps(v[q], v[q + 1]),
                     ab_high = _mm512_unpackhi_ps(v[q], v[q + 1]),
                     cd_low = _mm512_unpacklo_ps(v[q + 2], v[q + 3]),
                     cd_high = _mm512_unpackhi_ps(v[q + 2], v[q + 3]);
        v[q] = _mm512_shuffle_ps(ab_low, cd_low, 0x44);
        v[q + 1] = _mm512_shuffle_ps(ab_low, cd_low, 0xee);
        v[q + 2] = _mm512_shuffle_ps(ab_high, cd_high, 0x44);
        v[q + 3] = _mm512_shuffle_ps(ab_high, cd_high, 0xee);
    }
}

/* The 128 bits `part` of vectors r, 4 + r, 8 + r and 12 + r become row 4 * part + r of `to`. */
TARGET static inline __attribute__((always_inline)) void
store_quarters(const __m512 v[WIDE], int r, int64_t rows, int64_t width, float *to)
{
    const __m512 low_a = _mm512_shuffle_f32x4(v[r], v[4 + r], 0x44),
                 high_a = _mm512_shuffle_f32x4(v[r], v[4 + r], 0xee),
                 low_b = _mm512_shuffle_f32x4(v[8 + r], v[12 + r], 0x44),
                 high_b = _mm512_shuffle_f32x4(v[8 + r], v[12 + r], 0xee);
    const __m512 stored[] = {
        _mm512_shuffle_f32x4(low_a, low_b, 0x88), _mm512_shuffle_f32x4(low_a, low_b, 0xdd),
        _mm512_shuffle_f32x4(high_a, high_b, 0x88), _mm512_shuffle_f32x4(high_a, high_b, 0xdd)};
#pragma GCC unroll 4
    for (int part = 0; part < 4; part++)
        if (4 * part + r < rows)
            _mm512_storeu_ps(to + (4 * part + r) * width, stored[part]);
}

/* At most WIDE columns of at most WIDE adjacent elements. */
TARGET static void transpose_wide(const char *from, int64_t column_bytes, int64_t k, int64_t count,
                                  int64_t width, float *to)
{
    const __mmask16 elements = (__mmask16)(0xffffu >> (WIDE - k));
    __m512 v[WIDE];
#pragma GCC unroll 16
    for (int j = 0; j < WIDE; j++)
        v[j] = _mm512_maskz_loadu_ps(j < count ? elements : 0, from + j * column_bytes);
    transpose_quarters(v);
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        store_quarters(v, r, k, width, to);
}

/* Columns of adjacent elements, which may begin at any byte. Few of them are read at a time, since
 * a cache keeps few lines of columns whose distance is a power of two. */
TARGET static void pack_columns_wide(const void *from, int64_t column_bytes, int64_t k,
                                     int64_t count, int64_t width, void *to)
{
    for (int64_t j = 0; j < count; j += WIDE)
        for (int64_t i = 0; i < k; i += WIDE)
            transpose_wide((const char *)from + j * column_bytes + i * (int64_t)sizeof(float),
                           column_bytes, tile_least(WIDE, k - i), tile_least(WIDE, count - j),
                           width, (float *)to + i * width + j);
}

/* At most 2 * WIDE columns of two rows. */
TARGET static inline __attribute__((always_inline)) void
interleave_wide(const uint16_t *first, const uint16_t *second, __mmask32 mask, uint16_t *to)
{
    const __m512i quarters = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0),
                  a = _mm512_permutexvar_epi64(quarters, _mm512_maskz_loadu_epi16(mask, first)),
                  b = _mm512_permutexvar_epi64(quarters, _mm512_maskz_loadu_epi16(mask, second));
    _mm512_storeu_si512(to, _mm512_unpacklo_epi16(a, b));
    _mm512_storeu_si512(to + 2 * WIDE, _mm512_unpackhi_epi16(a, b));
}

TARGET static void pack_pairs_of_rows_wide(const uint16_t *from, int64_t k_stride, int64_t k,
                                           int64_t count, int64_t width, uint16_t *to)
{
    for (int64_t i = 0; i < k; i += 2, from += 2 * k_stride, to += 2 * width)
        for (int64_t j = 0; j < count; j += 2 * WIDE) {
            const __mmask32 mask = UINT32_MAX >> (2 * WIDE - tile_least(2 * WIDE, count - j));
            interleave_wide(from + j, from + k_stride + j, mask, to + 2 * j);
        }
}

static bool has_wide(int64_t width)
{
    return width % (2 * WIDE) == 0 && cpu_features()->avx512;
}
#undef TARGET
#else
static void pack_columns_wide(const void *from, int64_t column_bytes, int64_t k, int64_t count,
                              int64_t width, void *to)
{
    pack_columns(from, column_bytes / (int64_t)sizeof(float), k, count, width, to);
}
#define pack_pairs_of_rows_wide pack_pairs_of_rows
static bool has_wide(int64_t width)
{
    (void)width;
    return false;
}
#endif

/* ---- panels ---------------------------------------------------------------------------------- */
void tile_pack_f32(const float *from, int64_t k_stride, int64_t column_stride, int64_t k,
                   int64_t count, int64_t width, float *to)
{
    if (column_stride == 1)
        pack_rows(from, k_stride, k, count, width, to);
    else if (k_stride == 1 && has_wide(width))
        pack_columns_wide(from, column_stride * (int64_t)sizeof *from, k, count, width, to);
    else if (k_stride == 1)
        pack_columns(from, column_stride, k, count, width, to);
    else
        pack_any(from, k_stride, column_stride, k, count, width, to);
}

/* Whether pairs along k are elements of 32 bits in memory. */
static bool has_pairs(const uint16_t *from, int64_t k_stride, int64_t column_stride)
{
    return k_stride == 1 && column_stride % 2 == 0 && (uintptr_t)from % sizeof(float) == 0;
}

void tile_pack_bf16(const uint16_t *from, int64_t k_stride, int64_t column_stride, int64_t k,
                    int64_t count, int64_t width, uint16_t *to)
{
    int64_t whole = k / 2 * 2;
    if (column_stride == 1)
        (has_wide(width) ? pack_pairs_of_rows_wide : pack_pairs_of_rows)(from, k_stride, whole,
                                                                         count, width, to);
    else if (k_stride == 1 && has_wide(width))
        pack_columns_wide(from, column_stride * (int64_t)sizeof *from, k / 2, count, width, to);
    else if (has_pairs(from, k_stride, column_stride))
        pack_columns((const float *)(const void *)from, column_stride / 2, k / 2, count, width,
                     (float *)(void *)to);
    else
        pack_pairs_any(from, k_stride, column_stride, whole, count, width, to);
    if (whole < k)
        pack_pairs_any(from + whole * k_stride, k_stride, column_stride, 1, count, width,
                       to + whole * width);
}

/* ---- left sides ------------------------------------------------------------------------------ */
/* Their rows are read in turn, a few numbers each, so caches fetch what comes later. */
enum { LEFT_AHEAD = 256 }; /* bytes */

static void fetch_left(const void *from)
{
    __builtin_prefetch((const char *)from + LEFT_AHEAD, 0, 3);
}

/* TILE_ROWS numbers of two rows, each of which has two more, become pairs. */
static void interleave_tile(const uint16_t *first, const uint16_t *second, uint16_t *to)
{
    eight a, b, low, high;
    memcpy(&a, first, sizeof a);
    memcpy(&b, second, sizeof b);
    low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    memcpy(to, &low, sizeof low);
    memcpy(to + sizeof low / sizeof *to, &high, (2 * TILE_ROWS) * sizeof *to - sizeof low);
}

void tile_pack_left_f32(const float *from, int64_t k_stride, int64_t k, int64_t rows, float *to)
{
    if (rows < TILE_ROWS) {
        pack_rows(from, k_stride, k, rows, TILE_ROWS, to);
        return;
    }
    for (int64_t i = 0; i < k; i++) {
        fetch_left(from + i * k_stride);
        memcpy(to + i * TILE_ROWS, from + i * k_stride, TILE_ROWS * sizeof *to);
    }
}

void tile_pack_left_bf16(const uint16_t *from, int64_t k_stride, int64_t k, int64_t rows,
                         bool has_more, uint16_t *to)
{
    for (int64_t i = 0; i < k; i += 2) {
        const uint16_t *first = from + i * k_stride, *second = i + 1 < k ? first + k_stride : first;
        fetch_left(first), fetch_left(second);
        if (has_more)
            interleave_tile(first, second, to + i * TILE_ROWS);
        else
            interleave(first, second, rows, to + i * TILE_ROWS);
    }
}
