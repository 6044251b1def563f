/* fusion.c: decides which operations share a kernel.
 *
 * A block is walked from its end. Each operation finds the groups of its users (they were decided
 * before); it joins them when its elements may be computed there, otherwise it becomes the root of
 * a group of its own and lies in memory. A group is thus a tree of producers over one root, and
 * since a fusion stands where its root stood, no order can break. Operations that join several
 * groups are cloned into each.
 *
 * The measure is how often a group computes an operation's elements (fusion_sites.h): once each
 * is free, more is weighed against writing and reading them. Behind a broadcast along inner
 * dimensions a row's value is computed once a row, so a reduction whose result goes back over
 * the row it came from (softmax, layer normalisation) is one kernel; a statistic over outer
 * dimensions is not. */
#include "base/vec.h"
#include "compiler/analysis/cost.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/fusion_operands.h"
#include "compiler/passes/fusion/fusion_sites.h"
#include "compiler/passes/fusion/fusion_sort.h"
#include "compiler/passes/layout.h"
#include "compiler/passes/rewrite/fusion_make.h"

enum {
    MAX_MEMBERS = 200, /* operations of a group, counted once a site */
    MAX_OPERANDS = 32,
    MAX_OUTPUTS = 7,     /* besides the root */
    MAX_CLONES = 3,      /* groups that compute a cheap value again */
    CHEAP_REPEAT = 4,    /* times a cheap element may be computed in one group */
    DEAR_REPEAT = 2,     /* times an expensive one may: about what writing and reading it costs */
    SMALL_EXTRA = 2000,  /* cost below which computing again beats a kernel of its own */
    SMALL_ARRAY = 4096,  /* elements up to which index arithmetic is never worth a kernel */
    SCATTER_MEMBERS = 8, /* operations that many updates of a scatter are computed by */
    MIN_ROWS = 64        /* results below which a reduction inside would leave threads idle */
};

enum role {
    ROLE_STEP,  /* no part of any fusion: library calls, control flow, constants, tokens */
    ROLE_ALIAS, /* reshape that keeps the bytes: another name */
    ROLE_LOOP,
    ROLE_UPDATE,
    ROLE_SINGLE
};

struct group {
    enum fusion_kind kind;
    struct op *root;
    VEC(struct op *) members;    /* in reverse order of the block */
    VEC(struct value *) outside; /* operands so far */
    VEC(struct op *) outputs;    /* members that lie in memory besides the root */
    int sites;                   /* of all members */
    bool reduces;                /* a member is a reduction */
    bool transposes;             /* a member moves the innermost dimension of a large array */
};

struct membership {
    struct group *group;
    struct sites sites;
};

struct node {  /* op->note */
    int index; /* in the block, from its end */
    enum role role;
    struct group *own;
    VEC(struct membership) in;
};

struct fuser {
    struct module *module;
    struct arena *arena;
    const struct target *target;
    VEC(struct group *) groups;
};

/* ---- roles ----------------------------------------------------------------------------------- */
static bool is_token(const struct value *value)
{
    return value->type->kind != TYPE_TENSOR;
}

static bool has_tokens(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (is_token(op->operands[i]))
            return true;
    for (int i = 0; i < op->result_count; i++)
        if (is_token(&op->results[i]))
            return true;
    return false;
}

static enum role role_of(const struct op *op, const struct target *target)
{
    const struct op_info *info = op_info(op->code);
    if (op->code == OP_rng) /* its side effect is to differ from call to call */
        return ROLE_SINGLE;
    if (has_tokens(op) ||
        (info->traits & (OP_CONTROL | OP_SIDE_EFFECT | OP_COLLECTIVE | OP_TERMINATOR)))
        return ROLE_STEP;
    if (info->traits & OP_ELEMENTWISE)
        return op->code == OP_copy ? ROLE_STEP : ROLE_LOOP;
    switch (op->code) {
    case OP_constant:
    case OP_fusion: return ROLE_STEP;
    case OP_dot_general:
    case OP_convolution: return layout_library_serves(op, target) ? ROLE_STEP : ROLE_SINGLE;
    case OP_reshape:
        if (site_reshape_splits(op) || type_elements(op->results[0].type) <= SMALL_ARRAY)
            return ROLE_LOOP;
        return ROLE_ALIAS;
    case OP_dynamic_update_slice:
    case OP_scatter: return ROLE_UPDATE;
    case OP_reduce:
    case OP_bitcast_convert: return ROLE_LOOP;
    default: return info->traits & OP_INDEXED ? ROLE_LOOP : ROLE_SINGLE;
    }
}

/* ---- properties of an operation -------------------------------------------------------------- */
static double out_elements(const struct op *op)
{
    int64_t count = type_elements(op->results[0].type);
    return count < 1 ? 1 : (double)count;
}

/* Costs (nearly) nothing an element and reads less than it gives: computed wherever it is used. */
static bool is_free(const struct op *op)
{
    switch (op->code) {
    case OP_broadcast_in_dim:
    case OP_iota:
    case OP_reshape:
    case OP_broadcast: return true;
    case OP_convert:
        return dtype_bytes(op->operands[0]->type->shape.dtype) <
               dtype_bytes(op->results[0].type->shape.dtype);
    default: return false;
    }
}

static bool is_expensive(const struct op *op)
{
    return op->code == OP_reduce || cost_of_element(op) > 8;
}

/* The last dimension of the result is not the last of the operand: neighbours lie apart. */
static bool is_strided(const struct op *op)
{
    if (op->code != OP_transpose)
        return false;
    const struct dims permutation = op->attrs.transpose.permutation;
    const struct type *from = op->operands[0]->type;
    int64_t moved = -1, last = -1;
    for (int64_t i = permutation.count - 1; i >= 0 && moved < 0; i--)
        if (from->shape.dims[permutation.at[i]] != 1)
            moved = permutation.at[i];
    for (int i = 0; i < from->shape.rank; i++)
        if (from->shape.dims[i] != 1)
            last = i;
    return moved != last;
}

/* Operands as large as the result that are not made from less. */
static int large_operands(const struct op *op)
{
    int count = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const struct value *value = op->operands[i];
        if (value->def && (value->def->code == OP_constant || is_free(value->def)))
            continue;
        count += type_elements(value->type) * 2 >= type_elements(op->results[0].type);
    }
    return count;
}

static int update_inputs(const struct op *op)
{
    return op->code == OP_scatter ? (op->operand_count - 1) / 2 : 1;
}

static bool reads(const struct op *op, const struct value *value)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == value)
            return true;
    return false;
}

/* ---- groups ---------------------------------------------------------------------------------- */
static struct node *node_of(const struct op *op)
{
    return op->note;
}

static bool defines(const struct op *op, const struct value *value)
{
    return value->def == op;
}

static void group_add(struct fuser *f, struct group *group, struct op *op, int sites)
{
    group->sites += sites;
    group->reduces |= op->code == OP_reduce;
    group->transposes |= is_strided(op) && out_elements(op) > SMALL_ARRAY;
    size_t kept = 0;
    for (size_t i = 0; i < group->outside.count; i++)
        if (!defines(op, group->outside.items[i]))
            group->outside.items[kept++] = group->outside.items[i];
    group->outside.count = kept;
    for (int i = 0; i < op->operand_count; i++) {
        struct value *value = op->operands[i];
        bool known = fusion_make_takes_inside(value);
        for (size_t j = 0; j < group->outside.count && !known; j++)
            known = group->outside.items[j] == value;
        if (!known)
            VEC_PUSH(f->arena, &group->outside, value);
    }
    VEC_PUSH(f->arena, &group->members, op);
}

static void group_create(struct fuser *f, struct op *root, enum role role)
{
    struct group *group = ARENA_NEW(f->arena, struct group);
    group->root = root;
    group->kind = role == ROLE_UPDATE   ? FUSION_UPDATE
                  : role == ROLE_SINGLE ? FUSION_STANDALONE
                                        : FUSION_LOOP;
    group_add(f, group, root, 1);
    VEC_PUSH(f->arena, &f->groups, group);
    struct node *node = node_of(root);
    struct membership in = {.group = group};
    struct site site = site_root(f->arena, root);
    sites_add(f->arena, &in.sites, &site);
    node->own = group;
    VEC_PUSH(f->arena, &node->in, in);
}

static void add_user_sites(struct fuser *f, const struct use *use, const struct membership *user,
                           struct sites *sites)
{
    for (int i = 0; i < user->sites.count && i < SITES_MAX; i++) {
        struct site site = site_of_operand(f->arena, use->user, use->operand, &user->sites.at[i]);
        sites_add(f->arena, sites, &site);
    }
}

/* Where a group would compute `op`: at the sites of its users there. */
static struct membership candidate(struct fuser *f, const struct op *op, struct group *group)
{
    struct membership result = {.group = group};
    for (int r = 0; r < op->result_count; r++)
        for (const struct use *use = op->results[r].uses; use; use = use->next) {
            const struct node *node = node_of(use->user);
            if (use->user->block != op->block)
                continue;
            for (size_t i = 0; i < node->in.count; i++)
                if (node->in.items[i].group == group)
                    add_user_sites(f, use, &node->in.items[i], &result.sites);
        }
    return result;
}

/* The values a fusion writes in place are read by nothing else in it. */
static bool reads_updated(const struct op *op, const struct group *group)
{
    for (int i = 0; i < update_inputs(group->root); i++)
        if (reads(op, group->root->operands[i]))
            return true;
    return false;
}

static bool fits(const struct op *op, const struct membership *in)
{
    const struct group *group = in->group;
    return in->sites.count <= SITES_MAX && group->sites + in->sites.count <= MAX_MEMBERS &&
           group->outside.count + (size_t)op->operand_count <= MAX_OPERANDS;
}

static bool is_inner(const struct sites *sites)
{
    for (int i = 0; i < sites->count; i++)
        if (sites->at[i].inner)
            return true;
    return false;
}

/* A reduction inside a group: every element once, and enough rows that the threads have work. */
static bool reduce_may_join(const struct op *op, const struct membership *in,
                            const struct target *target)
{
    double elements = out_elements(op), inputs = (double)type_elements(op->operands[0]->type);
    double rows = out_elements(in->group->root);
    if (in->group->transposes || sites_evals(&in->sites) > elements)
        return false;
    if (elements < rows)
        rows = elements;
    return rows >= MIN_ROWS ||
           (!is_inner(&in->sites) && elements == out_elements(in->group->root)) ||
           inputs * 2 < (double)target->parallel_cost / 4;
}

/* Loads that cross memory are done in tiles, of one such access, in a nest without other loops. */
static bool transpose_may_join(const struct membership *in, double elements)
{
    const struct group *group = in->group;
    return group->kind == FUSION_LOOP && !group->reduces && !group->transposes &&
           in->sites.count == 1 && sites_evals(&in->sites) == elements &&
           out_elements(group->root) == elements;
}

/* A scatter goes through its updates one after the other: what takes time to compute is computed
 * before, by all lanes and threads. */
static bool scatter_may_take(const struct op *op, const struct group *group)
{
    return out_elements(op) <= SMALL_ARRAY || is_free(op) ||
           (group->members.count <= SCATTER_MEMBERS && op->code != OP_gather && !is_expensive(op));
}

static bool may_join(const struct op *op, const struct membership *in, const struct target *target)
{
    const struct group *group = in->group;
    if (group->kind == FUSION_STANDALONE || !fits(op, in))
        return false;
    if (group->kind == FUSION_UPDATE && (op->code == OP_reduce || reads_updated(op, group)))
        return false;
    if (group->root->code == OP_scatter && !scatter_may_take(op, group))
        return false;
    if (op->code == OP_reduce)
        return reduce_may_join(op, in, target);
    double elements = out_elements(op), evals = sites_evals(&in->sites);
    if (op->code == OP_concatenate && elements > SMALL_ARRAY)
        return false;
    if (is_strided(op) && elements > SMALL_ARRAY)
        return transpose_may_join(in, elements);
    if (is_free(op) || (evals - elements) * cost_of_element(op) <= SMALL_EXTRA)
        return true;
    return evals <= elements * (is_expensive(op) ? DEAR_REPEAT : CHEAP_REPEAT);
}

/* Whether an operation may be computed in all of several groups. */
static bool may_clone(const struct op *op, const struct membership *in, size_t count)
{
    double evals = 0;
    for (size_t i = 0; i < count; i++)
        evals += sites_evals(&in[i].sites);
    if (is_free(op))
        return true;
    if (op->code == OP_reduce || op->result_count != 1)
        return false;
    if (evals * cost_of_element(op) <= SMALL_EXTRA)
        return true;
    return !is_expensive(op) && count <= MAX_CLONES && large_operands(op) <= 1;
}

/* ---- the walk -------------------------------------------------------------------------------- */
/* Whether a user needs the value in memory. */
static bool use_needs_memory(const struct op *op, const struct use *use)
{
    const struct op *user = use->user;
    if (user->block != op->block) /* captured by a region */
        return true;
    switch (node_of(user)->role) {
    case ROLE_LOOP: return node_of(user)->in.count == 0;
    case ROLE_UPDATE: return use->operand < update_inputs(user);
    default: return true;
    }
}

static void add_candidate(struct fuser *f, const struct op *op, struct group *group,
                          struct node *node)
{
    for (size_t i = 0; i < node->in.count; i++)
        if (node->in.items[i].group == group)
            return;
    VEC_PUSH(f->arena, &node->in, candidate(f, op, group));
}

/* Groups of all users into node->in; true when some user needs memory. */
static bool find_candidates(struct fuser *f, struct op *op)
{
    bool needed = false;
    for (int r = 0; r < op->result_count; r++)
        for (const struct use *use = op->results[r].uses; use; use = use->next) {
            if (use_needs_memory(op, use)) {
                needed = true;
                continue;
            }
            const struct node *user = node_of(use->user);
            for (size_t i = 0; i < user->in.count; i++)
                add_candidate(f, op, user->in.items[i].group, op->note);
        }
    return needed;
}

/* Whether all users that do not belong to the group come after its root, where the fusion will
 * stand. */
static bool users_follow(const struct op *op, const struct group *group)
{
    for (const struct use *use = op->results[0].uses; use; use = use->next) {
        const struct op *user = use->user;
        while (user->block != op->block)
            user = user->block->owner;
        const struct node *node = node_of(user);
        bool member = false;
        for (size_t i = 0; i < node->in.count; i++)
            member |= node->in.items[i].group == group;
        if (!member && node->index >= node_of(group->root)->index)
            return false;
        for (size_t i = 0; i < node->in.count; i++) /* a group stands where its root does */
            if (node->in.items[i].group != group &&
                node_of(node->in.items[i].group->root)->index >= node_of(group->root)->index)
                return false;
    }
    return true;
}

/* A group that computes the value anyway, at the index of its own result: it may as well write
 * it. */
static bool join_as_output(struct fuser *f, struct op *op)
{
    struct node *node = node_of(op);
    for (size_t i = 0; i < node->in.count && op->result_count == 1; i++) {
        struct membership in = node->in.items[i];
        struct site root = site_root(f->arena, in.group->root);
        if (in.group->kind != FUSION_LOOP || in.sites.count != 1 || !may_join(op, &in, f->target) ||
            !type_same_shape(op->results[0].type, in.group->root->results[0].type) ||
            !site_equal(&in.sites.at[0], &root) || in.group->outputs.count >= MAX_OUTPUTS ||
            !users_follow(op, in.group))
            continue;
        node->in.items[0] = in;
        node->in.count = 1;
        group_add(f, in.group, op, 1);
        VEC_PUSH(f->arena, &in.group->outputs, op);
        return true;
    }
    return false;
}

static void place(struct fuser *f, struct op *op)
{
    struct node *node = node_of(op);
    bool needed = find_candidates(f, op), all = true;
    size_t count = node->in.count, kept = 0;
    for (size_t i = 0; i < count; i++)
        all &= may_join(op, &node->in.items[i], f->target);
    if (all && count > 1 && !may_clone(op, node->in.items, count))
        needed = true;
    if ((needed || !all) && !is_free(op)) {
        if (join_as_output(f, op))
            return;
        node->in.count = 0;
    }
    for (size_t i = 0; i < node->in.count; i++)
        if (may_join(op, &node->in.items[i], f->target))
            node->in.items[kept++] = node->in.items[i];
    node->in.count = kept;
    for (size_t i = 0; i < node->in.count; i++)
        group_add(f, node->in.items[i].group, op, node->in.items[i].sites.count);
    if (needed || !all || count == 0)
        group_create(f, op, node->role);
}

static bool is_used(const struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        if (op->results[i].uses)
            return true;
    return false;
}

static void place_all(struct fuser *f, struct block *block)
{
    int index = 0;
    for (struct op *op = block->last; op; op = op->previous) {
        struct node *node = ARENA_NEW(f->arena, struct node);
        node->index = index++;
        node->role = role_of(op, f->target);
        op->note = node;
        if (node->role < ROLE_LOOP || !is_used(op))
            continue;
        if (node->role == ROLE_LOOP)
            place(f, op);
        else
            group_create(f, op, node->role);
    }
}

/* ---- making fusions -------------------------------------------------------------------------- */
static void build_group(struct fuser *f, struct group *group)
{
    struct op *root = group->root;
    size_t count = group->members.count;
    struct op **members = ARENA_ARRAY(f->arena, struct op *, count);
    for (size_t i = 0; i < count; i++)
        members[i] = group->members.items[count - 1 - i];
    struct value **results =
        ARENA_ARRAY(f->arena, struct value *, root->result_count + group->outputs.count);
    int result_count = 0;
    for (int i = 0; i < root->result_count; i++)
        if (group->kind != FUSION_LOOP || root->results[i].uses)
            results[result_count++] = &root->results[i];
    for (size_t i = 0; i < group->outputs.count; i++)
        results[result_count++] = &group->outputs.items[i]->results[0];
    struct op *fusion =
        fusion_make(f->module, group->kind, root, (int)count, members, result_count, results);
    for (int i = 0; i < result_count; i++)
        ir_replace_uses(f->module, results[i], &fusion->results[i]);
}

/* From the end of the block: a root that is replaced later is an operand of the fusions built
 * before. */
static void build_all(struct fuser *f)
{
    for (size_t i = 0; i < f->groups.count; i++)
        build_group(f, f->groups.items[i]);
}

static void remove_dead(struct block *block)
{
    struct op *previous;
    for (struct op *op = block->last; op; op = previous) {
        previous = op->previous;
        if (op->code == OP_fusion || is_used(op))
            continue;
        bool is_free_to_go = ir_is_pure(op) || op->code == OP_rng;
        if (is_free_to_go && !(op_info(op->code)->traits & OP_TERMINATOR))
            ir_remove(op);
    }
}

static void prepare(struct fuser *f, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        enum role role = role_of(op, f->target);
        if (role == ROLE_UPDATE)
            fusion_operands_update(f->module, op, update_inputs(op));
        else if (role == ROLE_SINGLE)
            fusion_operands_single(f->module, op);
        struct op *top = op->code == OP_sort ? fusion_sort_make(f->module, op) : NULL;
        op = top ? top : op;
    }
}

static void fuse_block(struct fuser *f, struct block *block);

static void fuse_regions(struct fuser *f, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                fuse_block(f, op->regions[i]);
}

static void fuse_block(struct fuser *f, struct block *block)
{
    fuse_regions(f, block);
    remove_dead(block);
    f->groups.count = 0;
    prepare(f, block);
    place_all(f, block);
    build_all(f);
    remove_dead(block);
    fusion_operands_splats(f->module, block);
}

struct error *fusion_run(struct module *module, const struct target *target)
{
    struct fuser f = {.module = module, .arena = module->arena, .target = target};
    for (struct func *func = module->first; func; func = func->next)
        fuse_block(&f, func->body);
    return NULL;
}
