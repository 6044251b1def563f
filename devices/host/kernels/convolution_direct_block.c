/* convolution_direct_block.c: see convolution_direct_block.h. */
#include "devices/host/kernels/convolution_direct_block.h"

#include <immintrin.h>

#include "base/cpu.h"

/* The sums of the lanes of each. */
static inline __m128 totals_of_4(__m128 a, __m128 b, __m128 c, __m128 d)
{
    _MM_TRANSPOSE4_PS(a, b, c, d);
    return _mm_add_ps(_mm_add_ps(a, b), _mm_add_ps(c, d));
}

/* The first `count` elements, 1 to 3, then zeros. */
static inline __m128 load_some_of_4(const float *p, int64_t count)
{
    if (count == 1)
        return _mm_load_ss(p);
    __m128 two = _mm_castpd_ps(_mm_load_sd((const double *)(const void *)p));
    return count == 2 ? two : _mm_movelh_ps(two, _mm_load_ss(p + 2));
}

/* Sixteen registers, here and for AVX2: 12 sums, a weight, operands. */
#define POSITIONS_1 8
#define POSITIONS_2 4
#define POSITIONS_3 4
#define POSITIONS_4 3
#define POSITIONS_5 2
#define POSITIONS_6 2
#define POSITIONS_7 1
#define POSITIONS_8 1

#define NAME(name) name##_sse2
#define TARGET
#define VECTOR __m128
#define LANES 4
#define ZERO _mm_setzero_ps()
#define LOAD(p) _mm_loadu_ps(p)
#define LOAD_SOME(p, count) load_some_of_4(p, count)
#define MULTIPLY_ADD(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define TOTALS(a, b, c, d) totals_of_4(a, b, c, d)
#include "devices/host/kernels/convolution_direct_body.h"

/* The sums of the lanes of each. */
__attribute__((target("avx2"))) static inline __m128 totals_of_8(__m256 a, __m256 b, __m256 c,
                                                                 __m256 d)
{
    __m256 sums = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
}

#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR __m256
#define LANES 8
#define ZERO _mm256_setzero_ps()
#define LOAD(p) _mm256_loadu_ps(p)
#define LOAD_SOME(p, count) _mm256_maskload_ps(p, first_lanes(count))
#define MULTIPLY_ADD(a, b, c) _mm256_fmadd_ps(a, b, c)
#define TOTALS(a, b, c, d) totals_of_8(a, b, c, d)
TARGET static inline __m256i first_lanes(int64_t count)
{
    static const int32_t lanes[2 * LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(lanes + LANES - count));
}
#include "devices/host/kernels/convolution_direct_body.h"
#undef POSITIONS_4
#undef POSITIONS_5
#undef POSITIONS_6
#undef POSITIONS_7
#undef POSITIONS_8

#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512dq")))
#define VECTOR __m512
#define LANES 16
#define ZERO _mm512_setzero_ps()
#define LOAD(p) _mm512_loadu_ps(p)
#define LOAD_SOME(p, count) _mm512_maskz_loadu_ps((__mmask16)((1u << (count)) - 1), p)
#define MULTIPLY_ADD(a, b, c) _mm512_fmadd_ps(a, b, c)
#define TOTALS(a, b, c, d) totals_of_8(half_sum(a), half_sum(b), half_sum(c), half_sum(d))
/* Thirty-two registers: 16 sums, weights, operands. */
#define POSITIONS_4 4
#define POSITIONS_5 2
#define POSITIONS_6 2
#define POSITIONS_7 2
#define POSITIONS_8 2
TARGET static inline __m256 half_sum(__m512 v)
{
    return _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
}
#include "devices/host/kernels/convolution_direct_body.h"

const struct direct_functions *direct_functions_of(int64_t features)
{
    const struct cpu_features *cpu = cpu_features();
    if (cpu->avx512)
        return &functions_avx512[features - 1];
    return cpu->avx2 && cpu->fma ? &functions_avx2[features - 1] : &functions_sse2[features - 1];
}
