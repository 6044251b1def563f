/* fusion_join.c: see fusion_join.h. */
#include "compiler/passes/fusion/fusion_join.h"

#include "compiler/analysis/cost.h"
#include "compiler/passes/fusion/fusion_op.h"

enum {
    MAX_MEMBERS = 200,    /* operations of a group, counted once a point */
    MAX_CODE = 400,       /* their arithmetic an element, and so the size of the kernel's code */
    MAX_CLONES = 3,       /* groups that compute a cheap value again */
    CHEAP_REPEAT = 4,     /* times a cheap element may be computed in one group */
    EXPENSIVE_REPEAT = 2, /* times an expensive one may: about what writing and reading it costs */
    SMALL_EXTRA = 2000,   /* cost below which computing again beats a kernel of its own */
    SCATTER_MEMBERS = 8,  /* operations that many updates of a scatter are computed by */
    MIN_ROWS = 64         /* results below which a reduction inside would leave threads idle */
};

static bool reads(const struct op *op, const struct value *value)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] == value)
            return true;
    return false;
}

/* The values a fusion writes in place are read by nothing else in it. */
static bool reads_updated(const struct op *op, const struct group *group)
{
    for (int i = 0; i < fusion_op_updated(group->root); i++)
        if (reads(op, group->root->operands[i]))
            return true;
    return false;
}

static bool fits(const struct op *op, const struct membership *in)
{
    const struct group *group = in->group;
    return in->points.count <= EVAL_POINT_MAX && group->points + in->points.count <= MAX_MEMBERS &&
           group->code + fusion_group_code(op, &in->points) <= MAX_CODE &&
           group->outside.count + (size_t)op->operand_count <= FUSION_GROUP_OPERANDS;
}

static bool is_inner(const struct eval_points *points)
{
    for (int i = 0; i < points->count; i++)
        if (points->at[i].inner)
            return true;
    return false;
}

/* Where a reduction runs along the lanes, every few lanes are a work item, and each item would do a
 * reduction of its row again. */
static bool mixes_lanes_and_rows(const struct membership *in)
{
    bool lanes = in->group->reduces_lanes, rows = in->group->reduces_rows;
    for (int i = 0; i < in->points.count; i++)
        *(fusion_group_is_along_lanes(in->group, &in->points.at[i]) ? &lanes : &rows) = true;
    return lanes && rows;
}

/* A reduction inside a group: every element once, and enough rows that the threads have work. */
static bool reduce_may_join(const struct op *op, const struct membership *in,
                            const struct target *target)
{
    double elements = fusion_op_elements(op), inputs = (double)type_elements(op->operands[0]->type);
    double rows = fusion_op_elements(in->group->root);
    if (in->group->transposes || eval_point_total(&in->points) > elements ||
        mixes_lanes_and_rows(in))
        return false;
    if (elements < rows)
        rows = elements;
    return rows >= MIN_ROWS ||
           (!is_inner(&in->points) && elements == fusion_op_elements(in->group->root)) ||
           inputs * 2 < (double)target->parallel_cost / 4;
}

/* Loads that cross memory are done in tiles, of one such access, in a nest without other loops. */
static bool transpose_may_join(const struct membership *in, double elements)
{
    const struct group *group = in->group;
    return group->kind == FUSION_LOOP && !group->reduces && !group->transposes &&
           in->points.count == 1 && eval_point_total(&in->points) == elements &&
           fusion_op_elements(group->root) == elements;
}

/* A scatter goes through its updates one after the other: what takes time to compute is computed
 * before, by all lanes and threads. */
static bool scatter_may_take(const struct op *op, const struct group *group)
{
    return fusion_op_elements(op) <= FUSION_OP_SMALL || fusion_op_is_free(op) ||
           (group->members.count <= SCATTER_MEMBERS && op->code != OP_gather &&
            !fusion_op_is_expensive(op));
}

bool fusion_join_allowed(const struct op *op, const struct membership *in,
                         const struct target *target)
{
    const struct group *group = in->group;
    if (group->kind == FUSION_STANDALONE || !fits(op, in))
        return false;
    if (group->kind == FUSION_UPDATE && (op->code == OP_reduce || reads_updated(op, group)))
        return false;
    if (group->root->code == OP_scatter && !scatter_may_take(op, group))
        return false;
    double uniform = fusion_group_uniform(op, &in->points);
    if (uniform && (group->uniform + uniform) * 8 >= (double)target->parallel_cost)
        return false;
    if (op->code == OP_reduce)
        return reduce_may_join(op, in, target);
    double elements = fusion_op_elements(op), times = eval_point_total(&in->points);
    if (op->code == OP_concatenate && elements > FUSION_OP_SMALL)
        return false;
    if (fusion_op_is_strided(op) && elements > FUSION_OP_SMALL)
        return transpose_may_join(in, elements);
    if (fusion_op_is_free(op) || (times - elements) * cost_of_element(op) <= SMALL_EXTRA)
        return true;
    return times <= elements * (fusion_op_is_expensive(op) ? EXPENSIVE_REPEAT : CHEAP_REPEAT);
}

bool fusion_join_may_clone(const struct op *op, const struct membership *in, size_t count)
{
    double times = 0;
    for (size_t i = 0; i < count; i++)
        times += eval_point_total(&in[i].points);
    if (fusion_op_is_free(op))
        return true;
    if (op->code == OP_reduce || op->result_count != 1)
        return false;
    if (times * cost_of_element(op) <= SMALL_EXTRA)
        return true;
    return !fusion_op_is_expensive(op) && count <= MAX_CLONES && fusion_op_large_operands(op) <= 1;
}
