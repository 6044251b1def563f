/* process_collectives.c: see process_collectives.h. For each array of a collective, the pieces that
 * this process sends to and receives from each of the others are listed and exchanged; the rest is
 * done here. In a flow from process P to Q, pieces are ordered by the members in P, then by those
 * in Q. */
#include "devices/host/collectives/process_collectives.h"

#include <string.h>

#include "base/alloc.h"
#include "devices/host/collectives/process_reductions.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- pieces ---------------------------------------------------------------------------------- */
/* What member `sender` sends to `receiver`, in the sender's operand or where the receiver wants it.
 * Without rows: nothing. */
typedef struct net_piece piece_of_pair(const struct process_job *job, int sender, int receiver);

/* Appends the pieces of all pairs with one member in this process and the other in `process`. */
static struct net_piece *add_pairs(const struct process_job *job, piece_of_pair *piece, int process,
                                   bool sends, struct net_piece *at)
{
    int from = sends ? job->group->process : process, to = sends ? process : job->group->process;
    for (int s = 0; s < job->group->count; s++) {
        for (int r = 0; process_job_owner(job, s) == from && r < job->group->count; r++) {
            if (process_job_owner(job, r) != to)
                continue;
            struct net_piece made = piece(job, s, r);
            if (made.rows)
                *at++ = made;
        }
    }
    return at;
}

/* Lists the pieces of all flows and exchanges them. */
static struct error *exchange_pairs(struct process_job *job, piece_of_pair *send,
                                    piece_of_pair *receive)
{
    struct net_piece *pieces, *at;
    size_t members = (size_t)job->group->count, pairs = members * members;
    TRY(alloc_array(2 * pairs, sizeof *pieces, &pieces));
    at = pieces;
    for (int i = 0; i < job->other_count; i++) {
        struct network_flow *flow = &job->flows[i];
        struct net_piece *first = at;
        flow->process = job->others[i];
        flow->sends = first;
        at = add_pairs(job, send, flow->process, true, at);
        flow->send_count = (int)(at - first);
        flow->receives = first = at;
        at = add_pairs(job, receive, flow->process, false, at);
        flow->receive_count = (int)(at - first);
    }
    struct error *error = process_job_exchange(job, job->other_count);
    alloc_free(pieces);
    return error;
}

/* Copies a piece to another one of as many bytes. */
static void copy_piece(struct net_piece from, struct net_piece to)
{
    int64_t size = least(from.row_bytes, to.row_bytes), total = from.rows * from.row_bytes;
    for (int64_t at = 0; at < total; at += size)
        memcpy(to.base + at / to.row_bytes * to.stride + at % to.row_bytes,
               from.base + at / from.row_bytes * from.stride + at % from.row_bytes, (size_t)size);
}

/* The pairs inside of this process. */
static void copy_pairs(const struct process_job *job, piece_of_pair *send, piece_of_pair *receive)
{
    for (int s = 0; s < job->group->count; s++) {
        for (int r = 0; process_job_is_here(job, s) && r < job->group->count; r++) {
            if (!process_job_is_here(job, r))
                continue;
            struct net_piece from = send(job, s, r), to = receive(job, s, r);
            if (from.rows && to.rows)
                copy_piece(from, to);
        }
    }
}

static struct net_piece whole(const struct process_job *job, char *base)
{
    return process_job_piece(base, job->elements * job->element);
}

/* The first member of a process represents it: each operand is sent to a process once. */
static bool stands_for_process(const struct process_job *job, int member)
{
    for (int m = 0; m < member; m++)
        if (process_job_owner(job, m) == process_job_owner(job, member))
            return false;
    return true;
}

static struct net_piece send_once(const struct process_job *job, int sender, int receiver)
{
    return stands_for_process(job, receiver) ? whole(job, process_job_operand(job, sender))
                                             : (struct net_piece){0};
}

/* ---- moving ---------------------------------------------------------------------------------- */
/* Of an all_gather: into the home member's result. */
static struct net_piece gathered(const struct process_job *job, int sender, int receiver)
{
    int64_t parts = job->group->count;
    if (!stands_for_process(job, receiver))
        return (struct net_piece){0};
    return (struct net_piece){process_job_result(job, job->home) + sender * job->width, job->rows,
                              job->width, parts * job->width};
}

static struct error *all_gather(struct process_job *job)
{
    TRY(exchange_pairs(job, send_once, gathered));
    for (int s = 0; s < job->group->count; s++)
        if (process_job_is_here(job, s))
            copy_piece(whole(job, process_job_operand(job, s)),
                       (struct net_piece){process_job_result(job, job->home) + s * job->width,
                                          job->rows, job->width, job->group->count * job->width});
    process_job_spread(job, job->elements * job->element * job->group->count);
    return NULL;
}

/* Of an all_to_all (collective_array: outer, middle, inner): blocks of `middle` rows, or rows. */
static struct net_piece blocks(const struct process_job *job, char *base, int part)
{
    int64_t size = job->array->middle * job->width;
    return (struct net_piece){base + part * size, job->array->outer, size,
                              job->group->count * size};
}

static struct net_piece lines(const struct process_job *job, char *base, int part)
{
    return (struct net_piece){base + part * job->width, job->rows, job->width,
                              job->group->count * job->width};
}

static struct net_piece send_split(const struct process_job *job, int sender, int receiver)
{
    char *base = process_job_operand(job, sender);
    return job->spec->concatenates_outside ? lines(job, base, receiver)
                                           : blocks(job, base, receiver);
}

static struct net_piece receive_split(const struct process_job *job, int sender, int receiver)
{
    char *base = process_job_result(job, receiver);
    return job->spec->concatenates_outside ? blocks(job, base, sender) : lines(job, base, sender);
}

static struct net_piece send_chosen(const struct process_job *job, int sender, int receiver)
{
    return job->group->sources[receiver] == sender ? whole(job, process_job_operand(job, sender))
                                                   : (struct net_piece){0};
}

static struct net_piece receive_chosen(const struct process_job *job, int sender, int receiver)
{
    return job->group->sources[receiver] == sender ? whole(job, process_job_result(job, receiver))
                                                   : (struct net_piece){0};
}

static struct error *move_pairs(struct process_job *job, piece_of_pair *send,
                                piece_of_pair *receive)
{
    TRY(exchange_pairs(job, send, receive));
    copy_pairs(job, send, receive);
    return NULL;
}

static struct error *permute(struct process_job *job)
{
    for (int m = 0; m < job->group->count; m++)
        if (process_job_is_here(job, m) && job->group->sources[m] < 0)
            memset(process_job_result(job, m), 0, (size_t)(job->elements * job->element));
    return move_pairs(job, send_chosen, receive_chosen);
}

/* ---- entry point ----------------------------------------------------------------------------- */
static struct error *run_array(struct process_job *job)
{
    switch (job->spec->kind) {
    case COLLECTIVE_ALL_REDUCE: return process_reductions_all_reduce(job);
    case COLLECTIVE_REDUCE_SCATTER: return process_reductions_scatter(job);
    case COLLECTIVE_ALL_GATHER: return all_gather(job);
    case COLLECTIVE_ALL_TO_ALL: return move_pairs(job, send_split, receive_split);
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST: return permute(job);
    default:
        return ERROR(UNIMPLEMENTED, "this collective between several processes is unsupported");
    }
}

static struct error *run_one(const struct process_group *group, const struct step *step, int index)
{
    const struct collective_spec *spec = &step->collective;
    const struct collective_array *array = &spec->arrays[index];
    struct process_job job = {.group = group,
                              .step = step,
                              .spec = spec,
                              .array = array,
                              .index = index,
                              .element = dtype_bytes(array->dtype),
                              .elements = array->outer * array->middle * array->inner,
                              .width = array->inner * dtype_bytes(array->dtype),
                              .rows = array->outer * array->middle};
    if (!job.elements)
        return NULL;
    struct error *error = process_job_begin(&job);
    if (!error)
        error = run_array(&job);
    process_job_end(&job);
    return error;
}

struct error *process_collectives_run(const struct process_group *group, const struct step *step)
{
    for (int i = 0; i < step->collective.array_count; i++)
        TRY(run_one(group, step, i));
    return NULL;
}
