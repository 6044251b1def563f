/* thin_integer_avx512.c: the inner loops of thin_integer_code.h with vectors of 64 bytes. */
#ifdef __x86_64__
#include <immintrin.h>

#define SET(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define LANES 16
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define ADD_PRODUCTS(sum, a, b)                                                                    \
    ((integers)_mm512_add_epi32((__m512i)(sum), _mm512_madd_epi16((__m512i)(a), (__m512i)(b))))
#include "devices/host/thin/thin_integer_body.h"
#else
typedef int thin_integer_avx512_is_absent;
#endif
