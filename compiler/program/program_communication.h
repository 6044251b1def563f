/* program_communication.h: what the participants of a program send each other. Bytes are those that
 * rings and pairwise exchanges need, per participant: of n members with operands of b bytes, an
 * all-reduce sends 2 (n-1)/n b, an all-gather (n-1) b, a reduce-scatter, an all-to-all and a
 * broadcast (n-1)/n b, a permute b for each pair of different members. Pure functions,
 * thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_COMMUNICATION_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_COMMUNICATION_H

#include "compiler/program/program.h"

struct program_communication { /* a collective of the program */
    int64_t step;              /* number of its step */
    const struct step *at;     /* borrowed from the program */
    /* executions in one execution of the program: the product of the enclosing loops' trip counts,
     * in which unknown ones count as 1; a branch counts as if it were taken */
    double times;
    bool is_exact; /* no trip count is unknown */
    double bytes;  /* of the operands of one participant */
    double sent;   /* bytes that a participant sends in one execution of the collective, averaged
                      over all participants */
};

/* The collectives at which participants meet, in the order of the program; *out is owned
 * (alloc_free) and has *count items: program->collective_count, less the custom calls at which
 * participants meet. RESOURCE_EXHAUSTED. */
struct error *program_communication(const struct program *program,
                                    struct program_communication **out, int *count);

/* Bytes that a participant sends in one execution of the program. RESOURCE_EXHAUSTED. */
struct error *program_communication_bytes(const struct program *program, double *out);

/* Bytes that all participants together send in one execution of a collective of these groups, of
 * which each has an operand of `bytes` bytes. */
double program_communication_sent(enum collective_kind kind, const struct program_groups *groups,
                                  double bytes);

/* HLO's name of a collective: "all-reduce"; static. */
const char *program_communication_name(enum collective_kind kind);
const char *program_communication_reducer(enum collective_reducer reducer); /* "add"; static */

#endif
