/* op_units.c: see op_units.h */
#include "compiler/schedule/op_units.h"

#include <math.h>
#include <string.h>

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/stencil.h"
#include "compiler/schedule/access.h"

/* ---- elements -------------------------------------------------------------------------------- */
static double elements(const struct value *value)
{
    return op_work_elements(value);
}

/* How many vectors of f32 an element is worth. */
static double width(const struct value *value)
{
    int bytes = dtype_bytes(ir_dtype(value));
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

/* Whether elements that are adjacent in the result are so in the operand. */
static bool keeps_last(const struct op *op)
{
    int last = op->operands[0]->type->shape.rank - 1;
    if (last < 0)
        return true;
    struct access access = access_of(op, 0, last);
    return access.dim == op->results[0].type->shape.rank - 1 && access.scale == 1;
}

enum rate op_units_rounding(enum dtype dtype)
{
    if (!is_narrow(dtype))
        return RATE_FREE;
    return dtype_bytes(dtype) == 1 ? RATE_FLOAT8 : RATE_NARROW;
}

static enum rate rate_of_convert(const struct op *op)
{
    enum rate from = op_units_rounding(ir_dtype(op->operands[0])),
              to = op_units_rounding(ir_dtype(&op->results[0]));
    if (from == RATE_FREE && to == RATE_FREE)
        return RATE_SIMPLE;
    return from == RATE_FLOAT8 || to == RATE_FLOAT8 ? RATE_FLOAT8 : RATE_NARROW;
}

static enum rate rate_of_float(const struct op *op)
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
    case OP_real:
    case OP_imag:
    case OP_complex: return RATE_FREE;
    default: return op_info(op->code)->traits & OP_TRANSCENDENTAL ? RATE_SINE : RATE_SIMPLE;
    }
}

static enum rate rate_of_indexed(const struct op *op)
{
    switch (op->code) {
    case OP_gather: return is_contiguous_gather(op) ? RATE_GATHERED_ROW : RATE_GATHERED;
    case OP_transpose:
    case OP_slice: return keeps_last(op) ? RATE_FREE : RATE_MOVED;
    case OP_reverse: return RATE_MOVED;
    case OP_pad:
    case OP_concatenate: return RATE_SELECTED;
    case OP_constant:
    case OP_reshape:
    case OP_broadcast_in_dim:
    case OP_broadcast:
    case OP_iota:
    case OP_dynamic_slice:
    case OP_bitcast_convert:
    case OP_optimization_barrier: return RATE_FREE;
    default: return RATE_SIMPLE;
    }
}

enum rate op_units_rate(const struct op *op)
{
    if (!(op_info(op->code)->traits & OP_ELEMENTWISE))
        return rate_of_indexed(op);
    if (op->code == OP_convert)
        return rate_of_convert(op);
    enum dtype dtype = ir_dtype(op->operand_count ? op->operands[0] : &op->results[0]);
    return dtype_is_float(dtype) || dtype_is_complex(dtype) ? rate_of_float(op)
                                                            : rate_of_integer(op);
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

void op_units_add(struct op_units *to, enum rate rate, double units)
{
    to->of[rate] += units;
}

void op_units_add_times(struct op_units *to, const struct op_units *what, double times)
{
    for (int i = 0; i < RATE_COUNT; i++)
        to->of[i] += times * what->of[i];
}

void op_units_add_rows(struct op_units *to, const struct value *value)
{
    double last = last_dim(value);
    if (last > 0)
        op_units_add(to, RATE_ROW, elements(value) / last);
}

static void add_elementwise(struct op_units *to, const struct op *op, double times)
{
    enum rate rate = op_units_rate(op);
    double count = times * width(&op->results[0]);
    if (dtype_is_complex(ir_dtype(&op->results[0])) && rate != RATE_SIMPLE)
        count *= 2;
    op_units_add(to, rate, count);
}

/* Beyond a single operation, which the rates of reductions include. */
static void add_reducer(struct op_units *to, const struct op *op, double times)
{
    const struct op *first = op->region_count ? op->regions[0]->first : NULL;
    if (!first || first->next == op->regions[0]->last)
        return;
    for (const struct op *inside = first; inside != op->regions[0]->last; inside = inside->next)
        if (inside->code != OP_constant)
            add_elementwise(to, inside, times * RATES_LANES);
}

static void add_reduce(struct op_units *to, const struct op *op, double times)
{
    double in = elements(op->operands[0]), out = elements(&op->results[0]);
    const struct dims dims = op->attrs.dimensions.dimensions;
    bool rows = dims_contain(dims, op->operands[0]->type->shape.rank - 1);
    double each = out > 0 ? in / out : 0;
    op_units_add(to, RATE_REDUCTION, times);
    if (op->result_count > 1) {
        op_units_add(to, RATE_REDUCED_PAIR, times * each);
        return;
    }
    op_units_add(to, rows ? RATE_REDUCED_ROW : RATE_REDUCED_COLUMN,
                 times * each * width(op->operands[0]));
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

static void add_window(struct op_units *to, const struct op *op, double repeated)
{
    if (is_scan(op))
        op_units_add(to, RATE_SCAN, repeated * elements(op->operands[0]) * op->operand_count / 2);
    if (is_scan(op))
        add_reducer(to, op, repeated * elements(op->operands[0]) / RATES_LANES);
    else
        op_units_add(to, RATE_WINDOW, repeated * op_work_window(op));
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

static void add_sort(struct op_units *to, const struct op *op)
{
    double size = elements(&op->results[0]), row = last_dim(&op->results[0]);
    if (is_top(op))
        op_units_add(to, RATE_TOP, size);
    else if (row >= RADIX_ROW && op->operand_count <= RADIX_ARRAYS)
        op_units_add(to, RATE_RADIX, size * op->operand_count);
    else
        op_units_add(to, RATE_SORT, size * log2_of(row) * op->operand_count);
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

static void add_fft(struct op_units *to, const struct value *operand, double repeated)
{
    double length = last_dim(operand), size = elements(operand) * width(operand);
    enum rate rate = has_large_prime((int64_t)length) ? RATE_FFT_PRIME : RATE_FFT;
    op_units_add(to, rate, repeated * size * log2_of(length));
}

/* Convolutions compute vectors of output features, whole ones. */
static double padded_multiply_adds(const struct op *convolution)
{
    const struct attrs_convolution *at = &convolution->attrs.convolution;
    const struct shape *kernel = &convolution->operands[1]->type->shape;
    int64_t out = kernel->dims[at->kernel_output_feature_dimension] / at->feature_group_count;
    if (stencil_is(convolution))
        return op_work_multiply_adds(convolution) / RATES_LANES;
    bool is_depthwise = at->feature_group_count > 1 && out == 1;
    double padded = (double)((out + RATES_LANES - 1) / RATES_LANES * RATES_LANES);
    return op_work_multiply_adds(convolution) * (is_depthwise || !out ? 1 : padded / (double)out);
}

void op_units_add_op(struct op_units *to, const struct op *op, double times)
{
    double out = op->result_count ? elements(&op->results[0]) : 0;
    double repeated = out > 0 ? times / out : times;
    switch (op->code) {
    case OP_dot_general:
        op_units_add(to, RATE_SMALL_PRODUCT,
                     repeated * op_work_multiply_adds(op) * width(&op->results[0]));
        break;
    case OP_convolution:
        op_units_add(to, RATE_SMALL_CONVOLUTION, repeated * padded_multiply_adds(op));
        break;
    case OP_reduce: add_reduce(to, op, times); break;
    case OP_reduce_window: add_window(to, op, repeated); break;
    case OP_select_and_scatter:
        op_units_add(to, RATE_SCATTERED, repeated * elements(op->operands[0]));
        break;
    case OP_sort: add_sort(to, op); break;
    case OP_fft: add_fft(to, op->operands[0], 1); break;
    case OP_cholesky:
    case OP_lu:
    case OP_triangular_solve: op_units_add(to, RATE_FACTOR, out * last_dim(op->operands[0])); break;
    case OP_scatter:
        op_units_add(to, is_contiguous_scatter(op) ? RATE_SCATTERED_ROW : RATE_SCATTERED,
                     elements(op->operands[op->operand_count - 1]));
        break;
    case OP_dynamic_update_slice: op_units_add(to, RATE_MOVED, elements(op->operands[1])); break;
    case OP_rng_bit_generator: op_units_add(to, RATE_RANDOM, elements(&op->results[1])); break;
    default: add_elementwise(to, op, times); break;
    }
}

/* ---- libraries and built-in calls ------------------------------------------------------------ */
enum rate op_units_product(enum dtype dtype)
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

void op_units_add_product(struct op_units *to, const struct op *product)
{
    if (product->code == OP_convolution)
        op_units_add(to, RATE_CONVOLUTION, padded_multiply_adds(product));
    else
        op_units_add(to, op_units_product(ir_dtype(product->operands[0])),
                     op_work_multiply_adds(product));
}

void op_units_add_library(struct op_units *to, const struct op *op)
{
    const struct op *product = product_in(op);
    op_units_add(to, RATE_LIBRARY_CALL, 1);
    if (product)
        op_units_add_product(to, product);
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

void op_units_add_call(struct op_units *to, const struct op *op)
{
    struct string name = op->attrs.custom_call.call_target_name;
    op_units_add(to, RATE_CALL, 1);
    if (!op->operand_count || op->operands[0]->type->kind != TYPE_TENSOR)
        return;
    double size = elements(op->operands[0]), last = last_dim(op->operands[0]);
    if (has_part(name, "gantry_fft"))
        add_fft(to, op->operands[0], 1);
    if (has_part(name, "gantry_top_k"))
        op_units_add(to, RATE_TOP, size);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (has_part(name, calls[i].part)) {
            op_units_add(to, calls[i].call, matrices(op->operands[0]));
            op_units_add(to, calls[i].rate, size * last * width(op->operands[0]));
            return;
        }
}
