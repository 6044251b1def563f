#include "devices/host/kernel_machine/kernel_mxu.h"

#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernel_machine/kernel_lanes.h"
#include "devices/host/kernel_machine/kernel_select.h"

struct matrix {
    const struct kernel_op *op; /* that put it there; NULL: empty */
    int64_t rows, columns, address;
    bool is_integer;
    float *numbers; /* owned: f32, or s32 */
    struct matrix *next;
};

struct unit {
    struct matrix staged[KERNEL_MAX_STAGED], loaded;
    struct matrix *accumulators, *results; /* results: oldest first */
};

struct kernel_mxu {
    struct unit units[KERNEL_MAX_MXUS];
};

/* ---- matrices -------------------------------------------------------------------------------- */
static void drop(struct matrix *matrix)
{
    alloc_free(matrix->numbers);
    *matrix = (struct matrix){0};
}

static void drop_list(struct matrix *list)
{
    while (list) {
        struct matrix *next = list->next;
        drop(list);
        alloc_free(list);
        list = next;
    }
}

void kernel_mxu_destroy(struct kernel_mxu *mxu)
{
    for (int i = 0; mxu && i < KERNEL_MAX_MXUS; i++) {
        struct unit *unit = &mxu->units[i];
        for (int k = 0; k < KERNEL_MAX_STAGED; k++)
            drop(&unit->staged[k]);
        drop(&unit->loaded);
        drop_list(unit->accumulators);
        drop_list(unit->results);
    }
    alloc_free(mxu);
}

/* The operand as f32 rounded as the unit rounds, or s32; `transposes` exchanges its sides. */
static struct error *take(const struct kernel_core *core, const struct kernel_instr *in,
                          bool transposes, struct matrix *out)
{
    const struct kernel_type *type = in->op->operands[0]->type;
    int64_t rows = type->dims[0], columns = type->dims[1], count = rows * columns;
    struct matrix made = {in->op, rows, columns, 0, !dtype_is_float(type->dtype), NULL, NULL};
    float *numbers;
    TRY(alloc_array((size_t)count + 1, sizeof *numbers, &made.numbers));
    kernel_loop widen = made.is_integer ? kernel_lanes_convert(type->dtype, DTYPE_S32, false)
                                        : kernel_lanes_widen(type->dtype);
    numbers = made.numbers;
    if (widen)
        widen(numbers, kernel_at(core, in->in[0]), NULL, NULL, count);
    else
        memcpy(numbers, kernel_at(core, in->in[0]), (size_t)count * sizeof *numbers);
    if (type->dtype == DTYPE_F32)
        kernel_lanes_round(numbers, numbers, count);
    *out = made;
    if (!transposes)
        return NULL;
    out->rows = columns, out->columns = rows, out->numbers = NULL;
    struct error *error = alloc_array((size_t)count + 1, sizeof *numbers, &out->numbers);
    for (int64_t i = 0; i < count && !error; i++)
        out->numbers[i % columns * rows + i / columns] = numbers[i];
    alloc_free(numbers);
    return error;
}

static struct error *unit_of(struct kernel_core *core, const struct kernel_instr *in,
                             struct unit **out)
{
    if (!core->mxu)
        TRY(alloc_zeroed(sizeof *core->mxu, &core->mxu));
    *out = &core->mxu->units[in->op->attrs->axis];
    return NULL;
}

/* ---- the right side -------------------------------------------------------------------------- */
static struct error *push(struct kernel_core *core, const struct kernel_instr *in)
{
    struct unit *unit;
    char before[512];
    TRY(unit_of(core, in, &unit));
    struct matrix *staged = &unit->staged[in->op->attrs->count];
    if (!staged->op)
        return take(core, in, in->op->attrs->transposed, staged);
    kernel_op_where(staged->op, before, sizeof before);
    return ERROR(FAILED_PRECONDITION,
                 "staging register %lld of matrix unit %lld still has the operand of %s; a product "
                 "must load it first",
                 (long long)in->op->attrs->count, (long long)in->op->attrs->axis, before);
}

/* The product's right side, from the staging register that the operation names. */
static struct error *load(const struct kernel_instr *in, struct unit *unit)
{
    int64_t from = in->op->attrs->count_axis;
    if (from >= 0 && !unit->staged[from].op)
        return ERROR(FAILED_PRECONDITION,
                     "nothing was pushed to staging register %lld of matrix "
                     "unit %lld",
                     (long long)from, (long long)in->op->attrs->axis);
    if (from >= 0) {
        drop(&unit->loaded);
        unit->loaded = unit->staged[from];
        unit->staged[from] = (struct matrix){0};
    }
    return unit->loaded.op ? NULL
                           : ERROR(FAILED_PRECONDITION, "matrix unit %lld has no right side",
                                   (long long)in->op->attrs->axis);
}

/* ---- products -------------------------------------------------------------------------------- */
static void add_floats(const struct matrix *a, const struct matrix *b, float *out)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = 0; k < a->columns; k++)
            for (int64_t j = 0; j < b->columns; j++)
                out[i * b->columns + j] +=
                    a->numbers[i * a->columns + k] * b->numbers[k * b->columns + j];
}

static void add_integers(const struct matrix *a, const struct matrix *b, void *out)
{
    const uint32_t *left = (const void *)a->numbers, *right = (const void *)b->numbers;
    uint32_t *sums = out;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = 0; k < a->columns; k++)
            for (int64_t j = 0; j < b->columns; j++)
                sums[i * b->columns + j] += left[i * a->columns + k] * right[k * b->columns + j];
}

/* A matrix of zeros at the end of a list. */
static struct error *append(struct matrix **list, const struct matrix *shape, struct matrix **out)
{
    struct matrix *made;
    TRY(alloc_zeroed(sizeof *made, &made));
    *made = *shape;
    size_t count = (size_t)(shape->rows * shape->columns) + 1;
    struct error *error = alloc_array(count, sizeof *made->numbers, &made->numbers);
    if (error) {
        alloc_free(made);
        return error;
    }
    memset(made->numbers, 0, count * sizeof *made->numbers);
    while (*list)
        list = &(*list)->next;
    *out = *list = made;
    return NULL;
}

static struct matrix **find(struct matrix **list, int64_t address)
{
    while (*list && (*list)->address != address)
        list = &(*list)->next;
    return list;
}

/* Where the product goes: the accumulator of the address, or a new result. */
static struct error *target_of(const struct kernel_instr *in, struct unit *unit,
                               const struct matrix *lhs, struct matrix **out)
{
    bool queues = in->op->code == KERNEL_MATMUL_LHS_FIFO;
    struct matrix shape = {.op = in->op,
                           .rows = lhs->rows,
                           .columns = unit->loaded.columns,
                           .address = in->op->attrs->count,
                           .is_integer = lhs->is_integer};
    *out = queues ? NULL : *find(&unit->accumulators, shape.address);
    if (!*out)
        return append(queues ? &unit->results : &unit->accumulators, &shape, out);
    if ((*out)->rows == shape.rows && (*out)->columns == shape.columns &&
        (*out)->is_integer == shape.is_integer)
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the accumulator has %lld x %lld numbers, the product %lld x "
                 "%lld, or they differ in type",
                 (long long)(*out)->rows, (long long)(*out)->columns, (long long)shape.rows,
                 (long long)shape.columns);
}

static struct error *multiply(const struct kernel_instr *in, struct unit *unit,
                              const struct matrix *lhs)
{
    struct matrix *out;
    TRY(load(in, unit));
    if (lhs->columns != unit->loaded.rows || lhs->is_integer != unit->loaded.is_integer)
        return ERROR(INVALID_ARGUMENT,
                     "a left side of %lld x %lld does not fit the right side of %lld x %lld, or "
                     "they differ in type",
                     (long long)lhs->rows, (long long)lhs->columns, (long long)unit->loaded.rows,
                     (long long)unit->loaded.columns);
    TRY(target_of(in, unit, lhs, &out));
    if (lhs->is_integer)
        add_integers(lhs, &unit->loaded, out->numbers);
    else
        add_floats(lhs, &unit->loaded, out->numbers);
    return NULL;
}

static struct error *product(struct kernel_core *core, const struct kernel_instr *in)
{
    struct unit *unit;
    struct matrix lhs;
    TRY(unit_of(core, in, &unit));
    TRY(take(core, in, false, &lhs));
    struct error *error = multiply(in, unit, &lhs);
    drop(&lhs);
    return error;
}

/* ---- results --------------------------------------------------------------------------------- */
static void give(struct kernel_core *core, const struct kernel_instr *in, const struct matrix *from)
{
    enum dtype dtype = in->op->results[0].type->dtype;
    char *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < in->count; i++) {
        int32_t integer;
        memcpy(&integer, &from->numbers[i], sizeof integer);
        double number = from->is_integer ? (double)integer : (double)from->numbers[i];
        if (dtype_is_float(dtype))
            dtype_from_double(dtype, number, out + i * in->bytes[3]);
        else
            memcpy(out + i * in->bytes[3], &integer, (size_t)in->bytes[3]);
    }
}

static struct error *pop(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_type *type = in->op->results[0].type;
    struct unit *unit;
    TRY(unit_of(core, in, &unit));
    struct matrix **at = in->op->code == KERNEL_MATMUL_POP
                             ? find(&unit->accumulators, in->op->attrs->count)
                             : &unit->results;
    struct matrix *found = *at;
    if (!found)
        return ERROR(
            FAILED_PRECONDITION,
            in->op->code == KERNEL_MATMUL_POP
                ? "no product was added to this accumulator of matrix unit %lld"
                : "Cannot schedule FIFO pop instruction when the FIFO is empty: no product "
                  "of matrix unit %lld is queued",
            (long long)in->op->attrs->axis);
    bool is_kept = dtype_is_float(type->dtype) || (found->is_integer && in->bytes[3] == 4);
    if (found->rows != type->dims[0] || found->columns != type->dims[1] || !is_kept)
        return ERROR(INVALID_ARGUMENT, "the result has %lld x %lld numbers, or is of another type",
                     (long long)found->rows, (long long)found->columns);
    give(core, in, found);
    *at = found->next;
    drop(found);
    alloc_free(found);
    return NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static enum kernel_flow end(struct kernel_core *core, const struct kernel_instr *in,
                            struct error *error)
{
    return error ? kernel_core_fail(core, in->op, error) : KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_push(struct kernel_core *core, const struct kernel_instr *in)
{
    return end(core, in, push(core, in));
}

static enum kernel_flow run_product(struct kernel_core *core, const struct kernel_instr *in)
{
    return end(core, in, product(core, in));
}

static enum kernel_flow run_pop(struct kernel_core *core, const struct kernel_instr *in)
{
    return end(core, in, pop(core, in));
}

struct error *kernel_mxu_select(const struct kernel_op *op, struct kernel_instr *in)
{
    switch (op->code) {
    case KERNEL_MATMUL_PUSH_RHS: in->run = run_push; return NULL;
    case KERNEL_MATMUL_ACC_LHS:
    case KERNEL_MATMUL_LHS_FIFO: in->run = run_product; return NULL;
    case KERNEL_MATMUL_POP:
    case KERNEL_MATMUL_POP_FIFO: in->run = run_pop; return NULL;
    default: return kernel_select_unsupported(op);
    }
}

static const struct kernel_op *left_in(const struct unit *unit)
{
    for (int k = 0; k < KERNEL_MAX_STAGED; k++)
        if (unit->staged[k].op)
            return unit->staged[k].op;
    return unit->accumulators ? unit->accumulators->op : unit->results ? unit->results->op : NULL;
}

struct error *kernel_mxu_finish(const struct kernel_core *core)
{
    char where[512];
    for (int i = 0; core->mxu && i < KERNEL_MAX_MXUS; i++) {
        const struct kernel_op *left = left_in(&core->mxu->units[i]);
        if (!left)
            continue;
        kernel_op_where(left, where, sizeof where);
        return ERROR(FAILED_PRECONDITION,
                     "kernel '%s': at its end matrix unit %d of device %d core %d still holds data "
                     "of %s",
                     core->run->machine->kernel->name, i, core->device, core->core, where);
    }
    return NULL;
}
