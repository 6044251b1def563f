/* thin_integer_avx2.c: the inner loops of thin_integer_code.h with vectors of 32 bytes. */
#ifdef __x86_64__
#include <immintrin.h>

#define SET(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 8
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define ADD_PRODUCTS(sum, a, b)                                                                    \
    ((integers)_mm256_add_epi32((__m256i)(sum), _mm256_madd_epi16((__m256i)(a), (__m256i)(b))))
#include "devices/host/thin/thin_integer_body.h"
#else
typedef int thin_integer_avx2_is_absent;
#endif
