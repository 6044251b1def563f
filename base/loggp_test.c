/* loggp_test.c: the formulas on links with round numbers. */
#include "base/loggp.h"

#include <criterion/criterion.h>
#include <math.h>

static const struct loggp bytes_only = {.byte = 1}, messages_only = {.latency = 8, .overhead = 1};

static void expect(const struct loggp *link, enum loggp_way way, int processes, double bytes,
                   double seconds)
{
    double got = loggp_all_reduce(link, way, processes, bytes);
    cr_expect_float_eq(got, seconds, 1e-9, "%s of %d: %g, expected %g", loggp_name(way), processes,
                       got, seconds);
}

/* What each process sends: its bytes to each, or twice all parts but one. */
Test(loggp, bytes)
{
    expect(&bytes_only, LOGGP_DIRECT, 8, 80, 7 * 80);
    expect(&bytes_only, LOGGP_PARTS, 8, 80, 2 * 70);
    expect(&bytes_only, LOGGP_RING, 8, 80, 2 * 70);
    expect(&bytes_only, LOGGP_DOUBLING, 8, 80, 3 * 80);
    expect(&bytes_only, LOGGP_HALVING, 8, 80, 2 * 70);
}

/* How many messages wait for one another. */
Test(loggp, messages)
{
    expect(&messages_only, LOGGP_DIRECT, 8, 80, 10 + 6);
    expect(&messages_only, LOGGP_PARTS, 8, 80, 20 + 12);
    expect(&messages_only, LOGGP_RING, 8, 80, 140);
    expect(&messages_only, LOGGP_DOUBLING, 8, 80, 30);
    expect(&messages_only, LOGGP_HALVING, 8, 80, 60);
}

Test(loggp, one_process_sends_nothing)
{
    for (int way = 0; way < LOGGP_WAYS; way++)
        expect(&bytes_only, way, 1, 80, 0);
}

/* Few bytes go directly, many in parts; the more processes, the earlier. */
Test(loggp, choice)
{
    double before = INFINITY;
    for (int processes = 2; processes <= 4096; processes *= 2) {
        double bytes = 1;
        while (loggp_choose(&loggp_here, processes, bytes) == LOGGP_DIRECT && bytes < 1e9)
            bytes *= 2;
        cr_expect_gt(bytes, 1, "%d processes", processes);
        cr_expect_lt(bytes, 1e9, "%d processes", processes);
        cr_expect_leq(bytes, before, "%d processes", processes);
        before = bytes;
    }
}
