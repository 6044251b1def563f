/* model_fusion.c: see model_fusion.h. Walks over each block: forward, what a value would cost if it
 * were computed where it is used; backward, which values are stored; both again, with what is
 * computed of stored values costing no more than these; forward, the groups. */
#include "compiler/model/kernels/model_fusion.h"

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/model/kernels/model_join.h"
#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_softmax.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/schedule/access.h"

enum {
    MAX_KERNELS = 4, /* that compute the same value */
    MAX_CHAIN = 64,  /* operations in a row that are computed again */
    MAX_DEPTH = 1024 /* in one kernel */
};

struct model_op {                        /* op->note */
    const struct op *roots[MAX_KERNELS]; /* of the groups that it is in */
    int root_count;                      /* MAX_KERNELS + 1: more */
    const struct op *seen;               /* root of the group that is being collected */
    const struct op *feeds;              /* root of the group whose product is computed from it */
    int index;                           /* in its block */
};

static struct model_op *note_of(const struct op *op)
{
    return op->note;
}

/* ---- forward: what values cost --------------------------------------------------------------- */
static bool can_lead(const struct op *op)
{
    enum model_role role = model_role(op);
    return role == MODEL_PRODUCT || (role == MODEL_REDUCE && op->result_count == 1);
}

/* Whether the operation can compute operand i in its kernel, with the product or reduction that the
 * operand ends with. */
static bool follows(const struct op *op, int i)
{
    const struct value *operand = op->operands[i];
    return model_value(operand)->lead && (ir_has_one_use(operand) || model_value(operand)->join) &&
           operand->def->block == op->block && model_role_keeps_elements(op, i);
}

/* The product or reduction that this operation can be the epilogue of: of those that its operands
 * end with the last one, and not before all other operands are there, since the epilogue would
 * delay it. */
static const struct op *lead_of(const struct op *op)
{
    const struct op *found = NULL;
    int ready = 0;
    if (can_lead(op))
        return op;
    if (model_role(op) != MODEL_FUSIBLE)
        return NULL;
    for (int i = 0; i < op->operand_count; i++) {
        const struct op *lead = follows(op, i) ? model_value(op->operands[i])->lead : NULL;
        if (lead && (!found || note_of(lead)->index > note_of(found)->index))
            found = lead;
        if (op->operands[i]->def && op->operands[i]->def->block == op->block &&
            model_value(op->operands[i])->ready > ready)
            ready = model_value(op->operands[i])->ready;
    }
    return found && (model_role(found) == MODEL_REDUCE || ready <= note_of(found)->index) ? found
                                                                                          : NULL;
}

static int index_of(const struct op *op)
{
    return note_of(op)->index;
}

/* The join on which the uses of the operation's result lead: that of its operands, if it is before
 * it, or one that begins here. Larger matrix units leave no time for that beside a product. */
static int join_of(const struct model *model, const struct op *op)
{
    enum { LARGE_UNIT = 256 };
    const struct op *lead = model_value(&op->results[0])->lead;
    if (!lead || model->accelerator->matrix_unit_size >= LARGE_UNIT)
        return 0;
    for (int i = 0; i < op->operand_count; i++)
        if (model_value(op->operands[i])->lead == lead &&
            model_value(op->operands[i])->join > index_of(op))
            return model_value(op->operands[i])->join;
    const struct op *join =
        ir_has_one_use(&op->results[0]) ? NULL : model_join(&op->results[0], index_of);
    return join ? index_of(join) : 0;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void add_leaf(struct model_value *to, const struct value *leaf, double bytes)
{
    for (int i = 0; i < to->leaf_count && i < MODEL_MAX_LEAVES; i++)
        if (to->leaves[i] == leaf)
            return;
    if (to->leaf_count < MODEL_MAX_LEAVES)
        to->leaves[to->leaf_count] = leaf;
    to->leaf_count += to->leaf_count <= MODEL_MAX_LEAVES;
    to->leaf_bytes += bytes;
}

/* Leaves that are far smaller than the value, `own` bytes, count as bytes only, so that a value of
 * too many leaves may have fewer of them listed. */
static void add_leaves(struct model_value *to, const struct model_value *from, double own)
{
    enum { SMALL = 64 };
    for (int i = 0; i < from->leaf_count && i < MODEL_MAX_LEAVES && from->leaves[i]; i++) {
        double bytes = smaller(model_value(from->leaves[i])->bytes, from->leaf_bytes);
        if (bytes * SMALL < own)
            to->leaf_bytes += bytes;
        else
            add_leaf(to, from->leaves[i], bytes);
    }
    if (from->leaf_count > MODEL_MAX_LEAVES)
        to->leaf_count = from->leaf_count;
    to->chain = from->chain >= to->chain ? from->chain + 1 : to->chain;
}

/* What the operation reads if its operands are computed in its kernel, too. */
static void add_costs(const struct op *op, struct model_value *to)
{
    double own = to->leaf_bytes;
    to->leaf_bytes = 0;
    to->leaf_count = 0;
    to->chain = 1;
    for (int i = 0; i < op->operand_count; i++)
        if (type_elements(op->operands[i]->type) != 1)
            add_leaves(to, model_value(op->operands[i]), own);
    if (op->code == OP_slice || op->code == OP_dynamic_slice)
        to->leaf_bytes = smaller(to->leaf_bytes, own);
}

/* Whether the value is another one, converted to a wider type: the narrow one is stored. */
static bool is_widened(const struct value *value)
{
    const struct op *op = value->def;
    return op->code == OP_convert &&
           dtype_bytes(op->operands[0]->type->shape.dtype) < dtype_bytes(value->type->shape.dtype);
}

static bool is_made_of_nothing(const struct value *value)
{
    return model_value(value)->leaf_bytes == 0;
}

/* Whether all users that cannot compute the value are blocks inside, or loops that begin with
 * it. */
static bool is_never_read(const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = use->user;
        bool is_elsewhere = user->block != value->def->block && user->code != OP_return;
        if (!is_elsewhere && model_role(user) != MODEL_CONTROL &&
            !model_role_absorbs(user, use->operand))
            return false;
    }
    return true;
}

static struct model_value *make_value(struct model *model, struct value *value)
{
    struct model_value *made = ARENA_NEW(model->arena, struct model_value);
    made->stored = true;
    made->bytes = model_traffic_unpadded(model, value);
    add_leaf(made, value, made->bytes);
    value->note = made;
    return made;
}

/* When a value can be computed: after the last stored value that it is computed from. */
static int ready_of(const struct op *op)
{
    int ready = 0;
    if (model_role(op) == MODEL_FREE)
        return 0;
    if (model_role(op) != MODEL_FUSIBLE)
        return note_of(op)->index;
    for (int i = 0; i < op->operand_count; i++) {
        const struct value *operand = op->operands[i];
        bool is_here = operand->def && operand->def->block == op->block;
        if (is_here && model_value(operand)->ready > ready)
            ready = model_value(operand)->ready;
    }
    return ready;
}

/* Whether a user can read the value only from memory, so that it is stored in any case. */
static bool is_read_from_memory(const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (use->user->block != value->def->block || !model_role_absorbs(use->user, use->operand))
            return true;
    return false;
}

/* What a kernel reads that uses the value, if it may be computed there. */
static void set_costs(const struct op *op, const struct value *value)
{
    struct model_value *note = model_value(value);
    bool ends = note->lead && !ir_has_one_use(value) && !note->join && !is_widened(value);
    if (model_role(op) != MODEL_FUSIBLE || ends)
        return;
    double bytes = note->leaf_bytes;
    add_costs(op, note);
    if (is_made_of_nothing(value) || !is_read_from_memory(value))
        return;
    note->leaf_count = note->chain = 0;
    note->leaf_bytes = 0;
    add_leaf(note, value, bytes);
}

static void prepare(struct model *model, struct op *op)
{
    enum model_role role = model_role(op);
    for (int i = 0; i < op->result_count; i++) {
        struct model_value *value = make_value(model, &op->results[i]);
        value->ready = ready_of(op);
        value->lead = lead_of(op);
        value->join = op->result_count == 1 ? join_of(model, op) : 0;
        if (role == MODEL_FREE)
            value->leaf_bytes = value->leaf_count = 0;
        value->stored = role != MODEL_FREE && role != MODEL_FUSIBLE;
        set_costs(op, &op->results[i]);
        model_softmax_keep(model, op);
    }
}

/* ---- backward: which values are stored ------------------------------------------------------- */
static void add_root(struct model_op *to, const struct op *root)
{
    for (int i = 0; i < to->root_count && i < MAX_KERNELS; i++)
        if (to->roots[i] == root)
            return;
    if (to->root_count < MAX_KERNELS)
        to->roots[to->root_count] = root;
    to->root_count += to->root_count <= MAX_KERNELS;
}

/* Adds the groups that the user is in; false if it reads the value from memory. */
static bool join_user(const struct value *value, const struct use *use, struct model_op *to)
{
    const struct op *user = use->user;
    if (user->block != value->def->block || !model_role_absorbs(user, use->operand))
        return false;
    const struct model_op *note = note_of(user);
    for (int i = 0; i < note->root_count && i < MAX_KERNELS; i++)
        add_root(to, note->roots[i]);
    if (note->root_count > MAX_KERNELS)
        to->root_count = note->root_count;
    return true;
}

static bool join_users(const struct value *value, struct model_op *to)
{
    bool all = true;
    for (const struct use *use = value->uses; use; use = use->next)
        all &= join_user(value, use, to);
    return all;
}

/* Whether the only user of a product's or reduction's epilogue continues it, in one kernel. */
static bool continues(const struct value *value)
{
    const struct op *user = value->uses->user;
    const struct model_value *note = model_value(value);
    return ir_has_one_use(value) && user->result_count == 1 && model_role(user) == MODEL_FUSIBLE &&
           model_value(&user->results[0])->lead == note->lead && note_of(user)->root_count == 1;
}

/* Whether all uses of a product's or reduction's epilogue lead on one that continues it. */
static bool joins(const struct value *value, const struct model_op *roots)
{
    const struct model_value *note = model_value(value);
    const struct op *root = roots->root_count == 1 ? roots->roots[0] : NULL;
    return note->join && root && root->result_count == 1 && model_role(root) == MODEL_FUSIBLE &&
           model_value(&root->results[0])->lead == note->lead;
}

/* Whether the value is computed of another product's result alone, for one product: it is then
 * computed in the kernel of the second one. */
static bool feeds_product(const struct value *value, const struct model_op *roots)
{
    const struct model_value *note = model_value(value);
    const struct op *lead = note->lead;
    return model_role(lead) == MODEL_PRODUCT && roots->root_count == 1 && note->leaf_count == 1 &&
           roots->roots[0] != lead && model_role(roots->roots[0]) == MODEL_PRODUCT;
}

/* What reads hardly more than the value would be read, is computed again in any number of
 * kernels. */
enum { FRACTION = 8 };

/* Whether it costs less to compute the value in `kernels` kernels than to store it. */
static bool is_cheap(const struct value *value, int kernels)
{
    const struct model_value *note = model_value(value);
    double bytes = note->bytes, leaves = note->leaf_bytes;
    if (note->leaf_count > MODEL_MAX_LEAVES || note->chain > MAX_CHAIN ||
        (kernels > 1 && model_softmax_is_stored(value)))
        return false;
    return leaves * FRACTION <= bytes * (FRACTION + 1) ||
           (kernels <= MAX_KERNELS && leaves * (kernels - 1) < bytes * (1 + kernels));
}

/* Where a widened value is stored anyway and many kernels use it, these read the narrow one. */
static void keep_narrow(const struct value *value, const struct model_op *roots)
{
    enum { MANY = 3 };
    if (is_widened(value) && roots->root_count >= MANY)
        model_value(value->def->operands[0])->kept = true;
}

/* Whether the value is an argument transposed so that another dimension is minor, for a kernel that
 * reads another array as it is: it is copied first, since a kernel has one layout. */
static bool is_transposed(const struct value *value)
{
    const struct op *op = value->def, *user = value->uses->user;
    int rank = value->type->shape.rank;
    if (op->code != OP_transpose || op->operands[0]->def || rank < 2 ||
        access_of(op, 0, rank - 1).dim == rank - 1 ||
        !(op_info(user->code)->traits & OP_ELEMENTWISE))
        return false;
    for (int i = 0; i < user->operand_count; i++)
        if (user->operands[i] != value && model_value(user->operands[i])->leaf_bytes > 0 &&
            type_elements(user->operands[i]->type) == type_elements(value->type))
            return true;
    return false;
}

/* Whether a value that ends a product is only read element by element, for others that can be
 * computed as soon as the product can: updates of a weight's statistics by its gradient. One kernel
 * computes them all. */
static bool forks(const struct value *value, const struct model_op *roots)
{
    const struct op *lead = model_value(value)->lead;
    if (model_role(lead) != MODEL_PRODUCT || roots->root_count < 2 ||
        roots->root_count > MAX_KERNELS)
        return false;
    for (int i = 0; i < roots->root_count; i++) {
        const struct op *root = roots->roots[i];
        if (model_role(root) != MODEL_FUSIBLE ||
            type_elements(root->results[0].type) != type_elements(value->type) ||
            model_value(&root->results[0])->ready > note_of(lead)->index)
            return false;
    }
    return true;
}

static bool is_stored(const struct value *value, struct model_op *roots)
{
    const struct model_value *note = model_value(value);
    if (value->type->kind != TYPE_TENSOR)
        return false;
    if (!join_users(value, roots)) {
        keep_narrow(value, roots);
        return !(is_made_of_nothing(value) && is_never_read(value));
    }
    if (note->kept || is_transposed(value))
        return true;
    if (is_widened(value) || note->recomputed)
        return false;
    if (note->chain > MAX_DEPTH)
        return true;
    if (note->lead && forks(value, roots)) {
        roots->root_count = 1;
        return false;
    }
    if (note->lead && feeds_product(value, roots))
        return value->def == note->lead;
    if (note->lead)
        return !continues(value) && !joins(value, roots);
    model_value(value)->kernels = roots->root_count;
    return roots->root_count > 1 && !is_cheap(value, roots->root_count);
}

static void decide(struct op *op)
{
    struct model_op *note = note_of(op);
    enum model_role role = model_role(op);
    bool may_join = role == MODEL_FREE || role == MODEL_FUSIBLE || can_lead(op);
    struct model_value *result = may_join ? model_value(&op->results[0]) : NULL;
    if (result)
        result->stored = op->results[0].uses && is_stored(&op->results[0], note);
    if (!result || result->stored) {
        *note = (struct model_op){.index = note->index};
        add_root(note, op);
    }
}

static void reset_costs(struct model_value *note, const struct value *value)
{
    note->leaf_count = note->chain = 0;
    note->leaf_bytes = 0;
    add_leaf(note, value, note->bytes);
}

/* What the operation's result costs now that it is known which values before it are stored: reading
 * these. Where it then costs less to compute it again, it is stored no longer. */
static void price_again(struct op *op)
{
    struct model_value *note = op->result_count == 1 ? model_value(&op->results[0]) : NULL;
    note_of(op)->root_count = 0;
    if (!note || model_role(op) != MODEL_FUSIBLE)
        return;
    reset_costs(note, &op->results[0]);
    if (note->stored && note->kernels)
        set_costs(op, &op->results[0]);
    note->kept |= note->stored && (!note->kernels || !is_cheap(&op->results[0], note->kernels));
    if (note->kept)
        reset_costs(note, &op->results[0]);
    else if (!note->stored)
        set_costs(op, &op->results[0]);
    note->kernels = 0;
}

/* ---- forward: groups ------------------------------------------------------------------------- */
struct collector {
    struct model *model;
    struct model_block *block;
    struct model_group *group;
    VEC(const struct op *) ops;
    VEC(struct model_read) reads;
};

static void visit_operands(struct collector *c, const struct op *op);

/* Operand i of the operation is read from memory. */
static void add_read(struct collector *c, const struct op *op, int i)
{
    const struct value *value = op->operands[i];
    struct model_value *note = model_value(value);
    double whole = (double)model_traffic_size(c->model, value);
    if (note->reader != c->group) {
        note->reader = c->group;
        note->read = c->reads.count;
        VEC_PUSH(c->model->arena, &c->reads, (struct model_read){.value = value});
    }
    double *bytes = &c->reads.items[note->read].bytes;
    *bytes = smaller(whole, *bytes + model_traffic_read(c->model, op, i));
}

static void visit(struct collector *c, const struct op *op, int i)
{
    const struct value *value = op->operands[i];
    struct op *def = value->def;
    if (value->type->kind != TYPE_TENSOR)
        return;
    if (model_value(value)->stored) {
        add_read(c, op, i);
        return;
    }
    if (!def || def->block != c->block->block || note_of(def)->seen == c->group->root)
        return;
    note_of(def)->seen = c->group->root;
    visit_operands(c, def);
    VEC_PUSH(c->model->arena, &c->ops, def);
}

static void visit_operands(struct collector *c, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        visit(c, op, i);
}

static struct model_block *make_block(struct model *model, const struct block *block,
                                      struct model_block *parent, struct model_group *owner,
                                      double times);

static double trips_of(struct model *model, const struct op *op)
{
    int64_t trips = op->code == OP_while ? trip_count_of(op) : 1;
    model->unknown_trips += trips < 0;
    return trips < 0 ? 1 : (double)trips;
}

static void make_inside(struct collector *c)
{
    struct model_group *group = c->group;
    const struct op *op = group->root;
    double times = c->block->times * trips_of(c->model, op);
    group->inside = ARENA_ARRAY(c->model->arena, struct model_block *, (size_t)op->region_count);
    for (int i = 0; i < op->region_count; i++)
        group->inside[i] = make_block(c->model, op->regions[i], c->block, group, times);
}

/* Marks what the product of the group is computed from. Users come after what they use. */
static void mark_multiplied(const struct model_group *group)
{
    const struct op *root = group->root;
    for (int i = group->op_count - 1; i >= 0; i--) {
        const struct op *op = group->ops[i];
        if (model_role(op) != MODEL_PRODUCT && note_of(op)->feeds != root)
            continue;
        for (int k = 0; k < op->operand_count; k++) {
            const struct value *operand = op->operands[k];
            struct model_value *note = model_value(operand);
            if (note->stored && note->reader == group)
                group->reads[note->read].is_multiplied = true;
            else if (operand->def && operand->def->block == root->block)
                note_of(operand->def)->feeds = root;
        }
    }
}

static void make_group(struct collector *c, const struct op *root)
{
    struct model_group *group = c->group = ARENA_NEW(c->model->arena, struct model_group);
    group->root = root;
    c->ops.count = c->reads.count = 0;
    visit_operands(c, root);
    VEC_PUSH(c->model->arena, &c->ops, root);
    group->op_count = (int)c->ops.count;
    group->read_count = (int)c->reads.count;
    group->ops = arena_copy(c->model->arena, c->ops.items, c->ops.count * sizeof *c->ops.items);
    if (c->reads.count)
        group->reads =
            arena_copy(c->model->arena, c->reads.items, c->reads.count * sizeof *c->reads.items);
    mark_multiplied(group);
    for (int i = 0; i < root->result_count; i++)
        model_value(&root->results[i])->group = group;
    if (model_role(root) == MODEL_CONTROL)
        make_inside(c);
    VEC_PUSH(c->model->arena, &c->block->groups, group);
}

static bool is_root(const struct op *op)
{
    return op->code != OP_return && model_role(op) != MODEL_ALIAS && note_of(op)->root_count == 1 &&
           note_of(op)->roots[0] == op;
}

static void number(struct model *model, const struct block *block)
{
    int index = 0;
    for (struct op *op = block->first; op; op = op->next) {
        struct model_op *note = ARENA_NEW(model->arena, struct model_op);
        note->index = ++index;
        op->note = note;
    }
}

static struct model_block *make_block(struct model *model, const struct block *block,
                                      struct model_block *parent, struct model_group *owner,
                                      double times)
{
    struct model_block *made = ARENA_NEW(model->arena, struct model_block);
    struct collector c = {.model = model, .block = made};
    *made = (struct model_block){.block = block, .parent = parent, .owner = owner, .times = times};
    for (int i = 0; i < block->argument_count; i++)
        make_value(model, &block->arguments[i]);
    number(model, block);
    for (struct op *op = block->first; op; op = op->next)
        prepare(model, op);
    for (struct op *op = block->last; op; op = op->previous)
        decide(op);
    for (struct op *op = block->first; op; op = op->next)
        price_again(op);
    for (struct op *op = block->last; op; op = op->previous)
        decide(op);
    for (const struct op *op = block->first; op; op = op->next)
        if (is_root(op))
            make_group(&c, op);
    return made;
}

void model_fusion(struct model *model)
{
    model->entry = make_block(model, model->module->entry->body, NULL, NULL, 1);
}
