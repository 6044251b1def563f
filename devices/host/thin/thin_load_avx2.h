/* thin_load_avx2.h: as thin_load.h, with vectors of 32 bytes. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_LOAD_AVX2_H
#define GANTRY_DEVICES_HOST_THIN_THIN_LOAD_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#define AVX2 __attribute__((target("avx2,fma,f16c")))

AVX2 static inline __m128i eight_bytes(const void *from)
{
    return _mm_loadl_epi64((const __m128i *)from);
}

/* Loads two vectors with a function of eight numbers each. */
#define THIN_LOAD(name, type)                                                                      \
    AVX2 static inline void load_##name##_avx2(const type *from, __m256 *to)                       \
    {                                                                                              \
        to[0] = name##_avx2(from);                                                                 \
        to[1] = name##_avx2(from + 8);                                                             \
    }

AVX2 static inline __m256 s8_avx2(const int8_t *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight_bytes(from)));
}
THIN_LOAD(s8, int8_t)

AVX2 static inline __m256 u8_avx2(const uint8_t *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight_bytes(from)));
}
THIN_LOAD(u8, uint8_t)

AVX2 static inline __m256 bf16_avx2(const uint16_t *from)
{
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}
THIN_LOAD(bf16, uint16_t)

AVX2 static inline __m256 f16_avx2(const uint16_t *from)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from));
}
THIN_LOAD(f16, uint16_t)

AVX2 static inline __m256 f32_avx2(const float *from)
{
    return _mm256_loadu_ps(from);
}
THIN_LOAD(f32, float)

/* The upper halves of f16. */
AVX2 static inline __m256 f8e5m2_avx2(const uint8_t *from)
{
    return _mm256_cvtph_ps(_mm_slli_epi16(_mm_cvtepu8_epi16(eight_bytes(from)), 8));
}
THIN_LOAD(f8e5m2, uint8_t)

/* As f16, whose exponents are larger by 8, numbers are 256 times as small. All bits: a NaN. */
AVX2 static inline __m256 f8e4m3fn_avx2(const uint8_t *from)
{
    const __m128i bits = _mm_cvtepu8_epi16(eight_bytes(from)),
                  size = _mm_and_si128(bits, _mm_set1_epi16(0x7f)),
                  sign = _mm_slli_epi16(_mm_and_si128(bits, _mm_set1_epi16(0x80)), 8),
                  is_nan = _mm_cmpeq_epi16(size, _mm_set1_epi16(0x7f)),
                  half = _mm_or_si128(_mm_or_si128(_mm_slli_epi16(size, 7), sign),
                                      _mm_and_si128(is_nan, _mm_set1_epi16(0x7e00)));
    return _mm256_mul_ps(_mm256_cvtph_ps(half), _mm256_set1_ps(256));
}
THIN_LOAD(f8e4m3fn, uint8_t)
#undef THIN_LOAD

/* ---- numbers of 4 bits ----------------------------------------------------------------------- */
/* Four bytes each of which is that of number `i` and zeros, first or last in the element. */
#define FIRST(i) i, -1, -1, -1
#define LAST(i) -1, -1, -1, i
#define EIGHT(BYTES, i)                                                                            \
    _mm256_setr_epi8(BYTES(i), BYTES(i + 1), BYTES(i + 2), BYTES(i + 3), BYTES(i + 4),             \
                     BYTES(i + 5), BYTES(i + 6), BYTES(i + 7))

/* Sixteen bytes, twice. */
AVX2 static inline __m256i sixteen_bytes_twice(const void *from)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

AVX2 static inline void from_first_avx2(__m256i bytes, __m256 *to)
{
    to[0] = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, EIGHT(FIRST, 0)));
    to[1] = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, EIGHT(FIRST, 8)));
}

/* Signed bytes, which become 2^24 times as large. */
AVX2 static inline void from_last_avx2(__m256i bytes, __m256 *to)
{
    to[0] = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, EIGHT(LAST, 0)));
    to[1] = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(bytes, EIGHT(LAST, 8)));
}
/* The numbers of a table of 16, whose halves are two registers, at indices in the low 4 bits. */
AVX2 static inline __m256 found_avx2(__m256i indices, const float *table)
{
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), indices),
                 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), indices),
                 is_high = _mm256_castsi256_ps(_mm256_slli_epi32(indices, 28));
    return _mm256_blendv_ps(low, high, is_high);
}

AVX2 static inline void from_table_avx2(__m256i bytes, const float *table, __m256 *to)
{
    to[0] = found_avx2(_mm256_shuffle_epi8(bytes, EIGHT(FIRST, 0)), table);
    to[1] = found_avx2(_mm256_shuffle_epi8(bytes, EIGHT(FIRST, 8)), table);
}
#undef FIRST
#undef LAST
#undef EIGHT

AVX2 static inline __m256i low_avx2(const uint8_t *from)
{
    return _mm256_and_si256(sixteen_bytes_twice(from), _mm256_set1_epi8(15));
}

AVX2 static inline __m256i high_avx2(const uint8_t *from)
{
    const __m256i shifted = _mm256_srli_epi16(sixteen_bytes_twice(from), 4);
    return _mm256_and_si256(shifted, _mm256_set1_epi8(15));
}

AVX2 static inline void load_table_low_avx2(const uint8_t *from, const float *table, __m256 *to)
{
    from_table_avx2(low_avx2(from), table, to);
}

AVX2 static inline void load_table_high_avx2(const uint8_t *from, const float *table, __m256 *to)
{
    from_table_avx2(high_avx2(from), table, to);
}

AVX2 static inline void load_u4_low_avx2(const uint8_t *from, __m256 *to)
{
    from_first_avx2(low_avx2(from), to);
}

AVX2 static inline void load_u4_high_avx2(const uint8_t *from, __m256 *to)
{
    from_first_avx2(high_avx2(from), to);
}

/* In the high bits of a byte, numbers are 16 times as large, with their sign. */
enum { S4_TIMES = 1 << 28 };

AVX2 static inline void load_s4_low_avx2(const uint8_t *from, __m256 *to)
{
    const __m256i shifted = _mm256_slli_epi16(sixteen_bytes_twice(from), 4);
    from_last_avx2(_mm256_and_si256(shifted, _mm256_set1_epi8(-16)), to);
}

AVX2 static inline void load_s4_high_avx2(const uint8_t *from, __m256 *to)
{
    from_last_avx2(_mm256_and_si256(sixteen_bytes_twice(from), _mm256_set1_epi8(-16)), to);
}

/* The numbers of f4e2m1fn, twice as large, which makes them integers. */
enum { F4_TIMES = 1 << 25 };

AVX2 static inline __m256i twice_f4_avx2(__m256i bits)
{
    const __m128i table = _mm_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), bits);
}

AVX2 static inline void load_f4_low_avx2(const uint8_t *from, __m256 *to)
{
    from_last_avx2(twice_f4_avx2(low_avx2(from)), to);
}

AVX2 static inline void load_f4_high_avx2(const uint8_t *from, __m256 *to)
{
    from_last_avx2(twice_f4_avx2(high_avx2(from)), to);
}

AVX2 static inline float total_avx2(__m256 v)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

#endif
