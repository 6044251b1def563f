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

static enum loggp_way choice(int processes, double bytes)
{
    return loggp_choose(&loggp_here, &(struct loggp_sum){processes, bytes, bytes, bytes});
}

/* Few bytes go directly between few processes, in rounds between many; many bytes in parts. */
Test(loggp, choice)
{
    for (int processes = 2; processes <= 4096; processes *= 2) {
        enum loggp_way few = choice(processes, 64), many = choice(processes, 1e9);
        cr_expect_eq(few, processes <= 4 ? LOGGP_DIRECT : LOGGP_DOUBLING, "%d processes: %s",
                     processes, loggp_name(few));
        cr_expect_eq(many, LOGGP_PARTS, "%d processes: %s", processes, loggp_name(many));
    }
    cr_expect_eq(choice(1024, 1 << 20), LOGGP_HALVING);
    cr_expect_eq(choice(1000, 1 << 20), LOGGP_PARTS, "halving needs a power of two");
    cr_expect_eq(choice(4, 7000), LOGGP_DIRECT, "a byte is cheaper than a second message");
}

/* What cannot be combined before all of it is there. */
Test(loggp, choice_without_nodes)
{
    struct loggp_sum sum = {1024, 1 << 20, 0, 1 << 20};
    cr_expect_eq(loggp_choose(&loggp_here, &sum), LOGGP_PARTS);
    sum.processes = 2;
    cr_expect_eq(loggp_choose(&loggp_here, &sum), LOGGP_PARTS);
    sum.bytes = sum.result = 64;
    cr_expect_eq(loggp_choose(&loggp_here, &sum), LOGGP_DIRECT);
}

/* What is chosen for messages also suits transfers that read the other process's memory, which are
 * for 64 KB and more. */
Test(loggp, choice_where_memory_is_read)
{
    struct loggp reads = loggp_here;
    reads.latency += 7e-6;
    reads.byte = 0.12e-9;
    for (int processes = 2; processes <= 16; processes++)
        for (double bytes = 64 << 10; bytes <= 64 << 20; bytes *= 1.5) {
            struct loggp_sum sum = {processes, bytes, bytes, bytes};
            double chosen = loggp_all_reduce(&reads, choice(processes, bytes), processes, bytes),
                   least = loggp_all_reduce(&reads, loggp_choose(&reads, &sum), processes, bytes);
            cr_expect_lt(chosen, 1.05 * least, "%d processes, %g bytes: %g, best %g", processes,
                         bytes, chosen, least);
        }
}
