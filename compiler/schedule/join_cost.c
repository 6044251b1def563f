/* join_cost.c: see join_cost.h. */
#include "compiler/schedule/join_cost.h"

#include "compiler/analysis/op_work.h"
#include "compiler/schedule/cached_row.h"
#include "compiler/schedule/cost.h"
#include "compiler/schedule/interleave.h"
#include "compiler/schedule/short_row.h"

enum {
    LANE_BYTES = 4,       /* the size of one */
    NEAR_BYTES = 1 << 19, /* an array up to that size is still in the second-level cache */
    ENOUGH = 8,           /* times what storing takes: no other time matters for a decision */
    PART_WORK = 2,        /* most operations that are repeated for each element of a row */
    CACHED_USES = 16,     /* of a value, among which is the reduce that stores its row */
    REDUCED_STEPS = 16    /* most operations from a reduction to what follows from it */
};

static double elements_of(const struct value *value)
{
    double elements = op_work_elements(value);
    return elements < 1 ? 1 : elements;
}

/* What is narrower than a lane is also widened or narrowed. */
double join_cost_moved(const struct value *value)
{
    enum rate rate = op_work_bytes(value) <= NEAR_BYTES ? RATE_CACHED_BYTES : RATE_BYTES;
    int bytes = dtype_bytes(ir_dtype(value));
    return cost_time(rate, bytes) + (bytes < LANE_BYTES ? cost_time(RATE_SIMPLE, 1) : 0);
}

struct join_dims join_dims_of(const struct type *type)
{
    int last = type_innermost(type);
    uint64_t all = type->shape.rank ? (2ULL << (type->shape.rank - 1)) - 1 : 0,
             bit = last >= 0 ? 1ULL << last : 0;
    return (struct join_dims){bit, all & ~bit};
}

/* Whether what is adjacent along the given dimensions is not so in memory: another dimension is the
 * innermost one, or is around short rows of it. */
static bool is_strided(const struct type *type, uint64_t along, uint64_t others)
{
    int last = type_innermost(type), next = last - 1;
    if (last < 0 || !along || !(along >> last & 1))
        return last >= 0 && along;
    while (next >= 0 && type->shape.dims[next] == 1)
        next--;
    return next >= 0 && type->shape.dims[last] < RATES_LANES && !((along | others) >> next & 1);
}

double join_cost_read(const struct value *value, uint64_t along, uint64_t others)
{
    return is_strided(value->type, along, others) ? cost_time(RATE_MOVED, 1)
                                                  : join_cost_moved(value);
}

double join_cost_element(const struct op *op)
{
    return op->code == OP_transpose ? 0 : cost_time_of_element(op);
}

double join_cost_share(const struct op *op, int operand)
{
    double share = elements_of(op->operands[operand]) / elements_of(&op->results[0]);
    return share < 1 || op->code == OP_reduce ? share : 1;
}

/* Whether a value follows from a reduction, by at most *left operations that compute each element
 * on its own. */
static bool is_reduced(const struct value *value, int *left)
{
    const struct op *op = value->def;
    if (!op || (*left)-- <= 0)
        return false;
    if (op->code == OP_reduce)
        return true;
    if (!(op_info(op->code)->traits & (OP_ELEMENTWISE | OP_INDEXED)))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (is_reduced(op->operands[i], left))
            return true;
    return false;
}

/* The lanes of a loop nest: the dimension of its root that they are along, and the work of a vector
 * for that of the lanes which have an element. */
struct lanes {
    int dim;
    double idle;
};

static struct lanes along(const struct type *root)
{
    int dim = type_innermost(root);
    int64_t size = dim < 0 ? 1 : root->shape.dims[dim];
    return (struct lanes){dim, size < RATES_LANES && size > 0 ? RATES_LANES / (double)size : 1};
}

/* Lanes along many rows, as of points and colors, instead of along a row. */
static struct lanes across(const struct type *root)
{
    int dim = type_innermost(root) - 1;
    while (root->shape.dims[dim] == 1)
        dim--;
    return (struct lanes){dim, 1};
}

static struct lanes lanes_of(const struct op *op, const struct join_site *site)
{
    int left = REDUCED_STEPS;
    const struct type *root = site->root->results[0].type;
    bool reduces = site->reduces || is_reduced(&op->results[0], &left);
    bool special = site->interleaves || site->code + cost_of_element(op) >= SHORT_ROW_WORK;
    bool rows =
        reduces ? interleave_expects_reduced(root, site->code) : interleave_expects(root, special);
    return rows ? across(root) : along(root);
}

/* Whether lanes are those of the root where a value is computed: not along a row that a reduction
 * sums, unless each lane has a short one. */
static bool has_root_lanes(const struct type *type, const struct join_site *site,
                           const struct eval_point *point)
{
    int last = type_innermost(type);
    return !eval_point_is_inner(point) || site->sums_columns ||
           (last >= 0 && point->dims[last].reduced && type->shape.dims[last] < SHORT_ROW_REDUCED);
}

/* Whether all lanes of a vector would compute the same element. */
static bool is_scalar(const struct value *value, const struct join_site *site,
                      const struct lanes *lanes, const struct eval_point *point)
{
    const struct type *root = site->root->results[0].type;
    return lanes->dim >= 0 && has_root_lanes(value->type, site, point) &&
           root->shape.dims[lanes->dim] > 1 &&
           eval_point_is_same_along(point, root->shape.rank, lanes->dim);
}

/* Whether lanes are along another dimension of a value than its innermost, or, where they are along
 * short rows, than its rows. */
static bool is_crossed(const struct value *value, const struct join_site *site,
                       const struct lanes *lanes, const struct eval_point *point)
{
    int last = type_innermost(value->type), row = type_innermost(site->root->results[0].type);
    int dim = has_root_lanes(value->type, site, point) ? eval_point_dim_of(point, lanes->dim) : -1;
    return dim >= 0 && dim != last && (lanes->dim == row || eval_point_dim_of(point, row) != last);
}

static double at_point(const struct op *op, const struct join_site *site, const struct lanes *lanes,
                       const struct eval_point *point)
{
    bool scalar = is_scalar(&op->results[0], site, lanes, point);
    double each = scalar ? RATES_LANES : eval_point_is_inner(point) ? 1 : lanes->idle;
    double own = op_info(op->code)->traits & OP_ELEMENTWISE ? each : 1;
    double read = is_crossed(&op->results[0], site, lanes, point) ? site->operands.crossed
                                                                  : site->operands.read;
    double computed = join_cost_element(op) * own + site->operands.computed * each;
    double guard = point->least > 1 && computed > 0 ? cost_time(RATE_SELECTED, 1) : 0;
    return eval_point_count(point) * (computed + read + guard);
}

/* The point where a value is computed in the loop of a reduce that stores its row; NULL: it is not
 * an operand of such a one. */
static const struct eval_point *row_of(const struct value *value, const struct op *reduce,
                                       const struct eval_points *points)
{
    for (int i = 0; i < reduce->operand_count / 2; i++)
        for (int k = 0; k < points->count && k < EVAL_POINT_MAX; k++)
            if (cached_row_value(reduce, i) == value && cached_row_is_stored(reduce, i) &&
                eval_point_is_in_row_of(&points->at[k], reduce))
                return &points->at[k];
    return NULL;
}

const struct eval_point *join_cost_row(const struct value *value, const struct eval_points *points)
{
    const struct eval_point *row = NULL;
    int left = points->count > 1 ? CACHED_USES : 0;
    for (const struct use *use = value->uses; use && !row && left--; use = use->next) {
        const struct op *user = use->user;
        if (user->code == OP_convert && ir_has_one_use(&user->results[0]))
            user = user->results[0].uses->user;
        row = user->code == OP_reduce ? row_of(value, user, points) : NULL;
    }
    return row;
}

bool join_cost_parts_rows(const struct op *op, const struct join_site *site)
{
    const struct type *root = site->root->results[0].type;
    const struct eval_point *point = &site->points->at[0];
    struct lanes lanes = lanes_of(op, site);
    int row = type_innermost(root);
    return lanes.dim != row && !eval_point_is_inner(point) && cost_of_element(op) > PART_WORK &&
           eval_point_is_same_along(point, root->shape.rank, row);
}

/* The time of reading and writing the elements of rows one by one. */
static double parts(const struct op *op, const struct join_site *site)
{
    return !site->apart && join_cost_parts_rows(op, site)
               ? elements_of(&site->root->results[0]) * cost_time(RATE_MOVED, 1)
               : 0;
}

double join_cost_inside(const struct op *op, const struct join_site *site)
{
    double time = parts(op, site);
    struct lanes lanes = lanes_of(op, site);
    const struct eval_point *row = join_cost_row(&op->results[0], site->points);
    for (int i = 0; i < site->points->count && i < EVAL_POINT_MAX; i++) {
        const struct eval_point *point = &site->points->at[i];
        time += row && point != row ? eval_point_count(point) * cost_time(RATE_CACHED_BYTES, 4)
                                    : at_point(op, site, &lanes, point);
    }
    return time;
}

double join_cost_loaded(const struct op *op, const struct join_site *site)
{
    const struct value *root = &site->root->results[0], *value = &op->results[0];
    struct lanes lanes = lanes_of(op, site);
    int left = REDUCED_STEPS;
    bool rows = false;
    double read = 0;
    for (int i = 0; i < site->points->count && i < EVAL_POINT_MAX; i++) {
        const struct eval_point *point = &site->points->at[i];
        rows |= is_scalar(value, site, &lanes, point);
        read += eval_point_count(point) * (is_crossed(value, site, &lanes, point)
                                               ? cost_time(RATE_MOVED, 1)
                                               : join_cost_moved(value));
    }
    return rows && is_reduced(value, &left) ? read + elements_of(root) * join_cost_moved(root)
                                            : read;
}

double join_cost_stored(const struct op *op, const struct join_operands *operands)
{
    const struct value *result = &op->results[0];
    struct lanes lanes =
        interleave_expects(result->type, false) ? across(result->type) : along(result->type);
    double computed = (join_cost_element(op) + operands->computed) * lanes.idle;
    return elements_of(result) * (computed + operands->read + join_cost_moved(result));
}

bool join_cost_is_once(const struct op *op, const struct join_site *site)
{
    const struct value *value = &op->results[0];
    const struct eval_point *point = &site->points->at[0];
    if (site->points->count != 1 || eval_point_count(point) > elements_of(value))
        return false;
    struct lanes lanes = lanes_of(op, site);
    return lanes.idle == 1 && !is_scalar(value, site, &lanes, point) &&
           !is_crossed(value, site, &lanes, point) && !parts(op, site);
}

double join_cost_decisive(const struct op *op, bool in_region)
{
    return ENOUGH * (join_cost_moved(&op->results[0]) +
                     join_cost_launch(in_region) / elements_of(&op->results[0]));
}

double join_cost_launch(bool in_region)
{
    return cost_time(in_region ? RATE_PART : RATE_STEP, 1);
}
