#include "compiler/driver/auto_planner.h"

#include "compiler/analysis/rates.h"
#include "compiler/driver/custom_partition.h"
#include "compiler/model/links/model_links.h"
#include "compiler/model/model.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/spmd/auto/auto_sharding.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"

/* Devices on the cores of one machine, in the model's terms: what one device has when all compute
 * at once, by the measured rates of a core (analysis/rates.def). Collectives and copies to other
 * memory kinds read and write the memory that all share. */
static struct accelerator host_share(const struct target *target)
{
    static const double CLOCK_HZ = 2.5e9;
    const double *nanoseconds = rates_of(target->isa.class)->nanoseconds;
    double cores = target->cores > 0 ? target->cores : 1; /* of a device: read_module has divided */
    double bytes = cores * 1e9 / nanoseconds[RATE_BYTES];
    double ratio = nanoseconds[RATE_PRODUCT_F32] / nanoseconds[RATE_PRODUCT_BF16];
    int passes = ratio > 1 ? (int)(ratio + 0.5) : 1;
    double products = cores * 2e9 * passes / nanoseconds[RATE_PRODUCT_F32];
    return (struct accelerator){.name = "host",
                                .sublanes = 1,
                                .lanes = 1,
                                .hbm_bytes = target->memory_bytes[MEMORY_DEVICE],
                                .vmem_bytes = target->cache_bytes,
                                .smem_bytes = 1 << 20,
                                .vmem_for_values = target->cache_bytes / 2,
                                .vmem_is_cache = true,
                                .result_alignment = 64,
                                .hbm_rate = bytes,
                                .hbm_peak = bytes,
                                .host_rate = bytes / 2,
                                .clock_hz = CLOCK_HZ,
                                .cores = 1,
                                .vector_slots = 4,
                                .matrix_units = 1,
                                .matrix_unit_size = 16,
                                .bf16_rate = products,
                                .int8_rate = products,
                                .f32_passes_default = passes,
                                .f32_passes_high = passes,
                                .f32_passes_highest = passes,
                                .devices_per_chip = 1,
                                .links = 1,
                                .link_rate = bytes / 2,
                                .hop_seconds = 1e-9 * nanoseconds[RATE_MEETING]};
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

enum { PRICED_DEVICES = 1 << 14 }; /* with more, each collective takes long to price */

/* ---- prices of the integer program ----------------------------------------------------------- */
/* The groups of a collective along the axes of the set. */
static struct program_groups groups_of(struct arena *arena, const struct mesh *mesh, unsigned axes)
{
    int count = (int)mesh->device_count, members = 1;
    for (int a = 0; a < mesh->axis_count; a++)
        members *= axes >> a & 1 ? (int)mesh->axis_sizes[a] : 1;
    struct program_groups groups = {.group_count = count / members, .member_count = count};
    int *sizes = ARENA_ARRAY(arena, int, (size_t)groups.group_count + 1);
    groups.offsets = ARENA_ARRAY(arena, int, (size_t)groups.group_count + 1);
    groups.members = ARENA_ARRAY(arena, int, (size_t)count + 1);
    for (int g = 0; g <= groups.group_count; g++)
        groups.offsets[g] = g * members;
    for (int position = 0; position < count; position++) {
        int rest = position, group = 0, unit = 1;
        for (int a = mesh->axis_count - 1; a >= 0; a--) {
            int size = (int)mesh->axis_sizes[a];
            group += axes >> a & 1 ? 0 : rest % size * unit;
            unit *= axes >> a & 1 ? 1 : size;
            rest /= size;
        }
        groups.members[groups.offsets[group] + sizes[group]++] =
            mesh->device_ids ? (int)mesh->device_ids[position] : position;
    }
    return groups;
}

/* Each collective along each set of axes at two sizes: the model is linear. */
static void price_links(struct module *module, const struct target *target, const struct mesh *mesh,
                        struct auto_links *out)
{
    static const enum op_code codes[AUTO_COLLECTIVES] = {OP_all_gather, OP_all_to_all,
                                                         OP_all_reduce, OP_reduce_scatter};
    enum { SMALL = 1 << 10, LARGE = 1 << 20 };
    struct model_links links = {.module = module, .target = target};
    out->mesh = mesh;
    for (unsigned axes = 1; axes < 1u << mesh->axis_count; axes++) {
        struct program_groups groups = groups_of(module->arena, mesh, axes);
        for (int kind = 0; kind < AUTO_COLLECTIVES; kind++) {
            const struct op op = {.code = codes[kind]};
            double small = model_links_seconds(&links, &op, &groups, SMALL);
            double large = model_links_seconds(&links, &op, &groups, LARGE);
            out->each[kind][axes] = (large - small) / (LARGE - SMALL);
            out->fixed[kind][axes] = small - SMALL * out->each[kind][axes];
        }
    }
}

static const struct auto_prices *prices_of(struct module *module, const struct target *target,
                                           const struct mesh *mesh)
{
    const struct accelerator *accelerator = target->accelerator;
    struct auto_prices *prices = ARENA_NEW(module->arena, struct auto_prices);
    if (mesh->device_count > PRICED_DEVICES)
        return NULL;
    price_links(module, target, mesh, &prices->links);
    prices->multiply_adds = accelerator->bf16_rate / 2;
    prices->bytes = accelerator->hbm_rate;
    if (target->memory_kinds >> MEMORY_PINNED_HOST & 1)
        prices->host_bytes = accelerator->host_rate;
    return prices;
}

struct error *auto_planner_run(struct module *module, const struct target *target)
{
    const struct auto_request *request = module->auto_request;
    struct accelerator host = host_share(target);
    struct target planned = *target;
    if (!target->accelerator)
        planned.accelerator = &host;
    const struct mesh *mesh;
    TRY(auto_sharding_mesh(module, request, &mesh));
    struct auto_planner planner = {plan, &planned, prices_of(module, &planned, mesh),
                                   request->memory_bytes, target->plans_only};
    uint64_t capacity = target->memory_bytes[MEMORY_DEVICE];
    if (!capacity)
        capacity = planned.accelerator->hbm_bytes;
    if (!planner.memory_bytes || (capacity && capacity < planner.memory_bytes))
        planner.memory_bytes = capacity;
    return auto_sharding_run(module, mesh, request, &planner, !target->plans_only);
}
