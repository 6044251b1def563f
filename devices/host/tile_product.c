/* tile_product.c: see tile_product.h. */
#include "devices/host/tile_product.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/cpu.h"

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
#define NAME(name) name##_any
#define TARGET
#define VECTOR four
#define VECTORS 2
#define LOAD(from) LOAD_FOUR(from)
#define STORE(to, vector) STORE_FOUR(to, vector)
#define SPREAD(number) ((four){number, number, number, number})
#define FMA(a, b, c) ((a) * (b) + (c))
#include "devices/host/tile_product_body.h"

#ifdef __x86_64__
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR __m256
#define VECTORS 2
#define LOAD(from) _mm256_loadu_ps(from)
#define STORE(to, vector) _mm256_storeu_ps(to, vector)
#define SPREAD(number) _mm256_set1_ps(number)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#include "devices/host/tile_product_body.h"

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f")))
#define VECTOR __m512
#define VECTORS 4
#define LOAD(from) _mm512_loadu_ps(from)
#define STORE(to, vector) _mm512_storeu_ps(to, vector)
#define SPREAD(number) _mm512_set1_ps(number)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#include "devices/host/tile_product_body.h"
#endif

const struct tile_product *tile_product(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return &product_avx512;
    if (features->avx2 && features->fma)
        return &product_avx2;
#endif
    return &product_any;
}

/* ---- packing --------------------------------------------------------------------------------- */
static int64_t panels_of(const struct tile_product *product, int64_t columns)
{
    return (columns + product->width - 1) / product->width;
}

int64_t tile_product_packed(const struct tile_product *product, int64_t k, int64_t columns)
{
    return panels_of(product, columns) * product->width * k;
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

void tile_product_pack(const struct tile_product *product, const float *from, int64_t k_stride,
                       int64_t column_stride, int64_t k, int64_t columns, float *to)
{
    int64_t width = product->width;
    for (int64_t first = 0; first < columns; first += width, to += k * width) {
        int64_t count = columns - first < width ? columns - first : width;
        if (count < width)
            memset(to, 0, (size_t)(k * width) * sizeof *to);
        if (column_stride == 1)
            pack_rows(from + first, k_stride, k, count, width, to);
        else if (k_stride == 1)
            pack_columns(from + first * column_stride, column_stride, k, count, width, to);
        else
            pack_any(from + first * column_stride, k_stride, column_stride, k, count, width, to);
    }
}
