/* dot_block.c: see dot_block.h. */
#include "devices/host/kernels/dot_block.h"

#include <stddef.h>

#include "base/cpu.h"
#include "devices/host/kernels/vector_targets.h"

#define NAME(name) name##_f32_avx2
#define TARGET AVX2
#define ELEMENT float
#define VECTOR __m256
#define MASK __m256i
#define VECTORS 2
#define FIRST(count) first_of_8(count)
#define LOAD(from) _mm256_loadu_ps(from)
#define LOAD_SOME(from, mask) _mm256_maskload_ps(from, mask)
#define STORE(to, vector) _mm256_storeu_ps(to, vector)
#define STORE_SOME(to, mask, vector) _mm256_maskstore_ps(to, mask, vector)
#define SPREAD(number) _mm256_set1_ps(number)
#define ADD(a, b) _mm256_add_ps(a, b)
#define MULTIPLY_ADD(a, b, c) _mm256_fmadd_ps(a, b, c)
#include "devices/host/kernels/dot_block_body.h"

#define NAME(name) name##_f64_avx2
#define TARGET AVX2
#define ELEMENT double
#define VECTOR __m256d
#define MASK __m256i
#define VECTORS 2
#define FIRST(count) first_of_4(count)
#define LOAD(from) _mm256_loadu_pd(from)
#define LOAD_SOME(from, mask) _mm256_maskload_pd(from, mask)
#define STORE(to, vector) _mm256_storeu_pd(to, vector)
#define STORE_SOME(to, mask, vector) _mm256_maskstore_pd(to, mask, vector)
#define SPREAD(number) _mm256_set1_pd(number)
#define ADD(a, b) _mm256_add_pd(a, b)
#define MULTIPLY_ADD(a, b, c) _mm256_fmadd_pd(a, b, c)
#include "devices/host/kernels/dot_block_body.h"

#define NAME(name) name##_f32_avx512
#define TARGET AVX512
#define ELEMENT float
#define VECTOR __m512
#define MASK __mmask16
#define VECTORS 4
#define FIRST(count) (MASK)((1u << (count)) - 1)
#define LOAD(from) _mm512_loadu_ps(from)
#define LOAD_SOME(from, mask) _mm512_maskz_loadu_ps(mask, from)
#define STORE(to, vector) _mm512_storeu_ps(to, vector)
#define STORE_SOME(to, mask, vector) _mm512_mask_storeu_ps(to, mask, vector)
#define SPREAD(number) _mm512_set1_ps(number)
#define ADD(a, b) _mm512_add_ps(a, b)
#define MULTIPLY_ADD(a, b, c) _mm512_fmadd_ps(a, b, c)
#include "devices/host/kernels/dot_block_body.h"

#define NAME(name) name##_f64_avx512
#define TARGET AVX512
#define ELEMENT double
#define VECTOR __m512d
#define MASK __mmask8
#define VECTORS 4
#define FIRST(count) (MASK)((1u << (count)) - 1)
#define LOAD(from) _mm512_loadu_pd(from)
#define LOAD_SOME(from, mask) _mm512_maskz_loadu_pd(mask, from)
#define STORE(to, vector) _mm512_storeu_pd(to, vector)
#define STORE_SOME(to, mask, vector) _mm512_mask_storeu_pd(to, mask, vector)
#define SPREAD(number) _mm512_set1_pd(number)
#define ADD(a, b) _mm512_add_pd(a, b)
#define MULTIPLY_ADD(a, b, c) _mm512_fmadd_pd(a, b, c)
#include "devices/host/kernels/dot_block_body.h"

/* The low halves of products of 64 bits, for which AVX2 has no instruction. */
AVX2 static inline __m256i multiply_4(__m256i a, __m256i b)
{
    __m256i crossed = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), b),
                                       _mm256_mul_epu32(a, _mm256_srli_epi64(b, 32)));
    return _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64(crossed, 32));
}

#define NAME(name) name##_s32_avx2
#define TARGET AVX2
#define ELEMENT int32_t
#define VECTOR __m256i
#define MASK __m256i
#define VECTORS 2
#define FIRST(count) first_of_8(count)
#define LOAD(from) _mm256_loadu_si256((const __m256i *)(from))
#define LOAD_SOME(from, mask) _mm256_maskload_epi32(from, mask)
#define STORE(to, vector) _mm256_storeu_si256((__m256i *)(to), vector)
#define STORE_SOME(to, mask, vector) _mm256_maskstore_epi32(to, mask, vector)
#define SPREAD(number) _mm256_set1_epi32(number)
#define ADD(a, b) _mm256_add_epi32(a, b)
#define MULTIPLY_ADD(a, b, c) _mm256_add_epi32(_mm256_mullo_epi32(a, b), c)
#include "devices/host/kernels/dot_block_body.h"

#define NAME(name) name##_s64_avx2
#define TARGET AVX2
#define ELEMENT long long
#define VECTOR __m256i
#define MASK __m256i
#define VECTORS 2
#define FIRST(count) first_of_4(count)
#define LOAD(from) _mm256_loadu_si256((const __m256i *)(from))
#define LOAD_SOME(from, mask) _mm256_maskload_epi64(from, mask)
#define STORE(to, vector) _mm256_storeu_si256((__m256i *)(to), vector)
#define STORE_SOME(to, mask, vector) _mm256_maskstore_epi64(to, mask, vector)
#define SPREAD(number) _mm256_set1_epi64x(number)
#define ADD(a, b) _mm256_add_epi64(a, b)
#define MULTIPLY_ADD(a, b, c) _mm256_add_epi64(multiply_4(a, b), c)
#include "devices/host/kernels/dot_block_body.h"

#define NAME(name) name##_s32_avx512
#define TARGET AVX512
#define ELEMENT int32_t
#define VECTOR __m512i
#define MASK __mmask16
#define VECTORS 4
#define FIRST(count) (MASK)((1u << (count)) - 1)
#define LOAD(from) _mm512_loadu_si512(from)
#define LOAD_SOME(from, mask) _mm512_maskz_loadu_epi32(mask, from)
#define STORE(to, vector) _mm512_storeu_si512(to, vector)
#define STORE_SOME(to, mask, vector) _mm512_mask_storeu_epi32(to, mask, vector)
#define SPREAD(number) _mm512_set1_epi32(number)
#define ADD(a, b) _mm512_add_epi32(a, b)
#define MULTIPLY_ADD(a, b, c) _mm512_add_epi32(_mm512_mullo_epi32(a, b), c)
#include "devices/host/kernels/dot_block_body.h"

#define NAME(name) name##_s64_avx512
#define TARGET AVX512_DQ
#define ELEMENT long long
#define VECTOR __m512i
#define MASK __mmask8
#define VECTORS 4
#define FIRST(count) (MASK)((1u << (count)) - 1)
#define LOAD(from) _mm512_loadu_si512(from)
#define LOAD_SOME(from, mask) _mm512_maskz_loadu_epi64(mask, from)
#define STORE(to, vector) _mm512_storeu_si512(to, vector)
#define STORE_SOME(to, mask, vector) _mm512_mask_storeu_epi64(to, mask, vector)
#define SPREAD(number) _mm512_set1_epi64(number)
#define ADD(a, b) _mm512_add_epi64(a, b)
#define MULTIPLY_ADD(a, b, c) _mm512_add_epi64(_mm512_mullo_epi64(a, b), c)
#include "devices/host/kernels/dot_block_body.h"

static const struct dot_blocks *avx2_blocks(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F32: return &blocks_f32_avx2;
    case DTYPE_F64: return &blocks_f64_avx2;
    case DTYPE_S32:
    case DTYPE_U32: return &blocks_s32_avx2;
    case DTYPE_S64:
    case DTYPE_U64: return &blocks_s64_avx2;
    default: return NULL;
    }
}

static const struct dot_blocks *avx512_blocks(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F32: return &blocks_f32_avx512;
    case DTYPE_F64: return &blocks_f64_avx512;
    case DTYPE_S32:
    case DTYPE_U32: return &blocks_s32_avx512;
    case DTYPE_S64:
    case DTYPE_U64: return &blocks_s64_avx512;
    default: return NULL;
    }
}

const struct dot_blocks *dot_blocks_of(enum dtype dtype)
{
    const struct cpu_features *features = cpu_features();
    if (features->avx512)
        return avx512_blocks(dtype);
    return features->avx2 && features->fma ? avx2_blocks(dtype) : NULL;
}
