/* mosaic_calls.c: see mosaic_calls.h. Clones of a call share the text of its configuration, so a
 * kernel is read once: module->kernels maps the address of the text to its struct mosaic_call. */
#include "compiler/passes/mosaic/mosaic_calls.h"

#include <string.h>

#include "base/env.h"
#include "base/map.h"
#include "compiler/frontend/mosaic/mosaic_read.h"
#include "compiler/kernel_ir/kernel_verify.h"
#include "compiler/analysis/call_config.h"
#include "compiler/passes/rewrite/each_op.h"

/* ---- cost ------------------------------------------------------------------------------------ */
enum { UNKNOWN_STEPS = 16, COST_OF_OP = 50 }; /* of dynamic bounds; beside its elements */

static double cost_of_block(const struct kernel_block *block)
{
    double cost = 0;
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        cost += COST_OF_OP;
        if (op->result_count && op->results[0].type->kind == KERNEL_VECTOR)
            cost += (double)op->results[0].type->elements;
        for (int r = 0; r < op->region_count; r++)
            cost += cost_of_block(&op->regions[r]);
    }
    return cost;
}

/* What the host needs to run the kernel, of which inner loops count once. The client's estimate of
 * products wins where it is more. */
static double cost_of(const struct mosaic_call *call)
{
    const struct kernel *kernel = call->kernel;
    double steps = 1, estimate = call->config.has_cost ? call->config.cost.flops / 8 : 0;
    for (int d = 0; d < kernel->grid_rank; d++)
        steps *= kernel->grid[d] == KERNEL_DYNAMIC ? UNKNOWN_STEPS : (double)kernel->grid[d];
    double cost = steps * cost_of_block(&kernel->main->body);
    return cost > estimate ? cost : estimate;
}

/* ---- reading --------------------------------------------------------------------------------- */
static struct error *read_call(struct module *module, const struct op *op,
                               const struct mosaic_call **out)
{
    struct string text = op->attrs.custom_call.backend_config;
    struct mosaic_call *call = ARENA_NEW(module->arena, struct mosaic_call);
    struct kernel *kernel;
    TRY(mosaic_config_read(module->arena, text.data, text.size, &call->config));
    struct mosaic_source source = mosaic_config_source(&call->config);
    TRY(mosaic_read_kernel(module->arena, &source, &kernel));
    call->kernel = kernel;
    call->cost = cost_of(call);
    call->meets = kernel->has_communication || call->config.has_communication;
    if (!module->kernels)
        module->kernels = map_create(module->arena);
    map_put_pointer(module->kernels, text.data, call);
    *out = call;
    return NULL;
}

/* ---- verification ---------------------------------------------------------------------------- */
static struct error *check_types(const struct op *op, struct shape *operands, struct shape *results)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (op->operands[i]->type->kind != TYPE_TENSOR)
            return ERROR(INVALID_ARGUMENT, "operand %d is not an array", i);
        operands[i] = op->operands[i]->type->shape;
    }
    for (int i = 0; i < op->result_count; i++) {
        if (op->results[i].type->kind != TYPE_TENSOR)
            return ERROR(INVALID_ARGUMENT, "result %d is not an array", i);
        results[i] = op->results[i].type->shape;
    }
    return NULL;
}

static struct error *check_placements(const struct mosaic_placement *list, int count, int values,
                                      const char *what)
{
    for (int i = 0; i < count; i++) {
        if (list[i].index >= values)
            return ERROR(INVALID_ARGUMENT, "a memory space is given for %s %lld of %d", what,
                         (long long)list[i].index, values);
        if (list[i].color == MOSAIC_COLOR_HOST)
            return ERROR(UNIMPLEMENTED, "%s %lld in the host's memory is not supported", what,
                         (long long)list[i].index);
    }
    return NULL;
}

static struct error *verify_call(struct arena *arena, const struct mosaic_call *call,
                                 const struct op *op)
{
    struct shape *operands = ARENA_ARRAY(arena, struct shape, (size_t)op->operand_count + 1),
                 *results = ARENA_ARRAY(arena, struct shape, (size_t)op->result_count + 1);
    const struct mosaic_config *config = &call->config;
    TRY(check_types(op, operands, results));
    TRY(check_placements(config->operands, config->operand_count, op->operand_count, "operand"));
    TRY(check_placements(config->results, config->result_count, op->result_count, "result"));
    return kernel_verify_call(call->kernel, op->operand_count, operands, op->result_count, results);
}

/* ---- the pass -------------------------------------------------------------------------------- */
static struct error *check_target(const struct module *module, const struct op *op,
                                  const struct target *target)
{
    if (target->accelerator || env_choice(ENV_GANTRY_PALLAS) == 1)
        return NULL;
    return ERROR(UNIMPLEMENTED,
                 "%s: a Pallas TPU kernel (custom call tpu_custom_call) is unsupported on the "
                 "device %s: use the TPU model, set GANTRY_PALLAS=1 to run kernels on this device, "
                 "or use pallas_call(..., interpret=True)",
                 ir_where(module->arena, op), target->name);
}

static const struct dict_value *find(const struct dict *dict, const char *name)
{
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (dict->names[i].size == strlen(name) && !memcmp(dict->names[i].data, name, strlen(name)))
            return &dict->values[i];
    return NULL;
}

/* JAX's TpuSideEffectType.DATAFLOW_SIDE_EFFECTING: the effects are those on its operands. */
static bool may_go_unused(const struct op *op)
{
    static const char name[] = "xla_allow_dce_side_effecting_op";
    const struct dict_value *attributes = find(op->discardable, "mhlo.frontend_attributes");
    const struct dict_value *allows =
        attributes && attributes->kind == DICT_DICT ? find(attributes->dict, name) : NULL;
    return allows && allows->kind == DICT_STRING && allows->string.size == 4 &&
           !memcmp(allows->string.data, "true", 4);
}

static struct error *visit(struct module *module, struct op *op, const struct target *target)
{
    if (!mosaic_call_is(op))
        return NULL;
    TRY(check_target(module, op, target));
    const struct mosaic_call *call = mosaic_call_find(module, op);
    struct error *error = call ? NULL : read_call(module, op, &call);
    if (error)
        return error_prefix(error, "%s: Mosaic failed to compile TPU kernel",
                            ir_where(module->arena, op));
    error = verify_call(module->arena, call, op);
    op->attrs.custom_call.cost = call->cost;
    if (may_go_unused(op))
        op->attrs.custom_call.has_side_effect = false;
    return error ? error_prefix(error, "%s: Pallas kernel '%s'", ir_where(module->arena, op),
                                call->kernel->name)
                 : NULL;
}

struct error *mosaic_calls_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
