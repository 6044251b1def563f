/* thin_set_avx2.c: the inner loops of thin_set.h with vectors of 32 bytes. */
#include "devices/host/thin/thin_codes.h"
#include "devices/host/thin/thin_set.h"
#ifdef __x86_64__
#include "devices/host/thin/thin_load_avx2.h"

#define SET(name) name##_avx2
#define TARGET AVX2
#define VECTOR __m256
#define LANES 8
#define UNIT 2
#define LOAD(from) _mm256_loadu_ps(from)
#define STORE(to, vector) _mm256_storeu_ps(to, vector)
#define SPREAD(number) _mm256_set1_ps(number)
#define TOTAL(vector) total_avx2(vector)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define LOOK_UP(indices, table) found_avx2(_mm256_cvttps_epi32(indices), table)
#define PICK(from, indices) _mm256_permutevar8x32_ps(LOAD(from), (__m256i)(indices))
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define CODES CODES_OF_VECTORS
#define PAIRS PAIRS_OF_VECTORS
#define TABLES TABLES_OF_VECTORS
#define UNITS_OF_ROW 4
#define UNITS_OF_ROWS 1
#define COLUMNS_OF_ROW 4
#define COLUMNS_OF_ROWS 2
#define TIMES_OF_HALVES {[DTYPE_S4] = S4_TIMES, [DTYPE_F4E2M1FN] = F4_TIMES}
#include "devices/host/thin/thin_set_body.h"
#endif
