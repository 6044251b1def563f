/* thin_load.h: THIN_LANES adjacent numbers of a type as vectors of f32, for any processor, in
 * portable C. Included by thin_set.c alone. Pure functions. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_LOAD_H
#define GANTRY_DEVICES_HOST_THIN_THIN_LOAD_H

#include <stdint.h>
#include <string.h>

#include "devices/host/thin/thin_set.h"

enum { THIN_LOAD_LANES = 4, THIN_LOAD_VECTORS = THIN_LANES / THIN_LOAD_LANES };

#define OF_FOUR(type) __attribute__((vector_size(4 * sizeof(type)))) type
typedef OF_FOUR(float) thin_four;
typedef thin_four thin_four_unaligned __attribute__((aligned(4), may_alias));
typedef OF_FOUR(int32_t) thin_four_s32;
typedef OF_FOUR(uint32_t) thin_four_u32;
typedef OF_FOUR(uint16_t) thin_four_u16;
typedef OF_FOUR(uint8_t) thin_four_u8;
typedef OF_FOUR(int8_t) thin_four_s8;
#undef OF_FOUR

#define THIN_LOAD(name, type, vector, expression)                                                  \
    static inline void load_##name##_any(const type *from, thin_four *to)                          \
    {                                                                                              \
        for (int i = 0; i < THIN_LOAD_VECTORS; i++) {                                              \
            vector loaded;                                                                         \
            memcpy(&loaded, from + i * THIN_LOAD_LANES, sizeof loaded);                            \
            to[i] = expression;                                                                    \
        }                                                                                          \
    }
#define WIDE(type, vector) __builtin_convertvector(vector, type)

THIN_LOAD(f32, float, thin_four, loaded)
THIN_LOAD(bf16, uint16_t, thin_four_u16, (thin_four)(WIDE(thin_four_u32, loaded) << 16))
THIN_LOAD(s8, int8_t, thin_four_s8, WIDE(thin_four, WIDE(thin_four_s32, loaded)))
THIN_LOAD(u8, uint8_t, thin_four_u8, WIDE(thin_four, WIDE(thin_four_s32, loaded)))
THIN_LOAD(u4_low, uint8_t, thin_four_u8, WIDE(thin_four, WIDE(thin_four_s32, loaded) & 15))
THIN_LOAD(u4_high, uint8_t, thin_four_u8, WIDE(thin_four, WIDE(thin_four_s32, loaded) >> 4))
THIN_LOAD(s4_low, uint8_t, thin_four_u8,
          WIDE(thin_four, ((WIDE(thin_four_s32, loaded) & 15) ^ 8) - 8))
THIN_LOAD(s4_high, uint8_t, thin_four_u8,
          WIDE(thin_four, ((WIDE(thin_four_s32, loaded) >> 4) ^ 8) - 8))
#undef WIDE
#undef THIN_LOAD

static inline float total_any(thin_four v)
{
    return (v[0] + v[2]) + (v[1] + v[3]);
}

#endif
