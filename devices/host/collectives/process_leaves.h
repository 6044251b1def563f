/* process_leaves.h: what processes exchange to reduce an array: *leaves*, which are combined by a
 * tree (collective_types.h). Where the members of each process are a node of the tree, its leaf is
 * that node, in the type of accumulators; elsewhere the operands of all members are leaves. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_LEAVES_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_PROCESS_LEAVES_H

#include "devices/host/collectives/collective_types.h"
#include "devices/host/collectives/process_job.h"

struct leaf {
    int flow;   /* index of the process it is from in job->others; -1: this one */
    char *here; /* its elements in this process: of others those that were received */
};

struct reduction {
    struct process_job *job;
    struct collective_type operand, node; /* combine operands, and accumulators */
    int node_size;                        /* members of each process if they are a node; else 0 */
    int leaf_count, rank;                 /* of nodes: leaf i is that of the process of rank i */
    struct leaf *leaves;                  /* owned */
    int64_t leaf_bytes;                   /* of an element */
    char *memory, *kept;                  /* owned: of this process's node; of received elements */
    int64_t kept_bytes;                   /* of a received leaf */
    struct net_piece *pieces;             /* owned */
};

struct range { /* of elements */
    int64_t begin, end;
};

/* The leaves of an array. Nothing is combined yet. process_leaves_end() also after an error. */
struct error *process_leaves_begin(struct reduction *r, struct process_job *job);
void process_leaves_end(struct reduction *r);

/* ---- combining ------------------------------------------------------------------------------- */
/* Combine `members` arrays of `count` elements to a node, which may have the memory of one of them;
 * or to results. `type`: r->operand or r->node. */
void process_leaves_to_node(const struct reduction *r, const struct collective_type *type,
                            int members, void *const *from, char *to, int64_t count);
void process_leaves_to_result(const struct reduction *r, const struct collective_type *type,
                              int members, void *const *from, char *to, int64_t count);
/* Makes this process's leaf of `count` elements, where it is not an operand. */
struct error *process_leaves_make(struct reduction *r, int64_t count);
/* Makes a range of it, at `to`. */
struct error *process_leaves_make_range(const struct reduction *r, struct range range, char *to);
/* Combines all leaves to results: this process's from element `begin` on, others as received. */
struct error *process_leaves_combine(const struct reduction *r, int64_t begin, int64_t count,
                                     char *to);
/* Of the leaves. */
const struct collective_type *process_leaves_type(const struct reduction *r);

/* ---- exchanging ------------------------------------------------------------------------------ */
/* Memory for `bytes` of every leaf from another process, `times` over; the first is used. */
struct error *process_leaves_keep(struct reduction *r, int64_t bytes, int times);
/* Uses the memory with that number. */
void process_leaves_use(struct reduction *r, int number);
/* Room for the pieces of process_leaves_exchange(): so many of a leaf, for all processes. */
struct error *process_leaves_pieces(struct reduction *r, int64_t pieces);
/* The i-th piece of a leaf that the process of a flow (-1: this one) combines: of its elements at
 * `leaf`. False: there are no more. */
typedef bool piece_of_leaf(const struct reduction *r, const struct range *block, const char *leaf,
                           int flow, int i, struct net_piece *out);
/* Results that are exchanged with leaves: what this process sends to every other one, and where it
 * receives that of each flow. Pieces without rows: nothing. */
struct leaf_results {
    struct net_piece mine;
    const struct net_piece *theirs; /* by flow */
};
/* Lists the flows by which every process gets of all leaves what it combines: `bytes` of each here,
 * if any. `block` is for the callback. `results`: NULL for none. */
void process_leaves_list(struct reduction *r, piece_of_leaf *piece, const struct range *block,
                         int64_t bytes, const struct leaf_results *results);
/* Exchanges them. */
struct error *process_leaves_exchange(struct reduction *r, piece_of_leaf *piece,
                                      const struct range *block, int64_t bytes);

#endif
