/* collective.c: see collective.h. */
#include "compiler/analysis/collective.h"

#include <string.h>

#include "base/map.h"

/* What the numbers of an operation's groups or pairs are. */
enum mode { CROSS_REPLICA, CROSS_PARTITION, CROSS_BOTH, FLATTENED };

struct lists {
    enum mode mode;
    struct pairs pairs;
    const char *name; /* of the attribute */
    bool is_permute, is_broadcast, may_leave_out;
};

struct resolver {
    struct module *module;
    const struct op *op;
    struct lists lists;
    int replicas, partitions;
};

/* ---- the attributes -------------------------------------------------------------------------- */
static enum mode mode_of(int64_t channel, bool global)
{
    return global ? FLATTENED : channel > 0 ? CROSS_BOTH : CROSS_REPLICA;
}

/* Pairs of partitions, or of replicas where there is one partition. */
static struct lists message_lists(const struct module *module, const struct op *op)
{
    return (struct lists){.name = "source_target_pairs",
                          .is_permute = true,
                          .pairs = op->attrs.channel.source_target_pairs,
                          .mode = module->num_partitions > 1 ? CROSS_PARTITION : CROSS_REPLICA};
}

static struct lists lists_of(const struct module *module, const struct op *op)
{
    const union attrs *at = &op->attrs;
    struct lists lists = {.name = "replica_groups"};
    int64_t channel = 0;
    switch (op->code) {
    case OP_all_gather:
        lists.pairs = at->all_gather.replica_groups;
        lists.mode = mode_of(at->all_gather.channel_id, at->all_gather.use_global_device_ids);
        return lists;
    case OP_all_reduce:
        lists.pairs = at->all_reduce.replica_groups;
        lists.mode = mode_of(at->all_reduce.channel_id, at->all_reduce.use_global_device_ids);
        return lists;
    case OP_reduce_scatter:
        lists.pairs = at->reduce_scatter.replica_groups;
        lists.mode =
            mode_of(at->reduce_scatter.channel_id, at->reduce_scatter.use_global_device_ids);
        return lists;
    case OP_all_to_all:
        lists.pairs = at->all_to_all.replica_groups;
        channel = at->all_to_all.channel_id;
        break;
    case OP_collective_reduce:
        lists.may_leave_out = true;
        lists.pairs = at->collective_reduce.replica_groups;
        channel = at->collective_reduce.channel_id;
        lists.mode = at->collective_reduce.use_global_device_ids ? FLATTENED
                     : channel > 0                               ? CROSS_PARTITION
                                                                 : CROSS_REPLICA;
        return lists;
    case OP_collective_permute:
        lists.name = "source_target_pairs";
        lists.is_permute = true;
        lists.pairs = at->collective_permute.source_target_pairs;
        channel = at->collective_permute.channel_id;
        break;
    case OP_send:
    case OP_recv: return message_lists(module, op);
    default:
        lists.is_broadcast = lists.may_leave_out = op->code == OP_collective_broadcast;
        lists.pairs = at->collective.replica_groups;
        channel = op->code == OP_cross_replica_sum ? 0 : at->collective.channel_id;
    }
    lists.mode = channel > 0 ? CROSS_PARTITION : CROSS_REPLICA;
    return lists;
}

/* ---- numbers --------------------------------------------------------------------------------- */
/* The number of replicas, partitions or participants that the lists may name. */
static int named_count(const struct resolver *r)
{
    switch (r->lists.mode) {
    case CROSS_PARTITION: return r->partitions;
    case FLATTENED: return r->replicas * r->partitions;
    default: return r->replicas;
    }
}

static const char *named_what(const struct resolver *r)
{
    switch (r->lists.mode) {
    case CROSS_PARTITION: return "partition";
    case FLATTENED: return "participant";
    default: return "replica";
    }
}

static struct error *check_range(const struct resolver *r, int64_t number)
{
    if (number >= 0 && number < named_count(r))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "%s: %s has %s %lld, but num_replicas is %d and num_partitions %d",
                 ir_where(r->module->arena, r->op), r->lists.name, named_what(r), (long long)number,
                 r->replicas, r->partitions);
}

/* How often the lists are repeated: for every partition, or for every replica. */
static int repetitions(const struct resolver *r)
{
    return r->lists.mode == CROSS_REPLICA     ? r->partitions
           : r->lists.mode == CROSS_PARTITION ? r->replicas
                                              : 1;
}

/* The participant of a number in repetition `again`. */
static int participant_of(const struct resolver *r, int64_t number, int again)
{
    switch (r->lists.mode) {
    case CROSS_REPLICA: return (int)number * r->partitions + again;
    case CROSS_PARTITION: return again * r->partitions + (int)number;
    default: return (int)number;
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */
/* Each number occurs at most once, and exactly once unless `may_leave_out`. */
static struct error *check_cover(const struct resolver *r, bool may_leave_out)
{
    int count = named_count(r);
    bool *seen = ARENA_ARRAY(r->module->arena, bool, (size_t)count + 1);
    const struct pairs *groups = &r->lists.pairs;
    for (int64_t i = 0; i < groups->rows * groups->columns; i++) {
        if (groups->at[i] == -1)
            continue;
        TRY(check_range(r, groups->at[i]));
        if (seen[groups->at[i]])
            return ERROR(INVALID_ARGUMENT, "%s: replica_groups overlap: %s %lld is in two groups",
                         ir_where(r->module->arena, r->op), named_what(r),
                         (long long)groups->at[i]);
        seen[groups->at[i]] = true;
    }
    for (int i = 0; i < count && !may_leave_out; i++)
        if (!seen[i])
            return ERROR(INVALID_ARGUMENT,
                         "%s: replica_groups omit %s %d; each of the %d must be in a group",
                         ir_where(r->module->arena, r->op), named_what(r), i, count);
    return NULL;
}

static void add_member(struct program_groups *out, int member, int source)
{
    out->members[out->member_count] = member;
    out->sources[out->member_count++] = source;
}

static void end_group(struct program_groups *out)
{
    if (out->offsets[out->group_count] < out->member_count)
        out->offsets[++out->group_count] = out->member_count;
}

/* Adds the participants of a number to the group that ends `out`. */
static void add_number(const struct resolver *r, int64_t number, int again,
                       struct program_groups *out)
{
    int position = out->member_count - out->offsets[out->group_count];
    int spread = r->lists.mode == CROSS_BOTH ? r->partitions : 1;
    for (int i = 0; i < spread; i++, position++) {
        int member = r->lists.mode == CROSS_BOTH ? (int)number * r->partitions + i
                                                 : participant_of(r, number, again);
        add_member(out, member, r->lists.is_broadcast ? 0 : position);
    }
}

static void add_groups(const struct resolver *r, int again, struct program_groups *out)
{
    const struct pairs *groups = &r->lists.pairs;
    for (int64_t g = 0; g < groups->rows; g++) {
        for (int64_t i = 0; i < groups->columns; i++)
            if (groups->at[g * groups->columns + i] >= 0)
                add_number(r, groups->at[g * groups->columns + i], again, out);
        end_group(out);
    }
}

/* No lists: one group of all. */
static void add_all(const struct resolver *r, int again, struct program_groups *out)
{
    for (int i = 0; i < named_count(r); i++)
        add_number(r, i, again, out);
    end_group(out);
}

static struct error *resolve_groups(const struct resolver *r, struct program_groups *out)
{
    bool all = r->lists.pairs.rows * r->lists.pairs.columns == 0;
    if (!all)
        TRY(check_cover(r, r->lists.may_leave_out));
    for (int again = 0; again < repetitions(r); again++) {
        if (all)
            add_all(r, again, out);
        else
            add_groups(r, again, out);
    }
    return NULL;
}

/* ---- permutes -------------------------------------------------------------------------------- */
static int root_of(int *parents, int i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

/* Joins the senders and receivers of all pairs; from[i]: the participant that sends to i, or -1. */
static void join_pairs(const struct resolver *r, int *parents, int *from, bool *is_used)
{
    const struct pairs *pairs = &r->lists.pairs;
    for (int again = 0; again < repetitions(r); again++)
        for (int64_t i = 0; i < pairs->rows; i++) {
            int source = participant_of(r, pairs->at[2 * i], again);
            int target = participant_of(r, pairs->at[2 * i + 1], again);
            from[target] = source;
            is_used[source] = is_used[target] = true;
            int a = root_of(parents, source), b = root_of(parents, target);
            parents[a > b ? a : b] = a > b ? b : a;
        }
}

/* Fills members group by group, each group in ascending order; the root of a component is its least
 * member. */
static void collect_components(struct arena *arena, int count, int *parents, const bool *is_used,
                               struct program_groups *out)
{
    int *next = ARENA_ARRAY(arena, int, (size_t)count + 1); /* by root: its next free place */
    for (int i = 0; i < count; i++)
        if (is_used[i])
            next[root_of(parents, i)]++;
    for (int i = 0; i < count; i++)
        if (is_used[i] && parents[i] == i) {
            int size = next[i];
            next[i] = out->member_count;
            out->member_count += size;
            out->offsets[++out->group_count] = out->member_count;
        }
    for (int i = 0; i < count; i++)
        if (is_used[i])
            out->members[next[root_of(parents, i)]++] = i;
}

static void set_sources(struct arena *arena, int count, const int *from, struct program_groups *out)
{
    int *positions = ARENA_ARRAY(arena, int, (size_t)count + 1);
    for (int g = 0; g < out->group_count; g++)
        for (int i = out->offsets[g]; i < out->offsets[g + 1]; i++)
            positions[out->members[i]] = i - out->offsets[g];
    for (int i = 0; i < out->member_count; i++) {
        int source = from[out->members[i]];
        out->sources[i] = source < 0 ? -1 : positions[source];
    }
}

static struct error *resolve_pairs(const struct resolver *r, struct program_groups *out)
{
    struct arena *arena = r->module->arena;
    int count = r->replicas * r->partitions;
    int *parents = ARENA_ARRAY(arena, int, (size_t)count), *from = ARENA_ARRAY(arena, int, count);
    bool *is_used = ARENA_ARRAY(arena, bool, (size_t)count);
    for (int64_t i = 0; i < 2 * r->lists.pairs.rows; i++)
        TRY(check_range(r, r->lists.pairs.at[i]));
    for (int i = 0; i < count; i++)
        parents[i] = i, from[i] = -1;
    join_pairs(r, parents, from, is_used);
    collect_components(arena, count, parents, is_used, out);
    set_sources(arena, count, from, out);
    return NULL;
}

/* ---- entry points ---------------------------------------------------------------------------- */
/* Padding is compared, too. */
struct key {
    const int64_t *at; /* shared */
    int64_t rows, columns;
    int32_t mode, is_permute, is_broadcast, replicas, partitions, may_leave_out;
};

static struct key key_of(const struct resolver *r)
{
    const struct pairs *pairs = &r->lists.pairs;
    return (struct key){.at = ir_share_list(r->module, pairs->rows * pairs->columns, pairs->at),
                        .rows = pairs->rows,
                        .columns = pairs->columns,
                        .mode = (int32_t)r->lists.mode,
                        .is_permute = r->lists.is_permute,
                        .is_broadcast = r->lists.is_broadcast,
                        .may_leave_out = r->lists.may_leave_out,
                        .replicas = r->replicas,
                        .partitions = r->partitions};
}

static struct error *resolve(const struct resolver *r, struct program_groups *out)
{
    size_t count = (size_t)r->replicas * (size_t)r->partitions;
    *out = (struct program_groups){.offsets = ARENA_ARRAY(r->module->arena, int, count + 2),
                                   .members = ARENA_ARRAY(r->module->arena, int, count + 1),
                                   .sources = ARENA_ARRAY(r->module->arena, int, count + 1)};
    return r->lists.is_permute ? resolve_pairs(r, out) : resolve_groups(r, out);
}

struct error *collective_groups(struct module *module, const struct op *op,
                                struct program_groups *out)
{
    struct resolver r = {module, op, lists_of(module, op), module->num_replicas,
                         module->num_partitions};
    struct key key = key_of(&r);
    const struct program_groups *known = map_get(module->collective_groups, &key, sizeof key);
    if (!known) {
        TRY(resolve(&r, out));
        known = arena_copy(module->arena, out, sizeof *out);
        map_put(module->collective_groups, &key, sizeof key, (void *)known);
    }
    *out = *known;
    return NULL;
}

int collective_group_size(const struct program_groups *groups)
{
    int size = groups->group_count ? groups->offsets[1] : 0;
    for (int g = 0; g < groups->group_count; g++)
        if (groups->offsets[g + 1] - groups->offsets[g] != size)
            return 0;
    return size;
}

bool collective_reducer(const struct block *region, enum collective_reducer *out)
{
    const struct op *op = region->first, *end = region->last;
    const struct value *arguments = region->arguments;
    if (region->argument_count != 2 || op->next != end || op->operand_count != 2 ||
        end->operand_count != 1 || end->operands[0] != &op->results[0])
        return false;
    bool forward = op->operands[0] == &arguments[0] && op->operands[1] == &arguments[1];
    bool backward = op->operands[0] == &arguments[1] && op->operands[1] == &arguments[0];
    switch (op->code) {
    case OP_add: *out = REDUCER_ADD; break;
    case OP_multiply: *out = REDUCER_MULTIPLY; break;
    case OP_minimum: *out = REDUCER_MINIMUM; break;
    case OP_maximum: *out = REDUCER_MAXIMUM; break;
    case OP_and: *out = REDUCER_AND; break;
    case OP_or: *out = REDUCER_OR; break;
    case OP_xor: *out = REDUCER_XOR; break;
    default: return false;
    }
    return forward || backward;
}
