/* fusion.c: decides which operations share a kernel.
 *
 * The pass visits a block in reverse order. The groups of an operation's users are known when it is
 * visited: it joins them if they may compute its elements; otherwise it is stored and becomes the
 * root of a new group. A group is therefore a tree of producers with one root. A fusion replaces
 * its root in place, so operations stay in dominance order. An operation that joins several groups
 * is cloned into each.
 *
 * The decision depends on how many times a group computes each element of an operation
 * (eval_point.h): once is free; repetition, also of what computes its operands, is compared with
 * the time of storing and loading the value (schedule/join_cost.h). A value that is broadcast along
 * inner dimensions is computed once per row, so a reduction whose result is combined with the row
 * it reduces (softmax, layer normalization) is part of one kernel; a reduction over outer
 * dimensions is not. */
#include "compiler/passes/fusion/fusion.h"

#include "base/vec.h"
#include "compiler/passes/fusion/fusion_group.h"
#include "compiler/passes/fusion/fusion_join.h"
#include "compiler/passes/fusion/fusion_op.h"
#include "compiler/passes/fusion/fusion_operands.h"
#include "compiler/passes/fusion/fusion_sort.h"
#include "compiler/passes/fusion/fusion_walk.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/rewrite/fusion_make.h"

enum {
    MAX_OUTPUTS = 7,   /* of a group, besides the root */
    MAX_GROWTH = 4,    /* cloning stops when the fusions of a block contain MAX_GROWTH operations
                        * per operation of the block ... */
    FREE_CLONES = 1000 /* ... plus FREE_CLONES */
};

struct fuser {
    struct module *module;
    struct arena *arena;
    const struct target *target;
    VEC(struct group *) groups;
    int64_t clones_left; /* of the block */
    int walks;           /* so far (fusion_walk.h) */
    bool in_region;      /* the block is in a loop cheap enough for one kernel (outline.h) */
};

static void create_group(struct fuser *f, struct op *root, enum fusion_role role)
{
    struct fusion_node *node = fusion_node_of(root);
    struct membership in = {0};
    struct eval_point point = eval_point_root(f->arena, root);
    enum fusion_kind kind = role == ROLE_UPDATE       ? FUSION_UPDATE
                            : role == ROLE_STANDALONE ? FUSION_STANDALONE
                                                      : FUSION_LOOP;
    in.group = fusion_group_create(f->arena, kind, root);
    in.group->in_region = f->in_region;
    in.group->copies = kind == FUSION_LOOP && fusion_operands_are_copied(root, f->target);
    eval_point_add(f->arena, &in.points, &point);
    VEC_PUSH(f->arena, &f->groups, in.group);
    VEC_PUSH(f->arena, &node->in, in);
}

static void add_user_points(struct fuser *f, const struct use *use, const struct membership *user,
                            struct eval_points *points)
{
    const struct eval_point *row = join_cost_row(&use->user->results[0], &user->points);
    for (int i = 0; i < user->points.count && i < EVAL_POINT_MAX; i++) {
        const struct eval_point *at = &user->points.at[i];
        if (row && at != row)
            continue;
        struct eval_point point = eval_point_of_operand(f->arena, use->user, use->operand, at);
        eval_point_add(f->arena, points, &point);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */
/* Whether a user needs the value in memory. */
static bool use_needs_memory(const struct op *op, const struct use *use)
{
    const struct op *user = use->user;
    if (user->block != op->block) /* captured by a region */
        return true;
    switch (fusion_node_of(user)->role) {
    case ROLE_LOOP: return fusion_node_of(user)->in.count == 0;
    case ROLE_UPDATE: return use->operand < fusion_op_updated_count(user);
    default: return true;
    }
}

/* The membership of the operation being assigned in a group of one of its users. */
static struct membership *candidate(struct fuser *f, struct op *op, struct group *group)
{
    struct fusion_node *node = fusion_node_of(op);
    if (group->candidate_of != op) {
        group->candidate_of = op;
        group->candidate_index = node->in.count;
        struct membership in = {.group = group};
        VEC_PUSH(f->arena, &node->in, in);
    }
    return &node->in.items[group->candidate_index];
}

/* Collects the groups of all users in node->in, with the points where each would compute op.
 * Returns whether a user needs op in memory. */
static bool find_candidates(struct fuser *f, struct op *op)
{
    bool needed = false;
    for (int r = 0; r < op->result_count; r++)
        for (const struct use *use = op->results[r].uses; use; use = use->next) {
            if (use_needs_memory(op, use)) {
                needed = true;
                continue;
            }
            const struct fusion_node *user = fusion_node_of(use->user);
            for (size_t i = 0; i < user->in.count; i++)
                add_user_points(f, use, &user->in.items[i],
                                &candidate(f, op, user->in.items[i].group)->points);
        }
    return needed;
}

/* Whether an operation is computed as a member of a group or after its root: where the roots of its
 * own groups are, or, if it has none or is an alias, where it is. */
static bool follows(const struct op *op, const struct group *group)
{
    const struct fusion_node *node = fusion_node_of(op);
    int root = fusion_node_of(group->root)->index;
    for (size_t i = 0; i < node->in.count; i++)
        if (node->in.items[i].group != group &&
            fusion_node_of(node->in.items[i].group->root)->index >= root)
            return false;
    return (node->in.count && node->role != ROLE_ALIAS) || node->index < root;
}

/* Whether all users outside of the group come after its root, whose position the fusion takes. */
static bool users_follow(const struct op *op, const struct group *group)
{
    for (const struct use *use = op->results[0].uses; use; use = use->next) {
        const struct op *user = use->user;
        while (user->block != op->block)
            user = user->block->owner;
        if (!follows(user, group))
            return false;
    }
    return true;
}

/* The group whose root comes first: only it can precede all other users. */
static const struct membership *first_group(const struct fusion_node *node)
{
    const struct membership *first = node->in.items;
    for (size_t i = 1; i < node->in.count; i++)
        if (fusion_node_of(node->in.items[i].group->root)->index >
            fusion_node_of(first->group->root)->index)
            first = &node->in.items[i];
    return first;
}

/* Whether a group that computes op, the first of them, computes its elements at the index of the
 * root and may have it as another output. */
static bool may_be_output(struct fuser *f, const struct op *op)
{
    const struct fusion_node *node = fusion_node_of(op);
    if (!node->in.count || op->result_count != 1)
        return false;
    const struct membership *in = first_group(node);
    struct eval_point root = eval_point_root(f->arena, in->group->root);
    return in->group->kind == FUSION_LOOP && in->points.count == 1 &&
           fusion_join_allowed(op, in, f->target) &&
           type_same_shape(op->results[0].type, in->group->root->results[0].type) &&
           eval_point_equal(&in->points.at[0], &root) && in->group->outputs.count < MAX_OUTPUTS &&
           users_follow(op, in->group);
}

static bool join_as_output(struct fuser *f, struct op *op)
{
    struct fusion_node *node = fusion_node_of(op);
    if (!may_be_output(f, op))
        return false;
    struct membership in = *first_group(node);
    node->in.items[0] = in;
    node->in.count = 1;
    fusion_group_add(f->arena, in.group, op, &in.points);
    VEC_PUSH(f->arena, &in.group->outputs, op);
    return true;
}

static void join_groups(struct fuser *f, struct op *op)
{
    struct fusion_node *node = fusion_node_of(op);
    size_t kept = 0;
    for (size_t i = 0; i < node->in.count; i++)
        if (fusion_join_allowed(op, &node->in.items[i], f->target))
            node->in.items[kept++] = node->in.items[i];
    node->in.count = kept;
    for (size_t i = 0; i < kept; i++) {
        struct group *group = node->in.items[i].group;
        group->apart |= fusion_join_parts_rows(op, &node->in.items[i]);
        fusion_group_add(f->arena, group, op, &node->in.items[i].points);
    }
    f->clones_left -= (int64_t)kept;
}

/* A reshape of what is in memory in any case, a kernel of which would only copy. */
static bool is_pure_alias(const struct fuser *f, const struct op *op)
{
    const struct op *def = op->operand_count ? op->operands[0]->def : NULL;
    return op->code == OP_reshape &&
           (!def || def->block != op->block || fusion_op_role(def, f->target) != ROLE_LOOP);
}

static bool is_returned(const struct op *op)
{
    for (const struct use *use = op->results[0].uses; use; use = use->next)
        if (op_info(use->user->code)->traits & OP_TERMINATOR)
            return true;
    return false;
}

/* Whether a group only copies what is stored anyway: a reshape of it alone, for users that need it
 * in memory. If both are returned (`returned`: op is), one has to be a copy. */
static bool is_bare_reshape(const struct group *group, const struct op *op, bool returned)
{
    const struct op *root = group->root;
    return root->code == OP_reshape && root->operands[0]->def == op && group->members.count == 1 &&
           fusion_node_of(root)->in.count == 1 && !(returned && is_returned(root));
}

/* Reshapes of an operation that is stored are the same memory. They were visited before it, when it
 * was not known to be. */
static void alias_reshapes(struct op *op)
{
    struct fusion_node *node = fusion_node_of(op);
    bool returned = is_returned(op);
    size_t kept = 0;
    for (size_t i = 0; i < node->in.count; i++) {
        struct group *group = node->in.items[i].group;
        if (!is_bare_reshape(group, op, returned)) {
            node->in.items[kept++] = node->in.items[i];
            continue;
        }
        fusion_node_of(group->root)->role = ROLE_ALIAS;
        fusion_node_of(group->root)->in.count = 0;
        group->members.count = 0;
    }
    node->in.count = kept;
}

/* Sets what the operands of an element take in each group, if a decision depends on it. */
static void weigh(struct fuser *f, struct op *op)
{
    struct fusion_node *node = fusion_node_of(op);
    bool once = node->in.count == 1;
    for (size_t i = 0; i < node->in.count; i++)
        once &= node->in.items[i].is_once = fusion_join_is_once(op, &node->in.items[i]);
    if (once || !node->in.count || op->code == OP_reduce || fusion_op_is_free(op))
        return;
    struct join_operands alone = fusion_walk_operands(op, NULL, f->in_region, ++f->walks);
    for (size_t i = 0; i < node->in.count; i++) {
        struct membership *in = &node->in.items[i];
        in->alone = alone;
        in->operands = fusion_walk_operands(op, in->group, f->in_region, ++f->walks);
    }
}

static void assign(struct fuser *f, struct op *op)
{
    struct fusion_node *node = fusion_node_of(op);
    bool needed = find_candidates(f, op), all = true;
    size_t count = node->in.count;
    weigh(f, op);
    for (size_t i = 0; i < count; i++)
        all &= fusion_join_allowed(op, &node->in.items[i], f->target);
    if (all && count > 1 && !fusion_join_may_clone(op, node->in.items, count, may_be_output(f, op)))
        needed = true;
    bool too_many = count > 1 && (int64_t)count > f->clones_left;
    if (too_many || ((needed || !all) && !fusion_op_is_free(op))) {
        alias_reshapes(op);
        if (join_as_output(f, op))
            return;
        node->in.count = 0;
    }
    join_groups(f, op);
    if (!needed && all && node->in.count)
        return;
    if (is_pure_alias(f, op))
        node->role = ROLE_ALIAS;
    else
        create_group(f, op, node->role);
}

static bool is_used(const struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        if (op->results[i].uses)
            return true;
    return false;
}

static void make_nodes(struct fuser *f, struct block *block)
{
    f->clones_left = FREE_CLONES;
    for (struct op *op = block->first; op; op = op->next) {
        struct fusion_node *node = ARENA_NEW(f->arena, struct fusion_node);
        node->role = fusion_op_role(op, f->target);
        op->note = node;
        f->clones_left += MAX_GROWTH;
    }
    for (struct op *op = block->first; op; op = op->next)
        fusion_node_of(op)->is_stored = fusion_walk_is_stored(op);
}

static void assign_all(struct fuser *f, struct block *block)
{
    int index = 0;
    make_nodes(f, block);
    for (struct op *op = block->last; op; op = op->previous) {
        struct fusion_node *node = fusion_node_of(op);
        node->index = index++;
        if (node->role < ROLE_LOOP || !is_used(op))
            continue;
        if (node->role == ROLE_LOOP)
            assign(f, op);
        else
            create_group(f, op, node->role);
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

/* In reverse order of the block: each root that is replaced later is an operand of fusions that
 * already exist. */
static void build_all(struct fuser *f)
{
    for (size_t i = 0; i < f->groups.count; i++)
        if (f->groups.items[i]->members.count) /* else of an alias */
            build_group(f, f->groups.items[i]);
}

static void remove_dead(struct block *block)
{
    struct op *previous;
    for (struct op *op = block->last; op; op = previous) {
        previous = op->previous;
        if (op->code == OP_fusion || is_used(op))
            continue;
        bool is_removable = ir_is_pure(op) || op->code == OP_rng;
        if (is_removable && !(op_info(op->code)->traits & OP_TERMINATOR))
            ir_remove(op);
    }
}

static void prepare(struct fuser *f, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        enum fusion_role role = fusion_op_role(op, f->target);
        if (role == ROLE_UPDATE)
            fusion_operands_update(f->module, op, fusion_op_updated_count(op));
        else if (role == ROLE_STANDALONE)
            fusion_operands_standalone(f->module, op);
        if (op->code == OP_concatenate)
            fusion_operands_concatenate(f->module, op, f->target);
        struct op *top = op->code == OP_sort ? fusion_sort_make(f->module, op) : NULL;
        op = top ? top : op;
    }
}

static void fuse_block(struct fuser *f, struct block *block);

static void fuse_regions(struct fuser *f, struct block *block)
{
    bool in_region = f->in_region;
    for (struct op *op = block->first; op; op = op->next) {
        if (!(op_info(op->code)->traits & OP_CONTROL))
            continue;
        f->in_region = in_region || outline_is_cheap(op, f->target);
        for (int i = 0; i < op->region_count; i++)
            fuse_block(f, op->regions[i]);
    }
    f->in_region = in_region;
}

static void fuse_block(struct fuser *f, struct block *block)
{
    fuse_regions(f, block);
    remove_dead(block);
    f->groups.count = 0;
    prepare(f, block);
    assign_all(f, block);
    build_all(f);
    remove_dead(block);
    fusion_operands_splats(f->module, block);
}

struct error *fusion_run(struct module *module, const struct target *target)
{
    struct fuser f = {.module = module, .arena = arena_scratch(module->arena), .target = target};
    for (struct func *func = module->first; func; func = func->next)
        fuse_block(&f, func->body);
    return NULL;
}
