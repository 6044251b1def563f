/* model_time.c: see model_time.h. */
#include "compiler/model/time/model_time.h"

#include "compiler/analysis/collective.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/analysis/op_work.h"
#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/model/links/model_collectives.h"
#include "compiler/model/links/model_links.h"
#include "compiler/model/pallas/model_pallas.h"
#include "compiler/model/units/model_fft.h"
#include "compiler/model/units/model_product.h"
#include "compiler/model/units/model_rows.h"
#include "compiler/model/units/model_sort.h"
#include "compiler/model/units/model_update.h"
#include "compiler/model/units/model_vector.h"
#include "compiler/program/program_communication.h"

/* ---- the vector unit ------------------------------------------------------------------------- */
/* Seconds of an operation that is not one of single elements; others are added to `work`. */
static double vector_seconds(const struct model *model, const struct op *op,
                             struct model_vector *work)
{
    if (op->code == OP_gather || op->code == OP_scatter)
        return model_rows_seconds(model, op);
    if (op->code == OP_sort)
        return model_sort_seconds(model->accelerator, op);
    model_vector_add(model->accelerator, op, work);
    return op->code == OP_dynamic_update_slice ? model_update_seconds(model, op) : 0;
}

/* Copies of the operation's arrays to other layouts. */
static void add_copies(const struct model *model, const struct op *op, struct model_cost *cost)
{
    double bytes = 0, seconds = 0;
    if (op->code == OP_gather || op->code == OP_scatter)
        bytes = model_rows_copies(model, op);
    if (op->code == OP_dynamic_update_slice)
        seconds = model_update_copies(model, op, &bytes);
    double memory = bytes / model->accelerator->hbm_rate;
    cost->copy_bytes += bytes;
    cost->copies += seconds > memory ? seconds : memory;
}

/* Of copies to the memory of the program's results. */
static double result_copy_bytes(const struct model *model, const struct op *root)
{
    double bytes = 0;
    for (int i = 0; i < root->result_count; i++) {
        const struct value *value = &root->results[i];
        const struct model_buffer *buffer =
            model_value(value)->buffer ? model_buffer_of(value) : NULL;
        if (root->code == OP_while && buffer && buffer->in_vmem &&
            buffer->storage != MODEL_TEMPORARY)
            bytes += model_traffic_unpadded(model, value);
        if (!model_value(value)->is_copied)
            continue;
        bool in_vmem = model_buffer_of(value)->in_vmem;
        bytes += model_traffic_unpadded(model, value) * (in_vmem ? 1 : 2);
    }
    return bytes;
}

/* Of the copies that a loop reads. */
static double loop_copy_bytes(const struct model_group *loop)
{
    double bytes = 0;
    for (const struct model_buffer *copy = loop->copies; copy; copy = copy->next_copy) {
        const struct model_buffer *of = model_buffer_of(copy->value);
        bytes += (of->in_vmem ? 0 : (double)of->bytes) + (copy->in_vmem ? 0 : (double)copy->bytes);
    }
    return bytes;
}

/* ---- a group --------------------------------------------------------------------------------- */
/* Whether the value was made so shortly before that it is still in vector memory, also when it is
 * stored in HBM for later kernels. */
static bool is_near(const struct model *model, const struct model_group *group,
                    const struct value *value)
{
    enum { NEAR = 4 }; /* kernels */
    const struct model_value *note = model_value(value);
    return note->maker && group->kernel - note->maker <= NEAR && value->def &&
           value->def->block == group->root->block &&
           model_traffic_size(model, value) <= model->accelerator->vmem_for_values / 2;
}

static double hbm_bytes(const struct model *model, const struct model_group *group)
{
    double bytes = 0;
    if (model_traffic_moves_nothing(group))
        return 0;
    for (int i = 0; i < group->read_count; i++) {
        const struct model_buffer *buffer = model_buffer_read(&group->reads[i]);
        if (buffer && !buffer->in_vmem && buffer->memory == MEMORY_DEVICE &&
            !group->reads[i].is_at_hand && !group->reads[i].in_vmem && !group->reads[i].is_ahead &&
            !is_near(model, group, group->reads[i].value))
            bytes += group->reads[i].bytes;
    }
    for (int i = 0; i < group->root->result_count; i++) {
        const struct model_buffer *buffer = model_buffer_of(&group->root->results[i]);
        if (buffer && !buffer->in_vmem && buffer->memory == MEMORY_DEVICE)
            bytes += model_traffic_written(model, group->root, i);
    }
    return bytes;
}

static void add_asynchronous(const struct model_group *group, struct model_cost *cost)
{
    for (int i = 0; i < group->read_count; i++) {
        const struct model_read *read = &group->reads[i];
        if (read->is_ahead)
            cost->ahead_bytes += (double)model_buffer_read(read)->bytes;
        else if (read->is_fetched && !read->is_at_hand)
            cost->beside_bytes += (double)model_buffer_read(read)->bytes;
    }
}

static void choose_bound(const struct model *model, struct model_cost *cost)
{
    double hbm = cost->hbm_bytes / model->accelerator->hbm_rate;
    cost->seconds = hbm;
    cost->bound = BOUND_HBM;
    if (cost->vector > cost->seconds)
        cost->seconds = cost->vector, cost->bound = BOUND_VECTOR;
    if (cost->compute > cost->seconds)
        cost->seconds = cost->compute, cost->bound = BOUND_COMPUTE;
    if (cost->links > cost->seconds)
        cost->seconds = cost->links, cost->bound = BOUND_LINKS;
    double host = cost->host_bytes / model->accelerator->host_rate;
    if (cost->host_bytes > 0 && host > cost->seconds)
        cost->seconds = host, cost->bound = BOUND_HOST;
}

/* ---- copies and collectives ------------------------------------------------------------------ */
/* Copies between the memories of the device and the host are always asynchronous. */
static void add_copy(const struct model *model, const struct op *op, struct model_cost *cost)
{
    const struct value *moved =
        op->code == OP_dynamic_update_slice ? op->operands[1] : &op->results[0];
    bool to_device = op->results[0].type->shape.memory == MEMORY_DEVICE;
    cost->host_bytes += (double)model_traffic_size(model, moved);
    cost->resource = to_device ? MODEL_FROM_HOST : MODEL_TO_HOST;
}

static bool is_asynchronous(const struct model *model, const struct op *op)
{
    return op->code == OP_collective_permute ||
           (op->code == OP_all_gather && model->accelerator->gathers_asynchronously);
}

static double collective_seconds(const struct model *model, const struct op *op,
                                 const struct program_groups *groups, double bytes)
{
    double seconds;
    int parts = collective_group_size(groups);
    double whole = op->code == OP_all_gather ? bytes * parts : bytes;
    return model_collectives_window(model->accelerator, op, whole, parts, &seconds)
               ? seconds
               : model_links_seconds(model->links, op, groups, bytes);
}

/* Errors of its groups have been reported by model_collectives(). */
static void add_collective(const struct model *model, const struct op *op, struct model_cost *cost)
{
    struct program_groups groups;
    enum collective_kind kind = model_collectives_kind(op->code);
    double participants = (double)model->module->num_replicas * model->module->num_partitions;
    struct error *error = collective_groups(model->module, op, &groups);
    if (error) {
        error_free(error);
        return;
    }
    double bytes = 0;
    for (int i = 0; i < op->operand_count; i++)
        bytes += op_work_bytes(op->operands[i]);
    cost->link_bytes += program_communication_sent(kind, &groups, bytes) / participants;
    cost->links += collective_seconds(model, op, &groups, bytes);
    cost->resource = is_asynchronous(model, op) ? MODEL_LINKS : MODEL_KERNELS;
}

static void add_product(const struct model *model, const struct op *op, struct model_cost *cost)
{
    cost->flops += 2 * op_work_multiply_adds(op);
    if (model_product_has_one_row(op))
        cost->vector += model_update_row_seconds(model, op);
    else
        cost->compute += model_product_seconds(model->accelerator, op);
}

static void add_fft(const struct model *model, const struct op *op, struct model_cost *cost)
{
    struct model_fft fft = model_fft(model->accelerator, op);
    cost->flops += fft.flops;
    cost->compute += fft.seconds;
    cost->hbm_bytes += fft.hbm_bytes;
}

/* A Pallas kernel has a timeline of its own, in which blocks are copied beside the computation. */
static struct model_cost pallas_cost(const struct model *model,
                                     const struct model_pallas_cost *pallas)
{
    const struct pallas_grid *grid = &pallas->grid;
    double clock = model->accelerator->clock_hz;
    struct model_cost cost = {.flops = grid->flops,
                              .compute = grid->matrix / clock,
                              .vector = grid->vector / clock,
                              .hbm_bytes = grid->hbm_bytes,
                              .link_bytes = grid->remote_bytes,
                              .is_whole = true};
    choose_bound(model, &cost);
    if (grid->waited > grid->cycles / 2)
        cost.bound = BOUND_HBM;
    cost.seconds = grid->seconds;
    return cost;
}

/* Whether the group computes with elements, and has no product, which reads and writes narrow
 * elements as they are. */
static bool computes(const struct model_group *group)
{
    bool found = false;
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        if (model_role(op) == MODEL_PRODUCT)
            return false;
        found |= op->code == OP_reduce ||
                 (op->code != OP_convert && (op_info(op->code)->traits & OP_ELEMENTWISE));
    }
    return found && model_role(group->root) != MODEL_UPDATE;
}

static void add_conversions(const struct model_group *group, struct model_vector *work)
{
    const struct op *root = group->root;
    for (int i = 0; i < group->read_count && computes(group); i++) {
        const struct type *type = group->reads[i].value->type;
        if (type->kind == TYPE_TENSOR)
            model_vector_add_read(type->shape.dtype, op_work_elements(group->reads[i].value), work);
    }
    for (int i = 0; i < root->result_count && computes(group); i++)
        model_vector_add_written(root->results[i].type->shape.dtype,
                                 op_work_elements(&root->results[i]), work);
}

double model_time_compute(const struct model *model, const struct model_group *group)
{
    double matrix = 0, vector = 0;
    struct model_vector work = {0};
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        if (model_role(op) == MODEL_PRODUCT)
            matrix += model_product_estimate(model->accelerator, op);
        else if (op->code == OP_fft)
            matrix += model_fft(model->accelerator, op).seconds;
        else if (!memory_copy_is(op) && !model_collectives_has(op->code))
            vector += vector_seconds(model, op, &work);
    }
    add_conversions(group, &work);
    vector += model_vector_seconds(model->accelerator, &work);
    return matrix > vector ? matrix : vector;
}

struct model_cost model_time(const struct model *model, const struct model_group *group)
{
    struct model_cost cost = {.copy_bytes =
                                  result_copy_bytes(model, group->root) + loop_copy_bytes(group)};
    cost.copies = cost.copy_bytes / model->accelerator->hbm_rate;
    if (group->inside)
        return cost;
    const struct model_pallas_cost *pallas =
        model_pallas_find(model->pallas, model->module, group->root);
    if (pallas)
        return pallas_cost(model, pallas);
    struct model_vector work = {0};
    for (int i = 0; i < group->fresh_count; i++) {
        const struct op *op = group->ops[i];
        if (model_role(op) == MODEL_PRODUCT) {
            add_product(model, op, &cost);
        } else if (op->code == OP_fft) {
            add_fft(model, op, &cost);
        } else if (memory_copy_is(op)) {
            add_copy(model, op, &cost);
        } else if (model_collectives_has(op->code)) {
            add_collective(model, op, &cost);
        } else {
            cost.vector += vector_seconds(model, op, &work);
            add_copies(model, op, &cost);
        }
    }
    add_conversions(group, &work);
    cost.vector += model_vector_seconds(model->accelerator, &work);
    cost.hbm_bytes += hbm_bytes(model, group);
    add_asynchronous(group, &cost);
    choose_bound(model, &cost);
    return cost;
}
