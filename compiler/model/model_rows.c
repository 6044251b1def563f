/* model_rows.c: see model_rows.h. */
#include "compiler/model/model_rows.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/model_narrow.h"
#include "compiler/model/model_traffic.h"
#include "compiler/tiled_shape.h"

/* Cycles in final schedules of v4 to 7x, for each row and each 128 elements of it; they differ by
 * 20 % between generations. */
struct row_cycles {
    double row, lanes;
};
static const struct row_cycles gathered_in_vmem = {1.3, 0.65}, gathered_in_hbm = {3.7, 1.65},
                               scattered_in_vmem = {18, 0}, scattered_in_hbm = {40, 6.5};
#define CYCLES_TO_UNPACK 1.1     /* a row that shares its sublanes with others */
#define CYCLES_OF_AN_ELEMENT 9.0 /* that is read or written in vector memory by itself */

static const struct dims *dropped_dims(const struct op *op)
{
    return op->code == OP_gather ? &op->attrs.gather.collapsed_slice_dims
                                 : &op->attrs.scatter.inserted_window_dims;
}

bool model_rows_moves(const struct op *op)
{
    const struct dims *dropped = dropped_dims(op);
    for (int64_t i = 0; i < dropped->count; i++)
        if (dropped->at[i] == op->operands[0]->type->shape.rank - 1)
            return false;
    return op->operands[0]->type->shape.rank > 0;
}

bool model_rows_are_apart(const struct model *model, const struct value *value)
{
    struct shape shape = model_narrow_shape(model, value);
    return shape.rank >= 2 &&
           tiled_shape_bytes_in(model->accelerator, &shape, shape.rank - 1, shape.rank - 2) >
               model_traffic_size(model, value);
}

/* The rows, as they are read or written. */
static const struct value *moved_of(const struct op *op)
{
    return op->code == OP_gather ? &op->results[0] : op->operands[op->operand_count - 1];
}

static bool is_copied_whole(const struct op *op)
{
    return op->code == OP_scatter &&
           model_buffer_of(op->operands[0]) != model_buffer_of(&op->results[0]);
}

static bool fits_vmem(const struct model *model, const struct value *value)
{
    return model_traffic_size(model, value) <= model->accelerator->vmem_for_values;
}

/* Whether the array is in vector memory while rows are moved: its copy, or the array itself if it
 * was copied there before. */
static bool is_in_vmem(const struct model *model, const struct op *op)
{
    const struct value *array = op->operands[0];
    const struct model_group *group = model_value(&op->results[0])->group;
    const struct model_buffer *copy = model_value(array)->rows;
    if (copy)
        return copy->in_vmem;
    for (int i = 0; group && i < group->read_count; i++)
        if (group->reads[i].value == array && (group->reads[i].in_vmem || group->reads[i].is_ahead))
            return true;
    return is_copied_whole(op) && fits_vmem(model, array);
}

static double cycles_of_a_row(const struct model *model, const struct op *op, double width)
{
    bool near = is_in_vmem(model, op), gathers = op->code == OP_gather;
    const struct row_cycles *cycles = near      ? gathers ? &gathered_in_vmem : &scattered_in_vmem
                                      : gathers ? &gathered_in_hbm
                                                : &scattered_in_hbm;
    double lanes = model->accelerator->lanes;
    bool packed = near && gathers && dtype_bytes(op->operands[0]->type->shape.dtype) < 4;
    return cycles->row + packed * CYCLES_TO_UNPACK +
           cycles->lanes * (double)(int64_t)((width + lanes - 1) / lanes);
}

/* Updates are made one after the other, on one core. */
double model_rows_seconds(const struct model *model, const struct op *op)
{
    const struct shape *shape = &moved_of(op)->type->shape;
    double elements = op_work_elements(moved_of(op)), clock = model->accelerator->clock_hz;
    double cores = op->code == OP_gather ? model->accelerator->cores : 1;
    if (!model_rows_moves(op) || shape->rank < 2 || elements < 1)
        return elements * CYCLES_OF_AN_ELEMENT / (clock * cores);
    double width = (double)shape->dims[shape->rank - 1];
    return elements / width * cycles_of_a_row(model, op, width) / (clock * cores);
}

/* Bytes in HBM of a copy of the array, which is written to vector memory or HBM. */
static double copied_bytes(const struct model *model, const struct value *value, bool is_near)
{
    return model_traffic_unpadded(model, value) * (is_near ? 1 : 2);
}

double model_rows_copies(const struct model *model, const struct op *op)
{
    const struct value *array = op->operands[0], *moved = moved_of(op);
    bool near = is_in_vmem(model, op), rows = model_rows_moves(op);
    double bytes = 0;
    if (rows && model_rows_are_apart(model, array)) {
        bytes += copied_bytes(model, array, near);
        if (op->code == OP_scatter)
            bytes += copied_bytes(model, array, near);
    } else if (is_copied_whole(op)) {
        bytes += copied_bytes(model, array, false);
    }
    if (rows && model_rows_are_apart(model, moved))
        bytes += copied_bytes(model, moved, near);
    return bytes;
}
