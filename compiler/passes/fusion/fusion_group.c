/* fusion_group.c: see fusion_group.h. */
#include "compiler/passes/fusion/fusion_group.h"

#include "compiler/schedule/cost.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/fusion/fusion_op.h"

static bool defines(const struct op *op, const struct value *value)
{
    return value->def == op;
}

/* Updates the operands of the group, up to the counted maximum. */
static void add_operands(struct arena *arena, struct group *group, const struct op *op)
{
    size_t kept = 0;
    for (size_t i = 0; i < group->outside.count; i++)
        if (!defines(op, group->outside.items[i]))
            group->outside.items[kept++] = group->outside.items[i];
    group->outside.count = kept;
    for (int i = 0; i < op->operand_count && group->outside.count <= FUSION_GROUP_OPERANDS; i++) {
        struct value *value = op->operands[i];
        bool known = fusion_make_is_internal(value);
        for (size_t j = 0; j < group->outside.count && !known; j++)
            known = group->outside.items[j] == value;
        if (!known)
            VEC_PUSH(arena, &group->outside, value);
    }
}

bool fusion_group_is_along_lanes(const struct group *group, const struct eval_point *point)
{
    const struct type *type = group->root->results[0].type;
    double last = 1;
    for (int i = type->shape.rank - 1; i >= 0 && last == 1; i--)
        last = (double)type->shape.dims[i];
    return eval_point_count(point) > fusion_op_elements(group->root) / last;
}

double fusion_group_code(const struct op *op, const struct eval_points *points)
{
    int count = points->count < EVAL_POINT_MAX ? points->count : EVAL_POINT_MAX;
    double parts = dtype_is_complex(op->results[0].type->shape.dtype) ? 4 : 1;
    return parts * cost_of_element(op) * count;
}

/* The cost of an element that is computed inside of a reduction. */
static double inner_cost(const struct op *op)
{
    double cost = cost_of_element(op);
    if (op->code == OP_reduce)
        cost *= (double)type_elements(op->operands[0]->type) / fusion_op_elements(op);
    return cost;
}

/* The part of an operation's cost that is inside reductions that each work item repeats. */
double fusion_group_uniform(const struct op *op, const struct eval_points *points)
{
    double work = 0;
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        if (points->at[i].uniform)
            work += eval_point_count(&points->at[i]) * inner_cost(op);
        else if (op->code == OP_reduce && points->at[i].repeats &&
                 eval_point_count(&points->at[i]) <= 1)
            work += (double)type_elements(op->operands[0]->type);
    return work;
}

void fusion_group_add(struct arena *arena, struct group *group, struct op *op,
                      const struct eval_points *points)
{
    bool is_row;
    group->points += points->count;
    group->code += fusion_group_code(op, points);
    group->uniform += fusion_group_uniform(op, points);
    group->reduces |= op->code == OP_reduce;
    if (op->code == OP_reduce && fusion_op_row(op, &is_row) > 1)
        *(is_row ? &group->sums_rows : &group->sums_columns) = true;
    for (int i = 0; op->code == OP_reduce && i < points->count && i < EVAL_POINT_MAX; i++)
        *(fusion_group_is_along_lanes(group, &points->at[i]) ? &group->reduces_lanes
                                                             : &group->reduces_rows) = true;
    group->transposes |= fusion_op_is_strided(op) && fusion_op_elements(op) > FUSION_OP_SMALL;
    if (op->code == OP_concatenate && op != group->root &&
        fusion_op_elements(op) > FUSION_OP_SMALL && !eval_point_is_index_vector(op, &points->at[0]))
        *(eval_point_interleaves(op, &points->at[0]) ? &group->interleaves : &group->selects) =
            true;
    add_operands(arena, group, op);
    VEC_PUSH(arena, &group->members, op);
}

struct group *fusion_group_create(struct arena *arena, enum fusion_kind kind, struct op *root)
{
    struct group *group = ARENA_NEW(arena, struct group);
    struct eval_points points = {0};
    struct eval_point point = eval_point_root(arena, root);
    eval_point_add(arena, &points, &point);
    group->root = root;
    group->kind = kind;
    fusion_group_add(arena, group, root, &points);
    return group;
}
