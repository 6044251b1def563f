/* thin_load_avx512.h: as thin_load.h, with vectors of 64 bytes. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_LOAD_AVX512_H
#define GANTRY_DEVICES_HOST_THIN_THIN_LOAD_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

AVX512 static inline __m128i sixteen_bytes(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

AVX512 static inline void load_s8_avx512(const int8_t *from, __m512 *to)
{
    *to = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(sixteen_bytes(from)));
}

AVX512 static inline void load_u8_avx512(const uint8_t *from, __m512 *to)
{
    *to = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(sixteen_bytes(from)));
}

AVX512 static inline void load_bf16_avx512(const uint16_t *from, __m512 *to)
{
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from));
    *to = _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

AVX512 static inline void load_f16_avx512(const uint16_t *from, __m512 *to)
{
    *to = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
}

AVX512 static inline void load_f32_avx512(const float *from, __m512 *to)
{
    *to = _mm512_loadu_ps(from);
}

/* The upper halves of f16. */
AVX512 static inline void load_f8e5m2_avx512(const uint8_t *from, __m512 *to)
{
    *to = _mm512_cvtph_ps(_mm256_slli_epi16(_mm256_cvtepu8_epi16(sixteen_bytes(from)), 8));
}

/* As f16, whose exponents are larger by 8, numbers are 256 times as small. All bits: a NaN. */
AVX512 static inline void load_f8e4m3fn_avx512(const uint8_t *from, __m512 *to)
{
    const __m256i bits = _mm256_cvtepu8_epi16(sixteen_bytes(from)),
                  size = _mm256_and_si256(bits, _mm256_set1_epi16(0x7f)),
                  sign = _mm256_slli_epi16(_mm256_and_si256(bits, _mm256_set1_epi16(0x80)), 8),
                  is_nan = _mm256_cmpeq_epi16(size, _mm256_set1_epi16(0x7f)),
                  half = _mm256_or_si256(_mm256_or_si256(_mm256_slli_epi16(size, 7), sign),
                                         _mm256_and_si256(is_nan, _mm256_set1_epi16(0x7e00)));
    *to = _mm512_mul_ps(_mm512_cvtph_ps(half), _mm512_set1_ps(256));
}

/* Numbers of 4 bits are looked up: a permutation uses the low 4 bits of an index. */
#define THIN_LOAD(name, ...)                                                                       \
    AVX512 static inline void load_##name##_low_avx512(const uint8_t *from, __m512 *to)            \
    {                                                                                              \
        const __m512i bits = _mm512_cvtepu8_epi32(sixteen_bytes(from));                            \
        *to = _mm512_permutexvar_ps(bits, _mm512_setr_ps(__VA_ARGS__));                            \
    }                                                                                              \
    AVX512 static inline void load_##name##_high_avx512(const uint8_t *from, __m512 *to)           \
    {                                                                                              \
        const __m512i bits = _mm512_cvtepu8_epi32(sixteen_bytes(from));                            \
        *to = _mm512_permutexvar_ps(_mm512_srli_epi32(bits, 4), _mm512_setr_ps(__VA_ARGS__));      \
    }
THIN_LOAD(s4, 0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1)
THIN_LOAD(u4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
THIN_LOAD(f4, 0, .5f, 1, 1.5f, 2, 3, 4, 6, -0.f, -.5f, -1, -1.5f, -2, -3, -4, -6)
#undef THIN_LOAD

/* The numbers of a table of 16 at indices in the low 4 bits of bytes. */
AVX512 static inline __m512 found_avx512(__m128i bytes, const float *table)
{
    return _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(bytes), _mm512_loadu_ps(table));
}

AVX512 static inline void load_table_low_avx512(const uint8_t *from, const float *table, __m512 *to)
{
    *to = found_avx512(sixteen_bytes(from), table);
}

AVX512 static inline void load_table_high_avx512(const uint8_t *from, const float *table,
                                                 __m512 *to)
{
    *to = found_avx512(_mm_srli_epi16(sixteen_bytes(from), 4), table);
}

#endif
