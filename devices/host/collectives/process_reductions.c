/* process_reductions.c: see process_reductions.h. */
#include "devices/host/collectives/process_reductions.h"

#include <string.h>

#include "base/alloc.h"
#include "base/loggp.h"
#include "devices/host/collectives/process_leaves.h"

enum {
    ALIGNMENT = 64, /* of the parts of an all_reduce, in elements */
    /* Of all leaves that are kept at once, and of one of them at least: they stay in a cache
     * between their arrival and their use. */
    KEPT_BYTES = 4 << 20,
    LEAST_KEPT = 256 << 10,
    BLOCKS = 2, /* that are kept at once */
    MAX_ROUNDS = 31
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static char *result(const struct reduction *r)
{
    return process_job_result(r->job, r->job->home);
}

/* ---- all_reduce: direct, parts --------------------------------------------------------------- */
static bool whole_leaf(const struct reduction *r, const struct range *block, const char *leaf,
                       int flow, int i, struct net_piece *out)
{
    (void)block, (void)flow;
    *out = process_job_piece(leaf, r->job->elements * r->leaf_bytes);
    return i == 0;
}

static struct error *all_reduce_directly(struct reduction *r)
{
    int64_t bytes = r->job->elements * r->leaf_bytes;
    TRY(process_leaves_make(r, r->job->elements));
    TRY(process_leaves_pieces(r, r->job->other_count));
    TRY(process_leaves_keep(r, bytes, 1));
    TRY(process_leaves_exchange(r, whole_leaf, NULL, bytes));
    return process_leaves_combine(r, 0, r->job->elements, result(r));
}

/* What the process of a flow combines. */
static struct range part_of(const struct reduction *r, int flow)
{
    const struct process_job *job = r->job;
    int rank = flow < 0 ? job->rank : flow + (flow >= job->rank), parts = job->other_count + 1;
    int64_t blocks = (job->elements + ALIGNMENT - 1) / ALIGNMENT;
    return (struct range){least(job->elements, blocks * rank / parts * ALIGNMENT),
                          least(job->elements, blocks * (rank + 1) / parts * ALIGNMENT)};
}

/* The elements of a part at the offsets of a block in it. */
static struct range block_of(struct range part, const struct range *block)
{
    return (struct range){least(part.begin + block->begin, part.end),
                          least(part.begin + block->end, part.end)};
}

/* Of a leaf, or of a node that was made of the blocks only, one after the other. */
static bool part_of_leaf(const struct reduction *r, const struct range *block, const char *leaf,
                         int flow, int i, struct net_piece *out)
{
    struct range at = block_of(part_of(r, flow), block);
    int64_t begin = r->node_size > 1 ? (flow + 1) * (block->end - block->begin) : at.begin;
    *out = process_job_piece(leaf + begin * r->leaf_bytes, (at.end - at.begin) * r->leaf_bytes);
    return i == 0 && out->rows;
}

/* Makes those blocks of this process's node that are sent, and its own one in front of them. */
static struct error *make_blocks(struct reduction *r, const struct range *block, int number)
{
    int64_t bytes = r->kept_bytes, all = bytes * (r->job->other_count + 1);
    if (r->node_size <= 1)
        return NULL;
    if (!r->memory)
        TRY(alloc_aligned((size_t)(BLOCKS * all), &r->memory));
    r->leaves[r->rank].here = r->memory + number * all;
    for (int flow = -1; flow < r->job->other_count; flow++)
        TRY(process_leaves_make_range(r, block_of(part_of(r, flow), block),
                                      r->leaves[r->rank].here + (flow + 1) * bytes));
    return NULL;
}

static int64_t longest_part(const struct reduction *r)
{
    int64_t longest = 0;
    for (int flow = -1; flow < r->job->other_count; flow++) {
        struct range part = part_of(r, flow);
        longest = part.end - part.begin > longest ? part.end - part.begin : longest;
    }
    return longest;
}

static struct net_piece piece_of_result(const struct reduction *r, struct range range)
{
    int64_t bytes = (int64_t)r->operand.bytes;
    return process_job_piece(result(r) + range.begin * bytes, (range.end - range.begin) * bytes);
}

/* An all_reduce in parts: each process combines one, block after block: all have as many blocks, of
 * which the last may be empty. While a block is combined, the leaves of the next one are on their
 * way, and with them the results of the one before it. */
struct blocks {
    int64_t count, size;              /* elements */
    struct net_piece *theirs;         /* results, by flow; owned */
    struct process_exchange exchange; /* of the last block */
    char *here[BLOCKS];               /* this process's leaf */
};

static struct range block_at(const struct blocks *b, int64_t number)
{
    return number < 0 ? (struct range){0, 0}
                      : (struct range){number * b->size, (number + 1) * b->size};
}

/* Lets the leaves of a block be those that are exchanged, or combined. */
static void use_block(struct reduction *r, const struct blocks *b, int64_t number)
{
    process_leaves_use(r, (int)(number % BLOCKS));
    if (r->node_size > 1)
        r->leaves[r->rank].here = b->here[number % BLOCKS];
}

/* From the home member's result to that of every other process. */
static struct leaf_results results_of(const struct reduction *r, const struct blocks *b,
                                      int64_t number)
{
    struct range block = block_at(b, number);
    for (int flow = 0; flow < r->job->other_count; flow++)
        b->theirs[flow] = piece_of_result(r, block_of(part_of(r, flow), &block));
    return (struct leaf_results){piece_of_result(r, block_of(part_of(r, -1), &block)), b->theirs};
}

/* The leaves of a block, if there is one with that number, and the results of that two before. */
static struct error *start_block(struct reduction *r, struct blocks *b, int64_t number)
{
    struct range block = block_at(b, number), mine = block_of(part_of(r, -1), &block);
    struct leaf_results results = results_of(r, b, number - BLOCKS);
    bool has_leaves = number < b->count;
    process_leaves_use(r, (int)(number % BLOCKS));
    if (has_leaves)
        TRY(make_blocks(r, &block, (int)(number % BLOCKS)));
    if (r->node_size > 1)
        b->here[number % BLOCKS] = r->leaves[r->rank].here;
    process_leaves_list(r, part_of_leaf, &block, (mine.end - mine.begin) * r->leaf_bytes, &results);
    return process_job_start(r->job, has_leaves || number >= BLOCKS ? r->job->other_count : 0,
                             &b->exchange);
}

static struct error *combine_block(struct reduction *r, const struct blocks *b, int64_t number)
{
    struct range block = block_at(b, number), mine = block_of(part_of(r, -1), &block);
    if (number < 0 || number >= b->count)
        return NULL;
    use_block(r, b, number);
    return process_leaves_combine(r, r->node_size > 1 ? 0 : mine.begin, mine.end - mine.begin,
                                  result(r) + mine.begin * (int64_t)r->operand.bytes);
}

/* Whether bytes are on their way while this process computes. */
static bool travel(const struct process_job *job)
{
    for (int i = 0; i < job->other_count; i++)
        if (!network_reads(job->group->channel, job->others[i]))
            return true;
    return false;
}

/* If nothing travels, the block is combined first, while it is in a cache. */
static struct error *run_blocks(struct reduction *r, struct blocks *b)
{
    for (int64_t number = 0; number < b->count + BLOCKS; number++) {
        bool is_first = !travel(r->job);
        if (is_first)
            TRY(combine_block(r, b, number - 1));
        TRY(start_block(r, b, number));
        TRY(process_job_finish(&b->exchange, is_first ? NULL : combine_block(r, b, number - 1)));
    }
    return NULL;
}

static struct error *all_reduce_parts(struct reduction *r)
{
    int64_t longest = longest_part(r), kept = KEPT_BYTES / r->leaf_count,
            size = least(longest, (kept > LEAST_KEPT ? kept : LEAST_KEPT) / r->leaf_bytes);
    struct blocks b = {.count = (longest + size - 1) / size, .size = size};
    TRY(process_leaves_pieces(r, r->job->other_count));
    TRY(process_leaves_keep(r, size * r->leaf_bytes, BLOCKS));
    TRY(alloc_array((size_t)r->job->other_count, sizeof *b.theirs, &b.theirs));
    struct error *error = run_blocks(r, &b);
    alloc_free(b.theirs);
    return error;
}

/* ---- all_reduce: nodes ----------------------------------------------------------------------- */
static int process_of_rank(const struct reduction *r, int rank)
{
    return r->job->others[r->leaves[rank].flow];
}

/* This process's node: a leaf in the type of accumulators. */
static struct error *node_here(struct reduction *r, char **out)
{
    TRY(process_leaves_make(r, r->job->elements));
    void *leaf = r->leaves[r->rank].here;
    *out = leaf;
    if (r->leaf_bytes == (int64_t)r->node.bytes)
        return NULL;
    TRY(alloc_aligned((size_t)r->job->elements * r->node.bytes, &r->memory));
    process_leaves_to_node(r, &r->operand, 1, &leaf, r->memory, r->job->elements);
    *out = r->memory;
    return NULL;
}

/* Two nodes of a round: elements of this process's, and of its sibling's. */
struct siblings {
    bool is_left; /* this one's is the left half */
    char *mine, *theirs;
};

static void combine_siblings(const struct reduction *r, const struct siblings *s, char *to,
                             int64_t count, bool is_result)
{
    void *both[] = {s->is_left ? s->mine : s->theirs, s->is_left ? s->theirs : s->mine};
    (is_result ? process_leaves_to_result : process_leaves_to_node)(r, &r->node, 2, both, to,
                                                                    count);
}

/* The flows of a round of doubling: nodes of `size` processes, which have the same elements each,
 * meet. Process i of a node receives from process i of the sibling, modulo the processes there. */
static int doubling_flows(struct reduction *r, int size, const struct net_piece *mine,
                          const struct net_piece *theirs)
{
    int own = r->rank & ~(size - 1), sibling = own ^ size, count = 0, i = r->rank - own;
    int here = (int)least(size, r->leaf_count - own),
        there = (int)least(size, r->leaf_count - sibling);
    for (int j = i % there; j < there; j += here) {
        bool sends = j % here == i, receives = j == i % there;
        if (sends || receives)
            r->job->flows[count++] = (struct network_flow){process_of_rank(r, sibling + j), sends,
                                                           receives, mine, theirs};
        if (!sends)
            break;
    }
    return count;
}

/* In each round the node of a process is combined with its sibling, if it has one: in the last one
 * all have. */
static struct error *all_reduce_doubling(struct reduction *r)
{
    struct siblings s = {0};
    int64_t count = r->job->elements, bytes = count * (int64_t)r->node.bytes;
    TRY(alloc_aligned((size_t)(2 * bytes), &r->kept));
    TRY(node_here(r, &s.mine));
    s.theirs = r->kept + bytes;
    for (int size = 1; size < r->leaf_count; size *= 2) {
        bool is_last = size >= r->leaf_count - size;
        struct net_piece mine = process_job_piece(s.mine, bytes),
                         theirs = process_job_piece(s.theirs, bytes);
        s.is_left = !(r->rank & size);
        if (((r->rank & ~(size - 1)) ^ size) >= r->leaf_count)
            continue;
        TRY(process_job_exchange(r->job, doubling_flows(r, size, &mine, &theirs)));
        combine_siblings(r, &s, is_last ? result(r) : r->kept, count, is_last);
        s.mine = r->kept;
    }
    return NULL;
}

static struct range half_of(struct range all, bool is_left)
{
    int64_t blocks = (all.end - all.begin + ALIGNMENT - 1) / ALIGNMENT,
            middle = least(all.end, all.begin + blocks / 2 * ALIGNMENT);
    return is_left ? (struct range){all.begin, middle} : (struct range){middle, all.end};
}

static struct error *exchange_with(struct reduction *r, int rank, struct net_piece mine,
                                   struct net_piece theirs)
{
    r->job->flows[0] = (struct network_flow){process_of_rank(r, rank), mine.rows ? 1 : 0,
                                             theirs.rows ? 1 : 0, &mine, &theirs};
    return process_job_exchange(r->job, 1);
}

/* A round of halving: each of two processes gives the other one half of the elements of its node,
 * and combines the other half. */
static struct error *halve(struct reduction *r, int distance, struct siblings *s,
                           struct range *range)
{
    int64_t bytes = (int64_t)r->node.bytes;
    s->is_left = !(r->rank & distance);
    struct range keep = half_of(*range, s->is_left), give = half_of(*range, !s->is_left);
    struct siblings at = {s->is_left, s->mine + keep.begin * bytes, s->theirs};
    TRY(exchange_with(
        r, r->rank ^ distance,
        process_job_piece(s->mine + give.begin * bytes, (give.end - give.begin) * bytes),
        process_job_piece(s->theirs, (keep.end - keep.begin) * bytes)));
    combine_siblings(r, &at, r->kept + keep.begin * bytes, keep.end - keep.begin, false);
    s->mine = r->kept;
    *range = keep;
    return NULL;
}

/* The way back: each of the two processes gives the other one its results. */
static struct error *give_results(struct reduction *r, int distance, struct range all)
{
    bool is_left = !(r->rank & distance);
    return exchange_with(r, r->rank ^ distance, piece_of_result(r, half_of(all, is_left)),
                         piece_of_result(r, half_of(all, !is_left)));
}

static struct error *all_reduce_halving(struct reduction *r)
{
    int64_t count = r->job->elements, bytes = count * (int64_t)r->node.bytes;
    struct range at = {0, count}, before[MAX_ROUNDS];
    struct siblings s = {0};
    int rounds = 0;
    TRY(alloc_aligned((size_t)(2 * bytes), &r->kept));
    TRY(node_here(r, &s.mine));
    s.theirs = r->kept + bytes;
    for (; r->leaf_count >> (rounds + 1); rounds++) {
        before[rounds] = at;
        TRY(halve(r, 1 << rounds, &s, &at));
    }
    process_leaves_to_result(r, &r->node, 1, &(void *){s.mine + at.begin * (int64_t)r->node.bytes},
                             result(r) + at.begin * (int64_t)r->operand.bytes, at.end - at.begin);
    while (rounds-- > 0)
        TRY(give_results(r, 1 << rounds, before[rounds]));
    return NULL;
}

/* ---- the way --------------------------------------------------------------------------------- */
static enum loggp_way way_of(const struct reduction *r)
{
    int processes = r->job->other_count + 1;
    double count = (double)r->job->elements,
           leaves = count * (double)r->leaf_bytes * r->leaf_count / processes;
    struct loggp_sum sum = {.processes = processes,
                            .bytes = leaves,
                            .node = r->node_size ? count * (double)r->node.bytes : 0,
                            .result = count * (double)r->operand.bytes};
    return loggp_choose(&loggp_here, &sum);
}

static struct error *all_reduce(struct reduction *r)
{
    switch (way_of(r)) {
    case LOGGP_DIRECT: return all_reduce_directly(r);
    case LOGGP_DOUBLING: return all_reduce_doubling(r);
    case LOGGP_HALVING: return all_reduce_halving(r);
    default: return all_reduce_parts(r);
    }
}

struct error *process_reductions_all_reduce(struct process_job *job)
{
    struct reduction r;
    struct error *error = process_leaves_begin(&r, job);
    if (!error)
        error = all_reduce(&r);
    if (!error)
        process_job_spread(job, job->elements * job->element);
    process_leaves_end(&r);
    return error;
}

/* ---- reduce_scatter -------------------------------------------------------------------------- */
/* The part of member `member`, in a leaf. */
static struct net_piece scattered(const struct reduction *r, const char *leaf, int member)
{
    const struct process_job *job = r->job;
    int64_t width = job->array->inner * r->leaf_bytes;
    return (struct net_piece){(char *)(uintptr_t)leaf + member * width, job->rows, width,
                              job->group->count * width};
}

/* Those of the members in the process of a flow, in their order. */
static bool scattered_leaf(const struct reduction *r, const struct range *block, const char *leaf,
                           int flow, int i, struct net_piece *out)
{
    const struct process_job *job = r->job;
    int process = flow < 0 ? job->group->process : job->others[flow];
    (void)block;
    for (int m = 0; m < job->group->count; m++)
        if (process_job_owner(job, m) == process && i-- == 0) {
            *out = scattered(r, leaf, m);
            return true;
        }
    return false;
}

static void copy_rows(struct net_piece from, char *to)
{
    for (int64_t row = 0; row < from.rows; row++)
        memcpy(to + row * from.row_bytes, from.base + row * from.stride, (size_t)from.row_bytes);
}

/* The parts of this process's leaves, one after the other as in those that are received. */
static void copy_leaves(struct reduction *r, int64_t bytes)
{
    struct net_piece piece;
    for (int l = 0; l < r->leaf_count; l++) {
        char *to = r->kept + l * bytes;
        if (r->leaves[l].flow >= 0)
            continue;
        for (int i = 0; scattered_leaf(r, NULL, r->leaves[l].here, -1, i, &piece); i++)
            copy_rows(piece, to + i * piece.rows * piece.row_bytes);
        r->leaves[l].here = to;
    }
}

static struct error *scatter(struct reduction *r)
{
    struct process_job *job = r->job;
    int here = 0;
    for (int m = 0; m < job->group->count; m++)
        here += process_job_is_here(job, m);
    int64_t bytes = here * job->elements * r->leaf_bytes;
    TRY(process_leaves_make(r, job->elements * job->group->count));
    TRY(process_leaves_pieces(r, job->group->count));
    TRY(process_leaves_keep(r, bytes, 1));
    TRY(process_leaves_exchange(r, scattered_leaf, NULL, bytes));
    copy_leaves(r, bytes);
    void **from;
    TRY(alloc_array((size_t)r->leaf_count, sizeof *from, &from));
    for (int m = 0, i = 0; m < job->group->count; m++) {
        if (!process_job_is_here(job, m))
            continue;
        for (int l = 0; l < r->leaf_count; l++)
            from[l] = r->leaves[l].here + i * job->elements * r->leaf_bytes;
        process_leaves_to_result(r, process_leaves_type(r), r->leaf_count, from,
                                 process_job_result(job, m), job->elements);
        i++;
    }
    alloc_free(from);
    return NULL;
}

struct error *process_reductions_scatter(struct process_job *job)
{
    struct reduction r;
    struct error *error = process_leaves_begin(&r, job);
    if (!error)
        error = scatter(&r);
    process_leaves_end(&r);
    return error;
}
