/* process_job.h: one array of a collective between processes, shared by what moves its elements
 * (process_collectives.c) and what reduces them (process_reductions.c). */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_JOB_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_JOB_H

#include "devices/host/collectives/process_collectives.h"

struct process_job {
    const struct process_group *group;
    const struct step *step;
    const struct collective_spec *spec;
    const struct collective_array *array;
    int index;
    int64_t element, elements;  /* bytes; of an operand, of a part of it where the kind has parts */
    int64_t width, rows;        /* of a row in bytes; rows */
    int *others;                /* the group's other processes, in their order; owned */
    int other_count, rank;      /* rank: of this process among all of them, in their order */
    int home;                   /* the first member in this process */
    struct network_flow *flows; /* one for each other process; owned */
};

/* Fills the fields that the caller did not; process_job_end() also after an error. */
struct error *process_job_begin(struct process_job *job);
void process_job_end(struct process_job *job);

/* Exchanges the first `count` flows. Their pieces are the caller's. */
struct error *process_job_exchange(const struct process_job *job, int count);
/* The same in two steps. Between them, what was sent is on its way, while this process computes; it
 * may not start another one. */
struct process_exchange { /* does not move between the steps */
    struct network_exchange exchange;
    struct network_run *run; /* NULL: there is nothing to finish */
    atomic_uint changes;
};
struct error *process_job_start(const struct process_job *job, int count,
                                struct process_exchange *out);
/* `error` (moved, or NULL) occurred since: then it does not wait, and returns it. */
struct error *process_job_finish(struct process_exchange *exchange, struct error *error);
/* A piece of `bytes`; without rows if there are none. */
struct net_piece process_job_piece(const char *base, int64_t bytes);
/* Copies the home member's result to those of the other members in this process. */
void process_job_spread(const struct process_job *job, int64_t bytes);

static inline int process_job_owner(const struct process_job *job, int member)
{
    return job->group->processes[job->group->members[member]];
}
static inline bool process_job_is_here(const struct process_job *job, int member)
{
    return process_job_owner(job, member) == job->group->process;
}
/* Of a member in this process. */
static inline char *process_job_operand(const struct process_job *job, int member)
{
    return job->group->buffers[member][job->index];
}
static inline char *process_job_result(const struct process_job *job, int member)
{
    return job->group->buffers[member][job->spec->array_count + job->index];
}

#endif
