/* model_traffic.c: see model_traffic.h. */
#include "compiler/model/kernels/model_traffic.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/kernels/model_narrow.h"
#include "compiler/tiled_shape.h"

bool model_traffic_is_image(const struct model *model, const struct value *value)
{
    const struct model_images *images = &model->images;
    return images->rank && value->type->kind == TYPE_TENSOR &&
           value->type->shape.rank == images->rank &&
           value->type->shape.dims[images->batch] == images->count &&
           map_get(images->shapes, value->type->shape.dims,
                   (size_t)images->rank * sizeof *value->type->shape.dims);
}

uint64_t model_traffic_image_bytes(const struct model *model, const struct shape *shape)
{
    const struct model_images *images = &model->images;
    uint64_t a = tiled_shape_bytes_in(model->accelerator, shape, images->feature, images->batch);
    uint64_t b = tiled_shape_bytes_in(model->accelerator, shape, images->batch, images->feature);
    return a < b ? a : b;
}

uint64_t model_traffic_size(const struct model *model, const struct value *value)
{
    if (value->type->kind != TYPE_TENSOR)
        return 0;
    struct shape shape = model_narrow_shape(model, value);
    return model_traffic_is_image(model, value) ? model_traffic_image_bytes(model, &shape)
                                                : tiled_shape_bytes(model->accelerator, &shape);
}

double model_traffic_unpadded(const struct model *model, const struct value *value)
{
    return op_work_bytes(value) / (model_narrow_has(model, value) ? 2 : 1);
}

bool model_traffic_is_retiled(const struct model *model, const struct value *value)
{
    enum { ROWS = 16, BYTES = 2 };
    if (!model->accelerator->retiles_in_loops || value->type->kind != TYPE_TENSOR)
        return false;
    const struct shape *shape = &value->type->shape;
    return dtype_bytes(shape->dtype) == BYTES && shape->rank >= 2 &&
           shape->dims[shape->rank - 2] % ROWS == 0;
}

double model_traffic_read(const struct model *model, const struct op *op, int i)
{
    bool is_part = op->code == OP_slice || op->code == OP_dynamic_slice || op->code == OP_gather;
    if (i == 0 && is_part)
        return (double)model_traffic_size(model, &op->results[0]);
    if (i == 0 && op->code == OP_dynamic_update_slice)
        return 0;
    if (i == 0 && op->code == OP_scatter && op->operand_count >= 3)
        return (double)model_traffic_size(model, op->operands[2]);
    return (double)model_traffic_size(model, op->operands[i]);
}

double model_traffic_written(const struct model *model, const struct op *op, int i)
{
    if (op->code == OP_dynamic_update_slice)
        return (double)model_traffic_size(model, op->operands[1]);
    if (op->code == OP_scatter && op->operand_count >= 3)
        return (double)model_traffic_size(model, op->operands[2]);
    return (double)model_traffic_size(model, &op->results[i]);
}

bool model_traffic_moves_nothing(const struct model_group *group)
{
    const struct op *root = group->root;
    return root->code == OP_reshape && group->op_count == 1 &&
           model_buffer_of(root->operands[0]) == model_buffer_of(&root->results[0]);
}
