/* vector_targets.h: what kernels written for several instruction sets share. A function marked
 * AVX2, AVX512 or AVX512_DQ may only run where cpu_features() says so. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_VECTOR_TARGETS_H
#define GANTRY_DEVICES_HOST_KERNELS_VECTOR_TARGETS_H

#include <immintrin.h>
#include <stdint.h>

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
#define AVX512_DQ __attribute__((target("avx512f,avx512dq")))

/* Loops with a constant number of iterations, at most 16, whose variables are registers. */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

/* Masks of the first 0 to 8 lanes of 32 bits, and of the first 0 to 4 of 64. */
AVX2 static inline __m256i first_of_8(int count)
{
    static const int32_t lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(lanes + 8 - count));
}

AVX2 static inline __m256i first_of_4(int count)
{
    return first_of_8(2 * count);
}

#endif
