/* thin_set_any.c: the inner loops of thin_set.h for any processor. */
#include "devices/host/thin/thin_codes.h"
#include "devices/host/thin/thin_set.h"
#include "devices/host/thin/thin_load.h"

#define SET(name) name##_any
#define TARGET
#define VECTOR thin_four
#define LANES THIN_LOAD_LANES
#define UNIT THIN_LOAD_VECTORS
#define LOAD(from) ((thin_four)(*(const thin_four_unaligned *)(const void *)(from)))
#define STORE(to, vector) (*(thin_four_unaligned *)(void *)(to) = (vector))
#define SPREAD(number) ((thin_four){0} + (number))
#define TOTAL(vector) total_any(vector)
#define FMA(a, b, c) ((a) * (b) + (c))
#define PICK(from, indices)                                                                        \
    ((thin_four){(from)[(indices)[0]], (from)[(indices)[1]], (from)[(indices)[2]],                 \
                 (from)[(indices)[3]]})
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define CODES CODES_OF_ANY
#define PAIRS NO_PAIRS
#define TABLES NO_TABLES
#define UNITS_OF_ROW 1
#define UNITS_OF_ROWS 1
#define COLUMNS_OF_ROW 4
#define COLUMNS_OF_ROWS 1
#define TIMES_OF_HALVES {0}
#include "devices/host/thin/thin_set_body.h"
