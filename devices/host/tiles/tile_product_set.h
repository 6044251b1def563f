/* tile_product_set.h: the code of tile_product.c for one instruction set and both types; included
 * once for each set, with these defined, whose definitions it ends. No include guard.
 *
 *   SET(name), TARGET               a name for this set; a function attribute
 *   VECTOR, VECTORS                 the type of a vector of f32; vectors of a panel
 *   LOAD(from), STORE(to, vector), SPREAD(number)
 *   FMA(a, b, c)                    a * b + c
 *
 * Pairs of bf16 are the upper halves of two f32, multiplied one after the other. */
typedef uint32_t SET(words) __attribute__((vector_size(sizeof(VECTOR))));

/* The nearest bf16 of each lane, in its lower half. */
TARGET static inline __attribute__((always_inline)) SET(words) SET(narrowed)(const float *from)
{
    const SET(words) x = (SET(words))LOAD(from);
    const SET(words) is_nan = (SET(words))((x & 0x7fffffff) > 0x7f800000);
    const SET(words) rounded = (x + 0x7fff + (x >> 16 & 1)) >> 16, quiet = x >> 16 | 0x40;
    return (rounded & ~is_nan) | (quiet & is_nan);
}

TARGET static void SET(narrow)(const float *from, int64_t count, uint16_t *to)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    typedef uint16_t halves __attribute__((vector_size(sizeof(VECTOR) / 2)));
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const halves stored = __builtin_convertvector(SET(narrowed)(from + i), halves);
        memcpy(to + i, &stored, sizeof stored);
    }
    for (; i < count; i++)
        to[i] = (uint16_t)narrowed(from[i]);
}

TARGET static void SET(narrow_pairs)(const float *first, const float *second, int64_t count,
                                     uint16_t *to)
{
    enum { LANES = sizeof(VECTOR) / sizeof(float) };
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const SET(words) pairs = SET(narrowed)(first + i) | SET(narrowed)(second + i) << 16;
        memcpy(to + 2 * i, &pairs, sizeof pairs);
    }
    for (; i < count; i++)
        store_pair(first[i], second[i], to + 2 * i);
}
#define NARROW SET(narrow)
#define NARROW_PAIRS SET(narrow_pairs)

#define NAME(name) SET(name##_f32)
#define NUMBER float
#define DEPTH 1
#define RIGHT VECTOR
#define PARTS 1
#define LOAD_RIGHT(from, part) LOAD(from)
#define LEFT(from, part) SPREAD(*(from))
#define LEFT_LAST(from, part) SPREAD(*(from))
#define MULTIPLY_ADD(left, right, sum) FMA(left, right, sum)
#define LOAD_ROWS(from, stride, right)                                                             \
    UNROLLED for (int row_v = 0; row_v < VECTORS; row_v++)(right)[row_v] =                         \
        LOAD((from) + row_v * (int)(sizeof(VECTOR) / sizeof(float)))
#include "devices/host/tiles/tile_product_body.h"

#define HALF(vector, part)                                                                         \
    ((VECTOR)((part) ? (SET(words))(vector) & 0xffff0000 : (SET(words))(vector) << 16))
#define NAME(name) SET(name##_bf16)
#define NUMBER uint16_t
#define DEPTH 2
#define RIGHT VECTOR
#define PARTS 2
#define LOAD_RIGHT(from, part) HALF(LOAD((const float *)(const void *)(from)), part)
#define LEFT(from, part) HALF(SPREAD(float_of(pair_of(from))), part)
#define LEFT_LAST(from, part) HALF(SPREAD(float_of(*(from))), part)
#define MULTIPLY_ADD(left, right, sum) FMA(left, right, sum)
#include "devices/host/tiles/tile_product_body.h"

#undef NARROW
#undef NARROW_PAIRS
#undef HALF
#undef SET
#undef TARGET
#undef VECTOR
#undef VECTORS
#undef LOAD
#undef STORE
#undef SPREAD
#undef FMA
