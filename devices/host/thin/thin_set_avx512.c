/* thin_set_avx512.c: the inner loops of thin_set.h with vectors of 64 bytes. */
#include "devices/host/thin/thin_codes.h"
#include "devices/host/thin/thin_set.h"
#ifdef __x86_64__
#include "devices/host/thin/thin_load_avx512.h"

#define SET(name) name##_avx512
#define TARGET AVX512
#define VECTOR __m512
#define LANES 16
#define UNIT 1
#define LOAD(from) _mm512_loadu_ps(from)
#define STORE(to, vector) _mm512_storeu_ps(to, vector)
#define SPREAD(number) _mm512_set1_ps(number)
#define TOTAL(vector) _mm512_reduce_add_ps(vector)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define LOOK_UP(indices, table)                                                                    \
    _mm512_permutexvar_ps(_mm512_cvttps_epi32(indices), _mm512_loadu_ps(table))
#define PICK(from, indices) _mm512_permutexvar_ps((__m512i)(indices), LOAD(from))
#define ZIP_LOW(a, b)                                                                              \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b)                                                                             \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define CODES CODES_OF_VECTORS
#define PAIRS PAIRS_OF_VECTORS
#define TABLES TABLES_OF_VECTORS
#define UNITS_OF_ROW 4
#define UNITS_OF_ROWS 4
#define COLUMNS_OF_ROW 8
#define COLUMNS_OF_ROWS 4
#define TIMES_OF_HALVES {0}
#include "devices/host/thin/thin_set_body.h"
#endif
