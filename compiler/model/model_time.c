/* model_time.c: see model_time.h. */
#include "compiler/model/model_time.h"

#include "compiler/analysis/collective.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/window_axis.h"
#include "compiler/model/model_collectives.h"
#include "compiler/model/model_fft.h"
#include "compiler/model/model_links.h"
#include "compiler/model/model_pallas.h"
#include "compiler/model/model_product.h"
#include "compiler/model/model_role.h"
#include "compiler/model/model_rows.h"
#include "compiler/model/model_sort.h"
#include "compiler/model/model_traffic.h"
#include "compiler/model/model_update.h"
#include "compiler/program/program_communication.h"

/* How many of the vector units' slots the compiler's schedules fill. */
#define VECTORS_REACHED 0.87

/* ---- the vector unit ------------------------------------------------------------------------- */
static bool is_narrow(const struct op *op)
{
    return dtype_bytes(op->results[0].type->shape.dtype) < 4;
}

/* Instructions of the vector unit for a vector of 32-bit elements. */
static double instructions_of(const struct op *op)
{
    switch (op->code) {
    case OP_exponential:
    case OP_exponential_minus_one:
    case OP_tanh:
    case OP_sqrt:
    case OP_rsqrt:
    case OP_log:
    case OP_cbrt: return 5;
    case OP_divide: return is_narrow(op) ? 4 : 8;
    case OP_log_plus_one:
    case OP_logistic: return 8;
    case OP_erf:
    case OP_remainder: return 16;
    case OP_power:
    case OP_atan2: return 40;
    case OP_sine:
    case OP_cosine:
    case OP_tan: return 88;
    case OP_reshape:
    case OP_broadcast_in_dim:
    case OP_broadcast:
    case OP_constant: return 0;
    default: return 1;
    }
}

/* Whether functions are computed as on v5e and v5p: by wide vector units beside small matrix
 * units. */
static bool has_long_functions(const struct accelerator *a)
{
    return a->vector_slots > 2 && a->matrix_unit_size == a->lanes;
}

/* So many instructions: of kernels of one function each, in final schedules for v5p. */
static double long_instructions_of(const struct op *op)
{
    switch (op->code) {
    case OP_exponential_minus_one:
    case OP_log_plus_one:
    case OP_rsqrt: return 8;
    case OP_sqrt:
    case OP_cbrt: return 10;
    case OP_divide: return is_narrow(op) ? 4 : 12;
    case OP_logistic: return is_narrow(op) ? 8 : 14;
    case OP_remainder: return 23;
    case OP_erf: return 33;
    case OP_power: return 47;
    case OP_atan2: return 50;
    case OP_sine:
    case OP_cosine:
    case OP_tan: return 128;
    default: return instructions_of(op);
    }
}

/* Steps for an element of a window of `size` along one dimension. libtpu's cost analysis counts 128
 * for each element of a cumulative sum, whatever its length: blocks of that size. Assumed, not read
 * from a schedule: shifts by powers of two, two steps for each bit. */
static double steps_along(int64_t size)
{
    enum { SHORT = 8, BLOCK = 128, STEPS = 2 };
    double steps = 0;
    if (size <= SHORT)
        return size > 1 ? (double)size : 0;
    for (int64_t reach = 1; reach < size && reach < BLOCK; reach *= 2)
        steps += STEPS;
    return steps;
}

/* Windows are reduced along one dimension after the other. */
static double window_steps(const struct op *op)
{
    double steps = 1;
    for (int i = 0; i < op->operands[0]->type->shape.rank; i++)
        steps += steps_along(window_axis_of(op, i).size);
    return steps * op_work_elements(&op->results[0]);
}

static double elements_of(const struct op *op)
{
    switch (op->code) {
    case OP_reduce: return op_work_elements(op->operands[0]);
    case OP_reduce_window: return window_steps(op);
    case OP_dynamic_update_slice: return op_work_elements(op->operands[1]);
    default: return op->result_count ? op_work_elements(&op->results[0]) : 0;
    }
}

static double vector_seconds(const struct model *model, const struct op *op)
{
    const struct accelerator *a = model->accelerator;
    double extra = 0;
    if (op->code == OP_gather || op->code == OP_scatter)
        return model_rows_seconds(model, op);
    if (op->code == OP_sort)
        return model_sort_seconds(a, op);
    if (op->code == OP_dynamic_update_slice)
        extra = model_update_seconds(model, op);
    double rate = VECTORS_REACHED * (double)(a->lanes * a->sublanes) * a->vector_slots * a->cores *
                  a->clock_hz;
    double slots = has_long_functions(a) ? long_instructions_of(op) : instructions_of(op);
    return extra + elements_of(op) * slots / rate;
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
        if (!model_value(value)->is_copied)
            continue;
        bool in_vmem = model_buffer_of(value)->in_vmem;
        bytes += model_traffic_unpadded(model, value) * (in_vmem ? 1 : 2);
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

/* Whether the group only reshapes a value whose memory its result shares. */
static bool moves_nothing(const struct model_group *group)
{
    const struct op *root = group->root;
    return root->code == OP_reshape && group->op_count == 1 &&
           model_buffer_of(root->operands[0]) == model_buffer_of(&root->results[0]);
}

static double hbm_bytes(const struct model *model, const struct model_group *group)
{
    double bytes = 0;
    if (moves_nothing(group))
        return 0;
    for (int i = 0; i < group->read_count; i++) {
        const struct model_buffer *buffer = model_buffer_of(group->reads[i].value);
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
            cost->ahead_bytes += (double)model_buffer_of(read->value)->bytes;
        else if (read->is_fetched && !read->is_at_hand)
            cost->beside_bytes += (double)model_buffer_of(read->value)->bytes;
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

double model_time_compute(const struct model *model, const struct model_group *group)
{
    double matrix = 0, vector = 0;
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        if (model_role(op) == MODEL_PRODUCT)
            matrix += model_product_estimate(model->accelerator, op);
        else if (op->code == OP_fft)
            matrix += model_fft(model->accelerator, op).seconds;
        else if (!memory_copy_is(op) && !model_collectives_has(op->code))
            vector += vector_seconds(model, op);
    }
    return matrix > vector ? matrix : vector;
}

struct model_cost model_time(const struct model *model, const struct model_group *group)
{
    struct model_cost cost = {.copy_bytes = result_copy_bytes(model, group->root)};
    cost.copies = cost.copy_bytes / model->accelerator->hbm_rate;
    if (group->inside)
        return cost;
    const struct model_pallas_cost *pallas =
        model_pallas_find(model->pallas, model->module, group->root);
    if (pallas)
        return pallas_cost(model, pallas);
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
            cost.vector += vector_seconds(model, op);
            add_copies(model, op, &cost);
        }
    }
    cost.hbm_bytes += hbm_bytes(model, group);
    add_asynchronous(group, &cost);
    choose_bound(model, &cost);
    return cost;
}
