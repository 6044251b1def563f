/* model_images.c: see model_images.h. */
#include "compiler/model/kernels/model_images.h"

enum { RANK = 4, FEATURES_LAST = 3 };

static bool reads_images(const struct op *op)
{
    return op->code == OP_convolution || op->code == OP_reduce_window ||
           op->code == OP_select_and_scatter;
}

static void add(struct model_images *images, const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    if (value->type->kind == TYPE_TENSOR && shape->rank == RANK)
        map_put(images->shapes, shape->dims, RANK * sizeof *shape->dims, images);
}

static void add_block(struct model_images *images, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        for (int i = 0; reads_images(op) && i < op->operand_count; i++)
            add(images, op->operands[i]);
        for (int i = 0; reads_images(op) && i < op->result_count; i++)
            add(images, &op->results[i]);
        for (int i = 0; i < op->region_count; i++)
            add_block(images, op->regions[i]);
    }
}

void model_images(struct model *model)
{
    struct model_images *images = &model->images;
    const struct op *op = model->module->entry->body->first;
    while (op && !reads_images(op))
        op = op->next;
    if (!op || op->operands[0]->type->shape.rank != RANK)
        return;
    const struct attrs_convolution *at = &op->attrs.convolution;
    bool is_convolution = op->code == OP_convolution;
    images->rank = RANK;
    images->batch = is_convolution ? (int)at->input_batch_dimension : 0;
    images->feature = is_convolution ? (int)at->input_feature_dimension : FEATURES_LAST;
    images->count = op->operands[0]->type->shape.dims[images->batch];
    images->shapes = map_create(model->arena);
    add_block(images, model->module->entry->body);
}
