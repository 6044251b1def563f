/* process_collectives.c: see process_collectives.h. For each array of a collective, the pieces that
 * this process sends to and receives from each of the others are listed and exchanged; the rest is
 * done here. In a flow from process P to Q, pieces are ordered by the members in P, then by those
 * in Q. */
#include "devices/host/collectives/process_collectives.h"

#include <string.h>

#include "base/alloc.h"
#include "base/loggp.h"
#include "base/pool.h"
#include "devices/host/collectives/collective_types.h"

enum {
    BLOCK_BYTES = 16 << 10, /* of an accumulator */
    GRAIN_BYTES = 64 << 10,
    ALIGNMENT = 64, /* of the parts of an all_reduce, in elements */
    /* Of all operands of an all_reduce that are kept at once, and of one of them at least: they
     * stay in a cache between their arrival and their use. */
    KEPT_BYTES = 4 << 20,
    LEAST_KEPT = 256 << 10
};

struct job { /* one array */
    const struct process_group *group;
    const struct step *step;
    const struct collective_spec *spec;
    const struct collective_array *array;
    int index;
    int64_t element, elements, width, rows; /* bytes; of an operand; bytes of a row; rows */
    struct collective_type type;
    int *others;                          /* the group's other processes, in their order */
    int other_count, process_count, rank; /* rank: of this process among all of them */
    int home;                             /* the first member in this process */
    int64_t block, block_size;            /* of a part that is reduced now, in elements */
    char *scratch;
    struct network_flow *flows; /* one for each other process */
    struct net_piece *pieces;
};

static int process_of(const struct job *job, int member)
{
    return job->group->processes[job->group->members[member]];
}

static bool is_here(const struct job *job, int member)
{
    return process_of(job, member) == job->group->process;
}

static char *operand_of(const struct job *job, int member)
{
    return job->group->buffers[member][job->index];
}

static char *result_of(const struct job *job, int member)
{
    return job->group->buffers[member][job->spec->array_count + job->index];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- the processes --------------------------------------------------------------------------- */
/* Inserts a process into the ordered list of others, unless it is there. */
static void add_other(struct job *job, int process)
{
    int at = job->other_count;
    for (int i = 0; i < job->other_count; i++)
        if (job->others[i] == process)
            return;
    for (; at > 0 && job->others[at - 1] > process; at--)
        job->others[at] = job->others[at - 1];
    job->others[at] = process;
    job->other_count++;
}

static struct error *list_processes(struct job *job)
{
    TRY(alloc_array((size_t)job->group->count, sizeof *job->others, &job->others));
    job->home = -1;
    for (int m = 0; m < job->group->count; m++) {
        if (!is_here(job, m))
            add_other(job, process_of(job, m));
        else if (job->home < 0)
            job->home = m;
    }
    job->process_count = job->other_count + 1;
    while (job->rank < job->other_count && job->others[job->rank] < job->group->process)
        job->rank++;
    return alloc_array((size_t)job->other_count, sizeof *job->flows, &job->flows);
}

/* The rank of others[i] among all processes of the group. */
static int rank_of(const struct job *job, int i)
{
    return i < job->rank ? i : i + 1;
}

/* ---- pieces ---------------------------------------------------------------------------------- */
/* What member `sender` sends to `receiver`, in the sender's operand or where the receiver wants it.
 * Without rows: nothing. */
typedef struct net_piece piece_of_pair(const struct job *job, int sender, int receiver);

/* Appends the pieces of all pairs with one member in this process and the other in `process`. */
static struct net_piece *add_pairs(const struct job *job, piece_of_pair *piece, int process,
                                   bool sends, struct net_piece *at)
{
    int from = sends ? job->group->process : process, to = sends ? process : job->group->process;
    for (int s = 0; s < job->group->count; s++) {
        for (int r = 0; process_of(job, s) == from && r < job->group->count; r++) {
            if (process_of(job, r) != to)
                continue;
            struct net_piece made = piece(job, s, r);
            if (made.rows)
                *at++ = made;
        }
    }
    return at;
}

static struct error *exchange(const struct job *job)
{
    struct network_exchange exchange = {.channel = job->group->channel,
                                        .stream = job->group->stream,
                                        .label = job->step->label,
                                        .flow_count = job->other_count,
                                        .flows = job->flows,
                                        .lends = true};
    return network_exchange(&exchange);
}

/* Lists the pieces of all flows and exchanges them. */
static struct error *exchange_pairs(struct job *job, piece_of_pair *send, piece_of_pair *receive)
{
    struct net_piece *at;
    size_t members = (size_t)job->group->count, pairs = members * members;
    TRY(alloc_array(2 * pairs, sizeof *job->pieces, &job->pieces));
    at = job->pieces;
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
    struct error *error = exchange(job);
    alloc_free(job->pieces);
    job->pieces = NULL;
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
static void copy_pairs(const struct job *job, piece_of_pair *send, piece_of_pair *receive)
{
    for (int s = 0; s < job->group->count; s++) {
        for (int r = 0; is_here(job, s) && r < job->group->count; r++) {
            if (!is_here(job, r))
                continue;
            struct net_piece from = send(job, s, r), to = receive(job, s, r);
            if (from.rows && to.rows)
                copy_piece(from, to);
        }
    }
}

static struct net_piece whole(const struct job *job, char *base)
{
    int64_t bytes = job->elements * job->element;
    return (struct net_piece){base, bytes ? 1 : 0, bytes, bytes};
}

/* Copies the result of the first member in this process to the others'. */
static void spread(const struct job *job, int64_t bytes)
{
    for (int m = job->home + 1; m < job->group->count; m++)
        if (is_here(job, m) && result_of(job, m) != result_of(job, job->home))
            memcpy(result_of(job, m), result_of(job, job->home), (size_t)bytes);
}

/* ---- reducing -------------------------------------------------------------------------------- */
struct reduction { /* of `members` arrays */
    const struct job *job;
    void *const *operands;
    char *to;
};

static void reduce_range(void *context, int64_t begin, int64_t end)
{
    const struct reduction *reduction = context;
    const struct job *job = reduction->job;
    struct collective_operands operands = {job->group->count, reduction->operands};
    _Alignas(64) char accumulator[BLOCK_BYTES], rounded[BLOCK_BYTES];
    int64_t block = BLOCK_BYTES / (job->type.store ? (int64_t)sizeof(float) : job->element);
    for (int64_t count; begin < end; begin += count) {
        count = least(block, end - begin);
        job->type.combine(accumulator, &operands, (size_t)(begin * job->element), (size_t)count);
        if (job->type.store)
            job->type.store(rounded, accumulator, (size_t)count);
        memcpy(reduction->to + begin * job->element, job->type.store ? rounded : accumulator,
               (size_t)(count * job->element));
    }
}

static void reduce(const struct job *job, void *const *operands, char *to, int64_t count)
{
    struct reduction reduction = {job, operands, to};
    pool_parallel(pool_shared(), count, GRAIN_BYTES / job->element, reduce_range, &reduction);
}

/* ---- all_reduce ------------------------------------------------------------------------------ */
/* Where the part of the process of a rank begins, in elements. */
static int64_t part_begin(const struct job *job, int rank)
{
    int64_t blocks = (job->elements + ALIGNMENT - 1) / ALIGNMENT;
    return least(job->elements, blocks * rank / job->process_count * ALIGNMENT);
}

static struct net_piece part_at(const struct job *job, char *base, int rank)
{
    int64_t begin = part_begin(job, rank) * job->element,
            bytes = part_begin(job, rank + 1) * job->element - begin;
    return (struct net_piece){base + begin, bytes ? 1 : 0, bytes, bytes};
}

/* The elements of a part that are reduced now. */
static struct net_piece block_at(const struct job *job, char *base, int rank)
{
    int64_t begin = part_begin(job, rank) + job->block,
            count = least(job->block_size, part_begin(job, rank + 1) - begin);
    if (count <= 0)
        return (struct net_piece){0};
    return (struct net_piece){base + begin * job->element, 1, count * job->element,
                              count * job->element};
}

/* Where this process keeps what it receives of a member's operand. */
static char *kept_of(const struct job *job, int member, int64_t bytes)
{
    return job->scratch + member * bytes;
}

static int rank_of_process(const struct job *job, int process)
{
    int rank = 0;
    for (int i = 0; i < job->other_count; i++)
        rank += job->others[i] < process;
    return process > job->group->process ? rank + 1 : rank;
}

/* The first member of a process represents it: each operand is sent to a process once. */
static bool stands_for_process(const struct job *job, int member)
{
    for (int m = 0; m < member; m++)
        if (process_of(job, m) == process_of(job, member))
            return false;
    return true;
}

static struct net_piece send_part(const struct job *job, int sender, int receiver)
{
    if (!stands_for_process(job, receiver))
        return (struct net_piece){0};
    return block_at(job, operand_of(job, sender), rank_of_process(job, process_of(job, receiver)));
}

static struct net_piece receive_part(const struct job *job, int sender, int receiver)
{
    struct net_piece block = block_at(job, NULL, job->rank);
    if (!stands_for_process(job, receiver) || !block.rows)
        return (struct net_piece){0};
    block.base = kept_of(job, sender, block.row_bytes);
    return block;
}

/* Addresses of the elements from `begin` on of all members; `bytes`: of what is kept of each. */
static struct error *gather_operands(const struct job *job, int64_t begin, int64_t bytes,
                                     void ***out)
{
    TRY(alloc_array((size_t)job->group->count, sizeof **out, out));
    for (int m = 0; m < job->group->count; m++)
        (*out)[m] =
            is_here(job, m) ? operand_of(job, m) + begin * job->element : kept_of(job, m, bytes);
    return NULL;
}

/* The results of parts: from the home member's result to that of every other process. */
static struct error *exchange_results(struct job *job)
{
    struct net_piece *pieces;
    char *result = result_of(job, job->home);
    TRY(alloc_array(2 * (size_t)job->other_count, sizeof *pieces, &pieces));
    for (int i = 0; i < job->other_count; i++) {
        struct net_piece *mine = &pieces[2 * i], *theirs = mine + 1;
        *mine = part_at(job, result, job->rank);
        *theirs = part_at(job, result, rank_of(job, i));
        job->flows[i] = (struct network_flow){.process = job->others[i],
                                              .send_count = mine->rows ? 1 : 0,
                                              .receive_count = theirs->rows ? 1 : 0,
                                              .sends = mine,
                                              .receives = theirs};
    }
    struct error *error = exchange(job);
    alloc_free(pieces);
    return error;
}

static struct error *reduce_kept(const struct job *job, int64_t begin, int64_t count)
{
    void **operands;
    TRY(gather_operands(job, begin, count * job->element, &operands));
    reduce(job, operands, result_of(job, job->home) + begin * job->element, count);
    alloc_free(operands);
    return NULL;
}

static struct net_piece send_once(const struct job *job, int sender, int receiver)
{
    return stands_for_process(job, receiver) ? whole(job, operand_of(job, sender))
                                             : (struct net_piece){0};
}

static struct net_piece keep_once(const struct job *job, int sender, int receiver)
{
    return stands_for_process(job, receiver)
               ? whole(job, kept_of(job, sender, job->elements * job->element))
               : (struct net_piece){0};
}

/* Each process sends all its operands to each. */
static struct error *all_reduce_directly(struct job *job)
{
    int64_t bytes = job->elements * job->element;
    TRY(alloc_aligned((size_t)(bytes * job->group->count) + 1, &job->scratch));
    TRY(exchange_pairs(job, send_once, keep_once));
    return reduce_kept(job, 0, job->elements);
}

static int64_t longest_part(const struct job *job)
{
    int64_t longest = 0;
    for (int rank = 0; rank < job->process_count; rank++) {
        int64_t size = part_begin(job, rank + 1) - part_begin(job, rank);
        longest = size > longest ? size : longest;
    }
    return longest;
}

/* Each process reduces a part, block after block: all have as many blocks, of which the last may
 * be empty. */
static struct error *all_reduce_parts(struct job *job)
{
    int64_t longest = longest_part(job), kept = KEPT_BYTES / job->group->count;
    job->block_size = least(longest, (kept > LEAST_KEPT ? kept : LEAST_KEPT) / job->element);
    TRY(alloc_aligned((size_t)(job->block_size * job->element * job->group->count) + 1,
                      &job->scratch));
    for (job->block = 0; job->block < longest; job->block += job->block_size) {
        TRY(exchange_pairs(job, send_part, receive_part));
        int64_t begin = part_begin(job, job->rank) + job->block;
        TRY(reduce_kept(job, begin, block_at(job, NULL, job->rank).row_bytes / job->element));
    }
    return exchange_results(job);
}

static struct error *all_reduce(struct job *job)
{
    int64_t bytes = job->elements * job->element;
    bool direct = loggp_choose(&loggp_here, job->process_count, (double)bytes) == LOGGP_DIRECT;
    TRY(direct ? all_reduce_directly(job) : all_reduce_parts(job));
    spread(job, bytes);
    return NULL;
}

/* ---- reduce_scatter -------------------------------------------------------------------------- */
static struct net_piece scattered(const struct job *job, int sender, int receiver)
{
    int64_t parts = job->group->count;
    return (struct net_piece){operand_of(job, sender) + receiver * job->width, job->rows,
                              job->width, parts * job->width};
}

/* The parts that the members in this process reduce, one after the other: [receiver][sender]. */
static struct net_piece kept_part(const struct job *job, int sender, int receiver)
{
    int64_t bytes = job->elements * job->element, position = 0;
    for (int m = 0; m < receiver; m++)
        position += is_here(job, m);
    return whole(job, job->scratch + (position * job->group->count + sender) * bytes);
}

static struct error *reduce_scatter(struct job *job)
{
    int64_t bytes = job->elements * job->element, here = 0;
    void **operands;
    for (int m = 0; m < job->group->count; m++)
        here += is_here(job, m);
    TRY(alloc_aligned((size_t)(bytes * here * job->group->count) + 1, &job->scratch));
    TRY(exchange_pairs(job, scattered, kept_part));
    copy_pairs(job, scattered, kept_part);
    TRY(alloc_array((size_t)job->group->count, sizeof *operands, &operands));
    for (int r = 0; r < job->group->count; r++) {
        for (int s = 0; is_here(job, r) && s < job->group->count; s++)
            operands[s] = kept_part(job, s, r).base;
        if (is_here(job, r))
            reduce(job, operands, result_of(job, r), job->elements);
    }
    alloc_free(operands);
    return NULL;
}

/* ---- moving ---------------------------------------------------------------------------------- */
/* Of an all_gather: into the home member's result. */
static struct net_piece gathered(const struct job *job, int sender, int receiver)
{
    int64_t parts = job->group->count;
    if (!stands_for_process(job, receiver))
        return (struct net_piece){0};
    return (struct net_piece){result_of(job, job->home) + sender * job->width, job->rows,
                              job->width, parts * job->width};
}

static struct error *all_gather(struct job *job)
{
    TRY(exchange_pairs(job, send_once, gathered));
    for (int s = 0; s < job->group->count; s++)
        if (is_here(job, s))
            copy_piece(whole(job, operand_of(job, s)),
                       (struct net_piece){result_of(job, job->home) + s * job->width, job->rows,
                                          job->width, job->group->count * job->width});
    spread(job, job->elements * job->element * job->group->count);
    return NULL;
}

/* Of an all_to_all (collective_array: outer, middle, inner): blocks of `middle` rows, or rows. */
static struct net_piece blocks(const struct job *job, char *base, int part)
{
    int64_t size = job->array->middle * job->width;
    return (struct net_piece){base + part * size, job->array->outer, size,
                              job->group->count * size};
}

static struct net_piece lines(const struct job *job, char *base, int part)
{
    return (struct net_piece){base + part * job->width, job->rows, job->width,
                              job->group->count * job->width};
}

static struct net_piece send_split(const struct job *job, int sender, int receiver)
{
    char *base = operand_of(job, sender);
    return job->spec->concatenates_outside ? lines(job, base, receiver)
                                           : blocks(job, base, receiver);
}

static struct net_piece receive_split(const struct job *job, int sender, int receiver)
{
    char *base = result_of(job, receiver);
    return job->spec->concatenates_outside ? blocks(job, base, sender) : lines(job, base, sender);
}

static struct net_piece send_chosen(const struct job *job, int sender, int receiver)
{
    return job->group->sources[receiver] == sender ? whole(job, operand_of(job, sender))
                                                   : (struct net_piece){0};
}

static struct net_piece receive_chosen(const struct job *job, int sender, int receiver)
{
    return job->group->sources[receiver] == sender ? whole(job, result_of(job, receiver))
                                                   : (struct net_piece){0};
}

static struct error *move_pairs(struct job *job, piece_of_pair *send, piece_of_pair *receive)
{
    TRY(exchange_pairs(job, send, receive));
    copy_pairs(job, send, receive);
    return NULL;
}

static struct error *permute(struct job *job)
{
    for (int m = 0; m < job->group->count; m++)
        if (is_here(job, m) && job->group->sources[m] < 0)
            memset(result_of(job, m), 0, (size_t)(job->elements * job->element));
    return move_pairs(job, send_chosen, receive_chosen);
}

/* ---- entry point ----------------------------------------------------------------------------- */
static struct error *run_array(struct job *job)
{
    switch (job->spec->kind) {
    case COLLECTIVE_ALL_REDUCE: return all_reduce(job);
    case COLLECTIVE_REDUCE_SCATTER: return reduce_scatter(job);
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
    bool reduces = spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_REDUCE_SCATTER;
    struct job job = {.group = group,
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
    if (reduces)
        job.type = collective_types_get(spec->reducer, array->dtype);
    struct error *error = list_processes(&job);
    if (!error)
        error = run_array(&job);
    alloc_free(job.others);
    alloc_free(job.flows);
    alloc_free(job.scratch);
    return error;
}

struct error *process_collectives_run(const struct process_group *group, const struct step *step)
{
    for (int i = 0; i < step->collective.array_count; i++)
        TRY(run_one(group, step, i));
    return NULL;
}
