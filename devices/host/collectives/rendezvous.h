/* rendezvous.h: where the participants of one execution on several devices meet. There is one
 * rendezvous for each execution of a program with collectives.
 *
 * Each participant runs the program on a thread of its own. At a collective it publishes the
 * addresses of its operands and results; the last of its group to arrive moves the data of the
 * whole group (collectives.h) with the thread pool, and the others sleep meanwhile. So a group
 * costs each member one wait, the work is spread over all cores however few there are, and no
 * thread spins.
 *
 * A participant that fails calls rendezvous_fail(): all others then end with an error that names it
 * instead of waiting for it. A wait also ends with DEADLINE_EXCEEDED, for all, when a participant
 * has not arrived for GANTRY_COLLECTIVE_TIMEOUT seconds since the last one started (or for ten
 * times as long if not all have started). Participants that arrive at different collectives get an
 * error that names both. Thread-safe, except that one thread at a time acts for a participant. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_RENDEZVOUS_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_RENDEZVOUS_H

#include "compiler/program/program.h"

struct rendezvous;

/* For the num_replicas * num_partitions participants of `program`, which is retained. Owned:
 * rendezvous_release(). */
struct error *rendezvous_create(const struct program *program, struct rendezvous **out);
void rendezvous_retain(struct rendezvous *rendezvous);
void rendezvous_release(struct rendezvous *rendezvous); /* accepts NULL */

/* The participant starts to run. Returns the error if another one has failed already. */
struct error *rendezvous_enter(struct rendezvous *rendezvous, int participant);
/* Runs a STEP_COLLECTIVE that meets others, of `program` or one with equal collectives.
 * `buffers`: the addresses of its slices. Returns once the results are written and the operands are
 * read by all. */
struct error *rendezvous_meet(struct rendezvous *rendezvous, int participant,
                              const struct step *step, void *const *buffers);
/* Ends all waits, now and later, with a copy of `error` (borrowed). `participant` is who failed, or
 * -1. The first call counts. */
void rendezvous_fail(struct rendezvous *rendezvous, int participant, const struct error *error);

#endif
