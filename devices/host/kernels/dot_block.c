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
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
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
#define FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
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
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
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
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#include "devices/host/kernels/dot_block_body.h"

const struct dot_blocks *dot_blocks_of(enum dtype dtype)
{
    const struct cpu_features *features = cpu_features();
    if (dtype != DTYPE_F32 && dtype != DTYPE_F64)
        return NULL;
    if (features->avx512)
        return dtype == DTYPE_F32 ? &blocks_f32_avx512 : &blocks_f64_avx512;
    if (!features->avx2 || !features->fma)
        return NULL;
    return dtype == DTYPE_F32 ? &blocks_f32_avx2 : &blocks_f64_avx2;
}
