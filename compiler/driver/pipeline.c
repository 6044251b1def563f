/* pipeline.c: see pipeline.h. Each pass runs over the whole module and is followed by the verifier
 * if it changed it. */
#include "compiler/driver/pipeline.h"

#include <assert.h>
#include <math.h>

#include "base/clock.h"
#include "base/fpu.h"
#include "base/log.h"
#include "compiler/driver/auto_planner.h"
#include "compiler/driver/custom_partition.h"
#include "compiler/ir/ir_digest.h"
#include "compiler/lower/lower_plan.h"
#include "compiler/model/model.h"
#include "compiler/passes/arithmetic/contract.h"
#include "compiler/passes/buffer/carry_rotation.h"
#include "compiler/passes/buffer/schedule.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/cleanup/cse.h"
#include "compiler/passes/cleanup/dce.h"
#include "compiler/passes/cleanup/inline.h"
#include "compiler/passes/dynamic/bounded.h"
#include "compiler/passes/expand/dynamic.h"
#include "compiler/passes/expand/small_systems.h"
#include "compiler/passes/expand/sort_keys.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/fold/simplify.h"
#include "compiler/passes/fusion/attention.h"
#include "compiler/passes/fusion/attention_backward.h"
#include "compiler/passes/fusion/early_reads.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/fusion/siblings.h"
#include "compiler/passes/fusion/sliced_steps.h"
#include "compiler/passes/fusion/updates.h"
#include "compiler/passes/layout/entry_layouts.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/passes/layout/layout_constraints.h"
#include "compiler/passes/loops/hoist.h"
#include "compiler/passes/loops/loop_products.h"
#include "compiler/passes/loops/loop_sums.h"
#include "compiler/passes/loops/stacked_updates.h"
#include "compiler/passes/loops/unroll.h"
#include "compiler/passes/mosaic/mosaic_calls.h"
#include "compiler/passes/moves/move_up.h"
#include "compiler/passes/moves/padded_sum.h"
#include "compiler/passes/moves/update_read.h"
#include "compiler/passes/moves/update_sum.h"
#include "compiler/passes/products/product_passes.h"
#include "compiler/passes/products/repeated_batch.h"
#include "compiler/passes/products/small_product.h"
#include "compiler/passes/products/thin_product.h"
#include "compiler/passes/products/vector_product.h"
#include "compiler/passes/reduce/reduce_merge.h"
#include "compiler/passes/reduce/reduce_split.h"
#include "compiler/passes/spmd/collective_combine.h"
#include "compiler/passes/spmd/partition.h"
#include "compiler/passes/spmd/propagate.h"
#include "compiler/passes/spmd/reduce_scatter_match.h"
#include "compiler/passes/spmd/send_early.h"
#include "compiler/passes/spmd/spmd_annotations.h"
#include "compiler/passes/states.h"
#include "compiler/passes/work_bound.h"
#include "hostoffload/hostoffload.h"

struct pass {
    const char *name;
    struct error *(*run)(struct module *module, const struct target *target);
    unsigned needs, gives, breaks;
    bool (*applies)(const struct module *module,
                    const struct target *target); /* NULL (ALWAYS): always */
};

static bool is_partitioned(const struct module *module, const struct target *target)
{
    (void)target;
    return module->num_partitions > 1;
}

static bool is_modeled(const struct module *module, const struct target *target)
{
    (void)module;
    return target->accelerator;
}

static bool is_not_modeled(const struct module *module, const struct target *target)
{
    return !is_modeled(module, target);
}

static bool is_automatic(const struct module *module, const struct target *target)
{
    return is_partitioned(module, target) && module->auto_request;
}

#define ALWAYS NULL

static const struct pass pipeline[] = {
    /* name, run, needs, gives, breaks, applies */
    {"spmd_annotations", spmd_annotations_run, 0, 0, 0, ALWAYS},
    {"inline", inline_run, 0, STATE_FLAT, 0, ALWAYS},
    {"bounded", bounded_run, STATE_FLAT, 0, 0, ALWAYS},
    {"layout_constraints", layout_constraints_run, STATE_FLAT, 0, 0, is_modeled},
    {"offload_annotations", offload_annotations_run, STATE_FLAT, 0, 0, ALWAYS},
    {"fold", fold_run, STATE_FLAT, 0, 0, ALWAYS},
    {"dynamic", dynamic_run, STATE_FLAT, STATE_STATIC, 0, ALWAYS},
    {"mosaic", mosaic_calls_run, STATE_FLAT | STATE_STATIC, 0, 0, ALWAYS},
    {"canonicalize", canonicalize_run, STATE_FLAT | STATE_STATIC, STATE_CANONICAL, 0, ALWAYS},
    {"unroll_single", unroll_single_run, STATE_FLAT | STATE_CANONICAL, 0, 0, is_modeled},
    {"fold", fold_run, STATE_FLAT, 0, 0, ALWAYS},
    {"simplify", simplify_run, STATE_FLAT, 0, 0, ALWAYS},
    {"cse", cse_run, STATE_FLAT, 0, 0, ALWAYS},
    {"dce", dce_run, STATE_FLAT, 0, 0, ALWAYS},
    {"auto_sharding", auto_planner_run, STATE_FLAT, 0, 0, is_automatic},
    {"spmd_propagate", propagate_run, STATE_FLAT, 0, 0, is_partitioned},
    {"custom_partition", custom_partition_run, STATE_FLAT, 0, 0, ALWAYS},
    {"spmd_partition", spmd_partition_run, STATE_FLAT, 0, STATE_CANONICAL, ALWAYS},
    {"canonicalize", canonicalize_run, STATE_FLAT | STATE_STATIC, STATE_CANONICAL, 0, ALWAYS},
    {"model", model_run, STATE_FLAT | STATE_STATIC, 0, 0, is_modeled},
    {"barriers", inline_barriers_run, STATE_FLAT, 0, 0, is_modeled},
    {"entry_layouts", entry_layouts_run, STATE_FLAT, 0, 0, ALWAYS},
    {"stacked_updates", stacked_updates_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"unroll", unroll_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"small_systems", small_systems_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"move_up", move_up_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"update_read", update_read_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"update_sum", update_sum_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"padded_sum", padded_sum_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"fold", fold_run, STATE_FLAT, 0, 0, ALWAYS},
    {"canonicalize", canonicalize_run, STATE_FLAT | STATE_STATIC, STATE_CANONICAL, 0, ALWAYS},
    {"cse", cse_run, STATE_FLAT, 0, 0, ALWAYS},
    {"thin_product_decoded", thin_product_decoded_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"hoist", hoist_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"loop_products", loop_products_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"loop_sums", loop_sums_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"dce", dce_run, STATE_FLAT, 0, 0, ALWAYS},
    {"reduce_scatter_match", reduce_scatter_match_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"collective_combine", collective_combine_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"send_early", send_early_run, STATE_FLAT, 0, 0, ALWAYS},
    {"product_passes", product_passes_run, STATE_CANONICAL, 0, 0, is_modeled},
    {"repeated_batch", repeated_batch_run, STATE_CANONICAL, 0, 0, ALWAYS},
    {"thin_product", thin_product_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"vector_product", vector_product_run, STATE_CANONICAL, 0, 0, ALWAYS},
    {"sort_keys", sort_keys_run, STATE_CANONICAL, 0, 0, ALWAYS},
    {"reduce_split", reduce_split_run, STATE_CANONICAL, 0, 0, ALWAYS},
    {"reduce_merge", reduce_merge_run, STATE_CANONICAL, 0, 0, ALWAYS},
    {"layout", layout_run, STATE_FLAT | STATE_STATIC | STATE_CANONICAL, STATE_LAYOUTS, 0, ALWAYS},
    {"offload_placement", offload_placement_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"offload_prefetch", offload_prefetch_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"contract", contract_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"attention_backward", attention_backward_run, STATE_FLAT | STATE_CANONICAL | STATE_LAYOUTS, 0,
     0, ALWAYS},
    {"fusion", fusion_run, STATE_FLAT | STATE_STATIC | STATE_CANONICAL | STATE_LAYOUTS, STATE_FUSED,
     STATE_CANONICAL | STATE_LAYOUTS, ALWAYS},
    {"small_product", small_product_run, STATE_FUSED, 0, 0, ALWAYS},
    {"siblings", siblings_run, STATE_FUSED, 0, 0, ALWAYS},
    {"updates", updates_run, STATE_FUSED, 0, 0, ALWAYS},
    {"early_reads", early_reads_run, STATE_FUSED, 0, 0, ALWAYS},
    {"carry_rotation", carry_rotation_run, STATE_FUSED, 0, 0, is_not_modeled},
    {"outline", outline_run, STATE_FUSED, 0, 0, ALWAYS},
    {"attention", attention_run, STATE_FUSED, 0, 0, ALWAYS},
    {"sliced_steps", sliced_steps_run, STATE_FUSED, 0, 0, ALWAYS},
    {"schedule", schedule_run, STATE_FUSED, 0, 0, ALWAYS},
    {"offload_schedule", offload_schedule_run, STATE_FUSED, 0, 0, ALWAYS},
};

enum { PASSES = sizeof pipeline / sizeof *pipeline };
static_assert((int)PASSES <= (int)PIPELINE_MAX, "more passes than pipeline.h says");

size_t pipeline_passes(const char **names, size_t capacity)
{
    for (size_t i = 0; i < PASSES && i < capacity; i++)
        names[i] = pipeline[i].name;
    return PASSES;
}

/* Checks what holds of the module after every pass that has changed it. *digest: of the module that
 * was checked last. */
static struct error *verify(struct module *module, const struct budget *budget, uint64_t *digest)
{
    uint64_t before = *digest;
    *digest = ir_digest(module);
    if (*digest == before)
        return NULL;
    TRY(budget_check(budget, module));
    return ir_verify(module, false);
}

/* How many times as much work a module may be after a pass. */
static double work_ratio(const struct pass *pass)
{
    /* The branch that ends a loop copies arrays; here that counts in each iteration. */
    if (pass->run == carry_rotation_run)
        return INFINITY;
    /* A product of f32 becomes up to six of bf16, and their sum. */
    return pass->run == product_passes_run ? 8 : WORK_BOUND_RATIO;
}

/* Of operations that canonicalize replaces, as map or einsum, the work is not known. */
enum { WORK_IS_KNOWN = STATE_CANONICAL | STATE_FUSED };

/* A pass that runs, and what is checked after it. */
struct pass_run {
    const struct pass *pass;
    bool checks_all; /* everything, even if it seems to have changed nothing */
    double work;     /* of the module before the pass; 0: is not compared */
    uint64_t digest; /* of the module that was checked last; 0: of none */
};

static struct error *check_after(struct pass_run *run, struct module *module,
                                 const struct target *target, const struct budget *budget,
                                 unsigned state)
{
    if (!run->checks_all)
        return verify(module, budget, &run->digest);
    run->digest = 0;
    TRY(verify(module, budget, &run->digest));
    TRY(states_verify(module, state, target));
    return run->work > 0
               ? work_bound_check(run->work, work_of_module(module), work_ratio(run->pass))
               : NULL;
}

static struct error *run_pass(const struct pass *pass, struct module *module,
                              const struct target *target)
{
    int64_t begin = clock_now();
    arena_set_task(module->arena, pass->name);
    struct fpu_mode mode = fpu_enter(); /* constants are folded in the mode of programs */
    struct error *error = pass->run(module, target);
    fpu_restore(mode);
    arena_scratch_clear(module->arena);
    LOG(DEBUG, "%s: pass %s took %.2f ms, the arena has %zu KiB", module->name, pass->name,
        (double)(clock_now() - begin) / 1e6, arena_used(module->arena) >> 10);
    return error;
}

struct error *pipeline_run(struct module *module, const struct target *target,
                           const struct budget *budget, struct dump *dump)
{
    unsigned state = 0;
    struct pass_run run = {.checks_all = states_are_verified()};
    dump_module(dump, module, "read");
    for (int i = 0; i < PASSES; i++) {
        const struct pass *pass = run.pass = &pipeline[i];
        if (pass->applies && !pass->applies(module, target))
            continue;
        if (pass->needs & ~state)
            return ERROR(INTERNAL, "pass %s needs the states %#x; %#x hold", pass->name,
                         pass->needs, state);
        run.work = run.checks_all && (state & WORK_IS_KNOWN) ? work_of_module(module) : 0;
        TRY(run_pass(pass, module, target));
        state = (state & ~pass->breaks) | pass->gives;
        dump_module(dump, module, pass->name);
        struct error *error = check_after(&run, module, target, budget, state);
        if (error)
            return error_prefix(error, "after pass %s", pass->name);
        if (pass->run == model_run && lower_plan_suffices(module, target))
            return NULL;
    }
    return NULL;
}
