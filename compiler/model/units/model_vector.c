/* model_vector.c: see model_vector.h. */
#include "compiler/model/units/model_vector.h"

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/window_axis.h"
#include "compiler/tiled_shape.h"

/* The share of the arithmetic slots that schedules of kernels of one function fill: 85 to 99 %. */
#define SLOTS_FILLED 0.93

/* Cycles of the unit that moves data between lanes, for the lanes of 8 rows: 1.5 to 3.6 in 6
 * schedules for v5e, v6e and 7x. */
#define CYCLES_ACROSS 2

enum { WORD = 4 }; /* bytes */

struct instructions { /* for each vector of results */
    double arithmetic, transcendental;
};

static bool is_narrow(const struct op *op)
{
    return dtype_bytes(op->results[0].type->shape.dtype) < WORD;
}

/* Whether functions are those of the generations with 256 x 256 matrix units, whose results need
 * fewer corrections. */
static bool has_exact_functions(const struct accelerator *a)
{
    return a->matrix_unit_size > a->lanes;
}

/* Between floats none: those count where arrays are read and written (model_vector_add_read()). */
static double converts(const struct op *op)
{
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    return !dtype_is_float(from) || !dtype_is_float(to);
}

static struct instructions divide(const struct accelerator *a, const struct op *op)
{
    if (dtype_is_integer(op->results[0].type->shape.dtype))
        return (struct instructions){150, 0};
    bool corrects = !is_narrow(op) && !has_exact_functions(a);
    return (struct instructions){corrects ? 14 : 1, 1};
}

/* Counted in final schedules of kernels of one function each, for v4, v5e, v6e and 7x. Assumed: of
 * atan2, of remainders beyond their quotient, of all that takes one instruction; and of power,
 * cbrt, sin, cos and quotients of integers beside matrix units of 128 x 128. */
static struct instructions instructions_of(const struct accelerator *a, const struct op *op)
{
    bool exact = has_exact_functions(a), narrow = is_narrow(op);
    switch (op->code) {
    case OP_exponential:
    case OP_log: return (struct instructions){1, 1};
    case OP_tanh: return (struct instructions){0, 1};
    case OP_exponential_minus_one:
        return exact ? (struct instructions){6, 2} : (struct instructions){8, 1};
    case OP_log_plus_one: return (struct instructions){8, 1};
    case OP_rsqrt: return (struct instructions){exact ? 0 : 9, 1};
    case OP_sqrt: return (struct instructions){exact ? 6 : 11, 1};
    case OP_cbrt: return (struct instructions){8, 2};
    case OP_divide: return divide(a, op);
    case OP_remainder: return (struct instructions){divide(a, op).arithmetic + 10, 1};
    case OP_logistic: return (struct instructions){exact || narrow ? 2 : 15, 2};
    case OP_erf: return (struct instructions){exact ? 0 : narrow ? 26 : 38, 1};
    case OP_power:
    case OP_atan2: return (struct instructions){51, 2};
    case OP_sine:
    case OP_cosine:
    case OP_tan: return (struct instructions){exact ? 95 : 128, 2};
    case OP_reshape:
    case OP_broadcast_in_dim:
    case OP_broadcast:
    case OP_constant: return (struct instructions){0, 0};
    case OP_convert: return (struct instructions){converts(op), 0};
    default: return (struct instructions){1, 0};
    }
}

/* A reduction takes the instructions of its reducer for each element. One with several results is
 * of an index beside what it is compared by: with the NaNs, 2.8 to 3.2 cycles in 15 of 19 final
 * schedules of the index of the largest element, for v5e, v5p, v6e and 7x; 3.9 to 4.3 in four along
 * the second-minor dimension of three. */
static struct instructions reducer_of(const struct accelerator *a, const struct op *op)
{
    enum { INDEX = 10 };
    struct instructions sum = {INDEX, 0};
    if (op->result_count > 1)
        return sum;
    sum.arithmetic = 0;
    for (const struct op *at = op->regions[0]->first; at; at = at->next) {
        if (!at->result_count)
            continue;
        struct instructions one = instructions_of(a, at);
        sum.arithmetic += one.arithmetic;
        sum.transcendental += one.transcendental;
    }
    return sum;
}

/* Steps for an element of a window of `size` along one dimension. libtpu's cost analysis counts 128
 * for each element of a cumulative sum, whatever its length: blocks of that size. Assumed, not read
 * from a schedule: shifts by powers of two, two steps for each bit. */
static double steps_along(int64_t size)
{
    enum { SHORT = 8, BLOCK = 128, STEPS = 2 };
    double steps = 0;
    if (size <= SHORT)
        return size > 1 ? (double)size : 0;
    for (int64_t reach = 1; reach < size && reach < BLOCK; reach *= 2)
        steps += STEPS;
    return steps;
}

/* Windows are reduced along one dimension after the other. */
static double window_steps(const struct op *op)
{
    double steps = 1;
    for (int i = 0; i < op->operands[0]->type->shape.rank; i++)
        steps += steps_along(window_axis_of(op, i).size);
    return steps * op_work_elements(&op->results[0]);
}

/* With the padding of its tiles. */
static double padded(const struct accelerator *a, const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    int bytes = value->type->kind == TYPE_TENSOR ? dtype_bytes(shape->dtype) : 0;
    double elements = op_work_elements(value);
    double stored = bytes > 0 ? (double)tiled_shape_bytes(a, shape) / bytes : 0;
    return elements > stored || elements <= a->lanes ? elements : stored;
}

static double elements_of(const struct accelerator *a, const struct op *op)
{
    switch (op->code) {
    case OP_reduce: return padded(a, op->operands[0]);
    case OP_reduce_window: return window_steps(op);
    case OP_dynamic_update_slice: return padded(a, op->operands[1]);
    default: return padded(a, &op->results[0]);
    }
}

/* Whether the reduction is along the lanes. */
static bool is_along_lanes(const struct accelerator *a, const struct op *reduce)
{
    struct shape shape = reduce->operands[0]->type->shape;
    struct shape_layout room;
    if (!shape.rank)
        return false;
    tiled_shape_choose(a, TILED_FREE, &shape, &room);
    return dims_contain(reduce->attrs.dimensions.dimensions, room.minor_to_major[0]);
}

void model_vector_add(const struct accelerator *accelerator, const struct op *op,
                      struct model_vector *work)
{
    if (!op->result_count)
        return;
    double elements = elements_of(accelerator, op);
    struct instructions each =
        op->code == OP_reduce ? reducer_of(accelerator, op) : instructions_of(accelerator, op);
    work->arithmetic += elements * each.arithmetic;
    work->transcendental += elements * each.transcendental;
    if (op->code == OP_reduce && is_along_lanes(accelerator, op))
        work->rows += op_work_elements(&op->results[0]);
}

void model_vector_add_read(enum dtype dtype, double elements, struct model_vector *work)
{
    work->arithmetic += dtype_bytes(dtype) < WORD ? elements : 0;
}

void model_vector_add_written(enum dtype dtype, double elements, struct model_vector *work)
{
    work->arithmetic += dtype_bytes(dtype) < WORD ? elements / 2 : 0;
}

double model_vector_seconds(const struct accelerator *accelerator, const struct model_vector *work)
{
    const struct accelerator *a = accelerator;
    double vectors = (double)(a->lanes * a->sublanes) * a->cores * a->clock_hz;
    double arithmetic = work->arithmetic / (SLOTS_FILLED * a->vector_slots * vectors);
    double transcendental = work->transcendental / vectors;
    double across = work->rows * CYCLES_ACROSS / (a->sublanes * a->cores * a->clock_hz);
    double busier = arithmetic > transcendental ? arithmetic : transcendental;
    return busier > across ? busier : across;
}
