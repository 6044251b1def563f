/* dot_s8_few.c: see dot_s8_few.h. */
#include "devices/host/kernels/dot_s8_few.h"

#include <string.h>

#include "devices/host/kernels/vector_targets.h"

enum {
    LANES = 16,   /* elements of 16 bits in a vector */
    TOGETHER = 4, /* vectors whose sums with a row are registers */
    ROWS = 2
};

AVX2 static inline __m256i widen(const int8_t *from)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)from));
}

/* The last elements of a row, fewer than LANES, with zeros. */
AVX2 static inline __m256i widen_some(const int8_t *from, int64_t count)
{
    int8_t padded[LANES] = {0};
    memcpy(padded, from, (size_t)count);
    return widen(padded);
}

/* The sums of the lanes of four vectors. */
AVX2 static inline __m128i add_lanes(const __m256i s[TOGETHER])
{
    __m256i pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(s[0], s[1]), _mm256_hadd_epi32(s[2], s[3]));
    return _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
}

AVX2 static inline void write(const struct s8_few *p, int64_t i, int j, int count, __m128i sums)
{
    int32_t found[TOGETHER];
    _mm_storeu_si128((__m128i *)found, sums);
    for (int v = 0; v < count; v++) {
        int32_t *to = p->out + i * p->out_row + (j + v) * p->out_vector;
        *to = (int32_t)((uint32_t)found[v] + (p->adds ? (uint32_t)*to : 0));
    }
}

/* `rows` rows from the i-th with `count` vectors from the j-th. */
AVX2 static inline __attribute__((always_inline)) void
multiply(const struct s8_few *p, int64_t i, int j, const int rows, const int count)
{
    __m256i sums[ROWS][TOGETHER];
    const int8_t *row = p->rows + i * p->row;
    const int16_t *vector = p->vectors + j * p->vector;
    UNROLLED for (int r = 0; r < ROWS; r++) UNROLLED for (int v = 0; v < TOGETHER; v++) sums[r][v] =
        _mm256_setzero_si256();
    for (int64_t k = 0; k < p->k; k += LANES) {
        __m256i left[ROWS];
        bool is_whole = k + LANES <= p->k;
        UNROLLED for (int r = 0; r < rows; r++) left[r] =
            is_whole ? widen(row + r * p->row + k) : widen_some(row + r * p->row + k, p->k - k);
        UNROLLED for (int v = 0; v < count; v++)
        {
            const __m256i right = _mm256_loadu_si256((const __m256i *)(vector + v * p->vector + k));
            UNROLLED for (int r = 0; r < rows; r++) sums[r][v] =
                _mm256_add_epi32(sums[r][v], _mm256_madd_epi16(left[r], right));
        }
    }
    UNROLLED for (int r = 0; r < rows; r++) write(p, i + r, j, count, add_lanes(sums[r]));
}

AVX2 static void multiply_some(const struct s8_few *p, int64_t i, int j, int rows, int count)
{
    switch (count + (rows == ROWS ? TOGETHER : 0)) {
    case 1: multiply(p, i, j, 1, 1); break;
    case 2: multiply(p, i, j, 1, 2); break;
    case 3: multiply(p, i, j, 1, 3); break;
    case 4: multiply(p, i, j, 1, 4); break;
    case 5: multiply(p, i, j, 2, 1); break;
    case 6: multiply(p, i, j, 2, 2); break;
    case 7: multiply(p, i, j, 2, 3); break;
    default: multiply(p, i, j, 2, 4); break;
    }
}

void s8_few_run(const struct s8_few *p)
{
    for (int64_t i = 0; i < p->row_count; i += ROWS)
        for (int j = 0; j < p->vector_count; j += TOGETHER) {
            int rest = p->vector_count - j;
            multiply_some(p, i, j, i + ROWS <= p->row_count ? ROWS : 1,
                          rest < TOGETHER ? rest : TOGETHER);
        }
}
