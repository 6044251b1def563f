/* gang.h: gang scheduling of programs with collectives. The jobs of one execution, one per device,
 * form a gang. They start only when all of them have been submitted and all their arguments are
 * ready; then they enter the queues of their devices together. So no device waits in a collective
 * for one that still waits for an argument, and two gangs have the same order in every queue that
 * they share: queues cannot deadlock.
 *
 * execute() with all devices makes a new gang. Executions on one device each join the first gang of
 * an equal program (the same collectives, devices and launch id) that lacks their device; so the
 * k-th execution on a device meets the k-th on the others. If the other devices do not follow
 * within GANTRY_COLLECTIVE_TIMEOUT seconds, all jobs of the gang end with DEADLINE_EXCEEDED.
 *
 * A callback of a running program may execute a program with collectives, also on devices whose
 * queues run jobs that wait for the callback. The jobs of such a gang bypass the queues and run on
 * separate threads.
 *
 * Gangs of programs whose devices are in several processes are numbered in the order of their
 * reservations and start in that order, independent of which becomes ready first. So the queues of
 * different processes cannot deadlock if the processes execute the same programs in the same order.
 *
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_GANG_H
#define GANTRY_RUNTIME_GANG_H

#include "devices/communicator.h"
#include "runtime/job.h"

struct gang;
struct gangs; /* of a client: the gangs that lack devices */

struct error *gangs_create(struct gangs **out);
/* Accepts NULL. No gang may be open. */
void gangs_destroy(struct gangs *gangs);
/* Ends the open gangs of `executable`, or all with NULL: their jobs complete with CANCELLED. */
void gangs_cancel(struct gangs *gangs, const struct loaded_executable *executable);

/* Reserves the place of device `ordinal` in an open gang or a new one; of all devices in a new one
 * with -1. `can_start`: the arguments are ready, so that other processes need not fear to wait for
 * this one's client. *out is owned: gang_release(), after gang_leave() if the one device's job does
 * not join. RESOURCE_EXHAUSTED. */
struct error *gang_reserve(const struct loaded_executable *executable, int64_t launch_id,
                           int ordinal, bool can_start, struct gang **out);
/* Gives up the reservation. */
void gang_leave(struct gang *gang, int ordinal);
/* Sets the job's gang, in which a place is reserved; the caller submits the job next. The job holds
 * a reference, which execute_queue.c releases when it completes. */
void gang_join(struct gang *gang, struct job *job);
void gang_retain(struct gang *gang);
void gang_release(struct gang *gang); /* accepts NULL */

/* For execute_queue.c: the arguments of a job with a gang are ready. The last job of a gang puts
 * all of them into their queues. One that may run here, and that is the only one in this process,
 * runs before this returns if the other processes wait for it: without a hand-over to a thread. */
void gang_settle(struct job *job);
struct communicator *gang_communicator(struct gang *gang); /* borrowed */

#endif
