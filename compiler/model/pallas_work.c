/* pallas_work.c: see pallas_work.h. Slots of a bundle and latencies are from the schedules of the
 * calibration set (docs/pallas.md). */
#include "compiler/model/pallas_work.h"

#include <math.h>

enum { LOAD_SLOTS = 2, STORE_SLOTS = 1, VECTOR_SLOTS = 3 };
enum {
    LATENCY_VECTOR = 6, /* loads and arithmetic */
    LATENCY_SPECIAL = 20,
    LATENCY_SHUFFLE = 40,
    LATENCY_MATRIX = 120
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

/* ---- arithmetic ------------------------------------------------------------------------------ */
static bool is_special(enum kernel_code code)
{
    switch (code) {
    case KERNEL_EXP:
    case KERNEL_EXP2:
    case KERNEL_LOG:
    case KERNEL_LOG2:
    case KERNEL_LOG1P:
    case KERNEL_EXPM1:
    case KERNEL_TANH:
    case KERNEL_LOGISTIC:
    case KERNEL_SQRT:
    case KERNEL_RSQRT:
    case KERNEL_CBRT:
    case KERNEL_DIVF:
    case KERNEL_POWF:
    case KERNEL_ERF: return true;
    default: return false;
    }
}

/* Vector instructions for a register of 32-bit elements. */
static double instructions(enum kernel_code code)
{
    switch (code) {
    case KERNEL_LOGISTIC: return 9;
    case KERNEL_DIVF:
    case KERNEL_SQRT:
    case KERNEL_RSQRT: return 5;
    case KERNEL_EXP:
    case KERNEL_EXP2:
    case KERNEL_TANH: return 3;
    case KERNEL_LOG:
    case KERNEL_LOG2:
    case KERNEL_EXPM1:
    case KERNEL_LOG1P: return 8;
    case KERNEL_DIVSI:
    case KERNEL_DIVUI:
    case KERNEL_REMSI:
    case KERNEL_REMUI: return 30;
    case KERNEL_ERF:
    case KERNEL_REMF: return 20;
    case KERNEL_POWF:
    case KERNEL_ATAN:
    case KERNEL_ATAN2: return 40;
    case KERNEL_SIN:
    case KERNEL_COS:
    case KERNEL_TAN: return 80;
    case KERNEL_INDEX_CAST:
    case KERNEL_INDEX_CASTUI:
    case KERNEL_BITCAST:
    case KERNEL_ASSUME_MULTIPLE: return 0;
    default: return 1;
    }
}

static void add_elementwise(struct pallas_work *w, const struct accelerator *a,
                            const struct kernel_op *op)
{
    const struct kernel_type *type = op->results[0].type;
    double count = wide_registers(a, type);
    if (type->kind != KERNEL_VECTOR) {
        w->scalar += instructions(op->code) > 0;
        return;
    }
    w->vector += count * instructions(op->code) / VECTOR_SLOTS;
    w->special += is_special(op->code) ? count : 0;
    w->latency = fmax(w->latency, is_special(op->code) ? LATENCY_SPECIAL : LATENCY_VECTOR);
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

static void add_shuffle(struct pallas_work *w, double count)
{
    w->shuffle += count;
    w->latency = fmax(w->latency, LATENCY_SHUFFLE);
}

static void add_shape(struct pallas_work *w, const struct accelerator *a,
                      const struct kernel_op *op)
{
    const struct kernel_type *to = op->result_count ? op->results[0].type : NULL,
                             *from = op->operand_count ? op->operands[0]->type : NULL;
    if (!to || !from || to->kind != KERNEL_VECTOR)
        return;
    double count = wide_registers(a, to);
    switch (op->code) {
    case KERNEL_BROADCAST: /* along lanes by the shuffle unit, else by loads and renaming */
        if (from->kind == KERNEL_VECTOR && from->rank && from->dims[from->rank - 1] == 1 &&
            to->dims[to->rank - 1] > 1)
            add_shuffle(w, wide_registers(a, from));
        return;
    case KERNEL_SHAPE_CAST:
    case KERNEL_TPU_RESHAPE:
        if (!keeps_registers(from, to))
            add_shuffle(w, count);
        return;
    case KERNEL_VECTOR_BITCAST:
    case KERNEL_TPU_BITCAST:
    case KERNEL_BITCAST_VREG:
    case KERNEL_RELAYOUT:
    case KERNEL_EXTRACT:
    case KERNEL_EXTRACT_SLICE:
    case KERNEL_CONCATENATE:
    case KERNEL_REPEAT: return;
    case KERNEL_VECTOR_CREATE_MASK:
    case KERNEL_CREATE_MASK: w->vector += count / VECTOR_SLOTS; return;
    case KERNEL_TRANSPOSE:
    case KERNEL_VECTOR_TRANSPOSE: add_shuffle(w, 2 * count); return;
    default: add_shuffle(w, count); return;
    }
}

/* Whether a reduction is over lanes, by the shuffle unit; else registers are combined, and sublanes
 * of the last one. */
static bool reduces_lanes(const struct kernel_op *op, const struct kernel_type *from)
{
    for (int64_t i = 0; i < op->attrs->dims.count; i++)
        if (op->attrs->dims.at[i] == from->rank - 1)
            return true;
    return op->code != KERNEL_MULTI_REDUCTION && op->attrs->axis == from->rank - 1;
}

static void add_reduction(struct pallas_work *w, const struct accelerator *a,
                          const struct kernel_op *op)
{
    const struct kernel_type *from = op->operands[0]->type;
    if (from->kind != KERNEL_VECTOR || !from->rank)
        return;
    double count = wide_registers(a, from),
           columns = ceil_div((double)from->dims[from->rank - 1], a->lanes);
    w->vector += count / VECTOR_SLOTS;
    if (op->code == KERNEL_SORT || op->code == KERNEL_SCAN)
        add_shuffle(w, count * 8);
    else if (reduces_lanes(op, from))
        add_shuffle(w, count / columns);
    else
        w->latency = fmax(w->latency, LATENCY_SPECIAL);
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
static void add_row_product(struct pallas_work *w, const struct accelerator *a,
                            const struct kernel_type *lhs)
{
    double count = wide_registers(a, lhs),
           columns = ceil_div((double)lhs->dims[lhs->rank - 1], a->lanes);
    w->vector += (2 * count - count / columns) / VECTOR_SLOTS;
    w->flops += 2 * (double)lhs->elements;
    add_shuffle(w, count / columns);
}

/* A matrix unit multiplies a row with a tile of the right side each cycle, at its published peak.
 */
static void add_product(struct pallas_work *w, const struct accelerator *a,
                        const struct kernel_op *op)
{
    const struct kernel_type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    const struct kernel_dot *dot = op->attrs->dot;
    if (!dot)
        return;
    if (kernel_op_is_row_product(op)) {
        add_row_product(w, a, lhs);
        return;
    }
    double unit = a->matrix_unit_size, units = (double)a->matrix_units / a->cores;
    double batch = sizes_of(lhs, dot->lhs_batch), m = sizes_of(lhs, dot->lhs_free),
           n = sizes_of(rhs, dot->rhs_free), k = sizes_of(lhs, dot->lhs_contract);
    double tiles = ceil_div(n, unit) * ceil_div(k, unit);
    double rows = a->sublanes * ceil_div(m, a->sublanes);
    double load = unit / a->sublanes; /* of a tile of the right side */
    double busy = batch * tiles * (rows + load) * passes_of(a, op) / speed_of(a, lhs->dtype);
    w->matrix += busy / fmin(units, fmax(1, batch * tiles * ceil_div(m, unit)));
    w->flops += 2 * batch * m * n * k;
    w->vector += wide_registers(a, op->results[0].type) * ceil_div(k, unit) / VECTOR_SLOTS;
    w->latency = fmax(w->latency, LATENCY_MATRIX);
}

/* A step of a unit that the kernel drives: rows pass through it, or a right side is loaded. */
static void add_unit(struct pallas_work *w, const struct accelerator *a, const struct kernel_op *op)
{
    if (op->operand_count == 0)
        return;
    const struct kernel_type *from = op->operands[0]->type;
    double unit = a->matrix_unit_size, rows = (double)from->dims[0];
    bool loads = op->code == KERNEL_MATMUL_PUSH_RHS;
    w->matrix += ceil_div(rows, loads ? a->sublanes : 1) * ceil_div((double)from->dims[1], unit) /
                 speed_of(a, from->dtype);
    w->flops += loads ? 0 : 2 * (double)from->elements * unit;
    w->latency = fmax(w->latency, LATENCY_MATRIX);
}

/* ---- the whole ------------------------------------------------------------------------------- */
static void add_memory(struct pallas_work *w, const struct accelerator *a,
                       const struct kernel_op *op, bool is_load)
{
    const struct kernel_type *type = is_load             ? op->results[0].type
                                     : op->operand_count ? op->operands[0]->type
                                                         : NULL;
    if (!type || type->kind != KERNEL_VECTOR) {
        w->scalar += 1;
        return;
    }
    double count = registers(a, type);
    *(is_load ? &w->load : &w->store) += count / (is_load ? LOAD_SLOTS : STORE_SLOTS);
    w->latency = fmax(w->latency, LATENCY_VECTOR);
}

void pallas_work_add(struct pallas_work *work, const struct accelerator *a,
                     const struct kernel_op *op)
{
    switch (kernel_op_info(op->code)->class) {
    case KERNEL_CLASS_ELEMENTWISE: add_elementwise(work, a, op); return;
    case KERNEL_CLASS_SHAPE: add_shape(work, a, op); return;
    case KERNEL_CLASS_REDUCTION: add_reduction(work, a, op); return;
    case KERNEL_CLASS_MATRIX: add_product(work, a, op); return;
    case KERNEL_CLASS_MXU: add_unit(work, a, op); return;
    case KERNEL_CLASS_LOAD: add_memory(work, a, op, true); return;
    case KERNEL_CLASS_STORE: add_memory(work, a, op, false); return;
    case KERNEL_CLASS_RANDOM:
        work->vector += op->result_count ? wide_registers(a, op->results[0].type) : 0;
        return;
    case KERNEL_CLASS_VIEW:
    case KERNEL_CLASS_SEMAPHORE: work->scalar += 2; return;
    default: return;
    }
}

void pallas_work_sum(struct pallas_work *work, const struct pallas_work *part, double times)
{
    work->scalar += part->scalar * times;
    work->load += part->load * times;
    work->store += part->store * times;
    work->vector += part->vector * times;
    work->special += part->special * times;
    work->shuffle += part->shuffle * times;
    work->matrix += part->matrix * times;
    work->latency = fmax(work->latency, part->latency);
    work->flops += part->flops * times;
}

double pallas_work_vector(const struct pallas_work *work)
{
    double busy = fmax(fmax(work->load, work->store), fmax(work->vector, work->special));
    return fmax(busy, work->shuffle);
}

double pallas_work_cycles(const struct pallas_work *work)
{
    return fmax(fmax(pallas_work_vector(work), work->matrix), work->scalar) + work->latency;
}
