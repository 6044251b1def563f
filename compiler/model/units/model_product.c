/* model_product.c: see model_product.h. */
#include "compiler/model/units/model_product.h"

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
    double rate = (double)(a->lanes * a->sublanes) * a->vector_slots * a->cores * a->clock_hz;
    return MULTIPLY_AND_ADD * op_work_multiply_adds(op) / rate;
}

/* Rows times columns with their padding. Either side of a product may be the columns. */
static double padded_dot(const struct accelerator *a, const struct product *p)
{
    double small = p->m >= p->n ? p->n : p->m, large = p->m >= p->n ? p->m : p->n;
    return round_up(small, a->sublanes) * round_up(large, a->matrix_unit_size);
}

/* Of a convolution, with the result's features as columns. */
static double padded_features(const struct accelerator *a, const struct product *p)
{
    return round_up(p->m, a->sublanes) * round_up(p->n, a->matrix_unit_size);
}

/* With the batch as columns, at each position. */
static double padded_images(const struct accelerator *a, const struct product *p,
                            const struct op *op)
{
    int64_t dimension = op->attrs.convolution.output_batch_dimension;
    double batch = (double)op->results[0].type->shape.dims[dimension];
    double positions = batch > 0 ? p->m / batch : 0;
    return positions * round_up(batch, a->lanes) * round_up(p->n, a->sublanes);
}

/* Seconds until the units have had all weights, which they load beside the rows of others: the
 * larger side of a product, with its contracted elements. 0 for convolutions, whose windows read
 * the same weights again. */
static double load_seconds(const struct accelerator *a, const struct product *p,
                           const struct op *op)
{
    enum { WORD = 2 };
    double unit = a->matrix_unit_size, large = p->m >= p->n ? p->m : p->n;
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    double cycles = a->matrix_load_cycles * (dtype_bytes(dtype) < WORD ? 1.0 / WORD : 1);
    double work = p->batch * round_up(large, unit) * round_up(p->k, unit) * cycles;
    return op->code == OP_dot_general ? 2 * work * passes_of(a, op) / a->bf16_rate : 0;
}

/* Seconds, if rows times columns are so many with padding. */
static double seconds_of(const struct accelerator *a, const struct product *p, double padded,
                         const struct op *op)
{
    double unit = a->matrix_unit_size, work = p->batch * padded * round_up(p->k, unit);
    double reached = unit > SMALL_UNIT ? REACHED_BY_256 : REACHED_BY_128;
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    double seconds = 2 * work * passes_of(a, op) / (reached * rate_of(a, dtype));
    double load = load_seconds(a, p, op);
    double vector = is_by_feature(op) ? vector_seconds(a, op) : seconds;
    return vector < seconds ? vector : load > seconds ? load : seconds;
}

static struct product product_of(const struct op *op)
{
    return op->code == OP_dot_general ? of_dot(op) : of_convolution(op);
}

bool model_product_has_one_row(const struct op *op)
{
    if (op->code != OP_dot_general)
        return false;
    struct product p = of_dot(op);
    return p.m == 1 || p.n == 1;
}

double model_product_estimate(const struct accelerator *a, const struct op *op)
{
    struct product p = product_of(op);
    bool is_dot = op->code == OP_dot_general;
    return seconds_of(a, &p, is_dot ? padded_dot(a, &p) : padded_features(a, &p), op);
}

double model_product_seconds(const struct accelerator *a, const struct op *op)
{
    struct product p = product_of(op);
    double features = model_product_estimate(a, op);
    if (op->code == OP_dot_general)
        return features;
    double images = seconds_of(a, &p, padded_images(a, &p, op), op);
    return images < features ? images : features;
}
