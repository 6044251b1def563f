#include "compiler/analysis/rates.h"

#include <criterion/criterion.h>

/* No kind of work takes longer with more instructions. */
Test(rates, wider_sets_are_no_slower)
{
    for (int i = 1; i < ISA_CLASSES; i++)
        for (int k = 0; k < RATE_COUNT; k++)
            cr_expect_leq(rates_of((enum isa_class)i)->nanoseconds[k],
                          rates_of((enum isa_class)(i - 1))->nanoseconds[k], "class %d, row %d", i,
                          k);
}

Test(rates, are_of_the_machine)
{
    cr_expect_lt(rates_of(ISA_MATRIX)->nanoseconds[RATE_PRODUCT_BF16],
                 rates_of(ISA_MASKED)->nanoseconds[RATE_PRODUCT_BF16]);
    cr_expect_lt(rates_of(ISA_WIDE)->nanoseconds[RATE_SINE],
                 rates_of(ISA_NARROW)->nanoseconds[RATE_SINE]);
    cr_expect_eq(rates_of(ISA_NARROW)->nanoseconds[RATE_FREE], 0);
}
