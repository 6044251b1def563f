/* process_leaves.c: see process_leaves.h. */
#include "devices/host/collectives/process_leaves.h"

#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"

enum {
    BLOCK_BYTES = 16 << 10, /* of an accumulator that is wider than its result */
    GRAIN_BYTES = 64 << 10
};

/* ---- combining ------------------------------------------------------------------------------- */
struct combination {
    const struct collective_type *type; /* of what is combined */
    struct collective_operands from;
    void (*store)(void *to, const void *accumulator, size_t count); /* NULL: as they are */
    char *to;
    int64_t to_bytes, accumulator_bytes; /* of an element */
};

/* Every chunk of the operands is read before it is written: `to` may be one of them. */
static void combine_range(void *context, int64_t begin, int64_t end)
{
    const struct combination *c = context;
    _Alignas(64) char accumulator[BLOCK_BYTES];
    for (int64_t count; begin < end; begin += count) {
        char *to = c->to + begin * c->to_bytes;
        count = c->store ? BLOCK_BYTES / c->accumulator_bytes : end - begin;
        count = count < end - begin ? count : end - begin;
        c->type->combine(c->store ? accumulator : to, &c->from, (size_t)begin * c->type->bytes,
                         (size_t)count);
        if (c->store)
            c->store(to, accumulator, (size_t)count);
    }
}

static void run(struct combination *c, int64_t count)
{
    pool_parallel(pool_shared(), count, GRAIN_BYTES / c->to_bytes, combine_range, c);
}

void process_leaves_to_node(const struct reduction *r, const struct collective_type *type,
                            int members, void *const *from, char *to, int64_t count)
{
    int64_t bytes = (int64_t)r->node.bytes;
    run(&(struct combination){type, {members, from}, NULL, to, bytes, bytes}, count);
}

void process_leaves_to_result(const struct reduction *r, const struct collective_type *type,
                              int members, void *const *from, char *to, int64_t count)
{
    run(&(struct combination){type,
                              {members, from},
                              r->operand.store,
                              to,
                              (int64_t)r->operand.bytes,
                              (int64_t)r->node.bytes},
        count);
}

const struct collective_type *process_leaves_type(const struct reduction *r)
{
    return r->leaf_bytes == (int64_t)r->operand.bytes ? &r->operand : &r->node;
}

/* ---- leaves ---------------------------------------------------------------------------------- */
static int flow_of(const struct process_job *job, int process)
{
    int low = 0, high = job->other_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (job->others[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return process == job->group->process ? -1 : low;
}

/* The number of members of each process, if those of each are a node; else 0. */
static int size_of_nodes(const struct process_job *job)
{
    int members = job->group->count, processes = job->other_count + 1, size = members / processes;
    if (size * processes != members || (size & (size - 1)) != 0)
        return 0;
    for (int m = 0; m < members; m++)
        if (process_job_owner(job, m) != process_job_owner(job, m - m % size))
            return 0;
    return size;
}

struct error *process_leaves_begin(struct reduction *r, struct process_job *job)
{
    enum collective_reducer reducer = job->spec->reducer;
    enum dtype dtype = job->array->dtype;
    int size = size_of_nodes(job), step = size ? size : 1;
    *r = (struct reduction){.job = job,
                            .operand = collective_types_get(reducer, dtype),
                            .node =
                                collective_types_get(reducer, collective_types_accumulator(dtype)),
                            .node_size = size,
                            .leaf_count = job->group->count / step,
                            .rank = size ? job->home / size : -1};
    r->leaf_bytes = (int64_t)(size > 1 ? r->node.bytes : r->operand.bytes);
    TRY(alloc_array((size_t)r->leaf_count, sizeof *r->leaves, &r->leaves));
    for (int i = 0; i < r->leaf_count; i++) {
        int flow = flow_of(job, process_job_owner(job, i * step));
        r->leaves[i] = (struct leaf){flow, flow < 0 ? process_job_operand(job, i * step) : NULL};
    }
    return NULL;
}

struct error *process_leaves_make_range(const struct reduction *r, struct range range, char *to)
{
    const struct process_job *job = r->job;
    void **operands;
    TRY(alloc_array((size_t)r->node_size, sizeof *operands, &operands));
    for (int i = 0; i < r->node_size; i++)
        operands[i] =
            process_job_operand(job, job->home + i) + range.begin * (int64_t)r->operand.bytes;
    process_leaves_to_node(r, &r->operand, r->node_size, operands, to, range.end - range.begin);
    alloc_free(operands);
    return NULL;
}

struct error *process_leaves_make(struct reduction *r, int64_t count)
{
    if (r->node_size <= 1)
        return NULL;
    TRY(alloc_aligned((size_t)count * r->node.bytes, &r->memory));
    r->leaves[r->rank].here = r->memory;
    return process_leaves_make_range(r, (struct range){0, count}, r->memory);
}

void process_leaves_end(struct reduction *r)
{
    alloc_free(r->leaves);
    alloc_free(r->memory);
    alloc_free(r->kept);
    alloc_free(r->pieces);
}

/* ---- exchanging leaves ----------------------------------------------------------------------- */
/* Appends the pieces of a leaf that this process sends. */
static struct net_piece *add_sends(const struct reduction *r, piece_of_leaf *piece,
                                   const struct range *block, int flow, struct net_piece *at)
{
    for (int l = 0; l < r->leaf_count; l++)
        for (int i = 0; r->leaves[l].flow < 0 && piece(r, block, r->leaves[l].here, flow, i, at);
             i++)
            at++;
    return at;
}

/* Appends where it receives the leaves of a process: `bytes` at `here` of each. */
static struct net_piece *add_receives(const struct reduction *r, int flow, int64_t bytes,
                                      struct net_piece *at)
{
    for (int l = 0; l < r->leaf_count; l++)
        if (r->leaves[l].flow == flow)
            *at++ = process_job_piece(r->leaves[l].here, bytes);
    return at;
}

static struct net_piece *add_result(const struct net_piece *result, struct net_piece *at)
{
    if (result && result->rows)
        *at++ = *result;
    return at;
}

void process_leaves_list(struct reduction *r, piece_of_leaf *piece, const struct range *block,
                         int64_t bytes, const struct leaf_results *results)
{
    struct net_piece *at = r->pieces;
    for (int i = 0; i < r->job->other_count; i++) {
        struct network_flow *flow = &r->job->flows[i];
        *flow = (struct network_flow){.process = r->job->others[i], .sends = at};
        at = add_sends(r, piece, block, i, at);
        at = add_result(results ? &results->mine : NULL, at);
        flow->send_count = (int)(at - flow->sends);
        flow->receives = at;
        at = bytes ? add_receives(r, i, bytes, at) : at;
        at = add_result(results ? &results->theirs[i] : NULL, at);
        flow->receive_count = (int)(at - flow->receives);
    }
}

struct error *process_leaves_exchange(struct reduction *r, piece_of_leaf *piece,
                                      const struct range *block, int64_t bytes)
{
    process_leaves_list(r, piece, block, bytes, NULL);
    return process_job_exchange(r->job, r->job->other_count);
}

struct error *process_leaves_keep(struct reduction *r, int64_t bytes, int times)
{
    TRY(alloc_aligned((size_t)(bytes * r->leaf_count * times) + 1, &r->kept));
    r->kept_bytes = bytes;
    process_leaves_use(r, 0);
    return NULL;
}

void process_leaves_use(struct reduction *r, int number)
{
    for (int l = 0; l < r->leaf_count; l++)
        if (r->leaves[l].flow >= 0)
            r->leaves[l].here = r->kept + ((int64_t)number * r->leaf_count + l) * r->kept_bytes;
}

struct error *process_leaves_pieces(struct reduction *r, int64_t pieces)
{
    int64_t all = (int64_t)r->leaf_count * (pieces + 1) + 2 * (int64_t)r->job->other_count;
    return alloc_array((size_t)all, sizeof *r->pieces, &r->pieces);
}

struct error *process_leaves_combine(const struct reduction *r, int64_t begin, int64_t count,
                                     char *to)
{
    void **from;
    TRY(alloc_array((size_t)r->leaf_count, sizeof *from, &from));
    for (int l = 0; l < r->leaf_count; l++)
        from[l] = r->leaves[l].here + (r->leaves[l].flow < 0 ? begin * r->leaf_bytes : 0);
    process_leaves_to_result(r, process_leaves_type(r), r->leaf_count, from, to, count);
    alloc_free(from);
    return NULL;
}
