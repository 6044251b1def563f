/* pallas_work.c: see pallas_work.h. Slots of a bundle, instructions and latencies are what libtpu
 * 0.0.45 says of chains of one operation on one register (latency) and on 32 (throughput), on v5e
 * (docs/pallas.md). */
#include "compiler/model/pallas/pallas_work.h"

#include <math.h>

#include "compiler/model/pallas/pallas_lanes.h"

enum { LOAD_SLOTS = 2, STORE_SLOTS = 1, VECTOR_SLOTS = 3 };
static const double SHUFFLE = 8.0 / 3; /* cycles of a register */
enum { TILE_ROWS = 4 }; /* of the right side of a product that a matrix unit takes in a cycle */
enum {
    LATENCY_VECTOR = 2,
    LATENCY_MEMORY = 4,    /* loads, and stores */
    LATENCY_SUBLANES = 12, /* a reduction of the sublanes of a register */
    LATENCY_LANES = 103,   /* through the shuffle unit */
    LATENCY_TRANSPOSE = 159,
    LATENCY_TO_SCALAR = 50,
    LATENCY_MATRIX = 127, /* from a row to its products */
    LATENCY_TILE = 40     /* until a tile of the right side is in the matrix unit */
};

/* ---- registers ------------------------------------------------------------------------------- */
static double ceil_div(double value, double unit)
{
    return ceil(value / unit);
}

/* Registers of a vector; those of narrow types hold more rows. */
static double registers(const struct accelerator *a, const struct kernel_type *type)
{
    int bits = dtype_info(type->dtype)->bits;
    double outer = 1, columns = 1, rows = 1, packed = bits > 0 && bits < 32 ? 32.0 / bits : 1;
    if (type->kind != KERNEL_VECTOR || type->dtype == DTYPE_PRED)
        packed = 1;
    for (int d = 0; d < type->rank - 2; d++)
        outer *= (double)type->dims[d];
    if (type->rank)
        columns = (double)type->dims[type->rank - 1];
    if (type->rank > 1)
        rows = (double)type->dims[type->rank - 2];
    return outer * ceil_div(rows, a->sublanes * packed) * ceil_div(columns, a->lanes);
}

/* Registers as the arithmetic unit has them: of 32 bits an element. */
static double wide_registers(const struct accelerator *a, const struct kernel_type *type)
{
    struct kernel_type wide = *type;
    wide.dtype = DTYPE_S32;
    return registers(a, &wide);
}

/* `begin` of the operation that is added. */
struct adding {
    struct pallas_work *work;
    double begin;
};

static void use(const struct adding *w, enum pallas_unit unit, double cycles)
{
    struct pallas_work *work = w->work;
    if (cycles <= 0)
        return;
    work->first[unit] = work->busy[unit] > 0 ? fmin(work->first[unit], w->begin) : w->begin;
    work->busy[unit] += cycles;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
struct arithmetic { /* of a register of 32-bit elements */
    double instructions;
    double special; /* of these, by the unit for transcendental functions */
    double latency;
};

static struct arithmetic arithmetic(enum kernel_code code)
{
    switch (code) {
    case KERNEL_EXP2:
    case KERNEL_TANH: return (struct arithmetic){2, 1, 7};
    case KERNEL_EXP:
    case KERNEL_LOG:
    case KERNEL_LOG2: return (struct arithmetic){3, 1, 9};
    case KERNEL_LOG1P:
    case KERNEL_EXPM1: return (struct arithmetic){7, 1, 12};
    case KERNEL_RECIPROCAL:
    case KERNEL_RSQRT: return (struct arithmetic){8, 1, 18};
    case KERNEL_SQRT: return (struct arithmetic){10, 1, 21};
    case KERNEL_DIVF: return (struct arithmetic){11, 1, 19};
    case KERNEL_LOGISTIC: return (struct arithmetic){13, 2, 28};
    case KERNEL_ERF: return (struct arithmetic){31, 1, 45};
    case KERNEL_CBRT:
    case KERNEL_REMF:
    case KERNEL_ATAN:
    case KERNEL_ATAN2:
    case KERNEL_POWF: return (struct arithmetic){44, 2, 57};
    case KERNEL_SIN:
    case KERNEL_COS:
    case KERNEL_TAN: return (struct arithmetic){124, 0, 96};
    case KERNEL_DIVSI:
    case KERNEL_DIVUI:
    case KERNEL_REMSI:
    case KERNEL_REMUI: return (struct arithmetic){256, 0, 262};
    case KERNEL_FPTOSI:
    case KERNEL_FPTOUI:
    case KERNEL_TPU_FPTOSI:
    case KERNEL_TPU_FPTOUI: return (struct arithmetic){3, 0, 5};
    case KERNEL_INDEX_CAST:
    case KERNEL_INDEX_CASTUI:
    case KERNEL_BITCAST:
    case KERNEL_ASSUME_MULTIPLE: return (struct arithmetic){0};
    default: return (struct arithmetic){1, 0, LATENCY_VECTOR};
    }
}

/* An integer is divided by a number that the program has as a product. */
static struct arithmetic arithmetic_of(const struct kernel_op *op, const enum pallas_lanes *lanes)
{
    bool divides = op->code == KERNEL_DIVSI || op->code == KERNEL_DIVUI ||
                   op->code == KERNEL_REMSI || op->code == KERNEL_REMUI;
    return divides && lanes[op->operands[1]->id] == PALLAS_LANES_CONSTANT
               ? (struct arithmetic){32, 0, 33}
               : arithmetic(op->code);
}

/* Registers that are computed of a vector: one of each row of registers if those are equal. */
static double computed_registers(const struct accelerator *a, const struct kernel_type *type,
                                 bool is_equal)
{
    double columns = type->rank ? ceil_div((double)type->dims[type->rank - 1], a->lanes) : 1;
    return wide_registers(a, type) / (is_equal ? columns : 1);
}

/* A division is a reciprocal of the divisor and a product. */
static double add_elementwise(const struct adding *w, const struct accelerator *a,
                              const struct kernel_op *op, const enum pallas_lanes *lanes)
{
    const struct kernel_type *type = op->results[0].type;
    struct arithmetic cost = arithmetic_of(op, lanes);
    if (type->kind != KERNEL_VECTOR) {
        use(w, PALLAS_SCALAR, cost.instructions > 0);
        return 0;
    }
    double count = computed_registers(a, type, lanes[op->results[0].id]), once = count;
    if (op->code == KERNEL_DIVF)
        once = computed_registers(a, type, lanes[op->operands[1]->id]);
    double rest = fmax(cost.instructions - 1, 0), last = cost.instructions > 0;
    use(w, PALLAS_ARITHMETIC, (once * rest + count * last) / VECTOR_SLOTS);
    use(w, PALLAS_SPECIAL, once * cost.special);
    return cost.latency;
}

/* ---- moving and reducing --------------------------------------------------------------------- */
/* Whether the two minor dimensions stay where they are, so that registers are only renamed. */
static bool keeps_registers(const struct kernel_type *from, const struct kernel_type *to)
{
    if (from->kind != KERNEL_VECTOR || to->kind != KERNEL_VECTOR || from->dtype != to->dtype ||
        from->elements != to->elements)
        return from->kind != KERNEL_VECTOR;
    for (int d = 1; d <= 2; d++) {
        int64_t x = from->rank >= d ? from->dims[from->rank - d] : 1,
                y = to->rank >= d ? to->dims[to->rank - d] : 1;
        if (x != y)
            return false;
    }
    return true;
}

/* Along lanes values go through the shuffle unit; along sublanes and outer dimensions loads and
 * renaming do it. */
static bool broadcasts_lanes(const struct kernel_type *from, const struct kernel_type *to)
{
    return from->kind == KERNEL_VECTOR && from->rank && from->dims[from->rank - 1] == 1 &&
           to->dims[to->rank - 1] > 1;
}

static bool is_along_lanes(const struct kernel_op *op, const struct kernel_type *type)
{
    return op->attrs->axis == type->rank - 1;
}

/* What an operation moves through the shuffle unit: registers, and how long one takes. */
struct shuffle {
    double registers, latency;
};

static struct shuffle shuffle_of(const struct accelerator *a, const struct kernel_op *op,
                                 const struct kernel_type *from, const struct kernel_type *to,
                                 bool is_equal)
{
    double count = wide_registers(a, to);
    switch (op->code) {
    case KERNEL_BROADCAST:
        return broadcasts_lanes(from, to) && !is_equal
                   ? (struct shuffle){wide_registers(a, from), LATENCY_LANES}
                   : (struct shuffle){0, LATENCY_VECTOR};
    case KERNEL_SHAPE_CAST:
    case KERNEL_TPU_RESHAPE:
        return is_equal || keeps_registers(from, to) ? (struct shuffle){0}
                                                     : (struct shuffle){count, LATENCY_LANES};
    case KERNEL_VECTOR_BITCAST:
    case KERNEL_TPU_BITCAST:
    case KERNEL_BITCAST_VREG:
    case KERNEL_RELAYOUT:
    case KERNEL_EXTRACT:
    case KERNEL_EXTRACT_SLICE:
    case KERNEL_CONCATENATE:
    case KERNEL_REPEAT: return (struct shuffle){0};
    case KERNEL_VECTOR_CREATE_MASK:
    case KERNEL_CREATE_MASK: return (struct shuffle){0, LATENCY_VECTOR};
    case KERNEL_TRANSPOSE:
    case KERNEL_VECTOR_TRANSPOSE: return (struct shuffle){count, LATENCY_TRANSPOSE};
    case KERNEL_ROTATE:
    case KERNEL_DYNAMIC_ROTATE:
        return is_along_lanes(op, to) ? (struct shuffle){count, LATENCY_LANES}
                                      : (struct shuffle){0, LATENCY_VECTOR};
    default: return (struct shuffle){count, LATENCY_LANES};
    }
}

static double add_shape(const struct adding *w, const struct accelerator *a,
                        const struct kernel_op *op, const enum pallas_lanes *lanes)
{
    const struct kernel_type *to = op->result_count ? op->results[0].type : NULL,
                             *from = op->operand_count ? op->operands[0]->type : NULL;
    if (!to || !from)
        return 0;
    if (to->kind != KERNEL_VECTOR)
        return from->kind == KERNEL_VECTOR ? LATENCY_TO_SCALAR : 0;
    struct shuffle shuffle = shuffle_of(a, op, from, to, lanes[op->operands[0]->id]);
    use(w, PALLAS_SHUFFLE, SHUFFLE * shuffle.registers);
    if (op->code != KERNEL_BROADCAST && shuffle.latency && !shuffle.registers)
        use(w, PALLAS_ARITHMETIC, wide_registers(a, to) / VECTOR_SLOTS);
    return shuffle.latency;
}

/* Registers are combined one after the other, so that sums keep their order. */
static double add_reduction(const struct adding *w, const struct accelerator *a,
                            const struct kernel_op *op)
{
    const struct kernel_type *from = op->operands[0]->type;
    if (from->kind != KERNEL_VECTOR || !from->rank)
        return 0;
    bool lanes = pallas_lanes_reduces(op, from->rank - 1),
         sublanes = from->rank > 1 && pallas_lanes_reduces(op, from->rank - 2);
    double count = wide_registers(a, from),
           columns = ceil_div((double)from->dims[from->rank - 1], a->lanes),
           kept = wide_registers(a, op->results[0].type);
    use(w, PALLAS_ARITHMETIC, count / VECTOR_SLOTS);
    double latency = sublanes ? LATENCY_SUBLANES : 0;
    if (op->code == KERNEL_SORT || op->code == KERNEL_SCAN)
        use(w, PALLAS_SHUFFLE, SHUFFLE * (count * 8));
    else if (lanes)
        use(w, PALLAS_SHUFFLE, SHUFFLE * (count / columns));
    if (kept > 0)
        latency += LATENCY_VECTOR * (count / kept - 1) * !lanes;
    bool twice = op->code == KERNEL_REDUCE_INDEX && columns > 1; /* the value, then its index */
    return latency + (lanes ? LATENCY_LANES * (1 + twice) + LATENCY_VECTOR * (columns - 1) : 0);
}

/* ---- products -------------------------------------------------------------------------------- */
static double sizes_of(const struct kernel_type *type, struct dims dims)
{
    double out = 1;
    for (int64_t i = 0; i < dims.count; i++)
        out *= dims.at[i] >= 0 && dims.at[i] < type->rank ? (double)type->dims[dims.at[i]] : 1;
    return out;
}

static int passes_of(const struct accelerator *a, const struct kernel_op *op)
{
    if (op->operands[0]->type->dtype != DTYPE_F32)
        return 1;
    switch (op->attrs->dot->passes) {
    case 1: return a->f32_passes_default;
    case 6: return a->f32_passes_highest;
    default: return op->attrs->dot->passes;
    }
}

/* Operations of a type beside those of bf16. */
static double speed_of(const struct accelerator *a, enum dtype dtype)
{
    double rate = dtype_info(dtype)->bits == 8 && dtype_is_integer(dtype) ? a->int8_rate
                  : dtype_info(dtype)->bits == 8                          ? a->fp8_rate
                  : dtype_info(dtype)->bits == 4                          ? a->int4_rate
                                                                          : 0;
    return rate > 0 ? rate / a->bf16_rate : 1;
}

/* The vector unit multiplies rows with a vector, and the shuffle unit sums up lanes. */
static double add_row_product(const struct adding *w, const struct accelerator *a,
                              const struct kernel_type *lhs)
{
    double count = wide_registers(a, lhs),
           columns = ceil_div((double)lhs->dims[lhs->rank - 1], a->lanes);
    use(w, PALLAS_ARITHMETIC, (2 * count - count / columns) / VECTOR_SLOTS);
    w->work->flops += 2 * (double)lhs->elements;
    use(w, PALLAS_SHUFFLE, SHUFFLE * (count / columns));
    return LATENCY_LANES + LATENCY_VECTOR * columns;
}

/* A matrix unit multiplies a row with a tile of the right side each cycle, at its published peak,
 * while the next tile is loaded; LATENCY_TILE is that of the first tile. */
static double add_product(const struct adding *w, const struct accelerator *a,
                          const struct kernel_op *op)
{
    const struct kernel_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const struct kernel_dot *dot = op->attrs->dot;
    if (!dot)
        return 0;
    if (kernel_op_is_row_product(op))
        return add_row_product(w, a, lhs);
    double unit = a->matrix_unit_size, units = (double)a->matrix_units / a->cores;
    double batch = sizes_of(lhs, dot->lhs_batch), m = sizes_of(lhs, dot->lhs_free),
           n = sizes_of(rhs, dot->rhs_free), k = sizes_of(lhs, dot->lhs_contract);
    double tiles = ceil_div(n, unit) * ceil_div(k, unit);
    double rows = a->sublanes * ceil_div(m, a->sublanes), load = unit / TILE_ROWS;
    double speed = speed_of(a, lhs->dtype), hidden = fmax(load - rows, 0) / speed;
    double each = fmax(rows, load) * passes_of(a, op) / speed;
    units = fmin(units, fmax(1, batch * tiles * ceil_div(m, a->sublanes)));
    use(w, PALLAS_MATRIX, batch * tiles * each / units - hidden);
    w->work->flops += 2 * batch * m * n * k;
    use(w, PALLAS_ARITHMETIC,
        wide_registers(a, op->results[0].type) * ceil_div(k, unit) / VECTOR_SLOTS);
    return LATENCY_MATRIX;
}

/* A step of a unit that the kernel drives: rows pass through it, or a right side is loaded. */
static double add_unit(const struct adding *w, const struct accelerator *a,
                       const struct kernel_op *op)
{
    if (op->operand_count == 0)
        return LATENCY_MATRIX;
    const struct kernel_type *from = op->operands[0]->type;
    double unit = a->matrix_unit_size, rows = (double)from->dims[0];
    bool loads = op->code == KERNEL_MATMUL_PUSH_RHS;
    use(w, PALLAS_MATRIX,
        ceil_div(rows, loads ? a->sublanes : 1) * ceil_div((double)from->dims[1], unit) /
            speed_of(a, from->dtype));
    w->work->flops += loads ? 0 : 2 * (double)from->elements * unit;
    return LATENCY_MATRIX;
}

/* ---- the whole ------------------------------------------------------------------------------- */
static double add_memory(const struct adding *w, const struct accelerator *a,
                         const struct kernel_op *op, bool is_load)
{
    const struct kernel_type *type = is_load             ? op->results[0].type
                                     : op->operand_count ? op->operands[0]->type
                                                         : NULL;
    if (!type || type->kind != KERNEL_VECTOR) {
        use(w, PALLAS_SCALAR, 1);
        return LATENCY_VECTOR;
    }
    double count = registers(a, type);
    if (is_load)
        use(w, PALLAS_LOAD, count / LOAD_SLOTS);
    else
        use(w, PALLAS_STORE, count / STORE_SLOTS);
    return LATENCY_MEMORY;
}

double pallas_work_add(struct pallas_work *work, const struct accelerator *a,
                       const struct kernel_op *op, const enum pallas_lanes *lanes, double begin)
{
    struct adding adding = {work, begin}, *w = &adding;
    switch (kernel_op_info(op->code)->class) {
    case KERNEL_CLASS_ELEMENTWISE: return add_elementwise(w, a, op, lanes);
    case KERNEL_CLASS_SHAPE: return add_shape(w, a, op, lanes);
    case KERNEL_CLASS_REDUCTION: return add_reduction(w, a, op);
    case KERNEL_CLASS_MATRIX: return add_product(w, a, op);
    case KERNEL_CLASS_MXU: return add_unit(w, a, op);
    case KERNEL_CLASS_LOAD: return add_memory(w, a, op, true);
    case KERNEL_CLASS_STORE: return add_memory(w, a, op, false);
    case KERNEL_CLASS_RANDOM:
        use(w, PALLAS_ARITHMETIC, op->result_count ? wide_registers(a, op->results[0].type) : 0);
        return LATENCY_VECTOR;
    case KERNEL_CLASS_VIEW:
    case KERNEL_CLASS_SEMAPHORE: use(w, PALLAS_SCALAR, 2); return 0;
    default: return 0;
    }
}

double pallas_work_operand_latency(const struct kernel_op *op, int operand)
{
    bool is_product = kernel_op_info(op->code)->class == KERNEL_CLASS_MATRIX;
    return is_product && operand == 1 && !kernel_op_is_row_product(op) ? LATENCY_TILE : 0;
}

void pallas_work_sum(struct pallas_work *work, const struct pallas_work *part, double times)
{
    for (int u = 0; u < PALLAS_UNITS; u++)
        work->busy[u] += part->busy[u] * times;
    work->flops += part->flops * times;
}

double pallas_work_vector(const struct pallas_work *work)
{
    double busy = 0;
    for (int u = PALLAS_LOAD; u <= PALLAS_SHUFFLE; u++)
        busy = fmax(busy, work->busy[u]);
    return busy;
}

double pallas_work_cycles(const struct pallas_work *work, double path)
{
    static const double rest[PALLAS_UNITS] = {[PALLAS_LOAD] = 2 * LATENCY_MEMORY,
                                              [PALLAS_STORE] = LATENCY_MEMORY,
                                              [PALLAS_ARITHMETIC] = LATENCY_MEMORY,
                                              [PALLAS_SPECIAL] = LATENCY_MEMORY,
                                              [PALLAS_SHUFFLE] = LATENCY_LANES + LATENCY_MEMORY,
                                              [PALLAS_MATRIX] = LATENCY_MATRIX + LATENCY_MEMORY};
    double cycles = path + work->busy[PALLAS_MATRIX];
    for (int u = 0; u < PALLAS_UNITS; u++)
        if (work->busy[u] > 0)
            cycles = fmax(cycles, work->first[u] + work->busy[u] + rest[u]);
    return cycles;
}
