#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/dtype.h"

static uint64_t encode(enum dtype dtype, double value)
{
    uint64_t bits = 0;
    dtype_from_double(dtype, value, &bits);
    return bits;
}

static double decode(enum dtype dtype, uint64_t bits)
{
    return dtype_to_double(dtype, &bits);
}

Test(dtype, table_agrees_with_itself)
{
    for (int i = 1; i < DTYPE_COUNT; i++) {
        enum dtype dtype = (enum dtype)i;
        const struct dtype_info *info = dtype_info(dtype);
        cr_assert_eq(dtype_from_pjrt(info->pjrt), dtype);
        cr_assert_eq(dtype_from_name(info->name, strlen(info->name)), dtype);
        cr_assert_eq(dtype_from_mlir(info->mlir, strlen(info->mlir)), dtype);
        cr_assert_eq(info->bytes, (info->bits + 7) / 8);
        int sign = dtype != DTYPE_F8E8M0FNU;
        if (info->class == CLASS_FLOAT)
            cr_assert_eq(info->bits, sign + info->exponent_bits + info->significand_bits - 1, "%s",
                         info->name);
    }
    cr_assert_str_eq(dtype_name((enum dtype)999), "invalid");
    cr_assert_eq(dtype_from_name("f3", 2), DTYPE_INVALID);
    cr_assert_eq(dtype_from_pjrt(PJRT_Buffer_Type_S1), DTYPE_INVALID);
    cr_assert_eq(dtype_real_part(DTYPE_C128), DTYPE_F64);
    cr_assert(dtype_is_integer(DTYPE_U4) && !dtype_is_integer(DTYPE_PRED));
}

/* Every code of every small float survives a round trip, values are in order, and ties round to
 * even. */
Test(dtype, small_floats_round_trip)
{
    for (int i = 1; i < DTYPE_COUNT; i++) {
        enum dtype dtype = (enum dtype)i;
        const struct dtype_info *info = dtype_info(dtype);
        if (info->class != CLASS_FLOAT || info->bits > 16)
            continue;
        bool has_sign = dtype != DTYPE_F8E8M0FNU;
        uint64_t codes = 1ULL << (has_sign ? info->bits - 1 : info->bits);
        double before = -1;
        for (uint64_t code = 0; code < codes; code++) {
            double value = decode(dtype, code);
            if (isnan(value))
                continue;
            cr_assert_gt(value, before, "%s code %llx", info->name, (unsigned long long)code);
            cr_assert_eq(encode(dtype, value), code, "%s code %llx", info->name,
                         (unsigned long long)code);
            if (code && !isinf(value) && has_sign) {
                uint64_t even = code & 1 ? code - 1 : code;
                double middle = (before + value) / 2;
                cr_assert_eq(encode(dtype, middle), even, "%s middle below %llx", info->name,
                             (unsigned long long)code);
                cr_assert_eq(encode(dtype, nextafter(middle, INFINITY)), code);
                cr_assert_eq(encode(dtype, nextafter(middle, -INFINITY)), code - 1);
            }
            before = value;
        }
    }
}

Test(dtype, overflow_follows_the_kind)
{
    static const struct {
        enum dtype dtype;
        double value;
        uint64_t code;
    } cases[] = {
        {DTYPE_F8E4M3FN, 448, 0x7E},      {DTYPE_F8E4M3FN, 464, 0x7E},
        {DTYPE_F8E4M3FN, 465, 0x7F},      {DTYPE_F8E4M3FN, -INFINITY, 0xFF},
        {DTYPE_F8E4M3FN, -0.0, 0x80},     {DTYPE_F8E4M3FNUZ, 240, 0x7F},
        {DTYPE_F8E4M3FNUZ, 250, 0x80},    {DTYPE_F8E4M3FNUZ, -INFINITY, 0x80},
        {DTYPE_F8E4M3FNUZ, -0.0, 0x00},   {DTYPE_F8E4M3FNUZ, -1e-30, 0x00},
        {DTYPE_F8E5M2, 57344, 0x7B},      {DTYPE_F8E5M2, 61440, 0x7C},
        {DTYPE_F8E5M2, -1e9, 0xFC},       {DTYPE_F8E5M2FNUZ, 57344, 0x7F},
        {DTYPE_F8E5M2FNUZ, 65536, 0x80},  {DTYPE_F8E4M3, 240, 0x77},
        {DTYPE_F8E4M3, 248, 0x78},        {DTYPE_F8E3M4, 15.5, 0x6F},
        {DTYPE_F8E3M4, 16, 0x70},         {DTYPE_F8E4M3B11FNUZ, 30, 0x7F},
        {DTYPE_F8E4M3B11FNUZ, 31, 0x80},  {DTYPE_F4E2M1FN, 100, 0x7},
        {DTYPE_F4E2M1FN, -INFINITY, 0xF}, {DTYPE_F4E2M1FN, -0.1, 0x8},
        {DTYPE_F8E8M0FNU, 0, 0xFF},       {DTYPE_F8E8M0FNU, -1, 0xFF},
        {DTYPE_F8E8M0FNU, 1, 0x7F},       {DTYPE_F8E8M0FNU, 1.5, 0x80},
        {DTYPE_F8E8M0FNU, 1.49, 0x7F},    {DTYPE_F8E8M0FNU, INFINITY, 0xFF},
        {DTYPE_F8E8M0FNU, 1e-300, 0x00},  {DTYPE_F16, 65519.99, 0x7BFF},
        {DTYPE_F16, 65520, 0x7C00},       {DTYPE_F16, 6e-8, 0x0001},
        {DTYPE_BF16, 3.4e38, 0x7F80},     {DTYPE_BF16, 1, 0x3F80},
        {DTYPE_F16, 0x1p-25, 0x0000},     {DTYPE_F16, 0x1.01p-25, 0x0001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(encode(cases[i].dtype, cases[i].value), cases[i].code, "%s of %g: %llx",
                     dtype_name(cases[i].dtype), cases[i].value,
                     (unsigned long long)encode(cases[i].dtype, cases[i].value));
}

Test(dtype, nan_stays_nan)
{
    for (int i = 1; i < DTYPE_COUNT; i++) {
        enum dtype dtype = (enum dtype)i;
        if (!dtype_is_float(dtype) || dtype == DTYPE_F4E2M1FN)
            continue;
        cr_assert(isnan(decode(dtype, encode(dtype, NAN))), "%s", dtype_name(dtype));
        cr_assert(isnan(decode(dtype, encode(dtype, -NAN))), "%s", dtype_name(dtype));
    }
    cr_assert_eq(encode(DTYPE_F8E5M2FNUZ, NAN), 0x80);
    cr_assert_eq(encode(DTYPE_BF16, NAN), 0x7FC0);
}

Test(dtype, integers_truncate_and_saturate)
{
    cr_assert_eq((int8_t)encode(DTYPE_S8, -3.9), -3);
    cr_assert_eq((int8_t)encode(DTYPE_S8, -1e9), -128);
    cr_assert_eq((int8_t)encode(DTYPE_S4, 100), 7);
    cr_assert_eq((int8_t)encode(DTYPE_S4, -5), -5);
    cr_assert_eq((int8_t)encode(DTYPE_S2, -2), -2);
    cr_assert_eq(encode(DTYPE_U4, 100), 15);
    cr_assert_eq(encode(DTYPE_U8, -1), 0);
    cr_assert_eq(encode(DTYPE_U64, 1e30), UINT64_MAX);
    cr_assert_eq((int64_t)encode(DTYPE_S64, 1e30), INT64_MAX);
    cr_assert_eq((int64_t)encode(DTYPE_S64, -1e30), INT64_MIN);
    cr_assert_eq(encode(DTYPE_S32, NAN), 0);
    cr_assert_eq(encode(DTYPE_PRED, 0.5), 1);
    cr_assert_eq(decode(DTYPE_S4, 0x0F), -1);
    cr_assert_eq(decode(DTYPE_U4, 0xFF), 15);
    cr_assert_eq(decode(DTYPE_U64, UINT64_MAX), 0x1p64);
    uint64_t bits = UINT64_MAX;
    cr_assert_eq(dtype_to_int64(DTYPE_U64, &bits), -1);
    double value = -2.9;
    cr_assert_eq(dtype_to_int64(DTYPE_F64, &value), -2);
}

Test(dtype, complex_has_its_real_part)
{
    float pair[2] = {1.5F, 2.5F};
    cr_assert_eq(dtype_to_double(DTYPE_C64, pair), 1.5);
    dtype_from_double(DTYPE_C64, 3, pair);
    cr_assert_eq(pair[0], 3);
    cr_assert_eq(pair[1], 0);
}
