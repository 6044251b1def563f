/* rematerialize.c: see rematerialize.h.
 *
 * Works in rounds. Each round finds the operation at which the most bytes are live, and the values
 * that are live there but used only before and after it. Such a value can be recomputed before its
 * next user, together with operands that are dead by then and can be recomputed as well. An operand
 * that cannot be recomputed must stay live, which reduces the gain. The candidates with the most
 * bytes per unit of cost are recomputed, until the peak is low enough. */
#include "compiler/passes/buffer/rematerialize.h"

#include <stdlib.h>

#include "base/vec.h"
#include "compiler/schedule/cost.h"
#include "compiler/passes/buffer/schedule_graph.h"

enum {
    MAX_ROUNDS = 100,
    MAX_ROUNDS_WITHOUT_GAIN = 5, /* consecutive rounds that do not lower the peak */
    MAX_RECOMPUTED = 16,         /* operations recomputed for one value */
    MAX_TRIED = 1000             /* values tried in a round, large ones first */
};

struct candidate {
    int value, next; /* the user before which it is recomputed */
    int count;
    int nodes[MAX_RECOMPUTED]; /* to recompute, in order */
    uint64_t gain;
    double cost;
};

struct rematerializer {
    struct module *module;
    struct arena *arena;
    uint64_t alignment;
    struct block *block;
    struct schedule_graph *graph;
    int *producer;      /* value -> node, or -1: an argument */
    bool *read, *freed; /* value -> read or freed by operations recomputed in this round */
    uint64_t peak;
    int peak_node;
    bool products; /* whether products may be recomputed */
};

/* ---- the peak -------------------------------------------------------------------------------- */
static const struct schedule_value *value_at(const struct rematerializer *r, int v)
{
    return &r->graph->values[v];
}

static int last_user(const struct schedule_value *value)
{
    return value->users.count ? value->users.at[value->users.count - 1] : -1;
}

static uint64_t peak_of_block(struct arena *arena, uint64_t alignment, const struct block *block);

static uint64_t peak_inside(struct arena *arena, uint64_t alignment, const struct op *op)
{
    uint64_t peak = 0;
    for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++) {
        uint64_t bytes = peak_of_block(arena, alignment, op->regions[i]);
        peak = bytes > peak ? bytes : peak;
    }
    return peak;
}

/* Bytes of results that overwrite operands at their last use. */
static uint64_t bytes_in_place(const struct schedule_graph *graph, int n)
{
    const struct schedule_node *node = &graph->nodes[n];
    uint64_t bytes = 0;
    for (int i = 0; i < node->value_count; i++)
        if (node->overwrites[i] >= 0 && !graph->values[node->overwrites[i]].live_out &&
            last_user(&graph->values[node->overwrites[i]]) == n)
            bytes += graph->values[node->first_value + i].bytes;
    return bytes;
}

/* The peak of live bytes, and its node. */
static uint64_t find_peak(const struct schedule_graph *graph, int *at)
{
    uint64_t live = 0, peak = 0;
    *at = 0;
    for (int n = 0; n < graph->node_count; n++) {
        const struct schedule_node *node = &graph->nodes[n];
        uint64_t before = live + node->region_peak - bytes_in_place(graph, n);
        for (int i = 0; i < node->value_count; i++) {
            const struct schedule_value *value = &graph->values[node->first_value + i];
            before += value->bytes;
            live += value->users.count || value->live_out ? value->bytes : 0;
        }
        for (int i = 0; i < node->uses.count; i++) {
            const struct schedule_value *value = &graph->values[node->uses.at[i]];
            live -= last_user(value) == n && !value->live_out ? value->bytes : 0;
        }
        if (before > peak) {
            peak = before;
            *at = n;
        }
    }
    return peak;
}

static struct schedule_graph *make_graph(struct arena *arena, uint64_t alignment,
                                         const struct block *block)
{
    struct schedule_graph *graph = schedule_graph_make(arena, alignment, block);
    for (int n = 0; n < graph->node_count; n++)
        graph->nodes[n].region_peak = peak_inside(arena, alignment, graph->nodes[n].op);
    return graph;
}

static uint64_t peak_of_block(struct arena *arena, uint64_t alignment, const struct block *block)
{
    int at;
    return find_peak(make_graph(arena, alignment, block), &at);
}

static void analyze(struct rematerializer *r)
{
    r->graph = make_graph(r->arena, r->alignment, r->block);
    r->peak = find_peak(r->graph, &r->peak_node);
    r->producer = ARENA_ARRAY(r->arena, int, r->graph->value_count + 1);
    r->read = ARENA_ARRAY(r->arena, bool, r->graph->value_count + 1);
    r->freed = ARENA_ARRAY(r->arena, bool, r->graph->value_count + 1);
    for (int v = 0; v < r->graph->value_count; v++)
        r->producer[v] = -1;
    for (int n = 0; n < r->graph->node_count; n++)
        for (int i = 0; i < r->graph->nodes[n].value_count; i++)
            r->producer[r->graph->nodes[n].first_value + i] = n;
}

/* ---- candidates ------------------------------------------------------------------------------ */
static bool is_repeatable(const struct rematerializer *r, int n)
{
    const struct op *op = n < 0 ? NULL : r->graph->nodes[n].op;
    if (!op || op->result_count != 1)
        return false;
    if (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_LOOP)
        return true;
    bool product = op->code == OP_dot_general || op->code == OP_convolution ||
                   (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_DOT);
    return product && r->products;
}

/* Whether the value is in memory at the peak and can be read at node `at`. A result that overwrites
 * a donated argument or a value comes after the last user of that value. */
static bool is_available(const struct rematerializer *r, int v, int at)
{
    int last = last_user(value_at(r, v));
    if (value_at(r, v)->live_out)
        return r->producer[v] >= 0;
    if (last >= at)
        return true;
    if (r->producer[v] < 0) {
        const struct argument_info *infos = r->block->func->argument_infos;
        return !infos || infos[v].alias_result < 0;
    }
    return false;
}

static bool is_listed(const struct candidate *c, int node)
{
    for (int i = 0; i < c->count; i++)
        if (c->nodes[i] == node)
            return true;
    return false;
}

/* Completes the list of nodes to recompute; false if that gains nothing. */
static bool complete(const struct rematerializer *r, struct candidate *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct schedule_node *node = &r->graph->nodes[c->nodes[i]];
        c->cost += cost_of_op(node->op);
        for (int k = 0; k < node->uses.count; k++) {
            int v = node->uses.at[k], producer = r->producer[v];
            if (is_available(r, v, c->next) || (producer >= 0 && is_listed(c, producer)))
                continue;
            if (!is_repeatable(r, producer) || c->count == MAX_RECOMPUTED)
                return false;
            c->nodes[c->count++] = producer;
        }
    }
    return true;
}

static int next_user(const struct schedule_value *value, int after)
{
    for (int i = 0; i < value->users.count; i++)
        if (value->users.at[i] >= after)
            return value->users.at[i];
    return -1;
}

static bool find_candidate(const struct rematerializer *r, int v, struct candidate *c)
{
    const struct schedule_value *value = value_at(r, v);
    int next = next_user(value, r->peak_node);
    if (!value->bytes || value->live_out || r->producer[v] >= r->peak_node ||
        next <= r->peak_node || !is_repeatable(r, r->producer[v]))
        return false;
    *c = (struct candidate){.value = v, .next = next, .count = 1, .gain = value->bytes};
    c->nodes[0] = r->producer[v];
    return complete(r, c);
}

static int compare_nodes(const void *left, const void *right)
{
    const int *x = left, *y = right;
    return (*x > *y) - (*x < *y);
}

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *x = left, *y = right;
    double a = (double)x->gain * (y->cost + 1), b = (double)y->gain * (x->cost + 1);
    if (a != b)
        return a > b ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* ---- recomputation --------------------------------------------------------------------------- */
/* Returns the recomputed value for a value or an alias. */
static struct value *recomputed(struct rematerializer *r, struct map *values, struct value *value,
                                struct op *position)
{
    VEC(struct op *) names = {0};
    for (struct value *from = value; !map_get_pointer(values, from);
         from = from->def->operands[0]) {
        if (!from->def || from->def->code != OP_reshape || from->def->block != r->block)
            return value;
        VEC_PUSH(r->arena, &names, from->def);
    }
    while (names.count) {
        struct op *copy = ir_clone(r->module, names.items[--names.count], values);
        ir_insert_before(position, copy);
    }
    return map_get_pointer(values, value);
}

/* Returns the operation of the block that is, or contains, the user. */
static int node_of_user(const struct rematerializer *r, const struct op *user)
{
    while (user->block != r->block)
        user = user->block->owner;
    return user == r->block->last ? r->graph->node_count : (int)(intptr_t)user->note;
}

/* Redirects the users of the value and of its aliases, from node `next` on, to the recomputed
 * value. */
static void replace_late_uses(struct rematerializer *r, struct map *values, struct value *value,
                              int next)
{
    struct op *position = r->graph->nodes[next].op;
    VEC(struct value *) names = {0};
    VEC_PUSH(r->arena, &names, value);
    for (size_t i = 0; i < names.count; i++) {
        struct value *name = names.items[i];
        for (struct use *use = name->uses, *following; use; use = following) {
            struct op *user = use->user;
            following = use->next;
            if (user->code == OP_reshape && user->block == r->block) {
                if (!map_get_pointer(values, &user->results[0]) && user->note)
                    VEC_PUSH(r->arena, &names, &user->results[0]);
            } else if (node_of_user(r, user) >= next) {
                ir_set_operand(r->module, user, use->operand,
                               recomputed(r, values, name, position));
            }
        }
    }
}

static void repeat(struct rematerializer *r, struct candidate *c)
{
    struct op *position = r->graph->nodes[c->next].op;
    struct map *values = map_create(r->arena);
    qsort(c->nodes, (size_t)c->count, sizeof *c->nodes, compare_nodes);
    for (int i = 0; i < c->count; i++) {
        struct op *op = r->graph->nodes[c->nodes[i]].op;
        for (int k = 0; k < op->operand_count; k++)
            recomputed(r, values, op->operands[k], position);
        ir_insert_before(position, ir_clone(r->module, op, values));
    }
    replace_late_uses(r, values, &r->graph->nodes[r->producer[c->value]].op->results[0], c->next);
}

/* A candidate keeps its operands live and makes the values that it frees unavailable. */
static void claim(struct rematerializer *r, const struct candidate *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct schedule_node *node = &r->graph->nodes[c->nodes[i]];
        for (int k = 0; k < node->uses.count; k++)
            r->read[node->uses.at[k]] = true;
    }
    r->freed[c->value] = true;
}

static bool is_unclaimed(const struct rematerializer *r, const struct candidate *c)
{
    if (r->read[c->value])
        return false;
    for (int i = 0; i < c->count; i++) {
        const struct schedule_node *node = &r->graph->nodes[c->nodes[i]];
        for (int k = 0; k < node->uses.count; k++)
            if (r->freed[node->uses.at[k]])
                return false;
    }
    return true;
}

/* ---- rounds ---------------------------------------------------------------------------------- */
/* Recomputes values to lower the current peak to `target_peak`; returns the number of operations
 * added. */
static int run_round(struct rematerializer *r, uint64_t target_peak)
{
    VEC(struct candidate) all = {0};
    uint64_t gained = 0;
    int added = 0;
    for (int v = 0; v < r->graph->value_count && all.count < MAX_TRIED; v++) {
        struct candidate candidate;
        if (find_candidate(r, v, &candidate))
            VEC_PUSH(r->arena, &all, candidate);
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_candidates);
    for (size_t i = 0; i < all.count && r->peak - target_peak > gained; i++) {
        struct candidate *candidate = &all.items[i];
        if (!is_unclaimed(r, candidate))
            continue;
        claim(r, candidate);
        repeat(r, candidate);
        gained += candidate->gain;
        added += candidate->count;
    }
    return added;
}

struct rematerialized rematerialize_run(struct module *module, const struct target *target,
                                        uint64_t saving)
{
    struct rematerializer r = {.module = module,
                               .arena = module->arena,
                               .alignment = (uint64_t)target->alignment,
                               .block = module->entry->body};
    analyze(&r);
    struct rematerialized out = {.before = r.peak};
    uint64_t target_peak = r.peak > saving ? r.peak - saving : 0;
    uint64_t lowest_peak = r.peak;
    for (int round = 0, stalled = 0;
         stalled < MAX_ROUNDS_WITHOUT_GAIN && round < MAX_ROUNDS && r.peak > target_peak; round++) {
        int added = run_round(&r, target_peak);
        out.operations += added;
        if (!added && r.products)
            break;
        r.products |= !added;
        if (added)
            analyze(&r);
        stalled = r.peak < lowest_peak ? 0 : stalled + 1;
        lowest_peak = r.peak < lowest_peak ? r.peak : lowest_peak;
    }
    out.after = r.peak;
    return out;
}
