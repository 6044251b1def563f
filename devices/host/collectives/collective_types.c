/* collective_types.c: one function for each reducer and type, in chunks of a fixed length that
 * compilers turn into vector instructions. */
#include "devices/host/collectives/collective_types.h"

#include <string.h>

#include "base/cpu.h"

enum {
    CHUNK = 64, /* elements */
    LEVELS = 31 /* nodes of a tree of INT_MAX members that wait for a sibling, and another one */
};

typedef void combine_function(void *accumulator, const struct collective_operands *from,
                              size_t offset, size_t count);

struct complex64 {
    float re, im;
};
struct complex128 {
    double re, im;
};

static const void *operand(const struct collective_operands *from, int member, size_t offset)
{
    return (const char *)from->addresses[member] + offset;
}

/* ---- one element ----------------------------------------------------------------------------- */
#define SUM(type, wide, a, b) ((type)((wide)(a) + (wide)(b)))
#define PRODUCT(type, wide, a, b) ((type)((wide)(a) * (wide)(b)))
#define LEAST(type, wide, a, b) ((a) < (b) || (a) != (a) ? (a) : (b))
#define MOST(type, wide, a, b) ((a) > (b) || (a) != (a) ? (a) : (b))
#define AND(type, wide, a, b) ((type)((a) & (b)))
#define OR(type, wide, a, b) ((type)((a) | (b)))
#define XOR(type, wide, a, b) ((type)((a) ^ (b)))
#define COMPLEX_SUM(type, wide, a, b) ((type){(a).re + (b).re, (a).im + (b).im})
#define COMPLEX_PRODUCT(type, wide, a, b)                                                          \
    ((type){(a).re * (b).re - (a).im * (b).im, (a).re * (b).im + (a).im * (b).re})

static float from_bf16(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float out;
    memcpy(&out, &wide, sizeof out);
    return out;
}

/* Rounds to nearest, ties to even; NaN stays NaN. */
static uint16_t to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    return (uint16_t)(value != value ? bits >> 16 | 0x40 : rounded);
}

static float from_f16(_Float16 value)
{
    return (float)value;
}

static _Float16 to_f16(float value)
{
    return (_Float16)value;
}

#define SAME(x) (x)

/* ---- loops ----------------------------------------------------------------------------------- */
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#else
#define WIDE
#endif

#define COMBINE_ALL(attributes, name, chunk, type, stored)                                         \
    attributes static void name(void *accumulator, const struct collective_operands *from,         \
                                size_t offset, size_t count)                                       \
    {                                                                                              \
        type *to = accumulator;                                                                    \
        for (; count >= CHUNK; count -= CHUNK, to += CHUNK, offset += CHUNK * sizeof(stored))      \
            chunk##_chunk(to, from, offset, CHUNK);                                                \
        chunk##_chunk(to, from, offset, count);                                                    \
    }

/* Defines name(accumulator, from, offset, count), and name_wide() for processors with wider
 * vectors: both compute the same bits. A chunk of all members is combined in the first-level cache
 * before the next one, so that memory is read in as many streams as there are members. The nodes
 * that wait for their right sibling are a stack; pairs of members are combined when they are read.
 * The accumulator is written last. */
#define COMBINE(name, type, wide, stored, convert, operation)                                      \
    static inline __attribute__((always_inline)) void name##_chunk(                                \
        type *to, const struct collective_operands *from, size_t offset, size_t count)             \
    {                                                                                              \
        type nodes[LEVELS][CHUNK], *top = nodes[0];                                                \
        for (int m = 0; m < from->members; m += 2, top += CHUNK) {                                 \
            const stored *left = operand(from, m, offset);                                         \
            const stored *right = m + 1 < from->members ? operand(from, m + 1, offset) : NULL;     \
            if (!right)                                                                            \
                for (size_t i = 0; i < count; i++)                                                 \
                    top[i] = convert(left[i]);                                                     \
            else                                                                                   \
                for (size_t i = 0; i < count; i++) {                                               \
                    type a = convert(left[i]), b = convert(right[i]);                              \
                    top[i] = operation(type, wide, a, b);                                          \
                }                                                                                  \
            for (int pair = m / 2; pair & 1; pair /= 2, top -= CHUNK)                              \
                for (size_t i = 0; i < count; i++)                                                 \
                    top[i - CHUNK] = operation(type, wide, top[i - CHUNK], top[i]);                \
        }                                                                                          \
        for (top -= CHUNK; top > nodes[0]; top -= CHUNK)                                           \
            for (size_t i = 0; i < count; i++)                                                     \
                top[i - CHUNK] = operation(type, wide, top[i - CHUNK], top[i]);                    \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = nodes[0][i];                                                                   \
    }                                                                                              \
    COMBINE_ALL(, name, name, type, stored)                                                        \
    COMBINE_ALL(WIDE, name##_wide, name, type, stored)

#define STORE_ALL(attributes, name, chunk, type, stored)                                           \
    attributes static void name(void *destination, const void *accumulator, size_t count)          \
    {                                                                                              \
        stored *to = destination;                                                                  \
        const type *in = accumulator;                                                              \
        for (; count >= CHUNK; count -= CHUNK, to += CHUNK, in += CHUNK)                           \
            chunk##_chunk(to, in, CHUNK);                                                          \
        chunk##_chunk(to, in, count);                                                              \
    }

/* Defines the stores of a type with a wider accumulator: name_store(), and name_store_wide(). */
#define STORE(name, type, stored, convert)                                                         \
    static inline __attribute__((always_inline)) void name##_store_chunk(                          \
        stored *restrict to, const type *restrict in, size_t count)                                \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = convert(in[i]);                                                                \
    }                                                                                              \
    STORE_ALL(, name##_store, name##_store, type, stored)                                          \
    STORE_ALL(WIDE, name##_store_wide, name##_store, type, stored)

#define ORDERED(name, type, wide, stored, convert)                                                 \
    COMBINE(name##_sum, type, wide, stored, convert, SUM)                                          \
    COMBINE(name##_product, type, wide, stored, convert, PRODUCT)                                  \
    COMBINE(name##_least, type, wide, stored, convert, LEAST)                                      \
    COMBINE(name##_most, type, wide, stored, convert, MOST)

/* Sums, products and bits do not depend on the sign: they are those of the unsigned type. */
#define INTEGER(bits, wide)                                                                        \
    ORDERED(u##bits, uint##bits##_t, wide, uint##bits##_t, SAME)                                   \
    COMBINE(u##bits##_and, uint##bits##_t, wide, uint##bits##_t, SAME, AND)                        \
    COMBINE(u##bits##_or, uint##bits##_t, wide, uint##bits##_t, SAME, OR)                          \
    COMBINE(u##bits##_xor, uint##bits##_t, wide, uint##bits##_t, SAME, XOR)                        \
    COMBINE(s##bits##_least, int##bits##_t, wide, int##bits##_t, SAME, LEAST)                      \
    COMBINE(s##bits##_most, int##bits##_t, wide, int##bits##_t, SAME, MOST)

INTEGER(8, uint32_t)
INTEGER(16, uint32_t)
INTEGER(32, uint32_t)
INTEGER(64, uint64_t)
ORDERED(f32, float, float, float, SAME)
ORDERED(f64, double, double, double, SAME)
ORDERED(bf16, float, float, uint16_t, from_bf16)
ORDERED(f16, float, float, _Float16, from_f16)
STORE(bf16, float, uint16_t, to_bf16)
STORE(f16, float, _Float16, to_f16)
COMBINE(c64_sum, struct complex64, float, struct complex64, SAME, COMPLEX_SUM)
COMBINE(c64_product, struct complex64, float, struct complex64, SAME, COMPLEX_PRODUCT)
COMBINE(c128_sum, struct complex128, double, struct complex128, SAME, COMPLEX_SUM)
COMBINE(c128_product, struct complex128, double, struct complex128, SAME, COMPLEX_PRODUCT)

/* ---- the table ------------------------------------------------------------------------------- */
struct combine {
    combine_function *baseline, *wide;
};
#define BOTH(name) {name, name##_wide}
static const struct {
    struct combine of[REDUCER_XOR + 1];
} combines[DTYPE_COUNT] = {
#define INTEGER_ROW(u, s)                                                                          \
    {                                                                                              \
        {                                                                                          \
            BOTH(u##_sum), BOTH(u##_product), BOTH(s##_least), BOTH(s##_most), BOTH(u##_and),      \
                BOTH(u##_or), BOTH(u##_xor)                                                        \
        }                                                                                          \
    }
#define FLOAT_ROW(name)                                                                            \
    {                                                                                              \
        {                                                                                          \
            BOTH(name##_sum), BOTH(name##_product), BOTH(name##_least), BOTH(name##_most)          \
        }                                                                                          \
    }
    [DTYPE_PRED] = {{BOTH(u8_or), BOTH(u8_and), BOTH(u8_and), BOTH(u8_or), BOTH(u8_and),
                     BOTH(u8_or), BOTH(u8_xor)}},
    [DTYPE_S8] = INTEGER_ROW(u8, s8),
    [DTYPE_S16] = INTEGER_ROW(u16, s16),
    [DTYPE_S32] = INTEGER_ROW(u32, s32),
    [DTYPE_S64] = INTEGER_ROW(u64, s64),
    [DTYPE_U8] = INTEGER_ROW(u8, u8),
    [DTYPE_U16] = INTEGER_ROW(u16, u16),
    [DTYPE_U32] = INTEGER_ROW(u32, u32),
    [DTYPE_U64] = INTEGER_ROW(u64, u64),
    [DTYPE_BF16] = FLOAT_ROW(bf16),
    [DTYPE_F16] = FLOAT_ROW(f16),
    [DTYPE_F32] = FLOAT_ROW(f32),
    [DTYPE_F64] = FLOAT_ROW(f64),
    [DTYPE_C64] = {{BOTH(c64_sum), BOTH(c64_product)}},
    [DTYPE_C128] = {{BOTH(c128_sum), BOTH(c128_product)}},
};

struct collective_type collective_types_get(enum collective_reducer reducer, enum dtype dtype)
{
    const struct combine *combine = &combines[dtype].of[reducer];
    bool wide = cpu_features()->avx2;
    struct collective_type type = {.combine = wide ? combine->wide : combine->baseline,
                                   .bytes = (size_t)dtype_bytes(dtype)};
    if (dtype == DTYPE_BF16)
        type.store = wide ? bf16_store_wide : bf16_store;
    if (dtype == DTYPE_F16)
        type.store = wide ? f16_store_wide : f16_store;
    return type;
}

enum dtype collective_types_accumulator(enum dtype dtype)
{
    return dtype == DTYPE_BF16 || dtype == DTYPE_F16 ? DTYPE_F32 : dtype;
}
