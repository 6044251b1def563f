/* fusion_join.c: see fusion_join.h. */
#include "compiler/passes/fusion/fusion_join.h"

#include "compiler/schedule/short_row.h"
#include "compiler/schedule/concatenation.h"
#include "compiler/analysis/constants.h"
#include "compiler/schedule/cost.h"
#include "compiler/schedule/join_cost.h"
#include "compiler/passes/fusion/fusion_op.h"
#include "compiler/passes/fusion/fusion_operands.h"

enum {
    MAX_MEMBERS = 200,     /* operations of a group, counted once per evaluation point */
    MAX_CLONES = 3,        /* groups that may compute the same array */
    ELEMENTWISE_STEPS = 8, /* most operations between what an update reads and writes */
    SCATTER_MEMBERS = 8,   /* most operations that compute many updates of a scatter */
    MIN_ROWS = 64,         /* with fewer results, a fused reduction would leave threads idle */
    STRIDED_ROW = 4,       /* of rows up to this length, lanes may each read another one; */
    STRIDED_SUM = 1 << 14, /* and where so little is summed: another kernel takes 1 ms to compile */
    GATHERED_ROW = 16,     /* sums of rows this long are faster stored than gathered by lanes */
    REPEATED_ROW = 128,    /* rows that another reduction of the row reads again from the cache: for
                            * shorter ones it would wait for the sum longer than for memory */
    SELECTED_OPERANDS = 4, /* most operands of a concatenation that are selected for each row ... */
    SELECTED_ROW = 16,     /* ... which is at least so long */
    FEW_SELECTED = 8,      /* ... or one in so many elements is selected */
    SCALAR_CODE = 10       /* cost per element from which it is computed in vectors, not beside the
                           * sum of a row: about that of one function like exp */
};

/* Whether each element of a value is used for the element of an update at the same index alone. */
static bool is_for_same_index(const struct value *value, const struct op *update)
{
    for (int i = 0; i < ELEMENTWISE_STEPS && ir_has_one_use(value); i++) {
        const struct op *user = value->uses->user;
        if (user == update)
            return value->uses->operand == 1;
        if (!(op_info(user->code)->traits & OP_ELEMENTWISE) || user->block != update->block ||
            user->result_count != 1 || !type_same_shape(user->results[0].type, value->type))
            return false;
        value = &user->results[0];
    }
    return false;
}

/* Whether a slice starts at index `at` of dimension i. */
static bool starts_at(const struct op *slice, int i, const struct value *at)
{
    int64_t start;
    if (slice->code == OP_dynamic_slice)
        return slice->operands[1 + i] == at;
    return slice->code == OP_slice && slice->attrs.slice.strides.at[i] == 1 &&
           constants_integer(at, &start) && start == slice->attrs.slice.start_indices.at[i];
}

/* Whether op reads the updated array where the update writes it: each element is read before it is
 * written, as in loops over elements whose result has the memory of an operand. */
static bool reads_own_window(const struct op *op, const struct op *update)
{
    if (update->code != OP_dynamic_update_slice || op->operand_count < 1 ||
        op->operands[0] != update->operands[0] ||
        !type_same_shape(op->results[0].type, update->operands[1]->type) ||
        !is_for_same_index(&op->results[0], update))
        return false;
    for (int i = 0; i < op->results[0].type->shape.rank; i++)
        if (!starts_at(op, i, update->operands[2 + i]))
            return false;
    return true;
}

/* No other operation of a fusion may read the values it updates in place, but where they are. */
static bool reads_updated(const struct op *op, const struct group *group)
{
    if (reads_own_window(op, group->root))
        return false;
    for (int i = 0; i < fusion_op_updated_count(group->root); i++)
        if (ir_operand_of(op, group->root->operands[i]) >= 0)
            return true;
    return false;
}

/* Whether op computes an array that the fusion updates in place, which a slice of its own window
 * reads, too: the array is memory that the fusion begins with. */
static bool computes_updated(const struct op *op, const struct group *group)
{
    for (int i = 0; i < fusion_op_updated_count(group->root); i++)
        if (group->root->operands[i]->def == op)
            return true;
    return false;
}

static bool may_join_update(const struct op *op, const struct group *group)
{
    return op->code != OP_reduce && !reads_updated(op, group) && !computes_updated(op, group);
}

static bool fits(const struct op *op, const struct membership *in)
{
    const struct group *group = in->group;
    return in->points.count <= EVAL_POINT_MAX && group->points + in->points.count <= MAX_MEMBERS &&
           group->code + fusion_group_code(op, &in->points) <= FUSION_OP_CODE &&
           group->outside.count + (size_t)op->operand_count <= FUSION_GROUP_OPERANDS;
}

static bool is_inner(const struct eval_points *points)
{
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        if (eval_point_is_inner(&points->at[i]))
            return true;
    return false;
}

static bool is_reduced(const struct eval_points *points)
{
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        if (points->at[i].inner)
            return true;
    return false;
}

/* A reduction whose results differ along the lanes makes a few lanes one work item; a reduction of
 * the row would be repeated by each of these work items. */
static bool mixes_lanes_and_rows(const struct membership *in)
{
    bool lanes = in->group->reduces_lanes, rows = in->group->reduces_rows;
    for (int i = 0; i < in->points.count; i++)
        *(fusion_group_is_along_lanes(in->group, &in->points.at[i]) ? &lanes : &rows) = true;
    return lanes && rows;
}

/* Whether the kernel would compute an expensive function of the sum of each row. Lanes are along
 * the row, so that the function would be computed of one element at a time. */
static bool computes_with_scalars(const struct op *op, const struct membership *in)
{
    bool is_row;
    double elements = fusion_op_elements(op), rest = in->group->code;
    return fusion_op_row(op, &is_row) >= SHORT_ROW_REDUCED && is_row && rest > SCALAR_CODE &&
           cost_time(RATE_SIMPLE, rest * elements) > join_cost_launch(in->group->in_region) &&
           elements == fusion_op_elements(in->group->root);
}

static bool is_along_lanes(const struct membership *in)
{
    for (int i = 0; i < in->points.count; i++)
        if (!fusion_group_is_along_lanes(in->group, &in->points.at[i]))
            return false;
    return true;
}

/* Whether the lanes are other dimensions of sums of columns than their innermost, as where a
 * transpose of the sums is stored: what a lane reads would be far from what the next one does. */
static bool transposes_columns(const struct op *op, const struct membership *in)
{
    int inner, last;
    const struct type *root = in->group->root->results[0].type;
    fusion_op_innermost(op->results[0].type, &inner);
    fusion_op_innermost(root, &last);
    for (int i = 0; i < in->points.count && i < EVAL_POINT_MAX; i++)
        if (eval_point_is_other_loop(&in->points.at[i], inner, root->shape.rank, last))
            return true;
    return false;
}

/* Whether a kernel would read what it sums one element at a time, or gather it: the sum of a row
 * inside of another reduction, whose lanes are different rows; sums of rows beside sums of columns;
 * sums of columns that are not the lanes, or not in their order. Also whether the sum of a short
 * row, which another reduction of the row needs first, is better stored. */
static bool gathers(const struct op *op, const struct membership *in)
{
    bool is_row;
    int64_t row = fusion_op_row(op, &is_row);
    int64_t elements = type_elements(op->operands[0]->type);
    if (elements <= FUSION_OP_SMALL)
        return false;
    if (!is_row && row > STRIDED_ROW && elements > STRIDED_SUM && transposes_columns(op, in))
        return true;
    if (row < GATHERED_ROW)
        return false;
    if (is_row && row < REPEATED_ROW && is_reduced(&in->points))
        return true;
    return is_row ? is_inner(&in->points) || in->group->sums_columns
                  : !is_along_lanes(in) || in->group->sums_rows;
}

/* A reduction joins a group that computes each of its elements once and has enough rows to occupy
 * the threads. */
static bool reduce_may_join(const struct op *op, const struct membership *in,
                            const struct target *target)
{
    double elements = fusion_op_elements(op), inputs = (double)type_elements(op->operands[0]->type);
    double rows = fusion_op_elements(in->group->root);
    if (in->group->transposes || in->group->interleaves || in->group->selects ||
        eval_point_total(&in->points) > elements || mixes_lanes_and_rows(in) ||
        computes_with_scalars(op, in) || gathers(op, in))
        return false;
    if (elements < rows)
        rows = elements;
    return rows >= MIN_ROWS ||
           (!is_inner(&in->points) && elements == fusion_op_elements(in->group->root)) ||
           inputs * 2 < (double)target->parallel_cost / 4;
}

static struct join_site site_of(const struct membership *in)
{
    const struct group *group = in->group;
    return (struct join_site){
        .root = group->root,
        .points = &in->points,
        .operands = in->operands,
        .code = group->code,
        .reduces = group->reduces,
        .sums_columns = group->sums_columns && !group->sums_rows && !group->reduces_rows,
        .interleaves = group->interleaves,
        .apart = group->apart || group->interleaves,
        .in_region = group->in_region,
    };
}

/* Whether the kernels compute the array in less time than it takes to store and to load it, if
 * `launch` is what that takes besides. */
static bool costs_less(const struct op *op, const struct membership *in, size_t count,
                       double launch)
{
    if (count == 1 && in->is_once)
        return true;
    double inside = 0, loaded = 0;
    for (size_t i = 0; i < count; i++) {
        struct join_site site = site_of(&in[i]);
        inside += join_cost_inside(op, &site);
        loaded += join_cost_loaded(op, &site);
    }
    return inside <= join_cost_stored(op, &in->alone) + loaded + launch;
}

static bool costs_less_here(const struct op *op, const struct membership *in)
{
    return costs_less(op, in, 1, join_cost_launch(in->group->in_region));
}

/* Elements that a group computes, each once: those of its results, or of an update in place. */
static double computed_elements(const struct group *group)
{
    const struct op *root = group->root;
    if (group->kind == FUSION_LOOP)
        return fusion_op_elements(root);
    return root->code == OP_dynamic_update_slice ? (double)type_elements(root->operands[1]->type)
                                                 : 0;
}

static bool is_unknown(const struct eval_points *points)
{
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        if (points->at[i].unknown)
            return true;
    return false;
}

/* Strided loads are tiled. Tiling supports one such access, in a loop nest without reductions; what
 * a gather's index depends on is better stored. Few elements are read where they are. */
static bool transpose_may_join(const struct op *op, const struct membership *in, double elements)
{
    const struct group *group = in->group;
    double times = eval_point_total(&in->points);
    if (group->kind == FUSION_LOOP && is_unknown(&in->points) && fusion_op_is_sparse(op, times))
        return true;
    return !group->reduces && !group->transposes && !group->selects && in->points.count == 1 &&
           !in->points.at[0].component && times == elements && computed_elements(group) == elements;
}

/* Whether the operands of a concatenation are chosen where the code is generated: the innermost
 * loop of the group is that over the operands, and is unrolled. */
static bool interleaves(const struct op *op, const struct membership *in)
{
    return in->points.count == 1 && eval_point_interleaves(op, &in->points.at[0]) &&
           eval_point_total(&in->points) <= fusion_op_elements(op);
}

/* Whether they are the components of index vectors of the group's gathers. */
static bool is_index_vector(const struct op *op, const struct membership *in)
{
    for (int i = 0; i < in->points.count && i < EVAL_POINT_MAX; i++)
        if (!eval_point_is_index_vector(op, &in->points.at[i]))
            return false;
    return in->points.count <= EVAL_POINT_MAX &&
           eval_point_total(&in->points) <= fusion_op_elements(op);
}

/* Whether rows of a concatenation, as long as where its operands alternate if the root has the same
 * rows, and those of the root are so long that lanes are along them. */
static bool has_long_rows(const struct op *op, const struct op *root)
{
    int dim;
    const struct type *type = op->results[0].type;
    int64_t run = 1;
    for (int i = type->shape.rank - 1; i > op->attrs.dimension.dimension; i--)
        run *= type->shape.dims[i];
    return (type_same_shape(type, root->results[0].type) && run >= SELECTED_ROW) ||
           (fusion_op_innermost(type, &dim) >= SELECTED_ROW &&
            fusion_op_innermost(root->results[0].type, &dim) >= SELECTED_ROW);
}

/* Whether a concatenation is stored an operand at a time, as the root that it is an operand of, and
 * chosen for few elements besides: for the edges of an array that is padded with its own elements.
 */
static bool is_mostly_divided(const struct op *op, const struct membership *in)
{
    const struct eval_points *points = &in->points;
    double selected = 0;
    bool divided = false;
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++) {
        bool whole = points->at[i].whole && concatenation_is_divided(op);
        selected += whole ? 0 : eval_point_count(&points->at[i]);
        divided |= whole;
    }
    return divided && points->count <= EVAL_POINT_MAX &&
           in->group->root->operand_count <= SELECTED_OPERANDS &&
           selected * FEW_SELECTED <= fusion_op_elements(op);
}

/* Whether they are chosen for rows, or for vectors that are mostly of one operand: a shifted array,
 * as in a finite difference, is then not stored. */
static bool selects_rows(const struct op *op, const struct membership *in)
{
    return op->operand_count <= SELECTED_OPERANDS && !in->group->transposes &&
           !is_unknown(&in->points) && concatenation_selects_runs(op) &&
           (has_long_rows(op, in->group->root) || is_mostly_divided(op, in)) &&
           costs_less_here(op, in);
}

static bool concatenate_may_join(const struct op *op, const struct membership *in)
{
    return in->group->kind == FUSION_LOOP &&
           (is_index_vector(op, in) ||
            (!in->group->reduces && (interleaves(op, in) || selects_rows(op, in))));
}

/* A scatter processes its updates sequentially: expensive updates are computed before it, in a
 * kernel that is vectorized and parallel. */
static bool scatter_may_join(const struct op *op, const struct group *group)
{
    return fusion_op_elements(op) <= FUSION_OP_SMALL || fusion_op_is_free(op) ||
           (group->members.count <= SCATTER_MEMBERS && op->code != OP_gather &&
            !fusion_op_is_expensive(op));
}

/* Whether a loop would be in the nest of an operand of a concatenation, which then is not stored an
 * operand at a time. */
static bool loops_in_piece(const struct op *op, const struct eval_points *points)
{
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        if (points->at[i].piece)
            return op->code == OP_reduce || op->code == OP_reduce_window;
    return false;
}

bool fusion_join_parts_rows(const struct op *op, const struct membership *in)
{
    struct join_site site = site_of(in);
    return join_cost_parts_rows(op, &site);
}

bool fusion_join_is_once(const struct op *op, const struct membership *in)
{
    struct join_site site = site_of(in);
    return join_cost_is_once(op, &site);
}

bool fusion_join_allowed(const struct op *op, const struct membership *in,
                         const struct target *target)
{
    const struct group *group = in->group;
    int64_t before;
    if (group->copies)
        return concatenation_is_view(op, &before);
    if (group->kind == FUSION_STANDALONE || !fits(op, in) || loops_in_piece(op, &in->points))
        return false;
    if (group->kind == FUSION_UPDATE && !may_join_update(op, group))
        return false;
    if (group->root->code == OP_scatter && !scatter_may_join(op, group))
        return false;
    double uniform = fusion_group_uniform(op, &in->points);
    if (uniform && (group->uniform + uniform) * 8 >= (double)target->parallel_cost)
        return false;
    if (op->code == OP_reduce)
        return reduce_may_join(op, in, target);
    double elements = fusion_op_elements(op);
    if (op->code == OP_concatenate &&
        (elements > FUSION_OP_SMALL || fusion_operands_are_copied(op, target)))
        return concatenate_may_join(op, in);
    if (fusion_op_is_strided(op) && elements > FUSION_OP_SMALL)
        return transpose_may_join(op, in, elements);
    return fusion_op_is_free(op) || costs_less_here(op, in);
}

/* An array that many groups compute keeps its operands in memory until the last of them, and each
 * step of an unrolled recurrence would repeat all steps before: it is stored instead. */
bool fusion_join_may_clone(const struct op *op, const struct membership *in, size_t count,
                           bool is_output)
{
    if (fusion_op_is_free(op))
        return true;
    if (op->code == OP_reduce || op->result_count != 1 ||
        (count > MAX_CLONES && fusion_op_elements(op) > 1))
        return false;
    return costs_less(op, in, count, is_output ? 0 : join_cost_launch(in->group->in_region));
}
