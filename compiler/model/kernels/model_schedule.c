/* model_schedule.c: see model_schedule.h. A block's groups become the nodes of a schedule graph. */
#include "compiler/model/kernels/model_schedule.h"

#include <string.h>

#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/passes/buffer/schedule_order.h"

struct pair {
    int from, to;
};
typedef VEC(struct pair) pairs_vec;

struct maker {
    struct arena *arena; /* of this step */
    struct model *model;
    const struct model_block *block;
    struct schedule_graph graph;
    pairs_vec edges, uses; /* node -> node, value -> node */
};

/* ---- values ---------------------------------------------------------------------------------- */
/* The value whose bytes an alias is. */
static const struct value *source_of(const struct value *value)
{
    while (value->def && model_role(value->def) == MODEL_ALIAS)
        value = value->def->operands[value->index];
    return value;
}

/* The number of a value of this block, or -1. */
static int number_of(const struct maker *m, const struct value *value)
{
    value = source_of(value);
    const struct block *home = ir_block_of(value);
    const struct model_value *note = model_value(value);
    return home == m->block->block && note->stored && value->type->kind == TYPE_TENSOR
               ? note->number
               : -1;
}

static void add_value(struct maker *m, const struct value *value, uint64_t bytes)
{
    model_value(value)->number = m->graph.value_count;
    m->graph.values[m->graph.value_count++] = (struct schedule_value){.bytes = bytes};
}

static void add_nodes(struct maker *m)
{
    struct arena *arena = m->arena;
    const struct block *block = m->block->block;
    size_t count = m->block->groups.count, values = (size_t)block->argument_count;
    for (size_t i = 0; i < count; i++)
        values += (size_t)m->block->groups.items[i]->root->result_count;
    m->graph.nodes = ARENA_ARRAY(arena, struct schedule_node, count + 1);
    m->graph.values = ARENA_ARRAY(arena, struct schedule_value, values + 1);
    for (int i = 0; i < block->argument_count; i++)
        add_value(m, &block->arguments[i], 0);
    for (size_t i = 0; i < count; i++) {
        const struct op *root = m->block->groups.items[i]->root;
        m->graph.nodes[i] = (struct schedule_node){.first_value = m->graph.value_count,
                                                   .value_count = root->result_count};
        for (int k = 0; k < root->result_count; k++)
            add_value(m, &root->results[k], model_traffic_size(m->model, &root->results[k]));
    }
    m->graph.node_count = (int)count;
}

/* What is returned stays. Results of the program count, too, though they may take the place of
 * arguments: the compiler orders before it decides that. */
static void mark_returned(struct maker *m)
{
    const struct op *last = m->block->block->last;
    for (int i = 0; i < last->operand_count; i++) {
        int number = number_of(m, last->operands[i]);
        if (number >= 0)
            m->graph.values[number].live_out = true;
    }
}

/* ---- dependencies ---------------------------------------------------------------------------- */
static void add_edge(struct maker *m, int from, int to)
{
    if (from != to && from >= 0)
        VEC_PUSH(m->arena, &m->edges, (struct pair){from, to});
}

static void add_use(struct maker *m, const struct value *value, int node)
{
    int number = number_of(m, value);
    if (value->def && model_role(value->def) == MODEL_ALIAS && value->def->block == m->block->block)
        add_edge(m, model_value(value)->awaited, node);
    if (number < 0)
        return;
    struct model_value *note = model_value(source_of(value));
    if (note->reader == &m->graph.nodes[node])
        return;
    note->reader = &m->graph.nodes[node];
    VEC_PUSH(m->arena, &m->uses, (struct pair){number, node});
    add_edge(m, note->node, node);
}

/* Includes what blocks inside the group read. */
static void add_uses(struct maker *m, const struct model_group *group, int node)
{
    for (int i = 0; i < group->read_count; i++)
        add_use(m, group->reads[i].value, node);
    for (int k = 0; group->inside && k < group->root->region_count; k++) {
        const struct model_block *inside = group->inside[k];
        const struct op *last = inside->block->last;
        for (size_t i = 0; i < inside->groups.count; i++)
            add_uses(m, inside->groups.items[i], node);
        for (int i = 0; i < last->operand_count; i++)
            add_use(m, last->operands[i], node);
    }
}

/* A barrier waits for all its operands. Of these the last one in the order of the program counts,
 * on which the others hardly ever depend. */
static void set_awaited(const struct maker *m)
{
    for (const struct op *op = m->block->block->first; op; op = op->next) {
        int last = -1;
        for (int i = 0; model_role(op) == MODEL_ALIAS && i < op->operand_count; i++) {
            const struct value *operand = op->operands[i];
            bool is_alias = operand->def && operand->def->block == op->block &&
                            model_role(operand->def) == MODEL_ALIAS;
            int node = is_alias                     ? model_value(operand)->awaited
                       : number_of(m, operand) >= 0 ? model_value(operand)->node
                                                    : -1;
            last = node > last ? node : last;
        }
        for (int i = 0; model_role(op) == MODEL_ALIAS && i < op->result_count; i++)
            model_value(&op->results[i])->awaited = last;
    }
}

static void add_all_uses(struct maker *m)
{
    for (int i = 0; i < m->block->block->argument_count; i++)
        model_value(&m->block->block->arguments[i])->node = -1;
    for (int i = 0; i < m->graph.node_count; i++) {
        const struct op *root = m->block->groups.items[i]->root;
        for (int k = 0; k < root->result_count; k++)
            model_value(&root->results[k])->node = i;
    }
    set_awaited(m);
    for (int i = 0; i < m->graph.node_count; i++)
        add_uses(m, m->block->groups.items[i], i);
}

static void order_side_effects(struct maker *m)
{
    int last = -1;
    for (int i = 0; i < m->graph.node_count; i++) {
        const struct op *root = m->block->groups.items[i]->root;
        bool meets = op_info(root->code)->traits & OP_COLLECTIVE;
        if (ir_is_pure(root) && !meets)
            continue;
        add_edge(m, last, i);
        last = i;
    }
}

/* Keeps a group that overwrites a value after the value's other readers. */
static void keep_last(struct maker *m, int value, int node)
{
    const struct schedule_list *users = &m->graph.values[value].users;
    for (int i = 0; i < users->count; i++)
        if (users->at[i] > node)
            return;
    for (int i = 0; i < users->count; i++)
        add_edge(m, users->at[i], node);
}

static void order_updates(struct maker *m)
{
    for (int i = 0; i < m->graph.node_count; i++) {
        struct schedule_node *node = &m->graph.nodes[i];
        const struct op *root = m->block->groups.items[i]->root;
        bool updates = model_role(root) == MODEL_UPDATE || root->code == OP_while;
        node->overwrites = ARENA_ARRAY(m->arena, int, (size_t)node->value_count + 1);
        for (int k = 0; k < node->value_count; k++) {
            int value = updates && k < root->operand_count ? number_of(m, root->operands[k]) : -1;
            node->overwrites[k] = value;
            if (value >= 0)
                keep_last(m, value, i);
        }
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */
static void append(struct maker *m, struct schedule_list *list, int number)
{
    enum { FIRST = 2 };
    int count = list->count;
    if (count == 0 || (count >= FIRST && !(count & (count - 1)))) {
        int *at = ARENA_ARRAY(m->arena, int, 2 * (size_t)count + FIRST);
        if (count)
            memcpy(at, list->at, (size_t)count * sizeof *at);
        list->at = at;
    }
    list->at[list->count++] = number;
}

static void fill_uses(struct maker *m)
{
    for (size_t i = 0; i < m->uses.count; i++) {
        append(m, &m->graph.values[m->uses.items[i].from].users, m->uses.items[i].to);
        append(m, &m->graph.nodes[m->uses.items[i].to].uses, m->uses.items[i].from);
    }
}

static void fill_edges(struct maker *m)
{
    for (size_t i = 0; i < m->edges.count; i++) {
        append(m, &m->graph.nodes[m->edges.items[i].from].after, m->edges.items[i].to);
        append(m, &m->graph.nodes[m->edges.items[i].to].before, m->edges.items[i].from);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static uint64_t order_block(struct model *model, struct model_block *block);

static void order_regions(struct maker *m)
{
    for (int i = 0; i < m->graph.node_count; i++) {
        const struct model_group *group = m->block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++) {
            uint64_t peak = order_block(m->model, group->inside[k]);
            if (peak > m->graph.nodes[i].region_peak)
                m->graph.nodes[i].region_peak = peak;
        }
    }
}

static void apply(struct model *model, struct model_block *block, const int *order)
{
    size_t count = block->groups.count;
    struct model_group **groups = ARENA_ARRAY(model->arena, struct model_group *, count + 1);
    for (size_t i = 0; i < count; i++)
        groups[i] = block->groups.items[order[i]];
    block->groups.items = groups;
    block->groups.capacity = count;
}

/* Returns the peak bytes of the block's values. */
static uint64_t order_block(struct model *model, struct model_block *block)
{
    struct maker m = {.arena = arena_step(model->arena), .model = model, .block = block};
    uint64_t peak;
    add_nodes(&m);
    add_all_uses(&m);
    fill_uses(&m);
    mark_returned(&m);
    order_side_effects(&m);
    order_updates(&m);
    fill_edges(&m);
    order_regions(&m);
    const int *order = schedule_order(m.arena, &m.graph, &peak);
    apply(model, block, order);
    return peak;
}

void model_schedule(struct model *model)
{
    order_block(model, model->entry);
    arena_step_clear(model->arena);
}
