/* model_kernels.c: see model_kernels.h. Kernels are numbered in the order of their first groups; a
 * value knows the last kernel that made or read it. */
#include "compiler/model/kernels/model_kernels.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_traffic.h"

enum {
    /* A kernel reduces rows of up to `SHORT_ROW` elements and computes with the result, or rows of
     * up to `SOFTMAX_ROW` and their exponentials if these are stored, if the array has batches of
     * rows; rows of a matrix are read again, however short. */
    SHORT_ROW = 1024,
    SOFTMAX_ROW = 8192,
    SOFTMAX_RANK = 3,
    LONG_ROW = 2048 /* a product's kernel reduces rows up to this */
};

/* The reduction that the group does, perhaps with an epilogue; NULL: none. */
static const struct op *reduction_of(const struct model_group *group)
{
    const struct op *root = group->root;
    const struct op *lead = root->result_count ? model_value(&root->results[0])->lead : NULL;
    if (model_role(root) == MODEL_REDUCE)
        return root;
    return lead && model_role(lead) == MODEL_REDUCE ? lead : NULL;
}

/* The value over whose elements the group runs. */
static const struct value *work_of(const struct model_group *group)
{
    const struct op *reduction = reduction_of(group), *root = group->root;
    if (reduction)
        return reduction->operands[0];
    if (root->code == OP_dynamic_update_slice)
        return root->operands[1];
    return root->result_count ? &root->results[0] : NULL;
}

static bool may_share(const struct model_group *group)
{
    enum model_role role = model_role(group->root);
    return role == MODEL_FUSIBLE || role == MODEL_REDUCE ||
           group->root->code == OP_dynamic_update_slice;
}

static bool has_product(const struct model_group *group)
{
    for (int i = 0; i < group->op_count; i++)
        if (model_role(group->ops[i]) == MODEL_PRODUCT)
            return true;
    return false;
}

static int64_t row_of(const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    return shape->rank ? shape->dims[shape->rank - 1] : 1;
}

static bool has_short_rows(const struct model *model, const struct model_group *group,
                           const struct value *read)
{
    bool stores_exponentials = group->root->code == OP_exponential;
    bool is_row_of_product =
        model_value(read)->after_product && !model_traffic_is_image(model, read);
    return !is_row_of_product && read->type->shape.rank >= SOFTMAX_RANK &&
           row_of(read) <= (stores_exponentials ? SOFTMAX_ROW : SHORT_ROW);
}

/* Whether the value is a reduction over its operand's first dimension, all of which the kernel has
 * read only when it ends: so the compiler reads the array again in 3 dumps, of 2 generations. */
static bool ends_with_kernel(const struct model_value *note)
{
    const struct op *lead = note->lead;
    return lead && lead->code == OP_reduce && dims_contain(lead->attrs.dimensions.dimensions, 0);
}

/* Whether all that the group reads is there when the kernel begins, or made in it in time. */
static bool is_ready(const struct model_group *group, int kernel, bool short_rows)
{
    for (int i = 0; i < group->read_count; i++) {
        const struct model_value *read = model_value(group->reads[i].value);
        bool waits = read->maker == kernel && read->reduced;
        if (read->maker > kernel || (waits && (!short_rows || ends_with_kernel(read))))
            return false;
    }
    return true;
}

static bool joins(const struct model *model, const struct model_block *block,
                  const struct model_group *group, const struct value *read)
{
    const struct model_value *note = model_value(read);
    if (!may_share(group) || note->kernel < block->first_kernel || has_product(group))
        return false;
    double elements = op_work_elements(work_of(group));
    bool is_reduction = reduction_of(group) != NULL;
    bool is_update = group->root->code == OP_dynamic_update_slice;
    bool follows_product = is_update || (is_reduction && row_of(read) <= LONG_ROW);
    if (elements != note->kernel_elements || elements != op_work_elements(read) ||
        (note->after_product && !follows_product))
        return false;
    return is_ready(group, note->kernel, has_short_rows(model, group, read));
}

/* The read through which the group joins a kernel, the latest one; NULL: none. */
static const struct value *joined_read(const struct model *model, const struct model_block *block,
                                       const struct model_group *group)
{
    const struct value *found = NULL;
    for (int i = 0; i < group->read_count; i++) {
        const struct value *read = group->reads[i].value;
        bool is_later = !found || model_value(read)->kernel > model_value(found)->kernel;
        if (is_later && joins(model, block, group, read))
            found = read;
    }
    return found;
}

static void touch(const struct value *value, int kernel, double elements, bool after_product)
{
    struct model_value *note = model_value(value);
    note->kernel = kernel;
    note->kernel_elements = elements;
    note->after_product = after_product;
}

/* Moves the operations that the kernel has not done yet to the front. */
static void find_fresh(struct model_group *group)
{
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        struct model_value *made = op->result_count ? model_value(&op->results[0]) : NULL;
        if (made && made->computed == group->kernel)
            continue;
        if (made)
            made->computed = group->kernel;
        group->ops[i] = group->ops[group->fresh_count];
        group->ops[group->fresh_count++] = op;
    }
}

/* The kernel that has done the group's product already, for another value; 0: none. */
static int kernel_of_product(const struct model_block *block, const struct model_group *group)
{
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        if (model_role(op) == MODEL_PRODUCT &&
            model_value(&op->results[0])->computed >= block->first_kernel)
            return model_value(&op->results[0])->computed;
    }
    return 0;
}

static void place(struct model *model, const struct model_block *block, struct model_group *group)
{
    int forked = kernel_of_product(block, group);
    const struct value *read = joined_read(model, block, group);
    bool shares = read != NULL;
    bool after_product = shares ? model_value(read)->after_product : has_product(group);
    const struct value *work = work_of(group);
    double elements = work ? op_work_elements(work) : 0;
    group->kernel = forked ? forked : shares ? model_value(read)->kernel : ++model->kernels;
    find_fresh(group);
    for (int i = 0; i < group->read_count; i++) {
        struct model_read *at = &group->reads[i];
        at->is_at_hand = (shares && model_value(at->value)->kernel == group->kernel) ||
                         (forked && at->is_multiplied);
        if (!after_product || shares)
            touch(at->value, group->kernel, elements, after_product);
    }
    for (int i = 0; i < group->root->result_count; i++) {
        struct model_value *made = model_value(&group->root->results[i]);
        made->maker = group->kernel;
        made->reduced = reduction_of(group) != NULL;
        touch(&group->root->results[i], group->kernel, elements, after_product);
    }
}

static void place_block(struct model *model, struct model_block *block)
{
    block->first_kernel = model->kernels + 1;
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            place_block(model, group->inside[k]);
        place(model, block, group);
    }
}

/* ---- results --------------------------------------------------------------------------------- */
static void mark_leaving(const struct model_block *block)
{
    const struct op *last = block->block->last;
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; k < group->read_count; k++) {
            struct model_value *read = model_value(group->reads[k].value);
            read->leaves_kernel |= read->maker != group->kernel;
        }
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            mark_leaving(group->inside[k]);
    }
    for (int i = 0; i < last->operand_count; i++)
        model_value(last->operands[i])->leaves_kernel = true;
}

static void count_results(const struct model *model, const struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; k < group->root->result_count; k++)
            model->kernel_results[group->kernel] +=
                model_value(&group->root->results[k])->leaves_kernel;
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            count_results(model, group->inside[k]);
    }
}

void model_kernels(struct model *model)
{
    place_block(model, model->entry);
    model->kernel_results = ARENA_ARRAY(model->arena, int, (size_t)model->kernels + 1);
    mark_leaving(model->entry);
    count_results(model, model->entry);
}
