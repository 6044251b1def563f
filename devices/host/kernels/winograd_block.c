/* winograd_block.c: see winograd_block.h. */
#include "devices/host/kernels/winograd_block.h"

#include "base/cpu.h"
#include "devices/host/kernels/vector_targets.h"

AVX2 static inline bool is_zero_8(__m256 v)
{
    return _mm256_movemask_ps(_mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_EQ_OQ)) == 0xff;
}

#define NAME(name) name##_avx2
#define TARGET AVX2
#define VECTOR __m256
#define MASK __m256i
#define FIRST(count) first_of_8(count)
#define LOAD(from) _mm256_loadu_ps(from)
#define STORE(to, vector) _mm256_storeu_ps(to, vector)
#define LOAD_SOME(from, mask) _mm256_maskload_ps(from, mask)
#define STORE_SOME(to, mask, vector) _mm256_maskstore_ps(to, mask, vector)
#define SPREAD(number) _mm256_set1_ps(number)
#define ADD(a, b) _mm256_add_ps(a, b)
#define SUBTRACT(a, b) _mm256_sub_ps(a, b)
#define MULTIPLY(a, b) _mm256_mul_ps(a, b)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define IS_ZERO(vector) is_zero_8(vector)
#include "devices/host/kernels/winograd_block_body.h"

#define NAME(name) name##_avx512
#define TARGET AVX512
#define VECTOR __m512
#define MASK __mmask16
#define FIRST(count) (MASK)((1u << (count)) - 1)
#define LOAD(from) _mm512_loadu_ps(from)
#define STORE(to, vector) _mm512_storeu_ps(to, vector)
#define LOAD_SOME(from, mask) _mm512_maskz_loadu_ps(mask, from)
#define STORE_SOME(to, mask, vector) _mm512_mask_storeu_ps(to, mask, vector)
#define SPREAD(number) _mm512_set1_ps(number)
#define ADD(a, b) _mm512_add_ps(a, b)
#define SUBTRACT(a, b) _mm512_sub_ps(a, b)
#define MULTIPLY(a, b) _mm512_mul_ps(a, b)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define IS_ZERO(vector)                                                                            \
    (_mm512_cmp_ps_mask(vector, _mm512_setzero_ps(), _CMP_EQ_OQ) == (__mmask16)0xffff)
#include "devices/host/kernels/winograd_block_body.h"

const struct winograd_blocks *winograd_blocks(void)
{
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return &blocks_avx512;
    return features->avx2 && features->fma ? &blocks_avx2 : NULL;
}
