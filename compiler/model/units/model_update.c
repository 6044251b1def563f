/* model_update.c: see model_update.h. */
#include "compiler/model/units/model_update.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/model/units/model_product.h"
#include "compiler/tiled_shape.h"

/* Cycles of final schedules for each vector of 32-bit elements of the new layout: 2.1 to 8.7 of a
 * copy, more on the way in than back. A tile in which a part is written by a mask: 35 to 43. */
#define CYCLES_OF_A_COPY 4.5
#define CYCLES_OF_A_MASK 40.0

/* Slots of the vector unit for each vector of a product of one row: to widen, multiply and add;
 * also to add the lanes, if a row's elements are along these. */
#define SLOTS_OF_A_SUM 4.0
#define SLOTS_OF_A_SUM_OF_LANES 8.5

enum {
    MAX_STEPS = 8, /* operations between a product and the part, or the array and a product */
    MAX_USES = 64
};

/* The operation that makes the value, before operations that only move or convert elements. */
static const struct op *maker_of(const struct value *value)
{
    const struct op *op = value->def;
    for (int i = 0; i < MAX_STEPS && op && op->operand_count > 0; i++) {
        bool passes = op->code == OP_convert || op->code == OP_broadcast_in_dim ||
                      op->code == OP_transpose || op->code == OP_reshape;
        if (!passes)
            break;
        op = op->operands[0]->def;
    }
    return op;
}

static bool is_in_loop(const struct op *op)
{
    return op->block->owner && op->block->owner->code == OP_while;
}

struct readers { /* of an array */
    int products, uses;
    bool have_rows; /* some product has several */
};

/* Looks at what reads the value, behind operations that keep its elements. Updates of a stack by
 * the whole value do not count. */
static void add_readers(struct readers *readers, const struct value *value, int steps)
{
    for (const struct use *use = value->uses; use && readers->uses < MAX_USES; use = use->next) {
        const struct op *user = use->user;
        readers->uses++;
        if (user->code == OP_dot_general) {
            readers->products++;
            readers->have_rows |= !model_product_has_one_row(user);
        } else if (steps > 0 && model_role_keeps_elements(user, use->operand)) {
            add_readers(readers, &user->results[0], steps - 1);
        }
    }
}

bool model_update_is_relaid(const struct op *update)
{
    const struct value *array = update->operands[0];
    const struct op *maker = maker_of(update->operands[1]), *source = maker_of(array);
    if (!is_in_loop(update) || !source || source->code != OP_dynamic_slice ||
        source->block != update->block || !maker || maker->code != OP_dot_general ||
        array->type->shape.rank < 2)
        return false;
    struct readers readers = {0};
    add_readers(&readers, &update->results[0], MAX_STEPS);
    return readers.products && !readers.have_rows && readers.uses < MAX_USES;
}

/* The product's rows and columns are its first and last dimension. */
uint64_t model_update_bytes(const struct model *model, const struct op *update)
{
    const struct shape *shape = &update->results[0].type->shape;
    return tiled_shape_bytes_in(model->accelerator, shape, shape->rank - 1, 0);
}

static double padded_elements(const struct model *model, const struct op *update)
{
    return (double)model_update_bytes(model, update) /
           dtype_bytes(update->results[0].type->shape.dtype);
}

static double vectors_of(const struct model *model, double elements)
{
    return elements / (model->accelerator->lanes * model->accelerator->sublanes);
}

/* Whether the array is read later, or is an argument that stays, so that its copy is updated. */
static bool is_copied(const struct op *update)
{
    const struct model_buffer *from = model_buffer_of(update->operands[0]);
    const struct model_buffer *to = model_buffer_of(&update->results[0]);
    return from && to && from != to && !from->in_vmem && !to->in_vmem;
}

double model_update_copies(const struct model *model, const struct op *update, double *bytes)
{
    enum { BOTH_WAYS = 2, READ_AND_WRITTEN = 2 };
    const struct accelerator *a = model->accelerator;
    const struct value *result = &update->results[0];
    *bytes = is_copied(update) ? READ_AND_WRITTEN * model_traffic_unpadded(model, result) : 0;
    if (!model_update_is_relaid(update))
        return *bytes / a->hbm_rate;
    if (!model_buffer_of(result)->in_vmem)
        *bytes = BOTH_WAYS * READ_AND_WRITTEN * model_traffic_unpadded(model, result);
    double vectors = vectors_of(model, padded_elements(model, update));
    double cycles = BOTH_WAYS * CYCLES_OF_A_COPY * vectors;
    double seconds = cycles / (a->clock_hz * a->cores), memory = *bytes / a->hbm_rate;
    return seconds > memory ? seconds : memory;
}

/* Whether the part's position along the lanes is computed. */
static bool is_along_lanes(const struct model *model, const struct op *update)
{
    struct shape shape = update->results[0].type->shape;
    struct shape_layout room;
    if (shape.rank < 2)
        return false;
    tiled_shape_choose(model->accelerator, TILED_FREE, &shape, &room);
    int minor = (int)room.minor_to_major[0];
    return update->operands[1]->type->shape.dims[minor] < shape.dims[minor];
}

double model_update_seconds(const struct model *model, const struct op *update)
{
    const struct accelerator *a = model->accelerator;
    if (model_update_is_relaid(update) || !is_along_lanes(model, update))
        return 0;
    double bits = 8.0 * dtype_bytes(update->results[0].type->shape.dtype);
    enum { WORD = 32 };
    double rows = a->sublanes * (bits < WORD ? WORD / bits : 1);
    double tiles = op_work_elements(update->operands[1]) / rows;
    return tiles * CYCLES_OF_A_MASK / (a->clock_hz * a->cores);
}

/* The array that each row of the product is multiplied by. */
static const struct value *columns_of(const struct op *product)
{
    double left = op_work_elements(product->operands[0]);
    return product->operands[left < op_work_elements(product->operands[1])];
}

double model_update_row_seconds(const struct model *model, const struct op *product)
{
    const struct accelerator *a = model->accelerator;
    const struct value *columns = columns_of(product);
    const struct op *maker = maker_of(columns);
    double elements = op_work_elements(columns), slots = SLOTS_OF_A_SUM;
    if (maker && maker->code == OP_dynamic_update_slice && model_update_is_relaid(maker)) {
        elements = padded_elements(model, maker);
        slots = SLOTS_OF_A_SUM_OF_LANES;
    }
    return vectors_of(model, elements) * slots / (a->vector_slots * a->clock_hz * a->cores);
}
