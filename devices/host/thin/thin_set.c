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
    X(s8, int8_t, THIN_WHOLE, DTYPE_S8)                                                            \
    X(u8, uint8_t, THIN_WHOLE, DTYPE_U8)                                                           \
    X(bf16, uint16_t, THIN_WHOLE, DTYPE_BF16)                                                      \
    X(f32, float, THIN_WHOLE, DTYPE_F32)
#include "devices/host/thin/thin_set_body.h"

#ifdef __x86_64__
#define CODES_OF_VECTORS(X)                                                                        \
    X(s8, int8_t, THIN_WHOLE, DTYPE_S8)                                                            \
    X(s4, int8_t, THIN_WHOLE, DTYPE_S4)                                                            \
    X(u8, uint8_t, THIN_WHOLE, DTYPE_U8)                                                           \
    X(u4, uint8_t, THIN_WHOLE, DTYPE_U4)                                                           \
    X(f8e4m3fn, uint8_t, THIN_WHOLE, DTYPE_F8E4M3FN)                                               \
    X(f8e5m2, uint8_t, THIN_WHOLE, DTYPE_F8E5M2)                                                   \
    X(bf16, uint16_t, THIN_WHOLE, DTYPE_BF16)                                                      \
    X(f16, uint16_t, THIN_WHOLE, DTYPE_F16)                                                        \
    X(f32, float, THIN_WHOLE, DTYPE_F32)                                                           \
    X(s4_low, uint8_t, THIN_LOW, DTYPE_S4)                                                         \
    X(s4_high, uint8_t, THIN_HIGH, DTYPE_S4)                                                       \
    X(u4_low, uint8_t, THIN_LOW, DTYPE_U4)                                                         \
    X(u4_high, uint8_t, THIN_HIGH, DTYPE_U4)                                                       \
    X(f4_low, uint8_t, THIN_LOW, DTYPE_F4E2M1FN)                                                   \
    X(f4_high, uint8_t, THIN_HIGH, DTYPE_F4E2M1FN)

/* The numbers of 4 bits, those of f4e2m1fn twice as large, which makes them integers. */
#define NUMBERS_OF_S4 0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1
#define NUMBERS_OF_U4 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define TWICE_NUMBERS_OF_F4 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
#define NUMBERS_OF_F4 0, .5f, 1, 1.5f, 2, 3, 4, 6, -0.f, -.5f, -1, -1.5f, -2, -3, -4, -6
#define LOAD_HALVES(set, target, vector)                                                           \
    target static inline vector load_s4_low##set(const uint8_t *from)                              \
    {                                                                                              \
        return halves##set(from, 0, TABLE(NUMBERS_OF_S4));                                         \
    }                                                                                              \
    target static inline vector load_s4_high##set(const uint8_t *from)                             \
    {                                                                                              \
        return halves##set(from, 4, TABLE(NUMBERS_OF_S4));                                         \
    }                                                                                              \
    target static inline vector load_u4_low##set(const uint8_t *from)                              \
    {                                                                                              \
        return halves##set(from, 0, TABLE(NUMBERS_OF_U4));                                         \
    }                                                                                              \
    target static inline vector load_u4_high##set(const uint8_t *from)                             \
    {                                                                                              \
        return halves##set(from, 4, TABLE(NUMBERS_OF_U4));                                         \
    }

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

/* Numbers of 4 bits, which a table has, from the low (shift 0) or high bits (4) of bytes. */
AVX2 static inline __m256 halves_avx2(const uint8_t *from, const int shift, __m128i table)
{
    const __m128i bits = _mm_and_si128(_mm_srli_epi16(eight_bytes(from), shift), _mm_set1_epi8(15));
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_shuffle_epi8(table, bits)));
}

#define TABLE(...) _mm_setr_epi8(__VA_ARGS__)
LOAD_HALVES(_avx2, AVX2, __m256)

AVX2 static inline __m256 load_f4_low_avx2(const uint8_t *from)
{
    return _mm256_mul_ps(halves_avx2(from, 0, TABLE(TWICE_NUMBERS_OF_F4)), _mm256_set1_ps(.5f));
}

AVX2 static inline __m256 load_f4_high_avx2(const uint8_t *from)
{
    return _mm256_mul_ps(halves_avx2(from, 4, TABLE(TWICE_NUMBERS_OF_F4)), _mm256_set1_ps(.5f));
}
#undef TABLE

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

/* A permutation uses the low 4 bits of an index. */
AVX512 static inline __m512 halves_avx512(const uint8_t *from, const unsigned shift, __m512 table)
{
    const __m512i bits = _mm512_cvtepu8_epi32(sixteen_bytes(from));
    return _mm512_permutexvar_ps(_mm512_srli_epi32(bits, shift), table);
}

#define TABLE(...) _mm512_setr_ps(__VA_ARGS__)
LOAD_HALVES(_avx512, AVX512, __m512)

AVX512 static inline __m512 load_f4_low_avx512(const uint8_t *from)
{
    return halves_avx512(from, 0, TABLE(NUMBERS_OF_F4));
}

AVX512 static inline __m512 load_f4_high_avx512(const uint8_t *from)
{
    return halves_avx512(from, 4, TABLE(NUMBERS_OF_F4));
}
#undef TABLE

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

/* The element of a number that has a byte of its own. */
static uint8_t widened(enum dtype dtype, enum thin_field field, uint8_t byte)
{
    const uint8_t bits = field == THIN_HIGH ? byte >> 4 : byte & 15;
    return dtype == DTYPE_S4 && bits & 8 ? bits | 0xf0 : bits;
}

static float number_of(enum dtype dtype, enum thin_field field, const char *element)
{
    if (field == THIN_WHOLE)
        return thin_number(dtype, element);
    const uint8_t byte = widened(dtype, field, (uint8_t)*element);
    return (float)dtype_to_double(dtype, &byte);
}

void thin_set_decode(const struct thin_set *set, enum dtype dtype, enum thin_field field,
                     const struct thin_run *run)
{
    if (set->decode[field][dtype]) {
        set->decode[field][dtype](run);
        return;
    }
    const char *from = run->from;
    float *to = run->to;
    for (int64_t row = 0; row < run->rows; row++, from += run->from_row, to += run->to_row) {
        for (int64_t i = 0; i < run->count; i++)
            to[i] = number_of(dtype, field, from + i * dtype_bytes(dtype));
        thin_compute_last(run, to, 0);
    }
}
