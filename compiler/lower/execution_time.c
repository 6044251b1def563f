/* execution_time.c: see execution_time.h. Counts, for each kernel, how many units of each kind of
 * work it does (rates.def), as often as the generated code computes them. */
#include "compiler/lower/execution_time.h"

#include <math.h>
#include <string.h>

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/rates.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/lower/lower_step.h"
#include "compiler/passes/fusion/eval_point.h"
#include "compiler/passes/fusion/fusion_work.h"

struct timer {
    struct arena *arena;
    const struct target *target;
    const struct buffer_plan *plan;
    const struct rates *rates;
};

enum { SCALAR = 8 }; /* arithmetic of single elements, in that of vectors */

struct work {
    double units[RATE_COUNT];
};

/* ---- elements -------------------------------------------------------------------------------- */
static enum dtype dtype_of(const struct value *value)
{
    return value->type->shape.dtype;
}

static double elements(const struct value *value)
{
    return op_work_elements(value);
}

/* How many vectors of f32 an element is worth. */
static double width(const struct value *value)
{
    int bytes = dtype_bytes(dtype_of(value));
    return bytes > 4 ? bytes / 4.0 : 1;
}

static bool is_narrow(enum dtype dtype)
{
    return dtype_is_float(dtype) && dtype_bytes(dtype) < 4;
}

/* ---- operations of a kernel ------------------------------------------------------------------ */
static bool by_constant(const struct op *division)
{
    const struct op *by = division->operands[1]->def;
    while (by && by->code == OP_broadcast_in_dim)
        by = by->operands[0]->def;
    return by && by->code == OP_constant;
}

static enum rate rate_of_integer(const struct op *op)
{
    switch (op->code) {
    case OP_divide:
    case OP_remainder: return by_constant(op) ? RATE_CONSTANT_DIVISION : RATE_INTEGER_DIVISION;
    case OP_power: return RATE_INTEGER_POWER;
    default: return RATE_SIMPLE;
    }
}

/* Each slice that is read, or window that is written, has several elements side by side. */
static bool is_contiguous_gather(const struct op *gather)
{
    const struct dims sizes = gather->attrs.gather.slice_sizes;
    return sizes.count && sizes.at[sizes.count - 1] > 1;
}

static bool is_contiguous_scatter(const struct op *scatter)
{
    const struct value *updates = scatter->operands[scatter->operand_count - 1];
    int last = updates->type->shape.rank - 1;
    return last >= 0 && updates->type->shape.dims[last] > 1 &&
           dims_contain(scatter->attrs.scatter.update_window_dims, last);
}

static bool moves_last(const struct op *transpose)
{
    const struct dims order = transpose->attrs.transpose.permutation;
    return order.count && order.at[order.count - 1] != order.count - 1;
}

static bool has_strides(const struct op *slice)
{
    const struct dims strides = slice->attrs.slice.strides;
    return strides.count && strides.at[strides.count - 1] != 1;
}

static enum rate rate_of_elementwise(const struct op *op)
{
    switch (op->code) {
    case OP_divide:
    case OP_sqrt:
    case OP_rsqrt: return RATE_DIVISION;
    case OP_exponential:
    case OP_logistic:
    case OP_exponential_minus_one:
    case OP_tanh: return RATE_EXPONENTIAL;
    case OP_log:
    case OP_log_plus_one: return RATE_LOGARITHM;
    case OP_remainder: return RATE_REMAINDER;
    case OP_power:
    case OP_atan2:
    case OP_tan:
    case OP_cbrt: return RATE_POWER;
    case OP_constant:
    case OP_reshape:
    case OP_broadcast_in_dim:
    case OP_broadcast:
    case OP_iota:
    case OP_real:
    case OP_imag:
    case OP_complex:
    case OP_bitcast_convert:
    case OP_optimization_barrier: return RATE_FREE;
    case OP_gather: return is_contiguous_gather(op) ? RATE_GATHERED_ROW : RATE_GATHERED;
    case OP_transpose: return moves_last(op) ? RATE_MOVED : RATE_FREE;
    case OP_slice: return has_strides(op) ? RATE_MOVED : RATE_FREE;
    case OP_dynamic_slice: return RATE_FREE;
    case OP_reverse: return RATE_MOVED;
    case OP_pad:
    case OP_concatenate: return RATE_SELECTED;
    default: return op_info(op->code)->traits & OP_TRANSCENDENTAL ? RATE_SINE : RATE_SIMPLE;
    }
}

static double log2_of(double n)
{
    return n > 2 ? log2(n) : 1;
}

static double last_dim(const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    return shape->rank ? (double)shape->dims[shape->rank - 1] : 1;
}

static double rows_of(const struct value *value)
{
    double last = last_dim(value);
    return last > 0 ? elements(value) / last : 0;
}

static void add(struct work *to, enum rate rate, double units)
{
    to->units[rate] += units;
}

static void add_elementwise(struct work *to, const struct op *op, double times)
{
    const struct value *of = op->operand_count ? op->operands[0] : &op->results[0];
    enum dtype dtype = dtype_of(of);
    double count = times * width(&op->results[0]);
    enum rate rate = dtype_is_float(dtype) || dtype_is_complex(dtype) ||
                             !(op_info(op->code)->traits & OP_ELEMENTWISE)
                         ? rate_of_elementwise(op)
                         : rate_of_integer(op);
    if (dtype_is_complex(dtype) && rate != RATE_FREE && rate != RATE_SIMPLE)
        count *= 2;
    add(to, rate, count);
    if (op->code == OP_convert && (is_narrow(dtype) || is_narrow(dtype_of(&op->results[0]))))
        add(to,
            dtype_bytes(dtype) == 1 || dtype_bytes(dtype_of(&op->results[0])) == 1 ? RATE_FLOAT8
                                                                                   : RATE_NARROW,
            times);
}

/* Beyond a single operation, which the rates of reductions include. */
static void add_reducer(struct work *to, const struct op *op, double times)
{
    const struct op *first = op->region_count ? op->regions[0]->first : NULL;
    if (!first || first->next == op->regions[0]->last)
        return;
    for (const struct op *inside = first; inside != op->regions[0]->last; inside = inside->next)
        if (inside->code != OP_constant)
            add_elementwise(to, inside, times * SCALAR);
}

static void add_reduce(struct work *to, const struct op *op, double times)
{
    double in = elements(op->operands[0]), out = elements(&op->results[0]);
    const struct dims dims = op->attrs.dimensions.dimensions;
    bool rows = dims_contain(dims, op->operands[0]->type->shape.rank - 1);
    double each = out > 0 ? in / out : 0;
    add(to, RATE_REDUCTION, times);
    if (op->result_count > 1) {
        add(to, RATE_REDUCED_PAIR, times * each);
        return;
    }
    add(to, rows ? RATE_REDUCED_ROW : RATE_REDUCED_COLUMN, times * each * width(op->operands[0]));
}

static bool reaches_end(const struct op *op, int dim)
{
    const struct pairs padding = op->attrs.window.padding;
    return dim < padding.rows && (!padding.at[2 * dim] || !padding.at[2 * dim + 1]);
}

/* A cumulative sum, product or maximum: each window reaches to an end of the operand. */
static bool is_scan(const struct op *op)
{
    const struct shape *shape = &op->operands[0]->type->shape;
    bool found = false;
    for (int i = 0; i < shape->rank; i++) {
        int64_t window = op->attrs.window.window_dimensions.at[i];
        if (window != 1 && (window != shape->dims[i] || found || !reaches_end(op, i)))
            return false;
        found |= window != 1;
    }
    return found && elements(&op->results[0]) == elements(op->operands[0]);
}

static void add_window(struct work *to, const struct op *op, double repeated)
{
    if (is_scan(op))
        add(to, RATE_SCAN, repeated * elements(op->operands[0]) * op->operand_count / 2);
    if (is_scan(op))
        add_reducer(to, op, repeated * elements(op->operands[0]) / SCALAR);
    else
        add(to, RATE_WINDOW, repeated * op_work_window(op));
}

/* Only the first few of a row are used: the results are sliced. */
static bool is_top(const struct op *sort)
{
    for (int i = 0; i < sort->result_count; i++) {
        const struct use *use = sort->results[i].uses;
        if (use && use->user->code == OP_slice)
            return true;
    }
    return false;
}

enum { RADIX_ROW = 64, RADIX_ARRAYS = 2 };

static void add_sort(struct work *to, const struct op *op)
{
    double size = elements(&op->results[0]), row = last_dim(&op->results[0]);
    if (is_top(op))
        add(to, RATE_TOP, size);
    else if (row >= RADIX_ROW && op->operand_count <= RADIX_ARRAYS)
        add(to, RATE_RADIX, size * op->operand_count);
    else
        add(to, RATE_SORT, size * log2_of(row) * op->operand_count);
}

/* Lengths with a large prime factor are computed as a convolution of more than twice the length. */
static bool has_large_prime(int64_t n)
{
    static const int small[] = {2, 3, 5, 7, 11, 13};
    for (size_t i = 0; i < sizeof small / sizeof *small && n > 1; i++)
        while (n % small[i] == 0)
            n /= small[i];
    return n > 1;
}

static void add_fft(struct work *to, const struct value *operand, double repeated)
{
    double length = last_dim(operand), size = elements(operand) * width(operand);
    enum rate rate = has_large_prime((int64_t)length) ? RATE_FFT_PRIME : RATE_FFT;
    add(to, rate, repeated * size * log2_of(length));
}

/* Convolutions compute vectors of output features, whole ones. */
static double padded_multiply_adds(const struct op *convolution)
{
    enum { LANES = 8 };
    const struct attrs_convolution *at = &convolution->attrs.convolution;
    const struct shape *kernel = &convolution->operands[1]->type->shape;
    int64_t out = kernel->dims[at->kernel_output_feature_dimension] / at->feature_group_count;
    bool is_depthwise = at->feature_group_count > 1 && out == 1;
    double padded = (double)((out + LANES - 1) / LANES * LANES);
    return op_work_multiply_adds(convolution) * (is_depthwise || !out ? 1 : padded / (double)out);
}

static void add_heavy(struct work *to, const struct op *op, double times)
{
    double out = op->result_count ? elements(&op->results[0]) : 0;
    double repeated = out > 0 ? times / out : times;
    switch (op->code) {
    case OP_dot_general:
        add(to, RATE_SMALL_PRODUCT, repeated * op_work_multiply_adds(op) * width(&op->results[0]));
        break;
    case OP_convolution:
        add(to, RATE_SMALL_CONVOLUTION, repeated * padded_multiply_adds(op));
        break;
    case OP_reduce: add_reduce(to, op, times); break;
    case OP_reduce_window: add_window(to, op, repeated); break;
    case OP_select_and_scatter:
        add(to, RATE_SCATTERED, repeated * elements(op->operands[0]));
        break;
    case OP_sort: add_sort(to, op); break;
    case OP_fft: add_fft(to, op->operands[0], 1); break;
    case OP_cholesky:
    case OP_triangular_solve: add(to, RATE_FACTOR, out * last_dim(op->operands[0])); break;
    case OP_scatter:
        add(to, is_contiguous_scatter(op) ? RATE_SCATTERED_ROW : RATE_SCATTERED,
            elements(op->operands[op->operand_count - 1]));
        break;
    case OP_dynamic_update_slice: add(to, RATE_MOVED, elements(op->operands[1])); break;
    case OP_rng_bit_generator: add(to, RATE_RANDOM, elements(&op->results[1])); break;
    default: add_elementwise(to, op, times); break;
    }
}

static void add_block(const struct timer *t, struct work *to, const struct block *block);

static void add_times(struct work *to, const struct work *what, double times)
{
    for (int i = 0; i < RATE_COUNT; i++)
        to->units[i] += times * what->units[i];
}

static double trips(const struct op *loop)
{
    int64_t count = trip_count_after_copies(loop);
    return count < 0 ? EXECUTION_TIME_TRIPS : (double)count;
}

static double seconds_of(const struct timer *t, const struct work *work)
{
    double nanoseconds = 0;
    for (int i = 0; i < RATE_COUNT; i++)
        nanoseconds += work->units[i] * t->rates->nanoseconds[i];
    return nanoseconds * 1e-9;
}

/* The branch that takes longest, or all iterations. */
static void add_control(const struct timer *t, struct work *to, const struct op *op)
{
    struct work all = {0}, most = {0};
    for (int i = 0; i < op->region_count; i++) {
        struct work one = {0};
        add_block(t, &one, op->regions[i]);
        add_times(&all, &one, 1);
        if (seconds_of(t, &one) > seconds_of(t, &most))
            most = one;
    }
    if (op->code == OP_while)
        add_times(to, &all, trips(op));
    else
        add_times(to, &most, 1);
}

/* Whether a loop over the result's elements cannot run over rows as if they were one. */
static bool breaks_rows(const struct op *op)
{
    if (op->code == OP_broadcast_in_dim)
        return elements(op->operands[0]) > 1;
    return (op_info(op->code)->traits & OP_INDEXED && op->code != OP_iota &&
            op->code != OP_reshape) ||
           op->code == OP_reduce;
}

/* An update in place computes what it writes, not every element of its result. */
static double evaluations(const struct op *fusion, const struct op *op)
{
    double times = eval_point_total(op->note), most = elements(&op->results[0]);
    bool updates = fusion->attrs.fusion.fusion_kind == FUSION_UPDATE;
    return updates && times > most ? most : times;
}

static void add_loop_fusion(const struct timer *t, struct work *to, const struct op *fusion)
{
    bool has_rows = false;
    fusion_work_note(t->arena, fusion);
    for (const struct op *op = fusion->regions[0]->first; op; op = op->next)
        if (op->code != OP_return && op->code != OP_constant) {
            add_heavy(to, op, evaluations(fusion, op));
            has_rows |= breaks_rows(op);
        }
    if (has_rows && fusion->attrs.fusion.fusion_kind == FUSION_LOOP)
        add(to, RATE_ROW, rows_of(&fusion->results[0]));
}

static void add_inside(const struct timer *t, struct work *to, const struct op *op)
{
    if (op->code == OP_constant || op->code == OP_return || op->code == OP_reshape)
        return;
    if (op_info(op->code)->traits & OP_CONTROL) {
        add(to, RATE_ITERATION, op->code == OP_while ? trips(op) : 1);
        add_control(t, to, op);
    } else if (op->code == OP_fusion) {
        add(to, RATE_PART, 1);
        if (fusion_work_has_points(op))
            add_loop_fusion(t, to, op);
        else
            add_block(t, to, op->regions[0]);
    } else if (op->result_count) {
        add_heavy(to, op, elements(&op->results[0]));
    }
}

static void add_block(const struct timer *t, struct work *to, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next)
        add_inside(t, to, op);
}

/* ---- steps ----------------------------------------------------------------------------------- */
static double bytes_of_step(const struct op *op)
{
    double bytes = 0;
    if (op->code == OP_fusion)
        return op_work_fusion_bytes(op);
    for (int i = 0; i < op->operand_count; i++)
        bytes += op_work_bytes(op->operands[i]);
    for (int i = 0; i < op->result_count; i++)
        bytes += op_work_bytes(&op->results[i]);
    return bytes;
}

static enum rate rate_of_product(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_BF16: return RATE_PRODUCT_BF16;
    case DTYPE_F16: return RATE_PRODUCT_F16;
    case DTYPE_S8:
    case DTYPE_U8: return RATE_PRODUCT_S8;
    case DTYPE_F64: return RATE_PRODUCT_F64;
    case DTYPE_C64: return RATE_PRODUCT_C64;
    case DTYPE_C128: return RATE_PRODUCT_C128;
    default: return RATE_PRODUCT_F32;
    }
}

static const struct op *product_in(const struct op *op)
{
    const struct op *at = op;
    if (op->code == OP_fusion)
        for (at = op->regions[0]->first; at && at->code != OP_dot_general;)
            at = at->next;
    return at;
}

static void add_library(struct work *to, const struct op *op)
{
    const struct op *product = product_in(op);
    add(to, RATE_LIBRARY_CALL, 1);
    if (product)
        add(to,
            product->code == OP_convolution ? RATE_CONVOLUTION
                                            : rate_of_product(dtype_of(product->operands[0])),
            product->code == OP_convolution ? padded_multiply_adds(product)
                                            : op_work_multiply_adds(product));
}

static const struct {
    const char *part; /* of the call's name */
    enum rate rate;   /* of n^3 for n x n matrices */
    enum rate call;   /* of a matrix */
} calls[] = {
    {"syevd", RATE_EIGEN, RATE_EIGEN_CALL},   {"heevd", RATE_EIGEN, RATE_EIGEN_CALL},
    {"geev", RATE_SVD, RATE_SVD_CALL},        {"gesdd", RATE_SVD, RATE_SVD_CALL},
    {"gesvd", RATE_SVD, RATE_SVD_CALL},       {"gehrd", RATE_EIGEN, RATE_EIGEN_CALL},
    {"sytrd", RATE_EIGEN, RATE_EIGEN_CALL},   {"geqrf", RATE_QR, RATE_QR_CALL},
    {"orgqr", RATE_QR, RATE_QR_CALL},         {"potrf", RATE_FACTOR, RATE_FACTOR_CALL},
    {"getrf", RATE_FACTOR, RATE_FACTOR_CALL}, {"trsm", RATE_FACTOR, RATE_FACTOR_CALL},
};

static bool has_part(struct string name, const char *part)
{
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= name.size; i++)
        if (!memcmp(name.data + i, part, size))
            return true;
    return false;
}

/* How many matrices an array has. */
static double matrices(const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    double count = 1;
    for (int i = 0; i + 2 < shape->rank; i++)
        count *= (double)shape->dims[i];
    return count;
}

static void add_call(struct work *to, const struct op *op)
{
    struct string name = op->attrs.custom_call.call_target_name;
    add(to, RATE_CALL, 1);
    if (!op->operand_count || op->operands[0]->type->kind != TYPE_TENSOR)
        return;
    double size = elements(op->operands[0]), last = last_dim(op->operands[0]);
    if (has_part(name, "gantry_fft"))
        add_fft(to, op->operands[0], 1);
    if (has_part(name, "gantry_top_k"))
        add(to, RATE_TOP, size);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (has_part(name, calls[i].part)) {
            add(to, calls[i].call, matrices(op->operands[0]));
            add(to, calls[i].rate, size * last * width(op->operands[0]));
            return;
        }
}

static double in_memory(const struct timer *t, double bytes)
{
    bool cached = bytes <= (double)t->target->cache_bytes;
    return bytes * 1e-9 * t->rates->nanoseconds[cached ? RATE_CACHED_BYTES : RATE_BYTES];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double seconds_of_block(const struct timer *t, const struct block *block);

static double seconds_of_control(const struct timer *t, const struct op *op)
{
    double all = 0, most = 0, step = t->rates->nanoseconds[RATE_STEP] * 1e-9;
    for (int i = 0; i < op->region_count; i++) {
        double one = seconds_of_block(t, op->regions[i]);
        all += one;
        most = larger(most, one);
    }
    return step + (op->code == OP_while ? all * trips(op) : most);
}

/* Without control flow. */
static void add_step(const struct timer *t, struct work *to, const struct op *op)
{
    bool is_fused = op->code == OP_fusion;
    if (is_fused && lower_step_calls_kernels(op)) {
        for (const struct op *part = op->regions[0]->first; part; part = part->next)
            add_step(t, to, part);
        return;
    }
    if (op->code == OP_dot_general || op->code == OP_convolution ||
        (is_fused && op->attrs.fusion.fusion_kind == FUSION_DOT))
        add_library(to, op);
    else if (op->code == OP_custom_call)
        add_call(to, op);
    else if (is_fused)
        add_inside(t, to, op);
}

/* On one core, without the launch. */
static double seconds_alone(const struct timer *t, const struct op *op)
{
    struct work work = {0};
    add_step(t, &work, op);
    return larger(seconds_of(t, &work), in_memory(t, bytes_of_step(op)));
}

/* Of seconds on one core: multiples of what an element of 32 bits takes in memory. */
static double cost_of_seconds(const struct timer *t, double seconds)
{
    return seconds * 1e9 / (4 * t->rates->nanoseconds[RATE_BYTES]);
}

static double seconds_of_step(const struct timer *t, const struct op *op)
{
    if (op->code == OP_constant || op->code == OP_fft_table || op->code == OP_return ||
        op->code == OP_reshape || (op->code == OP_copy && !lower_step_copies(t->plan, op)))
        return 0;
    if (op_info(op->code)->traits & OP_CONTROL)
        return seconds_of_control(t, op);
    double seconds = seconds_alone(t, op);
    bool is_shared = cost_of_seconds(t, seconds) >= (double)t->target->parallel_cost;
    return t->rates->nanoseconds[RATE_STEP] * 1e-9 +
           (is_shared ? seconds / t->target->cores : seconds);
}

static double seconds_of_block(const struct timer *t, const struct block *block)
{
    double seconds = 0;
    for (const struct op *op = block->first; op; op = op->next)
        seconds += seconds_of_step(t, op);
    return seconds;
}

static struct timer timer_of(const struct lowerer *l)
{
    return (struct timer){l->arena, l->target, l->plan, rates_of(l->target->features)};
}

double execution_time_cost(const struct lowerer *l, const struct op *fusion)
{
    const struct timer t = timer_of(l);
    return cost_of_seconds(&t, seconds_alone(&t, fusion));
}

double execution_time(const struct lowerer *l, const struct block *main)
{
    const struct timer t = timer_of(l);
    double seconds = t.rates->nanoseconds[RATE_EXECUTION] * 1e-9 + seconds_of_block(&t, main);
    return seconds < EXECUTION_TIME_MAX ? seconds : EXECUTION_TIME_MAX; /* a NaN, too */
}
