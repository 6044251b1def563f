/* dtype.c: the table, and reference conversions of one element. A small float is sign, exponent and
 * fraction; the meaning of its highest codes depends on its variant:
 *   IEEE    the highest exponent holds infinity (fraction 0) and NaN
 *   FN      no infinity; only the code of all ones is NaN                    (f8e4m3fn)
 *   FNUZ    no infinity, no -0; the code of -0 is the one NaN                (f8...fnuz)
 *   FINITE  neither infinity nor NaN: overflow saturates                     (f4e2m1fn)
 *   SCALE   exponent only: no sign, no zero; 0xFF is NaN                     (f8e8m0fnu) */
#include "base/dtype.h"

#include <math.h>
#include <string.h>

static const struct dtype_info infos[DTYPE_COUNT] = {
    [DTYPE_INVALID] = {"invalid", "invalid", CLASS_OPAQUE, PJRT_Buffer_Type_INVALID, 0, 0, 0, 0, 0},
#define DTYPE(name, NAME, pjrt, bits, class, significand, exponent, bias)                          \
    [DTYPE_##NAME] = {#name, MLIR_##NAME,      CLASS_##class, PJRT_Buffer_Type_##pjrt,             \
                      bits,  ((bits) + 7) / 8, significand,   exponent,                            \
                      bias},
#define MLIR_PRED "i1"
#define MLIR_S2 "i2"
#define MLIR_S4 "i4"
#define MLIR_S8 "i8"
#define MLIR_S16 "i16"
#define MLIR_S32 "i32"
#define MLIR_S64 "i64"
#define MLIR_U2 "ui2"
#define MLIR_U4 "ui4"
#define MLIR_U8 "ui8"
#define MLIR_U16 "ui16"
#define MLIR_U32 "ui32"
#define MLIR_U64 "ui64"
#define MLIR_F4E2M1FN "f4E2M1FN"
#define MLIR_F8E3M4 "f8E3M4"
#define MLIR_F8E4M3 "f8E4M3"
#define MLIR_F8E4M3FN "f8E4M3FN"
#define MLIR_F8E4M3B11FNUZ "f8E4M3B11FNUZ"
#define MLIR_F8E4M3FNUZ "f8E4M3FNUZ"
#define MLIR_F8E5M2 "f8E5M2"
#define MLIR_F8E5M2FNUZ "f8E5M2FNUZ"
#define MLIR_F8E8M0FNU "f8E8M0FNU"
#define MLIR_BF16 "bf16"
#define MLIR_F16 "f16"
#define MLIR_F32 "f32"
#define MLIR_F64 "f64"
#define MLIR_C64 "complex<f32>"
#define MLIR_C128 "complex<f64>"
#define MLIR_TOKEN "!stablehlo.token"
#include "base/dtype.def"
#undef DTYPE
};

const struct dtype_info *dtype_info(enum dtype dtype)
{
    return &infos[(unsigned)dtype < DTYPE_COUNT ? dtype : DTYPE_INVALID];
}

enum dtype dtype_from_pjrt(PJRT_Buffer_Type type)
{
    for (int dtype = 1; dtype < DTYPE_COUNT; dtype++)
        if (infos[dtype].pjrt == type)
            return (enum dtype)dtype;
    return DTYPE_INVALID;
}

enum dtype dtype_from_name(const char *name, size_t size)
{
    for (int dtype = 1; dtype < DTYPE_COUNT; dtype++)
        if (strlen(infos[dtype].name) == size && !memcmp(infos[dtype].name, name, size))
            return (enum dtype)dtype;
    return DTYPE_INVALID;
}

enum dtype dtype_from_mlir(const char *name, size_t size)
{
    for (int dtype = 1; dtype < DTYPE_COUNT; dtype++)
        if (strlen(infos[dtype].mlir) == size && !memcmp(infos[dtype].mlir, name, size))
            return (enum dtype)dtype;
    return DTYPE_INVALID;
}

bool dtype_is_integer(enum dtype dtype)
{
    enum dtype_class class = dtype_info(dtype)->class;
    return class == CLASS_SIGNED || class == CLASS_UNSIGNED;
}

bool dtype_is_float(enum dtype dtype)
{
    return dtype_info(dtype)->class == CLASS_FLOAT;
}

bool dtype_is_complex(enum dtype dtype)
{
    return dtype_info(dtype)->class == CLASS_COMPLEX;
}

enum dtype dtype_real_part(enum dtype dtype)
{
    return dtype == DTYPE_C64 ? DTYPE_F32 : dtype == DTYPE_C128 ? DTYPE_F64 : dtype;
}

enum flavor { IEEE, FN, FNUZ, FINITE, SCALE };

static enum flavor flavor_of(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F8E4M3FN: return FN;
    case DTYPE_F8E4M3B11FNUZ:
    case DTYPE_F8E4M3FNUZ:
    case DTYPE_F8E5M2FNUZ: return FNUZ;
    case DTYPE_F4E2M1FN: return FINITE;
    case DTYPE_F8E8M0FNU: return SCALE;
    default: return IEEE;
    }
}

/* The codes of one small float, without the sign. */
struct codes {
    uint32_t sign, largest, overflow, nan; /* the largest finite value; overflow; NaN */
};

static struct codes codes_of(const struct dtype_info *info, enum flavor flavor)
{
    int fraction = info->significand_bits - 1;
    uint32_t sign = 1U << (fraction + info->exponent_bits), ones = sign - 1;
    uint32_t infinity = ones >> fraction << fraction;
    switch (flavor) {
    case FN: return (struct codes){sign, ones - 1, ones, ones};
    case FNUZ: return (struct codes){sign, ones, sign, sign};
    case FINITE: return (struct codes){sign, ones, ones, sign};
    default: return (struct codes){sign, infinity - 1, infinity, infinity | 1U << (fraction - 1)};
    }
}

static double small_decode(enum dtype dtype, uint32_t code)
{
    const struct dtype_info *info = dtype_info(dtype);
    enum flavor flavor = flavor_of(dtype);
    if (flavor == SCALE)
        return code == 0xFF ? NAN : ldexp(1.0, (int)code - info->exponent_bias);
    struct codes codes = codes_of(info, flavor);
    int fraction = info->significand_bits - 1;
    uint32_t magnitude = code & (codes.sign - 1);
    if (flavor == FNUZ && code == codes.sign)
        return NAN;
    double value;
    if (magnitude > codes.largest)
        value = flavor == IEEE && magnitude == codes.overflow ? INFINITY : NAN;
    else {
        int exponent = (int)(magnitude >> fraction);
        uint32_t significand = magnitude & ((1U << fraction) - 1);
        if (exponent)
            significand |= 1U << fraction;
        else
            exponent = 1;
        value = ldexp(significand, exponent - info->exponent_bias - fraction);
    }
    return code & codes.sign ? -value : value;
}

/* significand / 2^shift, rounded to nearest, ties to even; significand < 2^53. */
static uint64_t shift_rounded(uint64_t significand, int shift)
{
    if (shift > 53)
        return 0;
    uint64_t quotient = significand >> shift, half = 1ULL << (shift - 1);
    uint64_t rest = significand & ((1ULL << shift) - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1)));
}

/* Powers of two from 2^-127 to 2^127. Ties round up, since the only significand bit is always odd.
 * Zero, negative and too large values are NaN; smaller positive ones are 2^-127. */
static uint32_t scale_encode(double value)
{
    if (!(value > 0) || isinf(value))
        return 0xFF;
    int exponent;
    double part = frexp(value, &exponent); /* value = 2 part * 2^(exponent - 1), 1 <= 2 part < 2 */
    int code = exponent - 1 + 127;
    if (code < 0)
        return 0;
    if (part >= 0.75)
        code++;
    return code > 0xFE ? 0xFF : (uint32_t)code;
}

static uint32_t small_encode(enum dtype dtype, double value)
{
    const struct dtype_info *info = dtype_info(dtype);
    enum flavor flavor = flavor_of(dtype);
    if (flavor == SCALE)
        return scale_encode(value);
    struct codes codes = codes_of(info, flavor);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 63 && flavor != FNUZ ? codes.sign : 0;
    if (isnan(value))
        return flavor == FINITE ? codes.nan : codes.nan | sign;
    if (isinf(value))
        return codes.overflow | sign;
    int fraction = info->significand_bits - 1, min_exponent = 1 - info->exponent_bias;
    int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
    uint64_t significand = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
    if (exponent == -1023) /* zero, or far less than half the smallest value of any small float */
        return sign;
    int lost = exponent < min_exponent ? min_exponent - exponent : 0;
    uint64_t code = shift_rounded(significand, 52 - fraction + lost);
    /* The hidden bit carries into the exponent field; subnormals have neither. */
    code += (uint64_t)(exponent + lost + info->exponent_bias - 1) << fraction;
    if (code > codes.largest)
        code = codes.overflow;
    else if (flavor == FNUZ && code && bits >> 63)
        code |= codes.sign;
    return (uint32_t)code | sign;
}

/* Truncates a double to an integer and clamps it to two bounds (floats that are powers of two); NaN
 * becomes 0. */
static int64_t truncate_signed(double value, int bits)
{
    double limit = ldexp(1.0, bits - 1);
    if (isnan(value))
        return 0;
    if (value >= limit)
        return (int64_t)((1ULL << (bits - 1)) - 1);
    if (value < -limit)
        return -(int64_t)((1ULL << (bits - 1)) - 1) - 1;
    return (int64_t)value;
}

static uint64_t truncate_unsigned(double value, int bits)
{
    if (!(value > 0))
        return 0;
    if (value >= ldexp(1.0, bits))
        return UINT64_MAX >> (64 - bits);
    return (uint64_t)value;
}

/* The element's bytes (at most 8), zero-extended; Gantry runs on little-endian machines only. */
static uint64_t load_bits(const void *element, int bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, element, (size_t)bytes);
    return bits;
}

static int64_t load_signed(const void *element, const struct dtype_info *info)
{
    int unused = 64 - info->bits;
    return (int64_t)(load_bits(element, info->bytes) << unused) >> unused;
}

static uint64_t load_unsigned(const void *element, const struct dtype_info *info)
{
    return load_bits(element, info->bytes) & UINT64_MAX >> (64 - info->bits);
}

static double load_float(enum dtype dtype, const void *element)
{
    if (dtype == DTYPE_F64) {
        double value;
        memcpy(&value, element, sizeof value);
        return value;
    }
    if (dtype == DTYPE_F32) {
        float value;
        memcpy(&value, element, sizeof value);
        return value;
    }
    return small_decode(dtype, (uint32_t)load_bits(element, dtype_bytes(dtype)));
}

static void store_float(enum dtype dtype, double value, void *element)
{
    if (dtype == DTYPE_F64) {
        memcpy(element, &value, sizeof value);
    } else if (dtype == DTYPE_F32) {
        float narrow = (float)value;
        memcpy(element, &narrow, sizeof narrow);
    } else {
        uint32_t code = small_encode(dtype, value);
        memcpy(element, &code, (size_t)dtype_bytes(dtype));
    }
}

double dtype_to_double(enum dtype dtype, const void *element)
{
    const struct dtype_info *info = dtype_info(dtype);
    switch (info->class) {
    case CLASS_PREDICATE: return *(const unsigned char *)element != 0;
    case CLASS_SIGNED: return (double)load_signed(element, info);
    case CLASS_UNSIGNED: return (double)load_unsigned(element, info);
    case CLASS_FLOAT:
    case CLASS_COMPLEX: return load_float(dtype_real_part(dtype), element);
    case CLASS_OPAQUE: break;
    }
    return 0;
}

void dtype_from_double(enum dtype dtype, double value, void *element)
{
    const struct dtype_info *info = dtype_info(dtype);
    uint64_t bits = 0;
    switch (info->class) {
    case CLASS_PREDICATE: bits = value != 0; break;
    case CLASS_SIGNED: bits = (uint64_t)truncate_signed(value, info->bits); break;
    case CLASS_UNSIGNED: bits = truncate_unsigned(value, info->bits); break;
    case CLASS_FLOAT: store_float(dtype, value, element); return;
    case CLASS_COMPLEX:
        memset(element, 0, (size_t)info->bytes);
        store_float(dtype_real_part(dtype), value, element);
        return;
    case CLASS_OPAQUE: return;
    }
    memcpy(element, &bits, (size_t)info->bytes);
}

int64_t dtype_to_int64(enum dtype dtype, const void *element)
{
    const struct dtype_info *info = dtype_info(dtype);
    switch (info->class) {
    case CLASS_SIGNED: return load_signed(element, info);
    case CLASS_UNSIGNED: return (int64_t)load_unsigned(element, info);
    default: return truncate_signed(dtype_to_double(dtype, element), 64);
    }
}
