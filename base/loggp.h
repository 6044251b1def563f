/* loggp.h: how long collectives between processes take, by the LogGP model (Alexandrov, Ionescu,
 * Schauser, Scheiman 1995): a message of k bytes takes overhead + latency + k byte + overhead. A
 * process sends the next one after `gap`, and receives them one after the other, while its link
 * carries their bytes. Formulas for processes that have a link each and meet at the same time. The
 * communicator chooses by them, and `gantry plan --hosts` predicts by them. Pure functions,
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

/* Ways to an all-reduce of n processes with b bytes each. The first two combine all operands in the
 * order of the participants, so they give the same bits whatever the division into processes:
 * Gantry uses these. */
enum loggp_way {
    LOGGP_DIRECT,   /* each sends all its bytes to each, once */
    LOGGP_PARTS,    /* each combines the n-th part of all, and sends the result to each */
    LOGGP_RING,     /* the parts go around, twice: 2 (n - 1) messages, one after the other */
    LOGGP_DOUBLING, /* all bytes are exchanged with the process at distance 1, 2, 4 ... */
    LOGGP_HALVING,  /* the same with a half, a quarter ..., and back (Rabenseifner) */
    LOGGP_WAYS
};
const char *loggp_name(enum loggp_way way); /* static */

/* Processes on one machine, by TCP: the engine's messages alone. A collective of a program takes
 * longer; one whose bytes are read in the other processes' memory, less (docs/several_hosts.md). */
extern const struct loggp loggp_here;
/* Hosts with a link of so many bytes a second, and a latency in seconds. */
struct loggp loggp_of_link(double bytes_per_second, double latency);

/* Seconds of an exchange in which each process sends, and receives, `messages` messages of `bytes`
 * together. */
double loggp_exchange(const struct loggp *link, double messages, double bytes);
/* Of an all-reduce. */
double loggp_all_reduce(const struct loggp *link, enum loggp_way way, int processes, double bytes);
/* The faster one of the first two ways. */
enum loggp_way loggp_choose(const struct loggp *link, int processes, double bytes);

#endif
