/* thin_set.c: see thin_set.h. */
#include "devices/host/thin/thin_set.h"

#include <stddef.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/cpu.h"
#include "devices/host/thin/thin_number.h"

enum { MOST_ROWS = 4, MOST_VECTORS = 8 }; /* of sums in registers */

#define AVX2 __attribute__((target("avx2,fma,f16c")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

/* The last numbers of a row, from number `first` on, which are decoded: computes them, and writes
 * zeros behind them. */
static void thin_compute_last(const struct thin_run *r, float *to, int64_t first)
{
    const int64_t end = (r->count + THIN_LANES - 1) / THIN_LANES * THIN_LANES;
    for (int64_t i = first; i < r->count && r->scale; i++) {
        const int64_t g = i / r->group;
        float number = to[i];
        if (r->zero)
            number -= r->zero[g];
        number *= r->scale[g];
        to[i] = r->zero ? number + r->offset[g] : number;
    }
    for (int64_t i = r->count; i < end; i++)
        to[i] = 0;
}

/* ---- without vectors ------------------------------------------------------------------------- */
static inline float load_s8_one(const int8_t *from)
{
    return *from;
}

static inline float load_u8_one(const uint8_t *from)
{
    return *from;
}

static inline float load_f32_one(const float *from)
{
    return *from;
}

static inline float load_bf16_one(const uint16_t *from)
{
    return thin_number_of_bf16(*from);
}

#define SET(name) name##_one
#define TARGET
#define VECTOR float
#define LANES 1
#define LOAD(from) (*(from))
#define STORE(to, vector) (*(to) = (vector))
#define SPREAD(number) (number)
#define TOTAL(vector) (vector)
#define FMA(a, b, c) ((a) * (b) + (c))
#define CODES(X)                                                                                   \
    X(s8, int8_t, DTYPE_S8)                                                                        \
    X(u8, uint8_t, DTYPE_U8)                                                                       \
    X(bf16, uint16_t, DTYPE_BF16)                                                                  \
    X(f32, float, DTYPE_F32)
#include "devices/host/thin/thin_set_body.h"

#ifdef __x86_64__
#define CODES_OF_VECTORS(X)                                                                        \
    X(s8, int8_t, DTYPE_S8)                                                                        \
    X(s4, int8_t, DTYPE_S4)                                                                        \
    X(u8, uint8_t, DTYPE_U8)                                                                       \
    X(u4, uint8_t, DTYPE_U4)                                                                       \
    X(f8e4m3fn, uint8_t, DTYPE_F8E4M3FN)                                                           \
    X(f8e5m2, uint8_t, DTYPE_F8E5M2)                                                               \
    X(bf16, uint16_t, DTYPE_BF16)                                                                  \
    X(f16, uint16_t, DTYPE_F16)                                                                    \
    X(f32, float, DTYPE_F32)

/* ---- vectors of 32 bytes --------------------------------------------------------------------- */
AVX2 static inline __m128i eight_bytes(const void *from)
{
    return _mm_loadl_epi64((const __m128i *)from);
}

AVX2 static inline __m256 load_s8_avx2(const int8_t *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight_bytes(from)));
}

AVX2 static inline __m256 load_u8_avx2(const uint8_t *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight_bytes(from)));
}

AVX2 static inline __m256 load_bf16_avx2(const uint16_t *from)
{
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

AVX2 static inline __m256 load_f16_avx2(const uint16_t *from)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from));
}

AVX2 static inline __m256 load_f32_avx2(const float *from)
{
    return _mm256_loadu_ps(from);
}

/* The upper halves of f16. */
AVX2 static inline __m256 load_f8e5m2_avx2(const uint8_t *from)
{
    return _mm256_cvtph_ps(_mm_slli_epi16(_mm_cvtepu8_epi16(eight_bytes(from)), 8));
}

/* As f16, whose exponents are larger by 8, numbers are 256 times as small. All bits: a NaN. */
AVX2 static inline __m256 load_f8e4m3fn_avx2(const uint8_t *from)
{
    const __m128i bits = _mm_cvtepu8_epi16(eight_bytes(from)),
                  size = _mm_and_si128(bits, _mm_set1_epi16(0x7f)),
                  sign = _mm_slli_epi16(_mm_and_si128(bits, _mm_set1_epi16(0x80)), 8),
                  is_nan = _mm_cmpeq_epi16(size, _mm_set1_epi16(0x7f)),
                  half = _mm_or_si128(_mm_or_si128(_mm_slli_epi16(size, 7), sign),
                                      _mm_and_si128(is_nan, _mm_set1_epi16(0x7e00)));
    return _mm256_mul_ps(_mm256_cvtph_ps(half), _mm256_set1_ps(256));
}

AVX2 static inline float total_avx2(__m256 v)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

#define load_s4_avx2 load_s8_avx2
#define load_u4_avx2 load_u8_avx2
#define SET(name) name##_avx2
#define TARGET AVX2
#define VECTOR __m256
#define LANES 8
#define LOAD(from) _mm256_loadu_ps(from)
#define STORE(to, vector) _mm256_storeu_ps(to, vector)
#define SPREAD(number) _mm256_set1_ps(number)
#define TOTAL(vector) total_avx2(vector)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define CODES CODES_OF_VECTORS
#include "devices/host/thin/thin_set_body.h"

/* ---- vectors of 64 bytes --------------------------------------------------------------------- */
AVX512 static inline __m128i sixteen_bytes(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

AVX512 static inline __m512 load_s8_avx512(const int8_t *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(sixteen_bytes(from)));
}

AVX512 static inline __m512 load_u8_avx512(const uint8_t *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(sixteen_bytes(from)));
}

AVX512 static inline __m512 load_bf16_avx512(const uint16_t *from)
{
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

AVX512 static inline __m512 load_f16_avx512(const uint16_t *from)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
}

AVX512 static inline __m512 load_f32_avx512(const float *from)
{
    return _mm512_loadu_ps(from);
}

AVX512 static inline __m512 load_f8e5m2_avx512(const uint8_t *from)
{
    return _mm512_cvtph_ps(_mm256_slli_epi16(_mm256_cvtepu8_epi16(sixteen_bytes(from)), 8));
}

AVX512 static inline __m512 load_f8e4m3fn_avx512(const uint8_t *from)
{
    const __m256i bits = _mm256_cvtepu8_epi16(sixteen_bytes(from)),
                  size = _mm256_and_si256(bits, _mm256_set1_epi16(0x7f)),
                  sign = _mm256_slli_epi16(_mm256_and_si256(bits, _mm256_set1_epi16(0x80)), 8),
                  is_nan = _mm256_cmpeq_epi16(size, _mm256_set1_epi16(0x7f)),
                  half = _mm256_or_si256(_mm256_or_si256(_mm256_slli_epi16(size, 7), sign),
                                         _mm256_and_si256(is_nan, _mm256_set1_epi16(0x7e00)));
    return _mm512_mul_ps(_mm512_cvtph_ps(half), _mm512_set1_ps(256));
}

#define load_s4_avx512 load_s8_avx512
#define load_u4_avx512 load_u8_avx512
#define SET(name) name##_avx512
#define TARGET AVX512
#define VECTOR __m512
#define LANES 16
#define LOAD(from) _mm512_loadu_ps(from)
#define STORE(to, vector) _mm512_storeu_ps(to, vector)
#define SPREAD(number) _mm512_set1_ps(number)
#define TOTAL(vector) _mm512_reduce_add_ps(vector)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define CODES CODES_OF_VECTORS
#include "devices/host/thin/thin_set_body.h"
#endif

/* ---- the interface --------------------------------------------------------------------------- */
const struct thin_set *thin_set(void)
{
#ifdef __x86_64__
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return &functions_avx512;
    if (features->avx2 && features->fma && features->f16c)
        return &functions_avx2;
#endif
    return &functions_one;
}

void thin_set_decode(const struct thin_set *set, enum dtype dtype, const struct thin_run *run)
{
    if (set->decode[dtype]) {
        set->decode[dtype](run);
        return;
    }
    const char *from = run->from;
    float *to = run->to;
    for (int64_t row = 0; row < run->rows; row++, from += run->from_row, to += run->to_row) {
        for (int64_t i = 0; i < run->count; i++)
            to[i] = thin_number(dtype, from + i * dtype_bytes(dtype));
        thin_compute_last(run, to, 0);
    }
}
