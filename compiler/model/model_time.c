/* model_time.c: see model_time.h. */
#include "compiler/model/model_time.h"

#include "compiler/analysis/op_work.h"
#include "compiler/model/model_product.h"
#include "compiler/model/model_role.h"
#include "compiler/model/model_traffic.h"

/* ---- the vector unit ------------------------------------------------------------------------- */
/* Instructions of the vector unit for a vector of 32-bit elements. */
static double instructions_of(const struct op *op)
{
    switch (op->code) {
    case OP_exponential:
    case OP_exponential_minus_one: return 8;
    case OP_divide: return 8;
    case OP_sqrt:
    case OP_rsqrt:
    case OP_cbrt: return 6;
    case OP_log:
    case OP_log_plus_one: return 12;
    case OP_tanh:
    case OP_logistic: return 12;
    case OP_erf: return 24;
    case OP_sine:
    case OP_cosine:
    case OP_tan: return 60;
    case OP_power:
    case OP_atan2: return 40;
    case OP_remainder: return 16;
    case OP_reshape:
    case OP_broadcast_in_dim:
    case OP_broadcast:
    case OP_constant: return 0;
    default: return 1;
    }
}

static double elements_of(const struct op *op)
{
    return op->code == OP_reduce          ? op_work_elements(op->operands[0])
           : op->code == OP_reduce_window ? op_work_window(op)
           : op->result_count             ? op_work_elements(&op->results[0])
                                          : 0;
}

static double vector_seconds(const struct model *model, const struct op *op)
{
    const struct accelerator *a = model->accelerator;
    double rate = (double)(a->lanes * a->sublanes) * VECTOR_UNITS * a->cores * a->clock_hz;
    return elements_of(op) * instructions_of(op) / rate;
}

/* ---- a group --------------------------------------------------------------------------------- */
static double hbm_bytes(const struct model *model, const struct model_group *group)
{
    double bytes = 0;
    for (int i = 0; i < group->read_count; i++) {
        const struct model_buffer *buffer = model_buffer_of(group->reads[i].value);
        if (buffer && !buffer->in_vmem)
            bytes += group->reads[i].bytes;
    }
    for (int i = 0; i < group->root->result_count; i++) {
        const struct model_buffer *buffer = model_buffer_of(&group->root->results[i]);
        if (buffer && !buffer->in_vmem)
            bytes += model_traffic_written(model, group->root, i);
    }
    return bytes;
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
}

struct model_cost model_time(const struct model *model, const struct model_group *group)
{
    struct model_cost cost = {0};
    if (group->inside)
        return cost;
    for (int i = 0; i < group->op_count; i++) {
        const struct op *op = group->ops[i];
        if (model_role(op) == MODEL_PRODUCT) {
            cost.flops += 2 * op_work_multiply_adds(op);
            cost.compute += model_product_seconds(model->accelerator, op);
        } else {
            cost.vector += vector_seconds(model, op);
        }
    }
    cost.hbm_bytes = hbm_bytes(model, group);
    choose_bound(model, &cost);
    return cost;
}
