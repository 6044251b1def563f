/* cost.c: see cost.h. */
#include "compiler/analysis/cost.h"

enum { PAIRS_COUNTED = 1 << 16 }; /* of places of a convolution: more are all taken to meet */

static double elements(const struct value *value)
{
    int64_t count = type_elements(value->type);
    return count < 0 ? 0 : (double)count;
}

static double bytes(const struct value *value)
{
    int64_t size = type_bytes(value->type);
    return size < 0 ? 0 : (double)size;
}

double cost_of_element(const struct op *op)
{
    switch (op->code) {
    case OP_exponential:
    case OP_exponential_minus_one:
    case OP_log:
    case OP_log_plus_one: return 12;
    case OP_tanh:
    case OP_logistic:
    case OP_erf:
    case OP_sine:
    case OP_cosine:
    case OP_cbrt: return 20;
    case OP_tan:
    case OP_atan2:
    case OP_power: return 40;
    case OP_divide:
    case OP_remainder:
    case OP_sqrt:
    case OP_rsqrt: return 8;
    case OP_pad:
    case OP_concatenate: return 4; /* which operand, if any, is asked at every element */
    case OP_constant:
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_iota: return 0.25;
    default: return 1;
    }
}

static double product(const struct type *type, struct dims dims)
{
    double result = 1;
    for (int64_t i = 0; i < dims.count; i++)
        result *= (double)type->shape.dims[dims.at[i]];
    return result;
}

/* Along a spatial dimension: how many pairs of an output's place and a kernel's place meet an
 * element of the input, not padding and not the gaps of dilation. */
static double meetings(const struct attrs_convolution *at, const struct op *op, int64_t i)
{
    int64_t outs = op->results[0].type->shape.dims[at->output_spatial_dimensions.at[i]];
    int64_t window = op->operands[1]->type->shape.dims[at->kernel_spatial_dimensions.at[i]];
    int64_t size = op->operands[0]->type->shape.dims[at->input_spatial_dimensions.at[i]];
    int64_t stride = at->window_strides.at[i], low = at->padding.at[2 * i];
    int64_t gap = at->lhs_dilation.at[i], step = at->rhs_dilation.at[i], count = 0;
    if ((double)outs * (double)window > PAIRS_COUNTED)
        return (double)outs * (double)window;
    for (int64_t out = 0; out < outs; out++)
        for (int64_t k = 0; k < window; k++) {
            int64_t place = out * stride + k * step - low;
            count += place >= 0 && place % gap == 0 && place / gap < size;
        }
    return (double)count;
}

double cost_multiply_adds(const struct op *op)
{
    double out = elements(&op->results[0]);
    if (op->code == OP_dot_general)
        return out * product(op->operands[0]->type, op->attrs.dot.lhs_contracting_dimensions);
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *kernel = op->operands[1]->type, *type = op->results[0].type;
    double result = (double)type->shape.dims[at->output_batch_dimension] *
                    (double)type->shape.dims[at->output_feature_dimension] *
                    (double)kernel->shape.dims[at->kernel_input_feature_dimension];
    for (int64_t i = 0; i < at->output_spatial_dimensions.count; i++)
        result *= meetings(at, op, i);
    return result;
}

/* What computes a value, looked for inside the fusion that gives it; its operands are then those
 * of the fusion. */
static const struct op *behind_fusion(const struct value *value)
{
    const struct op *op = value->def;
    return op && op->code == OP_fusion ? op->regions[0]->last->operands[value->index]->def : op;
}

static const struct value *outside_fusion(const struct value *value)
{
    const struct block *block = value->def ? NULL : value->block;
    return block && block->owner && block->owner->code == OP_fusion
               ? block->owner->operands[value->index]
               : value;
}

/* The constant integer that `value` is, or false. */
static bool constant_int(const struct value *value, int64_t *out)
{
    if (!value->def || value->def->code != OP_constant)
        return false;
    const struct literal *literal = value->def->attrs.constant.value;
    enum dtype dtype = literal->type->shape.dtype;
    if (!dtype_is_integer(dtype) || type_elements(literal->type) != 1)
        return false;
    *out = dtype_to_int64(dtype, literal_at(literal, 0));
    return true;
}

/* i < limit with i = argument `*index` of the condition. */
static bool counted_condition(const struct block *condition, int *index, int64_t *limit)
{
    const struct op *compare = behind_fusion(condition->last->operands[0]);
    if (!compare || compare->code != OP_compare ||
        compare->attrs.compare.comparison_direction != COMPARE_LT)
        return false;
    const struct value *left = outside_fusion(compare->operands[0]);
    if (left->def || left->block != condition)
        return false;
    *index = left->index;
    return constant_int(compare->operands[1], limit);
}

static bool holds(enum dtype dtype, int64_t value)
{
    const struct dtype_info *info = dtype_info(dtype);
    bool is_signed = info->class == CLASS_SIGNED;
    if (info->bits >= 64)
        return is_signed || value >= 0;
    int64_t high = INT64_C(1) << (info->bits - is_signed);
    return value >= (is_signed ? -high : 0) && value < high;
}

int64_t cost_trip_count(const struct op *loop)
{
    int index;
    int64_t limit, start, step;
    const struct block *body = loop->regions[1];
    if (!counted_condition(loop->regions[0], &index, &limit) ||
        !constant_int(loop->operands[index], &start))
        return -1;
    const struct op *add = behind_fusion(body->last->operands[index]);
    enum dtype dtype = body->arguments[index].type->shape.dtype;
    if (!add || add->code != OP_add ||
        outside_fusion(add->operands[0]) != &body->arguments[index] ||
        !constant_int(add->operands[1], &step) || step <= 0)
        return -1;
    if (!holds(dtype, limit) || !holds(dtype, start)) /* beyond 2^63 - 1 */
        return -1;
    if (limit <= start)
        return 0;
    uint64_t distance = (uint64_t)limit - (uint64_t)start - 1,
             trips = distance / (uint64_t)step + 1;
    int64_t end;
    bool wraps = trips > INT64_MAX || __builtin_mul_overflow((int64_t)trips, step, &end) ||
                 __builtin_add_overflow(end, start, &end) || !holds(dtype, end);
    return wraps ? -1 : (int64_t)trips;
}

bool cost_is_bounded(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_while && cost_trip_count(op) < 0)
            return false;
        for (int i = 0; i < op->region_count; i++)
            if (!cost_is_bounded(op->regions[i]))
                return false;
    }
    return true;
}

double cost_of_block(const struct block *block)
{
    double cost = 0;
    for (const struct op *op = block->first; op; op = op->next)
        cost += cost_of_op(op);
    return cost;
}

static double cost_of_control(const struct op *op)
{
    double cost = 0;
    if (op->code == OP_while) {
        int64_t trips = cost_trip_count(op);
        cost = cost_of_block(op->regions[0]) + cost_of_block(op->regions[1]) + 10;
        return cost * (double)(trips < 0 ? COST_UNKNOWN_TRIPS : trips);
    }
    for (int i = 0; i < op->region_count; i++) {
        double branch = cost_of_block(op->regions[i]);
        cost = branch > cost ? branch : cost;
    }
    return cost;
}

/* Reads of its first operand no more than it gives. */
static bool reads_part(const struct op *op)
{
    return op->code == OP_dynamic_slice || op->code == OP_slice || op->code == OP_gather;
}

/* What a fusion reads of operand i: where it takes slices only, those. */
static double bytes_read(const struct op *fusion, int i)
{
    const struct value *inside = &fusion->regions[0]->arguments[i];
    double size = 0, most = bytes(fusion->operands[i]);
    for (const struct use *use = inside->uses; use; use = use->next)
        size += reads_part(use->user) && use->operand == 0 ? bytes(&use->user->results[0]) : most;
    return size < most ? size : most;
}

static double traffic(const struct op *fusion)
{
    double size = 0;
    for (int i = 0; i < fusion->operand_count; i++)
        size += bytes_read(fusion, i);
    for (int i = 0; i < fusion->result_count; i++)
        size += bytes(&fusion->results[i]);
    return size;
}

/* Arithmetic of an operation that is computed whole, one after another. */
static double work_of_op(const struct op *op)
{
    double out = op->result_count ? elements(&op->results[0]) : 0;
    switch (op->code) {
    case OP_dot_general:
    case OP_convolution: return cost_multiply_adds(op) / 4;
    case OP_reduce: return elements(op->operands[0]);
    case OP_reduce_window: {
        double window = 1;
        for (int64_t i = 0; i < op->attrs.window.window_dimensions.count; i++)
            window *= (double)op->attrs.window.window_dimensions.at[i];
        return out * window;
    }
    case OP_sort: return out * 20;
    case OP_cholesky:
    case OP_triangular_solve:
        return out * (double)op->results[0].type->shape.dims[op->results[0].type->shape.rank - 1];
    case OP_fft: return out * 20;
    case OP_scatter:
    case OP_dynamic_update_slice: return elements(op->operands[op->operand_count - 1]);
    default: return out * cost_of_element(op);
    }
}

/* An operation updated in place moves its update only. */
static double traffic_of_fusion(const struct op *op)
{
    if (op->attrs.fusion.fusion_kind != FUSION_UPDATE)
        return traffic(op);
    double size = 0;
    for (int i = 0; i < op->operand_count; i++)
        if (!type_same(op->operands[i]->type, op->results[0].type))
            size += bytes_read(op, i);
    return size + 8;
}

double cost_of_op(const struct op *op)
{
    if (op->code == OP_constant || op->code == OP_fft_table || op->code == OP_return)
        return 0;
    if (op->code == OP_fusion) {
        double work = cost_of_block(op->regions[0]), moved = traffic_of_fusion(op) / 4;
        return work > moved ? work : moved;
    }
    if (op_info(op->code)->traits & OP_CONTROL)
        return cost_of_control(op);
    return work_of_op(op);
}

/* ---- for clients ----------------------------------------------------------------------------- */
static bool is_transcendental(enum op_code code)
{
    switch (code) {
    case OP_atan2:
    case OP_cbrt:
    case OP_cosine:
    case OP_erf:
    case OP_exponential:
    case OP_exponential_minus_one:
    case OP_log:
    case OP_log_plus_one:
    case OP_logistic:
    case OP_power:
    case OP_rsqrt:
    case OP_sine:
    case OP_sqrt:
    case OP_tan:
    case OP_tanh: return true;
    default: return false;
    }
}

/* Operations that only hand values on. */
static bool is_movement(enum op_code code)
{
    return code == OP_copy || code == OP_bitcast_convert || code == OP_optimization_barrier;
}

/* How many elements are combined to make `out`; none where an empty dimension gives the initial
 * values alone. */
static double combined(double elements, double out)
{
    return elements > out ? elements - out : 0;
}

static void add_arithmetic(const struct op *op, struct cost_analysis *to)
{
    double out = op->result_count ? elements(&op->results[0]) : 0;
    if (op->code == OP_dot_general || op->code == OP_convolution)
        to->flops += 2 * cost_multiply_adds(op);
    else if (op->code == OP_reduce)
        to->flops += combined(elements(op->operands[0]), out);
    else if (op->code == OP_reduce_window)
        to->flops += combined(work_of_op(op), out);
    else if (is_transcendental(op->code))
        to->transcendentals += out;
    else if ((op_info(op->code)->traits & OP_ELEMENTWISE) && !is_movement(op->code))
        to->flops += out;
}

static void add_block(const struct block *block, struct cost_analysis *to)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (op->code != OP_copy)
            cost_analyse(op, to);
}

static void add_times(struct cost_analysis *to, const struct cost_analysis *what, double times)
{
    to->flops += times * what->flops;
    to->transcendentals += times * what->transcendentals;
    to->bytes_accessed += times * what->bytes_accessed;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Of branches, the dearest; of a loop, each turn. */
static void add_control(const struct op *op, struct cost_analysis *to)
{
    struct cost_analysis whole = {0};
    for (int i = 0; i < op->region_count; i++) {
        struct cost_analysis one = {0};
        add_block(op->regions[i], &one);
        if (op->code == OP_while)
            add_times(&whole, &one, 1);
        else
            whole = (struct cost_analysis){larger(whole.flops, one.flops),
                                           larger(whole.transcendentals, one.transcendentals),
                                           larger(whole.bytes_accessed, one.bytes_accessed)};
    }
    int64_t trips = op->code == OP_while ? cost_trip_count(op) : 1;
    add_times(to, &whole, trips < 0 ? 1 : (double)trips);
}

void cost_analyse(const struct op *op, struct cost_analysis *to)
{
    if (op->code == OP_constant || op->code == OP_fft_table || op->code == OP_return)
        return;
    if (op_info(op->code)->traits & OP_CONTROL) {
        add_control(op, to);
        return;
    }
    if (op->code == OP_fusion) {
        struct cost_analysis inside = {0};
        add_block(op->regions[0], &inside);
        inside.bytes_accessed = traffic_of_fusion(op);
        add_times(to, &inside, 1);
        return;
    }
    add_arithmetic(op, to);
    for (int i = 0; i < op->operand_count; i++)
        to->bytes_accessed += bytes(op->operands[i]);
    for (int i = 0; i < op->result_count; i++)
        to->bytes_accessed += bytes(&op->results[i]);
}
