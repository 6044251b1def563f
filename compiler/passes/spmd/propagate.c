#include "compiler/passes/spmd/propagate.h"

#include "compiler/passes/spmd/propagate_constants.h"
#include "compiler/passes/spmd/propagate_graph.h"
#include "compiler/passes/spmd/spmd_mesh.h"

/* An operation with very many operands could be visited once for each. */
enum { MANY_MEMBERS = 64, MOST_VISITS = 64 };

/* ---- the fixed point ------------------------------------------------------------------------- */

struct stack { /* of relations to visit; a relation is in it at most once */
    struct relation **items;
    size_t count;
};

struct propagation {
    struct propagate_graph graph;
    struct propagate_visit *visit;
    struct stack stack;
};

static void push(struct propagation *p, struct relation *relation)
{
    if (relation->is_queued || relation->is_boundary)
        return;
    if (relation->member_count > MANY_MEMBERS && relation->visits > MOST_VISITS)
        return;
    relation->is_queued = true;
    p->stack.items[p->stack.count++] = relation;
}

static struct relation *pop(struct propagation *p)
{
    struct relation *relation = p->stack.items[--p->stack.count];
    relation->is_queued = false;
    relation->visits++;
    return relation;
}

/* Pushes what is related to members of the relation that have changed, so that of each value the
 * first user is visited next. */
static void push_related(struct propagation *p, const struct relation *relation)
{
    for (int i = 0; i < relation->member_count; i++) {
        struct sharded *member = relation->members[i];
        if (!member || !member->is_changed)
            continue;
        member->is_changed = false;
        for (const struct related *r = member->relations; r; r = r->next)
            if (r->relation != relation)
                push(p, r->relation);
    }
}

/* What functions return and what they declare to return: before and after each round. */
static void visit_boundary(struct propagation *p)
{
    for (size_t i = 0; i < p->graph.relations.count; i++)
        if (p->graph.relations.items[i]->is_boundary)
            propagate_visit_run(p->visit, p->graph.relations.items[i]);
}

/* Visits relations in program order, but first those of values that have just changed. */
static void run_to_fixed_point(struct propagation *p)
{
    visit_boundary(p);
    for (size_t i = p->graph.relations.count; i-- > 0;) {
        p->graph.relations.items[i]->visits = 0;
        push(p, p->graph.relations.items[i]);
    }
    while (p->stack.count) {
        struct relation *relation = pop(p);
        propagate_visit_run(p->visit, relation);
        if (propagate_visit_changed(p->visit))
            push_related(p, relation);
    }
    visit_boundary(p);
}

static void propagate(struct propagation *p)
{
    for (size_t i = 0; i < p->graph.priorities.count; i++) {
        propagate_visit_set_priority(p->visit, p->graph.priorities.items[i]);
        for (int round = 0; round < RELATION_ROUNDS; round++) {
            propagate_visit_set_round(p->visit, round);
            run_to_fixed_point(p);
        }
    }
}

/* ---- unreduced values ------------------------------------------------------------------------ */

/* The axes that shard a reduction factor of the operation's operands. */
static uint32_t reduced_axes(struct arena *arena, const struct op *op)
{
    const struct sharding_rule *rule = sharding_rule_of(arena, op);
    uint32_t axes = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const struct sharded *operand = op->operands[i]->note;
        for (int d = 0; d < rule->operands[i].rank; d++)
            for (int f = 0; f < rule->operands[i].dims[d].count; f++)
                if (rule->factors[rule->operands[i].dims[d].at[f]].kind == FACTOR_REDUCTION)
                    axes |= axis_list_set(&operand->tiling->dims[d]);
    }
    return axes;
}

/* A sum whose operands are not sharded along the axes is no partial result. */
static void check_partial(struct propagation *p)
{
    for (size_t i = 0; i < p->graph.partial.count; i++) {
        const struct op *op = p->graph.partial.items[i];
        struct sharded *value = op->results[0].note;
        value->tiling->unreduced &= reduced_axes(p->graph.arena, op);
    }
}

/* ---- arguments and results ------------------------------------------------------------------- */

/* True if axis i of the list is the last of an axis of the program, all of which is in the list. */
static bool ends_group(const struct propagate_graph *g, const struct axis_list *list, int i)
{
    int axis = list->at[i], group = spmd_mesh_group(g->mesh, axis);
    int count = spmd_mesh_grid(g->mesh)->axis_count;
    if (axis + 1 < count && spmd_mesh_group(g->mesh, axis + 1) == group)
        return false;
    for (; axis > 0 && spmd_mesh_group(g->mesh, axis - 1) == group; axis--, i--)
        if (i == 0 || list->at[i - 1] != axis - 1)
            return false;
    return true;
}

/* Keeps the leading axes that divide the size evenly and are whole axes of the program. */
static void cut_list(const struct propagate_graph *g, struct axis_list *list, int64_t size)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        int64_t devices = spmd_mesh_grid(g->mesh)->sizes[list->at[i]];
        if (size % devices)
            break;
        size /= devices;
        if (ends_group(g, list, i))
            kept = i + 1;
    }
    list->count = (uint8_t)kept;
}

/* Clients read the shardings of arguments and results: open dimensions are sharded evenly, and
 * along axes that have names. */
static void cut_uneven(const struct propagate_graph *g, struct sharded *value)
{
    for (int d = 0; value && d < value->tiling->rank; d++)
        if (value->tiling->open >> d & 1)
            cut_list(g, &value->tiling->dims[d], value->sizes[d]);
}

static void cut_boundary(struct propagation *p)
{
    const struct func *func = p->graph.module->entry;
    for (int i = 0; i < func->body->argument_count; i++)
        cut_uneven(&p->graph, func->body->arguments[i].note);
    for (int i = 0; i < func->result_count; i++)
        cut_uneven(&p->graph, p->graph.results[i]);
}

/* ---- types ----------------------------------------------------------------------------------- */

static const struct type *typed(const struct propagate_graph *g, const struct type *type,
                                struct sharded *value)
{
    if (!value)
        return type;
    value->tiling->open = 0;
    if (!value->result)
        value->result = spmd_mesh_sharding(g->module->arena, g->mesh, value->tiling);
    return type_with_sharding(g->module->arena, type, value->result);
}

/* Of an argument or result of the program: one in another order of devices keeps it. */
static const struct type *typed_outside(const struct propagate_graph *g, const struct type *given,
                                        struct sharded *value)
{
    return spmd_mesh_moves(g->mesh, given->sharding) ? given : typed(g, given, value);
}

static void set_types(const struct propagate_graph *g, struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        block->arguments[i].type = typed(g, block->arguments[i].type, block->arguments[i].note);
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count; i++)
            op->results[i].type = typed(g, op->results[i].type, op->results[i].note);
        if (op->code == OP_sharding_constraint)
            op->attrs.sharding.sharding = op->results[0].type->sharding;
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = 0; r < op->region_count; r++)
                set_types(g, op->regions[r]);
    }
}

static void set_entry_types(const struct propagate_graph *g, struct func *entry)
{
    struct block *body = entry->body;
    const struct type **given =
        ARENA_ARRAY(g->arena, const struct type *, (size_t)body->argument_count);
    for (int i = 0; i < body->argument_count; i++)
        given[i] = body->arguments[i].type;
    set_types(g, body);
    for (int i = 0; i < body->argument_count; i++)
        body->arguments[i].type = typed_outside(g, given[i], body->arguments[i].note);
    for (int i = 0; i < entry->result_count; i++)
        entry->result_types[i] = typed_outside(g, entry->result_types[i], g->results[i]);
}

struct error *propagate_run(struct module *module, const struct target *target)
{
    struct propagation p = {0};
    struct arena *arena = arena_scratch(module->arena);
    const struct spmd_mesh *mesh;
    (void)target;
    if (module->num_partitions == 1)
        return NULL;
    propagate_constants_split(module);
    TRY(spmd_mesh_create(module, &mesh));
    TRY(propagate_graph_build(arena, module, mesh, &p.graph));
    p.visit = propagate_visit_create(arena, spmd_mesh_grid(mesh));
    p.stack.items = ARENA_ARRAY(arena, struct relation *, p.graph.relations.count + 1);
    propagate(&p);
    check_partial(&p);
    cut_boundary(&p);
    set_entry_types(&p.graph, module->entry);
    return NULL;
}
