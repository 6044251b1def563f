/* model_product.c: see model_product.h. */
#include "compiler/model/model_product.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/model_graph.h"

/* How much of their peak the units reach in the compiler's schedules of large products: filling and
 * draining them, and partial sums. The larger the unit, the less. */
#define REACHED_BY_128 0.92
#define REACHED_BY_256 0.84
enum { SMALL_UNIT = 128 };

struct product { /* batch x m x n x k */
    double batch, m, n, k;
};

static double round_up(double value, double unit)
{
    double count = (double)(int64_t)((value + unit - 1) / unit);
    return count * unit;
}

static struct product of_dot(const struct op *op)
{
    const struct attrs_dot *at = &op->attrs.dot;
    const struct type *lhs = op->operands[0]->type;
    struct product p = {.batch = (double)dims_elements(lhs, at->lhs_batching_dimensions),
                        .k = (double)dims_elements(lhs, at->lhs_contracting_dimensions)};
    double left = op_work_elements(op->operands[0]), right = op_work_elements(op->operands[1]);
    p.m = p.batch * p.k > 0 ? left / (p.batch * p.k) : 0;
    p.n = p.batch * p.k > 0 ? right / (p.batch * p.k) : 0;
    return p;
}

static double window_of(const struct op *convolution)
{
    const struct attrs_convolution *at = &convolution->attrs.convolution;
    return (double)dims_elements(convolution->operands[1]->type, at->kernel_spatial_dimensions);
}

/* A convolution is a product over the window and the input's features. */
static struct product of_convolution(const struct op *op)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *kernel = op->operands[1]->type;
    double features = (double)kernel->shape.dims[at->kernel_output_feature_dimension];
    double groups =
        (double)(at->feature_group_count > 1 ? at->feature_group_count : at->batch_group_count);
    double k = (double)kernel->shape.dims[at->kernel_input_feature_dimension] * window_of(op);
    struct product p = {.batch = groups > 1 ? groups : 1, .k = k};
    p.n = features / p.batch;
    double work = op_work_multiply_adds(op);
    p.m = p.n * p.k * p.batch > 0 ? work / (p.batch * p.n * p.k) : 0;
    return p;
}

static int passes_of(const struct accelerator *accelerator, const struct op *op)
{
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    struct precisions precisions = op->code == OP_dot_general
                                       ? op->attrs.dot.precision_config
                                       : op->attrs.convolution.precision_config;
    enum precision precision = precisions.lhs > precisions.rhs ? precisions.lhs : precisions.rhs;
    if (dtype != DTYPE_F32 && dtype != DTYPE_F64)
        return 1;
    return precision == PRECISION_HIGHEST ? accelerator->f32_passes_highest
           : precision == PRECISION_HIGH  ? accelerator->f32_passes_high
                                          : accelerator->f32_passes_default;
}

static double rate_of(const struct accelerator *accelerator, enum dtype dtype)
{
    double rate = dtype_bytes(dtype) == 1 && dtype_is_integer(dtype) ? accelerator->int8_rate
                  : dtype_bytes(dtype) == 1                          ? accelerator->fp8_rate
                                                                     : 0;
    return rate > 0 ? rate : accelerator->bf16_rate;
}

/* Whether each feature of the result is computed of one feature: a sum over the window, for which
 * the vector unit does not need the padding of the matrix units. */
static bool is_by_feature(const struct op *op)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    return op->code == OP_convolution && at->feature_group_count > 1 &&
           op->operands[1]->type->shape.dims[at->kernel_input_feature_dimension] == 1;
}

static double vector_seconds(const struct accelerator *a, const struct op *op)
{
    enum { MULTIPLY_AND_ADD = 2 };
    double rate = (double)(a->lanes * a->sublanes) * VECTOR_UNITS * a->cores * a->clock_hz;
    return MULTIPLY_AND_ADD * op_work_multiply_adds(op) / rate;
}

double model_product_seconds(const struct accelerator *accelerator, const struct op *op)
{
    struct product p = op->code == OP_dot_general ? of_dot(op) : of_convolution(op);
    double unit = accelerator->matrix_unit_size, sublanes = accelerator->sublanes;
    bool swaps = op->code == OP_dot_general && p.m >= p.n; /* either side may be the columns */
    double small = swaps ? p.n : p.m, large = swaps ? p.m : p.n;
    double work = p.batch * round_up(small, sublanes) * round_up(large, unit) * round_up(p.k, unit);
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    double reached = unit > SMALL_UNIT ? REACHED_BY_256 : REACHED_BY_128;
    double seconds =
        2 * work * passes_of(accelerator, op) / (reached * rate_of(accelerator, dtype));
    double vector = is_by_feature(op) ? vector_seconds(accelerator, op) : seconds;
    return vector < seconds ? vector : seconds;
}
