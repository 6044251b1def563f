/* model_scratch.c: see model_scratch.h. */
#include "compiler/model/memory/model_scratch.h"

#include "compiler/model/kernels/model_narrow.h"
#include "compiler/model/kernels/model_softmax.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/model/units/model_rows.h"
#include "compiler/model/units/model_sort.h"
#include "compiler/tiled_shape.h"

/* Memory that only one group uses: operands that it reads in another layout than the arguments
 * have, and the positions of the elements that a stable sort moves. */
static struct model_buffer *make_scratch(struct model *model, const struct model_group *group,
                                         const struct value *value)
{
    struct model_buffer *buffer = ARENA_NEW(model->arena, struct model_buffer);
    *buffer = (struct model_buffer){.value = value,
                                    .bytes = model_traffic_size(model, value),
                                    .memory = MEMORY_DEVICE,
                                    .scratch = true,
                                    .in_hbm = true,
                                    .first = group->begin,
                                    .last = group->end};
    VEC_PUSH(model->arena, &model->buffers, buffer);
    return buffer;
}

static bool is_relaid(const struct model *model, const struct value *value)
{
    return !value->def && value->block == model->entry->block &&
           model_traffic_is_image(model, value) &&
           model_traffic_size(model, value) !=
               tiled_shape_bytes(model->accelerator, &value->type->shape);
}

static bool reads_images(const struct op *op)
{
    return op->code == OP_convolution || op->code == OP_reduce_window ||
           op->code == OP_select_and_scatter;
}

/* A copy in another layout, which is written and read, perhaps in vector memory if by this group
 * only. */
static void make_copy(struct model *model, const struct model_group *group,
                      const struct value *value)
{
    struct model_buffer *copy = make_scratch(model, group, value);
    if (model_narrow_is_read(model, value)) {
        struct shape narrow = value->type->shape;
        narrow.dtype = DTYPE_BF16;
        copy->bytes = model_traffic_image_bytes(model, &narrow);
    }
    copy->in_hbm = !ir_has_one_use(value);
    copy->traffic = 2 * (double)copy->bytes;
}

/* A stable sort orders equal elements by their positions, which it sorts, too, unless the program
 * does already. */
static void make_positions(struct model *model, const struct model_group *group,
                           const struct op *sort)
{
    if (!sort->attrs.sort.is_stable)
        return;
    for (int i = 0; i < sort->operand_count; i++)
        if (sort->operands[i]->def && sort->operands[i]->def->code == OP_iota)
            return;
    struct shape shape = sort->operands[0]->type->shape;
    shape.dtype = DTYPE_S32;
    make_scratch(model, group, sort->operands[0])->bytes =
        tiled_shape_bytes(model->accelerator, &shape);
}

/* An argument that is sorted in another order of dimensions than its own is copied. */
static void make_sorted(struct model *model, const struct model_group *group, const struct op *sort)
{
    for (int i = 0; i < sort->operand_count; i++) {
        uint64_t bytes;
        model_sort_is_along_lanes(model->accelerator, sort, sort->operands[i], &bytes);
        if (bytes && !sort->operands[i]->def)
            make_scratch(model, group, sort->operands[i])->bytes = bytes;
    }
}

/* A Fourier transform is products with matrices of roots of unity, of which there are three for a
 * product of complex numbers, so that three arrays of real numbers are in use. */
static void make_planes(struct model *model, const struct model_group *group, const struct op *fft)
{
    enum { PLANES = 3 };
    struct shape plane = fft->operands[0]->type->shape;
    if (type_elements(fft->results[0].type) > type_elements(fft->operands[0]->type))
        plane = fft->results[0].type->shape;
    plane.dtype = DTYPE_F32;
    uint64_t all = PLANES * tiled_shape_bytes(model->accelerator, &plane);
    uint64_t result = model_traffic_size(model, &fft->results[0]);
    if (all > result)
        make_scratch(model, group, &fft->results[0])->bytes = all - result;
}

/* Rows are gathered and scattered where each is together. An array of short rows has the other
 * dimension as the minor one, which pads less, and is copied. */
static void make_rows(struct model *model, const struct model_group *group,
                      const struct value *value)
{
    struct shape shape = model_narrow_shape(model, value);
    if (!model_rows_are_apart(model, value))
        return;
    uint64_t rows =
        tiled_shape_bytes_in(model->accelerator, &shape, shape.rank - 1, shape.rank - 2);
    struct model_buffer *copy = make_scratch(model, group, value);
    copy->bytes = rows;
    copy->in_hbm = model->accelerator->exchanges_in_hbm || model_has_split_vmem(model->accelerator);
    copy->traffic = 2 * (double)rows;
    ((struct model_value *)model_value(value))->rows = copy;
}

/* The arrays of rows that the operation moves: what it reads or updates, and what it makes of it or
 * writes to it. */
static void make_all_rows(struct model *model, const struct model_group *group, const struct op *op)
{
    if (!model_rows_moves(op))
        return;
    make_rows(model, group, op->operands[0]);
    make_rows(model, group,
              op->code == OP_gather ? &op->results[0] : op->operands[op->operand_count - 1]);
}

void model_scratch(struct model *model, const struct model_group *group)
{
    for (int k = 0; k < group->op_count; k++) {
        const struct op *op = group->ops[k];
        for (int i = 0; i < op->operand_count; i++)
            if (reads_images(op) && is_relaid(model, op->operands[i]))
                make_copy(model, group, op->operands[i]);
        if (op->code == OP_sort) {
            make_positions(model, group, op);
            make_sorted(model, group, op);
        }
        if (op->code == OP_gather || (op->code == OP_scatter && op->operand_count == 3))
            make_all_rows(model, group, op);
        if (op->code == OP_fft)
            make_planes(model, group, op);
        if (op == group->root && model_softmax_arrays(model, op))
            make_scratch(model, group, &op->results[0])->bytes = model_softmax_arrays(model, op);
    }
}

/* ---- what loops read ------------------------------------------------------------------------- */
/* The loop of `block` that the operation is in; NULL: it is in none. */
static const struct op *loop_around(const struct op *op, const struct block *block)
{
    while (op && op->block != block)
        op = op->block->owner;
    return op && op->code == OP_while ? op : NULL;
}

struct reading {              /* of a value, in loops of its own block */
    struct model_group *loop; /* the first of them */
    int64_t last;
    int uses;
};

/* Extends the reading by the loop that has the use; false if that should be narrow and is not. */
static bool read_in_loop(const struct model *model, const struct value *value,
                         const struct use *use, bool is_narrow, struct reading *reading)
{
    const struct block *home = ir_block_of(value);
    const struct op *loop = use->user->block == home ? NULL : loop_around(use->user, home);
    if (!loop)
        return true;
    struct model_group *group =
        loop->result_count ? (struct model_group *)(uintptr_t)model_value(&loop->results[0])->group
                           : NULL;
    if (!group || (is_narrow && !model_narrow_reads(model, use)))
        return false;
    bool is_first = !reading->uses++;
    if (is_first || group->begin < reading->loop->begin)
        reading->loop = group;
    reading->last = is_first || group->end > reading->last ? group->end : reading->last;
    return true;
}

static void add_copy(struct model *model, const struct value *value, const struct reading *reading,
                     enum dtype dtype)
{
    struct shape shape = value->type->shape;
    shape.dtype = dtype;
    struct model_buffer *copy = ARENA_NEW(model->arena, struct model_buffer);
    *copy = (struct model_buffer){.value = value,
                                  .bytes = tiled_shape_bytes(model->accelerator, &shape),
                                  .memory = MEMORY_DEVICE,
                                  .scratch = true,
                                  .in_hbm = model_has_split_vmem(model->accelerator),
                                  .first = reading->loop->begin,
                                  .last = reading->last,
                                  .next_copy = reading->loop->copies};
    reading->loop->copies = copy;
    ((struct model_value *)model_value(value))->copy = copy;
    VEC_PUSH(model->arena, &model->buffers, copy);
}

/* A narrow copy of what loops only read narrow; a copy in other tiles of an argument. */
static void make_loop_copy(struct model *model, const struct model_buffer *of)
{
    const struct value *value = of->value;
    struct reading reading = {0};
    bool narrow = value->type->kind == TYPE_TENSOR && value->type->shape.dtype == DTYPE_F32 &&
                  !model_narrow_has(model, value);
    bool retiled = of->storage == MODEL_ARGUMENT && of->memory == MEMORY_DEVICE && !value->def &&
                   model_traffic_is_retiled(model, value);
    for (const struct use *use = narrow || retiled ? value->uses : NULL; use; use = use->next)
        if (!read_in_loop(model, value, use, narrow, &reading))
            return;
    if (reading.uses)
        add_copy(model, value, &reading, narrow ? DTYPE_BF16 : value->type->shape.dtype);
}

/* What a loop's groups read of a value that has a copy for loops, they read of the copy. */
static void read_copies(const struct model_block *block, bool in_loop)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; k < group->read_count; k++) {
            struct model_read *read = &group->reads[k];
            struct model_buffer *copy = model_value(read->value)->copy;
            if (!copy || !in_loop || ir_block_of(read->value) == block->block)
                continue;
            read->copy = copy;
            read->bytes *= (double)copy->bytes / (double)model_buffer_of(read->value)->bytes;
        }
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            read_copies(group->inside[k], in_loop || group->root->code == OP_while);
    }
}

void model_scratch_of_loops(struct model *model)
{
    size_t count = model->buffers.count;
    for (size_t i = 0; i < count; i++) {
        struct model_buffer *buffer = model->buffers.items[i];
        if (!buffer->same && !buffer->scratch && buffer->value)
            make_loop_copy(model, buffer);
    }
    read_copies(model->entry, false);
}
