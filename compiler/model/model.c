/* model.c: see model.h. */
#include "compiler/model/model.h"

#include "compiler/analysis/result_donors.h"
#include "compiler/model/kernels/model_fusion.h"
#include "compiler/model/kernels/model_images.h"
#include "compiler/model/kernels/model_kernels.h"
#include "compiler/model/kernels/model_narrow.h"
#include "compiler/model/kernels/model_schedule.h"
#include "compiler/model/links/model_collectives.h"
#include "compiler/model/links/model_links.h"
#include "compiler/model/memory/model_memory.h"
#include "compiler/model/model_report.h"
#include "compiler/model/pallas/model_pallas.h"
#include "compiler/model/time/model_overlap.h"
#include "compiler/passes/cleanup/cse.h"
#include "compiler/passes/cleanup/dce.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/spmd/reduce_scatter_match.h"
#include "compiler/tiled_shape.h"
#include "hostoffload/passes/offload_placement.h"

static uint64_t padded(const struct model *model, const struct type *type)
{
    return type->kind == TYPE_TENSOR ? tiled_shape_bytes(model->accelerator, &type->shape) : 0;
}

static void add_to(const struct type *type, uint64_t bytes, uint64_t *device, uint64_t *host)
{
    *(type->shape.memory == MEMORY_DEVICE ? device : host) += bytes;
}

static void add_arguments(const struct model *model, struct model_plan *plan)
{
    const struct func *entry = model->module->entry;
    for (int i = 0; i < entry->body->argument_count; i++) {
        const struct type *type = entry->body->arguments[i].type;
        add_to(type, padded(model, type), &plan->argument_bytes, &plan->host_argument_bytes);
    }
}

/* Several results are a tuple, which has a table of their addresses. */
static uint64_t table_bytes(const struct model *model, int results)
{
    enum { ADDRESS = 4 };
    uint64_t unit = (uint64_t)model->accelerator->result_alignment;
    return results == 1 ? 0 : ((uint64_t)results * ADDRESS + unit - 1) / unit * unit;
}

static void add_results(const struct model *model, struct model_plan *plan)
{
    const struct func *entry = model->module->entry;
    for (int i = 0; i < entry->result_count; i++) {
        const struct type *type = entry->result_types[i];
        add_to(type, padded(model, type), &plan->output_bytes, &plan->host_output_bytes);
    }
    plan->table_bytes = table_bytes(model, entry->result_count);
    plan->output_bytes += plan->table_bytes;
}

static void add_aliases(const struct model *model, struct model_plan *plan)
{
    const struct func *entry = model->module->entry;
    for (int i = 0; i < entry->result_count; i++)
        if (model->aliases[i] >= 0 && entry->result_types[i]->shape.memory == MEMORY_DEVICE)
            plan->alias_bytes += padded(model, entry->result_types[i]);
}

static struct model_plan *make_plan(struct module *module, const struct target *target,
                                    struct model_collectives *collectives, const struct map *pallas)
{
    const struct accelerator *accelerator = target->accelerator;
    struct arena *scratch = arena_scratch(module->arena);
    struct model model = {.arena = scratch, .accelerator = accelerator, .module = module};
    model.links = &(struct model_links){.module = module, .target = target};
    model.collectives = collectives;
    model.pallas = pallas;
    model.aliases = result_donors(scratch, module->entry);
    struct model_plan *plan = ARENA_NEW(scratch, struct model_plan);
    model_narrow(&model);
    model_images(&model);
    model_fusion(&model);
    model_schedule(&model);
    add_arguments(&model, plan);
    add_results(&model, plan);
    add_aliases(&model, plan);
    model_kernels(&model);
    plan->temp_bytes = model_memory(&model);
    plan->peak_bytes =
        plan->argument_bytes + plan->output_bytes - plan->alias_bytes + plan->temp_bytes;
    uint64_t limit = target->memory_bytes[MEMORY_DEVICE];
    plan->capacity_bytes = limit ? limit : accelerator->hbm_bytes;
    plan->unknown_trips = model.unknown_trips;
    model_overlap(&model, plan);
    return model_report(&model, plan);
}

struct error *model_run(struct module *module, const struct target *target)
{
    struct model_collectives collectives;
    struct map *pallas;
    if (!target->accelerator)
        return NULL;
    TRY(fold_run(module, target));
    TRY(cse_run(module, target));
    TRY(dce_run(module, target));
    arena_scratch_clear(module->arena);
    offload_placement_kinds(module);
    TRY(model_collectives(module, target->accelerator, &collectives));
    TRY(reduce_scatter_match_run(module, target));
    TRY(model_pallas(module, target->accelerator, &pallas));
    module->model = make_plan(module, target, &collectives, pallas);
    return NULL;
}
