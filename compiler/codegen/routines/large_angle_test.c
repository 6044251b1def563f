/* large_angle_test.c: reduced angles against sines and cosines of long double. */
#include "compiler/codegen/routines/large_angle.h"

#include <criterion/criterion.h>
#include <math.h>

enum { COUNT = 2000 };

static long double sine_of(double r, double tail, int64_t quadrant)
{
    long double angle = (long double)r + tail;
    long double sines[] = {sinl(angle), cosl(angle), -sinl(angle), -cosl(angle)};
    return sines[quadrant & 3];
}

/* Checks angles from `x` on, each by `factor` further than the one before. */
static void check(double x, double factor)
{
    double angles[COUNT], r[COUNT], tail[COUNT];
    int64_t quadrant[COUNT];
    int count = 0;
    for (; count < COUNT && isfinite(x) && fabs(x) >= LEAST_LARGE_ANGLE; x *= factor)
        r[count] = angles[count] = x, count++;
    large_angles(count, r, tail, quadrant);
    cr_assert(count > 0);
    for (int i = 0; i < count; i++) {
        long double want = sinl(angles[i]), got = sine_of(r[i], tail[i], quadrant[i]);
        cr_expect(fabsl(want - got) <= 0x1p-60L * fabsl(want), "sin %a: %Lg, not %Lg", angles[i],
                  got, want);
        cr_expect(fabs(r[i]) <= 0.7854, "%a: %g", angles[i], r[i]);
        cr_expect(fabs(tail[i]) <= fabs(r[i]) * 0x1p-52, "%a: %g, %g", angles[i], r[i], tail[i]);
    }
}

Test(large_angle, sines_of_reduced_angles_are_those_of_the_angles)
{
    check(LEAST_LARGE_ANGLE, 1.4142);
    check(-LEAST_LARGE_ANGLE, 1.4142);
    check(0x1.921fb54442d18p+30, 2);          /* multiples of pi/2 as closely as they are numbers */
    check(0x1.fffffffffffffp1023, 0.7);       /* the largest number, down to the smallest angles */
    check(6381956970095103.0 * 0x1p797, 0.5); /* the number closest to a multiple of pi/2 */
}

Test(large_angle, no_angles_are_no_work)
{
    large_angles(0, NULL, NULL, NULL);
}
