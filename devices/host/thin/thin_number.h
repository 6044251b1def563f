/* thin_number.h: one number of any type as f32; integers are rounded to nearest. Pure functions,
 * thread-safe. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_NUMBER_H
#define GANTRY_DEVICES_HOST_THIN_THIN_NUMBER_H

#include <stdint.h>
#include <string.h>

#include "base/dtype.h"

static inline float thin_number_of_bf16(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float number;
    memcpy(&number, &wide, sizeof number);
    return number;
}

/* The nearest bf16, ties to even; NaNs become quiet. */
static inline uint16_t thin_number_to_bf16(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* 2^(bits - 127); NaN of 255. */
static inline float thin_number_of_exponent(uint8_t bits)
{
    const uint32_t wide = bits == 0 ? 1U << 22 : bits == 255 ? 0x7fc00000U : (uint32_t)bits << 23;
    float number;
    memcpy(&number, &wide, sizeof number);
    return number;
}

static inline float thin_number(enum dtype dtype, const void *from)
{
    float number;
    uint16_t half;
    int32_t integer;
    switch (dtype) {
    case DTYPE_F32: memcpy(&number, from, sizeof number); return number;
    case DTYPE_BF16: memcpy(&half, from, sizeof half); return thin_number_of_bf16(half);
    case DTYPE_S8: return *(const int8_t *)from;
    case DTYPE_U8: return *(const uint8_t *)from;
    case DTYPE_S32: memcpy(&integer, from, sizeof integer); return (float)integer;
    case DTYPE_F8E8M0FNU: return thin_number_of_exponent(*(const uint8_t *)from);
    default: return (float)dtype_to_double(dtype, from);
    }
}

#endif
