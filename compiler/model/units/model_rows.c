/* model_rows.c: see model_rows.h. */
#include "compiler/model/units/model_rows.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/kernels/model_narrow.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/tiled_shape.h"

/* Cycles in final schedules of v4 to 7x, for each row and each 128 elements of it; they differ by
 * 20 % between generations. */
struct row_cycles {
    double row, lanes;
};
static const struct row_cycles gathered_in_vmem = {1.3, 0.65}, gathered_in_hbm = {3.7, 1.65},
                               combined_in_vmem = {18, 0}, replaced_in_vmem = {4.4, 0},
                               scattered_in_hbm = {40, 6.5};
#define CYCLES_TO_UNPACK 1.1 /* a row that shares its sublanes with others */

/* Of an element that is read or written in vector memory by itself, v5e to 7x: 9.3 to 9.7 in a list
 * of 32-bit elements (6 schedules); where its lane is computed from its column, or where it
 * shares a word with others, 13.5 to 14 (3). */
#define CYCLES_OF_AN_ELEMENT 9.4
#define CYCLES_OF_A_LANE 13.7

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

/* Whether the scatter writes the new rows as they are, so that no row waits for the one before. */
static bool replaces(const struct op *scatter)
{
    const struct op *end = scatter->regions[0]->last;
    for (int i = 0; i < end->operand_count; i++)
        if (end->operands[i]->def)
            return false;
    return true;
}

/* Many rows are sorted before, and scattered by another kernel. */
static bool are_few(const struct op *scatter)
{
    const struct shape *rows = &moved_of(scatter)->type->shape;
    enum { MOST = 2 };
    double width = rows->rank ? (double)rows->dims[rows->rank - 1] : 1;
    double updates = op_work_elements(moved_of(scatter)) / (width > 0 ? width : 1);
    return updates * MOST < (double)scatter->operands[0]->type->shape.dims[0];
}

static const struct row_cycles *cycles_of(const struct model *model, const struct op *op)
{
    bool near = is_in_vmem(model, op);
    if (op->code == OP_gather)
        return near ? &gathered_in_vmem : &gathered_in_hbm;
    if (!near)
        return &scattered_in_hbm;
    return replaces(op) && are_few(op) ? &replaced_in_vmem : &combined_in_vmem;
}

static double cycles_of_a_row(const struct model *model, const struct op *op, double width)
{
    bool near = is_in_vmem(model, op), gathers = op->code == OP_gather;
    const struct row_cycles *cycles = cycles_of(model, op);
    double lanes = model->accelerator->lanes;
    bool packed = near && gathers && dtype_bytes(op->operands[0]->type->shape.dtype) < 4;
    return cycles->row + packed * CYCLES_TO_UNPACK +
           cycles->lanes * (double)(int64_t)((width + lanes - 1) / lanes);
}

static double cycles_of_an_element(const struct op *op)
{
    enum { WORD = 4 };
    const struct shape *array = &op->operands[0]->type->shape;
    return array->rank > 1 || dtype_bytes(array->dtype) < WORD ? CYCLES_OF_A_LANE
                                                               : CYCLES_OF_AN_ELEMENT;
}

/* Updates are made one after the other, on one core. */
double model_rows_seconds(const struct model *model, const struct op *op)
{
    const struct shape *shape = &moved_of(op)->type->shape;
    double elements = op_work_elements(moved_of(op)), clock = model->accelerator->clock_hz;
    double cores = op->code == OP_gather ? model->accelerator->cores : 1;
    if (!model_rows_moves(op) || shape->rank < 2 || elements < 1)
        return elements * cycles_of_an_element(op) / (clock * cores);
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
