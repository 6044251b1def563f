/* tile_product.c: see tile_product.h. */
#include "devices/host/tiles/tile_product.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/cpu.h"

enum { ROWS_AT_ONCE = 16 }; /* that are packed: a multiple of all depths */

/* Loops with a constant number of iterations, whose variables are registers. */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

/* ---- tiles, for each instruction set --------------------------------------------------------- */
typedef float four __attribute__((vector_size(16)));
typedef float loose __attribute__((vector_size(16), aligned(4), may_alias)); /* in memory */
#define LOAD_FOUR(from) ((four) * (const loose *)(from))
#define STORE_FOUR(to, vector) (*(loose *)(to) = (vector))

/* Two numbers that follow one another, the first in the lower half. */
static inline uint32_t pair_of(const uint16_t *from)
{
    uint32_t pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

static inline float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The nearest bf16. */
static uint32_t narrowed(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return bits >> 16 | 0x40;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static void store_pair(float first, float second, uint16_t *to)
{
    to[0] = (uint16_t)narrowed(first);
    to[1] = (uint16_t)narrowed(second);
}

#define SET(name) name##_any
#define TARGET
#define VECTOR four
#define VECTORS 2
#define LOAD(from) LOAD_FOUR(from)
#define STORE(to, vector) STORE_FOUR(to, vector)
#define SPREAD(number) ((four){number, number, number, number})
#define FMA(a, b, c) ((a) * (b) + (c))
#include "devices/host/tiles/tile_product_set.h"

#ifdef __x86_64__
#define SET(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR __m256
#define VECTORS 2
#define LOAD(from) _mm256_loadu_ps(from)
#define STORE(to, vector) _mm256_storeu_ps(to, vector)
#define SPREAD(number) _mm256_set1_ps(number)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#include "devices/host/tiles/tile_product_set.h"

/* The processor rounds to bf16, and multiplies pairs of them. Both take denormals as zero, wherever
 * in a row they are. */
__attribute__((target("avx512f,avx512bf16"))) static __m256i bf16_of(const float *from,
                                                                     int64_t count)
{
    const __mmask16 mask = count < 16 ? (__mmask16)((1u << count) - 1) : (__mmask16)-1;
    return (__m256i)_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, from));
}

__attribute__((target("avx512f,avx512bf16"))) static void
narrow_avx512_pairs(const float *from, int64_t count, uint16_t *to)
{
    int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m256i stored = bf16_of(from + i, 16);
        memcpy(to + i, &stored, sizeof stored);
    }
    if (i < count) {
        const __m256i stored = bf16_of(from + i, count - i);
        memcpy(to + i, &stored, (size_t)(count - i) * sizeof *to);
    }
}

__attribute__((target("avx512f,avx512bf16"))) static __m512i
pairs_of(const float *first, const float *second, int64_t count)
{
    const __m256i low = bf16_of(first, count), high = bf16_of(second, count);
    return _mm512_or_si512(_mm512_cvtepu16_epi32(low),
                           _mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16));
}

__attribute__((target("avx512f,avx512bf16"))) static void
narrow_pairs_avx512_pairs(const float *first, const float *second, int64_t count, uint16_t *to)
{
    int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m512i pairs = pairs_of(first + i, second + i, 16);
        memcpy(to + 2 * i, &pairs, sizeof pairs);
    }
    if (i < count) {
        const __m512i pairs = pairs_of(first + i, second + i, count - i);
        memcpy(to + 2 * i, &pairs, (size_t)(count - i) * 2 * sizeof *to);
    }
}
#define NARROW narrow_avx512_pairs
#define NARROW_PAIRS narrow_pairs_avx512_pairs

#define NAME(name) name##_avx512_pairs
#define TARGET __attribute__((target("avx512f,avx512bf16")))
#define VECTOR __m512
#define VECTORS 4
#define LOAD(from) _mm512_loadu_ps(from)
#define STORE(to, vector) _mm512_storeu_ps(to, vector)
#define SPREAD(number) _mm512_set1_ps(number)
#define NUMBER uint16_t
#define DEPTH 2
#define RIGHT __m512bh
#define PARTS 1
#define LOAD_RIGHT(from, part) ((__m512bh)_mm512_loadu_si512(from))
#define LEFT(from, part) ((__m512bh)_mm512_set1_epi32((int)pair_of(from)))
#define LEFT_LAST(from, part) ((__m512bh)_mm512_set1_epi32(*(from)))
#define MULTIPLY_ADD(left, right, sum) _mm512_dpbf16_ps(sum, left, right)
#include "devices/host/tiles/tile_product_body.h"
#undef NARROW
#undef NARROW_PAIRS
#undef TARGET

#define SET(name) name##_avx512
#define TARGET __attribute__((target("avx512f")))
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#include "devices/host/tiles/tile_product_set.h"
#endif

const struct tile_product *tile_product(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return &product_f32_avx512;
    if (features->avx2 && features->fma)
        return &product_f32_avx2;
#endif
    return &product_f32_any;
}

const struct tile_product *tile_product_bf16(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512 && features->avx512_bf16)
        return &product_avx512_pairs;
    if (features->avx512)
        return &product_bf16_avx512;
    if (features->avx2 && features->fma)
        return &product_bf16_avx2;
#endif
    return &product_bf16_any;
}

/* ---- packing --------------------------------------------------------------------------------- */
/* Numbers along k of a panel: whole elements. */
static int64_t whole_rows(const struct tile_product *product, int64_t k)
{
    return (k + product->depth - 1) / product->depth * product->depth;
}

int64_t tile_product_packed(const struct tile_product *product, int64_t k, int64_t columns)
{
    int64_t panels = (columns + product->width - 1) / product->width;
    return panels * product->width * whole_rows(product, k);
}

void *tile_product_at(const struct tile_product *product, void *packed, int64_t rows, int64_t k,
                      int64_t column)
{
    int64_t number = column * whole_rows(product, rows) + k * product->width;
    return (char *)packed + number * product->bytes;
}

/* ---- of elements of 32 bits: f32, or pairs that are adjacent in the source ------------------- */
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
    const four a = LOAD_FOUR(from), b = LOAD_FOUR(from + column_stride),
               c = LOAD_FOUR(from + 2 * column_stride), d = LOAD_FOUR(from + 3 * column_stride);
    const four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
               cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    STORE_FOUR(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
    STORE_FOUR(to + width, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
    STORE_FOUR(to + 2 * width, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    STORE_FOUR(to + 3 * width, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
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

static void pack_f32(const float *from, int64_t k_stride, int64_t column_stride, int64_t k,
                     int64_t count, int64_t width, float *to)
{
    if (column_stride == 1)
        pack_rows(from, k_stride, k, count, width, to);
    else if (k_stride == 1)
        pack_columns(from, column_stride, k, count, width, to);
    else
        pack_any(from, k_stride, column_stride, k, count, width, to);
}

/* ---- of pairs of bf16 ------------------------------------------------------------------------ */
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
    typedef uint16_t eight __attribute__((vector_size(16)));
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

/* Whether pairs along k are elements of 32 bits in memory. */
static bool has_pairs(const uint16_t *from, int64_t k_stride, int64_t column_stride)
{
    return k_stride == 1 && column_stride % 2 == 0 && (uintptr_t)from % sizeof(float) == 0;
}

static void pack_bf16(const uint16_t *from, int64_t k_stride, int64_t column_stride, int64_t k,
                      int64_t count, int64_t width, uint16_t *to)
{
    int64_t whole = k / 2 * 2;
    if (column_stride == 1)
        for (int64_t i = 0; i < whole; i += 2)
            interleave(from + i * k_stride, from + (i + 1) * k_stride, count, to + i * width);
    else if (has_pairs(from, k_stride, column_stride))
        pack_columns((const float *)(const void *)from, column_stride / 2, k / 2, count, width,
                     (float *)(void *)to);
    else
        pack_pairs_any(from, k_stride, column_stride, whole, count, width, to);
    if (whole < k)
        pack_pairs_any(from + whole * k_stride, k_stride, column_stride, 1, count, width,
                       to + whole * width);
}

/* Rows [begin, end) along k of a panel's columns; `begin` is a multiple of depth. */
static void pack_rows_of_panel(const struct tile_product *product, const void *from,
                               int64_t k_stride, int64_t column_stride, int64_t begin, int64_t end,
                               int64_t columns, void *panel)
{
    const int64_t at = begin * k_stride, to = begin * product->width;
    if (product->depth == 1)
        pack_f32((const float *)from + at, k_stride, column_stride, end - begin, columns,
                 product->width, (float *)panel + to);
    else
        pack_bf16((const uint16_t *)from + at, k_stride, column_stride, end - begin, columns,
                  product->width, (uint16_t *)panel + to);
}

/* Rows that are contiguous are read in the order of memory, a few at a time. */
void tile_product_pack(const struct tile_product *product, const void *from, int64_t k_stride,
                       int64_t column_stride, int64_t k, int64_t columns, void *to)
{
    const int64_t width = product->width, whole_k = whole_rows(product, k);
    const int64_t step = column_stride == 1 ? ROWS_AT_ONCE : k;
    if (columns % width || whole_k > k)
        memset(to, 0, (size_t)(tile_product_packed(product, k, columns) * product->bytes));
    for (int64_t i = 0; i < k; i += step)
        for (int64_t first = 0; first < columns; first += width) {
            const char *source = (const char *)from + first * column_stride * product->bytes;
            pack_rows_of_panel(product, source, k_stride, column_stride, i,
                               i + step < k ? i + step : k,
                               columns - first < width ? columns - first : width,
                               tile_product_at(product, to, k, 0, first));
        }
}

/* ---- left sides ------------------------------------------------------------------------------ */
int64_t tile_product_packed_left(int64_t k)
{
    return (k + 1) / 2 * 2 * TILE_ROWS;
}

/* TILE_ROWS numbers of two rows, each of which has two more, become pairs. */
static void interleave_tile(const uint16_t *first, const uint16_t *second, uint16_t *to)
{
    typedef uint16_t eight __attribute__((vector_size(16)));
    eight a, b, low, high;
    memcpy(&a, first, sizeof a);
    memcpy(&b, second, sizeof b);
    low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    memcpy(to, &low, sizeof low);
    memcpy(to + sizeof low / sizeof *to, &high, (2 * TILE_ROWS) * sizeof *to - sizeof low);
}

/* Numbers [begin, end) along k of `rows` rows, at most those of a tile. */
static void pack_left_tile(const uint16_t *from, int64_t k_stride, int64_t begin, int64_t end,
                           int64_t rows, bool has_more, uint16_t *to)
{
    for (int64_t i = begin; i < end; i += 2) {
        const uint16_t *first = from + i * k_stride,
                       *second = i + 1 < end ? first + k_stride : first;
        if (has_more)
            interleave_tile(first, second, to + i * TILE_ROWS);
        else
            interleave(first, second, rows, to + i * TILE_ROWS);
    }
}

void tile_product_pack_left(const uint16_t *from, int64_t k_stride, int64_t k, int64_t rows,
                            uint16_t *to)
{
    enum { VECTOR_NUMBERS = 8 };
    const int64_t packed = tile_product_packed_left(k);
    for (int64_t i = 0; i < k; i += ROWS_AT_ONCE)
        for (int64_t row = 0; row < rows; row += TILE_ROWS) {
            int64_t left = rows - row, end = i + ROWS_AT_ONCE < k ? i + ROWS_AT_ONCE : k;
            pack_left_tile(from + row, k_stride, i, end, left < TILE_ROWS ? left : TILE_ROWS,
                           left >= VECTOR_NUMBERS, to + row / TILE_ROWS * packed);
        }
}
