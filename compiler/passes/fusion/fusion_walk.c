/* fusion_walk.c: see fusion_walk.h. */
#include "compiler/passes/fusion/fusion_walk.h"

#include "compiler/schedule/access.h"
#include "compiler/schedule/cost.h"

enum {
    VALUES = 128, /* that a walk visits */
    USES = 8      /* of each, and groups of each user, that are looked at */
};

struct walk {
    const struct op *from; /* not yet a member of the group */
    const struct group *group;
    int number;
    int left;    /* values it may still visit */
    double most; /* time from which it ends */
    struct join_operands time;
};

/* How often a value is read for an element of the operation where the walk started, and which of
 * its dimensions follow that operation's, a bit each. */
struct reads {
    double share;
    struct join_dims dims;
};

/* An array in memory is needed there by a user that is not part of a loop. */
bool fusion_walk_is_stored(const struct op *op)
{
    for (const struct use *use = op->result_count ? op->results[0].uses : NULL; use;
         use = use->next) {
        const struct op *user = use->user;
        enum fusion_role role =
            user->block == op->block ? fusion_node_of(user)->role : ROLE_STANDALONE;
        if (role < ROLE_LOOP || role == ROLE_STANDALONE ||
            (role == ROLE_UPDATE && use->operand < fusion_op_updated_count(user)))
            return true;
    }
    return false;
}

static bool is_member(const struct op *op, const struct group *group)
{
    const struct fusion_node *node = fusion_node_of(op);
    for (size_t i = 0; i < node->in.count && i < USES; i++)
        if (node->in.items[i].group == group)
            return true;
    return false;
}

/* Whether the group reads or computes the value for one of its members. */
static bool is_used(const struct walk *walk, const struct value *value)
{
    const struct use *use = value->uses;
    for (int i = 0; walk->group && use && i < USES; i++, use = use->next)
        if (use->user != walk->from && use->user->block == walk->from->block &&
            is_member(use->user, walk->group))
            return true;
    return false;
}

/* Whether a value would be computed with its user: it is no array that is stored in any case, nor a
 * reduction, which no kernel repeats. */
static bool is_computed(const struct op *def, const struct op *user)
{
    return def && def->block == user->block && fusion_node_of(def)->role == ROLE_LOOP &&
           def->code != OP_reduce && !fusion_node_of(def)->is_stored;
}

static bool is_splat(const struct op *def)
{
    return def && def->code == OP_constant && def->attrs.constant.value->splat;
}

/* Whether an operation reads elements of an array that others of its users do not. */
static bool takes_part(const struct op *op)
{
    return op->code == OP_slice || op->code == OP_dynamic_slice;
}

/* Whether the walk has met what defines the value; it has now. */
static bool is_met(struct walk *walk, const struct op *def, const struct op *user)
{
    if (!def || def->block != user->block)
        return false;
    bool met = fusion_node_of(def)->walk == walk->number;
    fusion_node_of(def)->walk = walk->number;
    return met;
}

/* Where lanes compute the same, arithmetic of one element takes as long as that of a vector; what
 * reads elements one by one does not. */
static void add_element(struct walk *walk, const struct op *op, double share)
{
    double time = share * join_cost_element(op);
    bool is_read = !(op_info(op->code)->traits & OP_ELEMENTWISE);
    walk->time.computed += is_read ? 0 : time;
    walk->time.read += is_read ? time : 0;
    walk->time.crossed += is_read ? time : 0;
}

static void add_operands(struct walk *walk, const struct op *op, const struct reads *reads);

static void add_value(struct walk *walk, const struct op *user, const struct value *value,
                      const struct reads *reads)
{
    const struct op *def = value->def;
    bool computed = is_computed(def, user);
    if (is_splat(def) || is_met(walk, def, user) ||
        ((computed || !takes_part(user)) && is_used(walk, value)))
        return;
    if (computed) {
        add_element(walk, def, reads->share);
        add_operands(walk, def, reads);
        return;
    }
    uint64_t last = reads->dims.last, others = reads->dims.others;
    walk->time.read += reads->share * join_cost_read(value, last, others);
    walk->time.crossed += reads->share * join_cost_read(value, others, last);
}

/* The dimensions that have more than one index, a bit each. */
static uint64_t loops_over(const struct type *type)
{
    uint64_t loops = 0;
    for (int i = 0; i < type->shape.rank; i++)
        loops |= (uint64_t)(type->shape.dims[i] != 1) << i;
    return loops;
}

static bool goes_on(struct walk *walk)
{
    return walk->left-- > 0 && walk->time.computed + walk->time.read < walk->most;
}

static void add_operands(struct walk *walk, const struct op *op, const struct reads *reads)
{
    uint64_t loops = loops_over(op->results[0].type);
    for (int i = 0; i < op->operand_count && goes_on(walk); i++) {
        struct reads before = {
            .share = reads->share * join_cost_share(op, i),
            .dims = {access_dims_of(op, i, reads->dims.last & loops),
                     access_dims_of(op, i, reads->dims.others & loops)},
        };
        add_value(walk, op, op->operands[i], &before);
    }
}

struct join_operands fusion_walk_operands(const struct op *op, const struct group *group,
                                          bool in_region, int number)
{
    struct walk walk = {
        .from = op,
        .group = group,
        .number = number,
        .left = VALUES,
        .most = join_cost_decisive(op, in_region),
    };
    struct reads reads = {.share = 1, .dims = join_dims_of(op->results[0].type)};
    add_operands(&walk, op, &reads);
    return walk.time;
}
