/* tile_product.c: see tile_product.h. */
#include "devices/host/tiles/tile_product.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/cpu.h"
#include "devices/host/tiles/tile_pack.h"

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

/* The rows and vectors that a tile computes: constants. */
struct tile_shape {
    int rows, vectors;
};

/* ---- fetching ahead -------------------------------------------------------------------------- */
enum { FETCH_STEPS = TILE_FETCH_STEPS, LINE = 64 };

static inline __attribute__((always_inline)) void fetch_ahead(struct tile_ahead *ahead)
{
    if (ahead->wait > 0) {
        ahead->wait--;
        return;
    }
    for (int64_t i = 0; i < ahead->lines && ahead->pieces > 0; i++) {
        __builtin_prefetch(ahead->at + ahead->in_piece, 0, 2);
        ahead->in_piece += LINE;
        if (ahead->in_piece >= ahead->piece)
            ahead->in_piece = 0, ahead->at += ahead->stride, ahead->pieces--;
        if (ahead->pieces == 0 && ahead->next)
            *ahead = *ahead->next;
    }
}

/* A row for each FETCH_STEPS elements along k, until there is none. */
static inline __attribute__((always_inline)) void fetch_out(const struct tile *t, int64_t row)
{
    if (row >= t->rows)
        return;
    const char *to = t->rounded ? (const char *)(t->rounded + row * t->rounded_stride)
                                : (const char *)(t->out + row * t->out_stride);
    const int64_t bytes = t->columns * (t->rounded ? 2 : 4);
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(to + i, 1, 3);
}

/* What is fetched before element `at` along k, of which each has `bytes`. */
static inline __attribute__((always_inline)) void fetch(const struct tile *t, int64_t at,
                                                        int64_t number_bytes, int64_t depth)
{
    const int64_t row_bytes = t->lhs_stride * number_bytes;
    if (t->next_lhs) {
        const char *next = (const char *)t->next_lhs + at * depth * number_bytes;
        UNROLLED for (int r = 0; r < TILE_ROWS; r++) __builtin_prefetch(next + r * row_bytes, 0, 2);
    }
    if (t->fetches_out)
        fetch_out(t, at / FETCH_STEPS);
    if (t->ahead)
        fetch_ahead(t->ahead);
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

/* At least one number. */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) static inline void
round_avx512_pairs(__m512 vector, int64_t count, uint16_t *to)
{
    const __m256i rounded = (__m256i)_mm512_cvtneps_pbh(vector);
    if (count >= 16)
        memcpy(to, &rounded, sizeof rounded);
    else
        _mm256_mask_storeu_epi16(to, (__mmask16)(0xffffu >> (16 - count)), rounded);
}

/* Two rows of 64 numbers become four vectors of pairs. */
__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) static inline
    __attribute__((always_inline)) void
    pair_rows(const uint16_t *from, int64_t stride, __m512bh *pairs)
{
    const __m512i quarters = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    for (int half = 0; half < 2; half++) {
        const __m512i a = _mm512_permutexvar_epi64(quarters, _mm512_loadu_si512(from + 32 * half)),
                      b = _mm512_permutexvar_epi64(quarters,
                                                   _mm512_loadu_si512(from + stride + 32 * half));
        pairs[2 * half] = (__m512bh)_mm512_unpacklo_epi16(a, b);
        pairs[2 * half + 1] = (__m512bh)_mm512_unpackhi_epi16(a, b);
    }
}
#define NARROW narrow_avx512_pairs
#define NARROW_PAIRS narrow_pairs_avx512_pairs

#define NAME(name) name##_avx512_pairs
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
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
#define ROUND(vector, count, to) round_avx512_pairs(vector, count, to)
#define LOAD_ROWS(from, stride, right) pair_rows(from, stride, right)
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

/* Rows [begin, end) along k of a panel's columns; `begin` is a multiple of depth. */
static void pack_rows_of_panel(const struct tile_product *product, const void *from,
                               int64_t k_stride, int64_t column_stride, int64_t begin, int64_t end,
                               int64_t columns, void *panel)
{
    const int64_t at = begin * k_stride, to = begin * product->width;
    if (product->depth == 1)
        tile_pack_f32((const float *)from + at, k_stride, column_stride, end - begin, columns,
                      product->width, (float *)panel + to);
    else
        tile_pack_bf16((const uint16_t *)from + at, k_stride, column_stride, end - begin, columns,
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

int64_t tile_product_packed_left(const struct tile_product *product, int64_t k)
{
    return whole_rows(product, k) * TILE_ROWS;
}

/* `k` along k of at most TILE_ROWS rows; `left`: rows from the first of them on. */
static void pack_left_tile(const struct tile_product *product, const void *from, int64_t k_stride,
                           int64_t k, int64_t left, void *to)
{
    enum { VECTOR_NUMBERS = 8 };
    const int64_t rows = left < TILE_ROWS ? left : TILE_ROWS;
    if (product->depth == 1)
        tile_pack_left_f32(from, k_stride, k, rows, to);
    else
        tile_pack_left_bf16(from, k_stride, k, rows, left >= VECTOR_NUMBERS, to);
}

void tile_product_pack_left(const struct tile_product *product, const void *from, int64_t k_stride,
                            int64_t k, int64_t rows, void *to)
{
    const int64_t packed = tile_product_packed_left(product, k), bytes = product->bytes;
    for (int64_t i = 0; i < k; i += ROWS_AT_ONCE)
        for (int64_t row = 0; row < rows; row += TILE_ROWS)
            pack_left_tile(product, (const char *)from + (i * k_stride + row) * bytes, k_stride,
                           i + ROWS_AT_ONCE < k ? ROWS_AT_ONCE : k - i, rows - row,
                           (char *)to + (row / TILE_ROWS * packed + i * TILE_ROWS) * bytes);
}
