#include "compiler/passes/spmd/auto/auto_links.h"

#include <criterion/criterion.h>

static const int64_t sizes[] = {2, 4};
static const struct mesh mesh = {.axis_count = 2, .axis_sizes = sizes, .device_count = 8};

/* A collective takes 1, 100, 10,000 or 1,000,000 seconds a byte of its operand. */
static double seconds(struct auto_placement from, unsigned partial, struct auto_placement to)
{
    struct auto_links links = {.mesh = &mesh};
    for (int kind = 0; kind < AUTO_COLLECTIVES; kind++)
        for (int axes = 1; axes < 4; axes++)
            links.each[kind][axes] = (double[]){1, 100, 1e4, 1e6}[kind];
    return auto_links_seconds(&links, 64, &from, partial, &to);
}

#define AT(x, y) ((struct auto_placement){{x, y, -1, -1, -1, -1}})

Test(auto_links, what_a_device_has_is_free)
{
    cr_expect_eq(seconds(AT(0, 1), 0, AT(0, 1)), 0);
    cr_expect_eq(seconds(AT(-1, -1), 0, AT(0, 1)), 0);
}

Test(auto_links, axes_are_gathered_and_exchanged)
{
    cr_expect_eq(seconds(AT(0, -1), 0, AT(-1, -1)), 32);
    cr_expect_eq(seconds(AT(0, -1), 0, AT(-1, 0)), 8); /* the slice comes first */
    cr_expect_eq(seconds(AT(0, 1), 0, AT(1, 1)), 800);
}

Test(auto_links, partial_sums_are_reduced_or_scattered)
{
    cr_expect_eq(seconds(AT(-1, 0), 1, AT(-1, 0)), 16e4);
    cr_expect_eq(seconds(AT(-1, 0), 1, AT(1, 0)), 16e6);
}
