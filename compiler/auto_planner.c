#include "compiler/auto_planner.h"

#include "compiler/custom_partition.h"
#include "compiler/model/model.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/spmd/auto/auto_sharding.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"

/* Devices on the cores of one machine, in the model's terms: what one device of `count` has when
 * all compute at once. Bytes of collectives go through memory that all share; what a collective
 * costs beside them is the meeting of its participants. */
static struct accelerator host_share(const struct target *target, int count)
{
    double share = (double)(target->cores > 0 ? target->cores : 1); /* read_module has divided */
    (void)count;
    return (struct accelerator){.name = "host",
                                .sublanes = 1,
                                .lanes = 1,
                                .hbm_bytes = target->memory_bytes[MEMORY_DEVICE],
                                .vmem_bytes = target->cache_bytes,
                                .smem_bytes = 1 << 20,
                                .vmem_for_values = target->cache_bytes / 2,
                                .result_alignment = 64,
                                .hbm_rate = 20e9 * share,
                                .hbm_peak = 25e9 * share,
                                .host_rate = 10e9,
                                .clock_hz = 2.5e9,
                                .cores = 1,
                                .matrix_units = 1,
                                .matrix_unit_size = 16,
                                .bf16_rate = 60e9 * share,
                                .int8_rate = 60e9 * share,
                                .f32_passes_default = 1,
                                .f32_passes_high = 1,
                                .f32_passes_highest = 1,
                                .devices_per_chip = 1,
                                .links = 1,
                                .link_rate = 5e9,
                                .hop_seconds = 20e-6};
}

static struct error *plan(void *context, struct module *module, struct auto_cost *out)
{
    const struct target *target = context;
    TRY(propagate_run(module, target));
    TRY(custom_partition_run(module, target));
    TRY(spmd_partition_run(module, target));
    TRY(canonicalize_run(module, target));
    TRY(model_run(module, target));
    out->seconds = module->model->seconds;
    out->peak_bytes = module->model->peak_bytes;
    return NULL;
}

struct error *auto_planner_run(struct module *module, const struct target *target)
{
    const struct auto_request *request = module->auto_request;
    struct accelerator host = host_share(target, module->num_partitions);
    struct target planned = *target;
    if (!target->accelerator)
        planned.accelerator = &host;
    struct auto_planner planner = {plan, &planned, request->memory_bytes};
    uint64_t capacity = target->memory_bytes[MEMORY_DEVICE];
    if (!capacity)
        capacity = planned.accelerator->hbm_bytes;
    if (!planner.memory_bytes || (capacity && capacity < planner.memory_bytes))
        planner.memory_bytes = capacity;
    return auto_sharding_run(module, request, &planner, !target->plans_only);
}
