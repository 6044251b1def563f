/* schedule_graph.c: see schedule_graph.h. */
#include "compiler/passes/buffer/schedule_graph.h"

#include "base/vec.h"
#include "compiler/passes/buffer/buffer_copies.h"
#include "compiler/passes/buffer/buffer_in_place.h"

struct pair {
    int from, to;
};
typedef VEC(struct pair) pairs_vec;

struct maker {
    struct arena *arena;
    uint64_t alignment;
    const struct block *block;
    struct schedule_graph *graph;
    pairs_vec edges, uses; /* node -> node, value -> node */
    int *used_by;          /* value -> the last node that uses it so far */
};

/* ---- values ---------------------------------------------------------------------------------- */
static int number_of(const struct op *op)
{
    return (int)(intptr_t)op->note;
}

/* The number of the graph value that holds the value's bytes, or -1 for values of other blocks,
 * constants and tokens. */
static int bytes_of(const struct maker *m, const struct value *value)
{
    while (value->def && value->def->code == OP_reshape && value->def->block == m->block)
        value = value->def->operands[0];
    const struct block *home = ir_block_of(value);
    return home == m->block && value->type->kind == TYPE_TENSOR ? (int)(intptr_t)value->note : -1;
}

static void add_value(struct maker *m, struct value *value, uint64_t bytes)
{
    value->note = (void *)(intptr_t)m->graph->value_count;
    m->graph->values[m->graph->value_count++] = (struct schedule_value){.bytes = bytes};
}

/* Constants and aliases take no memory. */
static uint64_t size_of(const struct maker *m, const struct op *op, int result)
{
    const struct type *type = op->results[result].type;
    if (op->code == OP_constant || op->code == OP_reshape || type->kind != TYPE_TENSOR)
        return 0;
    return ((uint64_t)type_bytes(type) + m->alignment - 1) / m->alignment * m->alignment;
}

static void add_nodes(struct maker *m)
{
    struct schedule_graph *graph = m->graph;
    int nodes = 0, values = m->block->argument_count;
    for (const struct op *op = m->block->first; op != m->block->last; op = op->next) {
        nodes++;
        values += op->result_count;
    }
    graph->nodes = ARENA_ARRAY(m->arena, struct schedule_node, nodes + 1);
    graph->values = ARENA_ARRAY(m->arena, struct schedule_value, values + 1);
    for (int i = 0; i < m->block->argument_count; i++)
        add_value(m, &m->block->arguments[i], 0);
    for (struct op *op = m->block->first; op != m->block->last; op = op->next) {
        struct schedule_node *node = &graph->nodes[graph->node_count];
        *node = (struct schedule_node){
            .op = op, .first_value = graph->value_count, .value_count = op->result_count};
        op->note = (void *)(intptr_t)graph->node_count++;
        for (int i = 0; i < op->result_count; i++)
            add_value(m, &op->results[i], size_of(m, op, i));
    }
}

/* ---- dependencies ---------------------------------------------------------------------------- */
static void add_edge(struct maker *m, int from, int to)
{
    if (from != to)
        VEC_PUSH(m->arena, &m->edges, (struct pair){from, to});
}

static void add_operands(struct maker *m, const struct op *op, int node)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct value *value = op->operands[i];
        int bytes = bytes_of(m, value);
        if (value->def && value->def->block == m->block)
            add_edge(m, number_of(value->def), node);
        if (bytes < 0 || m->graph->nodes[node].op->code == OP_reshape || m->used_by[bytes] == node)
            continue;
        m->used_by[bytes] = node;
        VEC_PUSH(m->arena, &m->uses, (struct pair){bytes, node});
    }
}

/* Includes the values that blocks inside the operation read. */
static void add_uses(struct maker *m, const struct op *op, int node)
{
    add_operands(m, op, node);
    for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
        for (const struct op *inner = op->regions[i]->first; inner; inner = inner->next)
            add_uses(m, inner, node);
}

static void order_side_effects(struct maker *m)
{
    int last = -1;
    for (int i = 0; i < m->graph->node_count; i++) {
        if (ir_is_pure(m->graph->nodes[i].op))
            continue;
        if (last >= 0)
            add_edge(m, last, i);
        last = i;
    }
}

/* ---- overwritten values ---------------------------------------------------------------------- */
/* Keeps `node` after all other users of a value if it is the last one. */
static void keep_last(struct maker *m, int value, int node)
{
    const struct schedule_list *users = &m->graph->values[value].users;
    for (int i = 0; i < users->count; i++)
        if (users->at[i] > node)
            return;
    for (int i = 0; i < users->count; i++)
        add_edge(m, users->at[i], node);
}

/* The operand that a result must overwrite, or -1. */
static int updated_operand(const struct op *op, int result)
{
    if (op->code == OP_while)
        return result;
    if (op->code == OP_custom_call)
        return buffer_copies_aliased_operand(op, result);
    bool update = op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_UPDATE;
    return update ? buffer_copies_updated_operand(op, result) : -1;
}

/* The value that a result may overwrite. */
static int in_place(const struct maker *m, const struct op *op, int result)
{
    uint64_t bytes = size_of(m, op, result);
    for (int i = 0; i < op->operand_count; i++) {
        int value = bytes_of(m, op->operands[i]);
        if (value >= 0 && m->graph->values[value].bytes == bytes && buffer_in_place(op, i, result))
            return value;
    }
    return -1;
}

static int written_over(struct maker *m, int node, int result)
{
    const struct op *op = m->graph->nodes[node].op;
    int operand = updated_operand(op, result);
    if (op->results[result].type->kind != TYPE_TENSOR)
        return -1;
    if (operand < 0)
        return op->code == OP_fusion ? in_place(m, op, result) : -1;
    int value = bytes_of(m, op->operands[operand]);
    if (value >= 0)
        keep_last(m, value, node);
    return value;
}

static void order_updates(struct maker *m)
{
    for (int n = 0; n < m->graph->node_count; n++) {
        struct schedule_node *node = &m->graph->nodes[n];
        node->overwrites = ARENA_ARRAY(m->arena, int, node->value_count + 1);
        for (int i = 0; i < node->value_count; i++)
            node->overwrites[i] = written_over(m, n, i);
    }
}

/* A value returned in place of an argument overwrites it. */
static bool replace_argument(struct maker *m, int argument, int result)
{
    const struct value *value = m->block->last->operands[result];
    int from = bytes_of(m, &m->block->arguments[argument]), to = bytes_of(m, value);
    while (value->def && value->def->code == OP_reshape && value->def->block == m->block)
        value = value->def->operands[0];
    if (from < 0 || to < 0 || !value->def)
        return false;
    keep_last(m, from, number_of(value->def));
    return true;
}

static void order_carried(struct maker *m)
{
    const struct op *owner = m->block->owner;
    if (owner && owner->code == OP_while && m->block == owner->regions[1])
        for (int i = 0; i < m->block->argument_count; i++)
            replace_argument(m, i, i);
}

/* A result that reuses the memory of a donated parameter needs no memory. */
static void order_donated(struct maker *m)
{
    const struct func *func = m->block->func;
    if (m->block->owner || !func->argument_infos)
        return;
    for (int i = 0; i < m->block->argument_count; i++) {
        int result = func->argument_infos[i].alias_result;
        if (result >= 0 && result < m->block->last->operand_count && replace_argument(m, i, result))
            m->graph->values[bytes_of(m, m->block->last->operands[result])].bytes = 0;
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */
static struct schedule_list *list_before(struct schedule_graph *graph, int i)
{
    return &graph->nodes[i].before;
}
static struct schedule_list *list_after(struct schedule_graph *graph, int i)
{
    return &graph->nodes[i].after;
}
static struct schedule_list *list_uses(struct schedule_graph *graph, int i)
{
    return &graph->nodes[i].uses;
}
static struct schedule_list *list_users(struct schedule_graph *graph, int i)
{
    return &graph->values[i].users;
}

/* Builds the adjacency lists of all pairs; `by_target`: indexed by `to` instead of `from`. */
static void fill_lists(struct maker *m, const pairs_vec *pairs, bool by_target,
                       struct schedule_list *(*list_of)(struct schedule_graph *graph, int i))
{
    for (size_t i = 0; i < pairs->count; i++)
        list_of(m->graph, by_target ? pairs->items[i].to : pairs->items[i].from)->count++;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->items[i];
        struct schedule_list *list = list_of(m->graph, by_target ? pair->to : pair->from);
        if (!list->at) {
            list->at = ARENA_ARRAY(m->arena, int, list->count);
            list->count = 0;
        }
        list->at[list->count++] = by_target ? pair->from : pair->to;
    }
}

static void add_all_uses(struct maker *m)
{
    m->used_by = ARENA_ARRAY(m->arena, int, m->graph->value_count + 1);
    for (int i = 0; i < m->graph->value_count; i++)
        m->used_by[i] = -1;
    for (int i = 0; i < m->graph->node_count; i++)
        add_uses(m, m->graph->nodes[i].op, i);
    fill_lists(m, &m->uses, false, list_users);
    fill_lists(m, &m->uses, true, list_uses);
}

static void mark_returned(struct maker *m)
{
    const struct op *end = m->block->last;
    for (int i = 0; i < end->operand_count; i++)
        if (bytes_of(m, end->operands[i]) >= 0)
            m->graph->values[bytes_of(m, end->operands[i])].live_out = true;
}

struct schedule_graph *schedule_graph_make(struct arena *arena, uint64_t alignment,
                                           const struct block *block)
{
    struct maker m = {.arena = arena,
                      .alignment = alignment,
                      .block = block,
                      .graph = ARENA_NEW(arena, struct schedule_graph)};
    add_nodes(&m);
    add_all_uses(&m);
    mark_returned(&m);
    order_side_effects(&m);
    order_updates(&m);
    order_carried(&m);
    order_donated(&m);
    fill_lists(&m, &m.edges, false, list_after);
    fill_lists(&m, &m.edges, true, list_before);
    return m.graph;
}
