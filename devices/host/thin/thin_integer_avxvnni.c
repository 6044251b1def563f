/* thin_integer_avxvnni.c: the inner loops of thin_integer_code.h with vectors of 32 bytes, and
 * VNNI. */
#ifdef __x86_64__
#include <immintrin.h>

#define SET(name) name##_avxvnni
#define TARGET __attribute__((target("avx2,fma,avxvnni")))
#define LANES 8
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define ADD_PRODUCTS(sum, a, b)                                                                    \
    ((integers)_mm256_dpwssd_avx_epi32((__m256i)(sum), (__m256i)(a), (__m256i)(b)))
#include "devices/host/thin/thin_integer_body.h"
#else
typedef int thin_integer_avxvnni_is_absent;
#endif
