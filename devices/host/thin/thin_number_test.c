/* Numbers that are decoded without dtype.h, against it: all of 8 and 16 bits. */
#include "devices/host/thin/thin_number.h"

#include <criterion/criterion.h>
#include <math.h>

static void check(enum dtype dtype, uint32_t bits)
{
    const float number = thin_number(dtype, &bits);
    const double expected = dtype_to_double(dtype, &bits);
    if (isnan(expected))
        cr_expect(isnan(number), "%s %d", dtype_name(dtype), (int)bits);
    else
        cr_expect_eq((double)number, expected, "%s %d", dtype_name(dtype), (int)bits);
}

Test(thin_number, all_of_8_bits)
{
    static const enum dtype types[] = {DTYPE_S8, DTYPE_U8, DTYPE_F8E8M0FNU, DTYPE_F8E4M3FN};
    for (int t = 0; t < 4; t++)
        for (uint32_t bits = 0; bits < 256; bits++)
            check(types[t], bits);
}

Test(thin_number, all_of_bf16)
{
    for (uint32_t bits = 0; bits < 1 << 16; bits++)
        check(DTYPE_BF16, bits);
}
