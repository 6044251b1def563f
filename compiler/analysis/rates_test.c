#include "compiler/analysis/rates.h"

#include <criterion/criterion.h>

static const struct cpu_features plain = {0}, avx2 = {.avx2 = true},
                                 avx512 = {.avx2 = true, .avx512 = true},
                                 amx = {.avx2 = true, .avx512 = true, .amx_bf16 = true};

/* No kind of work takes longer with more instructions. */
Test(rates, wider_sets_are_no_slower)
{
    const struct cpu_features *sets[] = {&plain, &avx2, &avx512, &amx};
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < RATE_COUNT; k++)
            cr_expect_leq(rates_of(sets[i])->nanoseconds[k], rates_of(sets[i - 1])->nanoseconds[k],
                          "set %d, row %d", i, k);
}

Test(rates, are_of_the_machine)
{
    cr_expect_lt(rates_of(&amx)->nanoseconds[RATE_PRODUCT_BF16],
                 rates_of(&avx512)->nanoseconds[RATE_PRODUCT_BF16]);
    cr_expect_lt(rates_of(&avx2)->nanoseconds[RATE_SINE], rates_of(&plain)->nanoseconds[RATE_SINE]);
    cr_expect_eq(rates_of(&plain)->nanoseconds[RATE_FREE], 0);
}
