/* thin_codes.h: the types of numbers for which the sources of thin_set.h have inner loops:
 * X(name, type of an element, field, DTYPE). */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_CODES_H
#define GANTRY_DEVICES_HOST_THIN_THIN_CODES_H

/* On any processor. */
#define CODES_OF_ANY(X)                                                                            \
    X(s8, int8_t, THIN_WHOLE, DTYPE_S8)                                                            \
    X(u8, uint8_t, THIN_WHOLE, DTYPE_U8)                                                           \
    X(bf16, uint16_t, THIN_WHOLE, DTYPE_BF16)                                                      \
    X(f32, float, THIN_WHOLE, DTYPE_F32)                                                           \
    X(s4_low, uint8_t, THIN_LOW, DTYPE_S4)                                                         \
    X(s4_high, uint8_t, THIN_HIGH, DTYPE_S4)                                                       \
    X(u4_low, uint8_t, THIN_LOW, DTYPE_U4)                                                         \
    X(u4_high, uint8_t, THIN_HIGH, DTYPE_U4)

/* Fields of words: X(name, type of an element, field, DTYPE, bits, type of a sign). */
#define WORDS(X)                                                                                   \
    X(s4_word, uint32_t, THIN_WORD, DTYPE_S4, 4, int32_t)                                          \
    X(u4_word, uint32_t, THIN_WORD, DTYPE_U4, 4, uint32_t)                                         \
    X(s8_word, uint32_t, THIN_WORD, DTYPE_S8, 8, int32_t)                                          \
    X(u8_word, uint32_t, THIN_WORD, DTYPE_U8, 8, uint32_t)

/* Indices of tables. */
#define TABLES_OF_VECTORS(X)                                                                       \
    X(table_low, uint8_t, THIN_LOW)                                                                \
    X(table_high, uint8_t, THIN_HIGH)
#define NO_TABLES(X)

/* On those with conversions of f16, and permutations of bytes. */
#define CODES_OF_VECTORS(X)                                                                        \
    CODES_OF_ANY(X)                                                                                \
    X(f8e4m3fn, uint8_t, THIN_WHOLE, DTYPE_F8E4M3FN)                                               \
    X(f8e5m2, uint8_t, THIN_WHOLE, DTYPE_F8E5M2)                                                   \
    X(f16, uint16_t, THIN_WHOLE, DTYPE_F16)                                                        \
    X(f4_low, uint8_t, THIN_LOW, DTYPE_F4E2M1FN)                                                   \
    X(f4_high, uint8_t, THIN_HIGH, DTYPE_F4E2M1FN)

/* Two numbers in a byte: X(name, DTYPE). */
#define PAIRS_OF_VECTORS(X)                                                                        \
    X(s4, DTYPE_S4)                                                                                \
    X(u4, DTYPE_U4)                                                                                \
    X(f4, DTYPE_F4E2M1FN)
#define NO_PAIRS(X)

#endif
