/* loggp.c: see loggp.h. */
#include "base/loggp.h"

#include <math.h>

/* Two processes of a machine with two cores, both spinning, by the least of some 1,000 executions
 * of a permute with its launch, beside other load: 5.0 us for 64 bytes, 7.5 us for 8 KB, that is
 * 0.3 ns for a byte. (Longer messages need 0.3 to 0.6 ns.) `overhead` and `gap` are estimates.
 * Adding arrays in memory takes 0.15 ns for a byte of an operand. */
const struct loggp loggp_here = {
    .latency = 2.6e-6, .overhead = 1e-6, .gap = 1e-6, .byte = 0.3e-9, .combine = 0.15e-9};

struct loggp loggp_of_link(double bytes_per_second, double latency)
{
    struct loggp link = loggp_here;
    link.latency = latency;
    link.byte = 1 / bytes_per_second;
    return link;
}

const char *loggp_name(enum loggp_way way)
{
    static const char *const names[] = {"direct", "parts", "doubling", "halving", "ring"};
    return names[way];
}

double loggp_exchange(const struct loggp *link, double messages, double bytes)
{
    double handling = (messages - 1) * (link->gap + link->overhead), moving = bytes * link->byte;
    return messages < 1
               ? 0
               : link->latency + 2 * link->overhead + (handling > moving ? handling : moving);
}

static double seconds_of(const struct loggp *link, enum loggp_way way, const struct loggp_sum *sum)
{
    double n = sum->processes, others = n - 1, share = others / n, rounds = ceil(log2(n));
    switch (way) {
    case LOGGP_DIRECT:
        return loggp_exchange(link, others, others * sum->bytes) + n * sum->bytes * link->combine;
    case LOGGP_PARTS:
        return loggp_exchange(link, others, share * sum->bytes) +
               loggp_exchange(link, others, share * sum->result) + sum->bytes * link->combine;
    case LOGGP_DOUBLING:
        return rounds * (loggp_exchange(link, 1, sum->node) + 2 * sum->node * link->combine);
    case LOGGP_HALVING:
        return 2 * rounds * loggp_exchange(link, 1, 0) +
               share * (sum->node + sum->result) * link->byte + 2 * sum->node * link->combine;
    default:
        return 2 * others * loggp_exchange(link, 1, sum->result / n) + sum->result * link->combine;
    }
}

double loggp_all_reduce(const struct loggp *link, enum loggp_way way, int processes, double bytes)
{
    return seconds_of(link, way, &(struct loggp_sum){processes, bytes, bytes, bytes});
}

enum loggp_way loggp_choose(const struct loggp *link, const struct loggp_sum *sum)
{
    bool is_power = (sum->processes & (sum->processes - 1)) == 0;
    int ways = !sum->node ? LOGGP_DOUBLING : is_power ? LOGGP_RING : LOGGP_HALVING;
    enum loggp_way best = LOGGP_DIRECT;
    for (int way = LOGGP_PARTS; way < ways; way++)
        if (seconds_of(link, way, sum) < seconds_of(link, best, sum))
            best = way;
    return best;
}
