/* loggp.h: the time of collectives between processes in the LogGP model (Alexandrov, Ionescu,
 * Schauser, Scheiman 1995): a message of k bytes needs overhead + latency + k * byte + overhead. A
 * process sends the next message after `gap`, and receives messages one after another at the rate
 * of its link. Each process has its own link, and all start at the same time. The communicator uses
 * the formulas to select algorithms, and `gantry plan --hosts` to predict times. Pure functions,
 * thread-safe. */
#ifndef GANTRY_BASE_LOGGP_H
#define GANTRY_BASE_LOGGP_H

#include <stdbool.h>

struct loggp {       /* seconds */
    double latency;  /* of a message on the way (L) */
    double overhead; /* of each of its ends (o) */
    double gap;      /* between two messages of a process (g) */
    double byte;     /* of a byte on the link (G) */
    double combine;  /* of reading a byte of an operand, to combine it */
};

/* Algorithms for an all-reduce of n processes with b bytes each. Gantry uses all but the ring,
 * which combines each element in another order: bits would depend on the division into processes.
 */
enum loggp_way {
    LOGGP_DIRECT,   /* each sends all its bytes to each, once */
    LOGGP_PARTS,    /* each combines the n-th part of all, and sends the result to each */
    LOGGP_DOUBLING, /* all bytes are exchanged with the process at distance 1, 2, 4 ... */
    LOGGP_HALVING,  /* the same with a half, a quarter ..., and back (Rabenseifner) */
    LOGGP_RING,     /* the parts go around, twice: 2 (n - 1) messages, one after the other */
    LOGGP_WAYS
};
const char *loggp_name(enum loggp_way way); /* static */

/* Processes on one machine, by messages in shared memory. Where a process reads another one's
 * memory (network_loan.h), a transfer takes 7 us more and 0.12 ns for a byte; among 2 to 16
 * processes, what is chosen is then within 5 % of the fastest (loggp_test.c). */
extern const struct loggp loggp_here;
/* Hosts with links of this bandwidth, and a latency in seconds. */
struct loggp loggp_of_link(double bytes_per_second, double latency);

/* Seconds of an exchange in which each process sends, and receives, `messages` messages of `bytes`
 * together. */
double loggp_exchange(const struct loggp *link, double messages, double bytes);
/* Of an all-reduce. */
double loggp_all_reduce(const struct loggp *link, enum loggp_way way, int processes, double bytes);
struct loggp_sum { /* an all-reduce; bytes */
    int processes;
    double bytes;  /* that a process sends of its own */
    double node;   /* of what two processes have combined; 0: they may not, only all together */
    double result; /* of the result */
};
/* The fastest way without the ring. Halving needs a power of two of processes. */
enum loggp_way loggp_choose(const struct loggp *link, const struct loggp_sum *sum);

#endif
