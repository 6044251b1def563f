/* compile.c: see compile.h. Only the pipeline: the table of passes, each of which runs over the
 * whole module and is followed by the verifier if it changed it, then buffer assignment, lowering
 * and code generation. */
#include "compiler/compile.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/fpu.h"
#include "base/log.h"
#include "compiler/analysis/module_outline.h"
#include "compiler/driver/auto_planner.h"
#include "compiler/driver/budget.h"
#include "compiler/codegen_library.h"
#include "compiler/driver/compile_job.h"
#include "compiler/driver/custom_partition.h"
#include "compiler/driver/dump.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/ir/auto_request.h"
#include "compiler/ir/ir_digest.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/lower_partition.h"
#include "compiler/schedule/schedule_print.h"
#include "compiler/driver/memory_check.h"
#include "compiler/model/model.h"
#include "compiler/driver/model_check.h"
#include "compiler/passes/arithmetic/contract.h"
#include "compiler/passes/arithmetic/narrow_positions.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/buffer/rematerialize.h"
#include "compiler/passes/buffer/schedule.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/cleanup/cse.h"
#include "compiler/passes/cleanup/dce.h"
#include "compiler/passes/cleanup/inline.h"
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
#include "compiler/passes/fusion/updates.h"
#include "compiler/passes/layout/entry_layouts.h"
#include "compiler/passes/layout/layout.h"
#include "compiler/passes/layout/layout_constraints.h"
#include "compiler/passes/layout/transpose_sink.h"
#include "compiler/passes/buffer/carry_rotation.h"
#include "compiler/passes/loops/hoist.h"
#include "compiler/passes/loops/loop_products.h"
#include "compiler/passes/loops/loop_sums.h"
#include "compiler/passes/loops/unroll.h"
#include "compiler/passes/mosaic/mosaic_calls.h"
#include "compiler/passes/moves/move_up.h"
#include "compiler/passes/moves/padded_sum.h"
#include "compiler/passes/moves/update_read.h"
#include "compiler/passes/moves/update_sink.h"
#include "hostoffload/hostoffload.h"
#include "compiler/passes/products/matrix_product.h"
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
#include "compiler/program/program_check.h"
#include "compiler/program/program_copy.h"
#include "compiler/program/program_io.h"
#include "compiler/program/program_memory.h"
#include "compiler/program/program_print.h"

/* ---- the pipeline ---------------------------------------------------------------------------- */
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
    {"unroll", unroll_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"small_systems", small_systems_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"move_up", move_up_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"update_read", update_read_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"padded_sum", padded_sum_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"update_sink", update_sink_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
    {"fold", fold_run, STATE_FLAT, 0, 0, ALWAYS},
    {"canonicalize", canonicalize_run, STATE_FLAT | STATE_STATIC, STATE_CANONICAL, 0, ALWAYS},
    {"cse", cse_run, STATE_FLAT, 0, 0, ALWAYS},
    {"narrow_positions", narrow_positions_run, STATE_FLAT | STATE_CANONICAL, 0, 0, ALWAYS},
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
    {"matrix_product", matrix_product_run, STATE_CANONICAL, 0, 0, ALWAYS},
    {"transpose_sink", transpose_sink_run, STATE_CANONICAL, 0, 0, ALWAYS},
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
    {"schedule", schedule_run, STATE_FUSED, 0, 0, ALWAYS},
    {"offload_schedule", offload_schedule_run, STATE_FUSED, 0, 0, ALWAYS},
};

enum { PASSES = sizeof pipeline / sizeof *pipeline };
/* Stages besides the passes, for dumps. */
static const char *const stages[] = {"read", "rematerialize", "buffer_assignment"};
enum { STAGES = sizeof stages / sizeof *stages };

size_t compile_passes(const char **names, size_t capacity)
{
    for (size_t i = 0; i < PASSES + STAGES && i < capacity; i++)
        names[i] = i == 0 ? stages[0] : i <= PASSES ? pipeline[i - 1].name : stages[i - PASSES];
    return PASSES + STAGES;
}

struct error *compile_check_dump(void)
{
    const char *names[PASSES + STAGES];
    return dump_check(names, compile_passes(names, PASSES + STAGES));
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
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
    double begin = milliseconds();
    arena_set_task(module->arena, pass->name);
    struct fpu_mode mode = fpu_enter(); /* constants are folded in the mode of programs */
    struct error *error = pass->run(module, target);
    fpu_restore(mode);
    arena_scratch_clear(module->arena);
    LOG(DEBUG, "%s: pass %s took %.2f ms, the arena has %zu KiB", module->name, pass->name,
        milliseconds() - begin, arena_used(module->arena) >> 10);
    return error;
}

static struct error *run_pipeline(struct module *module, const struct target *target,
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
    }
    return NULL;
}

enum { MAX_ATTEMPTS = 6 }; /* to make a program need less memory */

/* Before the pipeline, whose work may grow with the number of devices. */
static struct error *check_devices(const struct module *module,
                                   const struct compile_options *options, int available)
{
    int count = options->num_replicas * options->num_partitions;
    return !available || count <= available
               ? NULL
               : ERROR(INVALID_ARGUMENT,
                       "'%s' needs %d devices (%d replicas of %d partitions); there are %d",
                       module->name, count, options->num_replicas, options->num_partitions,
                       available);
}

/* ---- one compile ----------------------------------------------------------------------------- */
static struct error *read_module(struct compile_job *job, const struct budget *budget,
                                 struct compile_options *options, struct module **out)
{
    struct compile_source source = job->source;
    arena_set_limit(job->arena, budget->bytes);
    TRY(compile_options_read(job->arena, source.options, source.options_size, options));
    source.function = options->function;
    TRY(compile_source_read(job->arena, &source, out));
    module_outline(*out, source.outline);
    (*out)->operation_limit = budget->operations;
    TRY(compile_options_apply(options, *out));
    (*out)->device_assignment = options->device_assignment;
    TRY(check_devices(*out, options, source.device_count));
    job->target.cores =
        target_share(job->target.cores, options->num_replicas * options->num_partitions);
    if (options->excess_precision >= 0)
        job->target.excess_precision = options->excess_precision;
    return NULL;
}

static void set_devices(struct program *program, const struct compile_options *options)
{
    program->num_replicas = options->num_replicas;
    program->num_partitions = options->num_partitions;
    program->assignment_count = options->assignment_count;
    program->device_assignment = (int64_t *)(uintptr_t)options->device_assignment; /* is copied */
}

/* Assigns buffers and lowers the module to steps. */
static struct error *lower(struct compile_job *job, const struct codegen_library *library,
                           const struct compile_options *options, struct dump *dump,
                           struct module *module, struct lowered *out)
{
    struct buffer_plan *plan;
    double begin = milliseconds();
    arena_set_task(job->arena, "code generation");
    TRY(buffer_assign_entry(module, &job->target, library->scratch_size, &plan));
    arena_scratch_clear(job->arena);
    LOG(DEBUG, "%s: buffers took %.2f ms, the arena has %zu KiB", module->name,
        milliseconds() - begin, arena_used(job->arena) >> 10);
    dump_module(dump, module, "buffer_assignment");
    TRY(ir_verify(module, false));
    TRY(lower_module(module, &job->target, plan, out));
    arena_scratch_clear(job->arena);
    set_devices(&out->program, options);
    out->program.model = module->model;
    if (module->auto_request && *module->auto_request->made)
        *job->source.auto_plan = **module->auto_request->made;
    TRY(model_check(&out->program, &job->target));
    return memory_check(&out->program, &job->target);
}

static void dump_schedules(struct dump *dump, struct arena *arena,
                           const struct codegen_request *request)
{
    struct text text = {0};
    for (int i = 0; i < request->kernel_count; i++)
        schedule_print(arena, request->target, request->kernels[i].name, request->kernels[i].fusion,
                       &text);
    if (text.data)
        dump_bytes(dump, "schedules.txt", text.data, text.size);
    text_free(&text);
}

/* Writes the steps and the listings of the kernels, where they were requested. */
static void dump_code(struct dump *dump, const struct program *program, const char *llvm_ir,
                      const char *assembly)
{
    struct text text = {0};
    if (llvm_ir)
        dump_bytes(dump, "kernels.ll", llvm_ir, strlen(llvm_ir));
    if (assembly)
        dump_bytes(dump, "kernels.s", assembly, strlen(assembly));
    if (!dump_wants(dump, DUMP_STEPS))
        return;
    program_print(program, &text);
    if (text.data)
        dump_bytes(dump, "steps.txt", text.data, text.size);
    text_free(&text);
}

/* Compiles the kernels into *object, which the arena frees, and partitions their work. */
static struct error *generate(struct compile_job *job, const struct codegen_library *library,
                              struct dump *dump, struct lowered *lowered, void **object)
{
    void **llvm_ir = arena_keep(job->arena, alloc_free);
    void **assembly = arena_keep(job->arena, alloc_free);
    lowered->request.llvm_ir = dump_wants(dump, DUMP_LLVM) ? llvm_ir : NULL;
    lowered->request.assembly = dump_wants(dump, DUMP_ASSEMBLY) ? assembly : NULL;
    struct program *draft = &lowered->program;
    if (dump_wants(dump, DUMP_SCHEDULES))
        dump_schedules(dump, job->arena, &lowered->request);
    double begin = milliseconds();
    if (lowered->request.kernel_count)
        TRY(library->compile(job->arena, &lowered->request, object, &draft->object_size));
    LOG(DEBUG, "%s: code of %d kernels took %.2f ms", draft->name, lowered->request.kernel_count,
        milliseconds() - begin);
    LOG(DEBUG, "%s: %zu bytes of arena for %zu bytes of program", draft->name,
        arena_used(job->arena), job->source.size);
    draft->object = *object;
    lower_partition(&lowered->request, &job->target, &draft->steps);
    dump_code(dump, draft, *llvm_ir, *assembly);
    return NULL;
}

/* Checks the program and copies it out of the arena; code and constants are moved to the copy. */
static struct error *finish(struct compile_job *job, struct lowered *lowered, void **object)
{
    struct program *draft = &lowered->program;
    if (draft->plan_only) {
        *lowered->constants = NULL;
        return program_copy(draft, &job->program);
    }
    TRY(program_check(draft));
    program_io_fingerprint(draft, draft->fingerprint);
    *object = *lowered->constants = NULL;
    TRY(program_copy(draft, &job->program));
    return codegen_library_load(job->program);
}

/* Reads and plans the program; `saving`: bytes that it must need less at its peak than it does by
 * itself. */
static struct error *plan(struct compile_job *job, const struct codegen_library *library,
                          uint64_t saving, struct compile_options *options, struct dump **dump,
                          struct lowered *out)
{
    struct module *module;
    struct budget budget = budget_of(job->source.size);
    TRY(read_module(job, &budget, options, &module));
    *dump = dump_open(job->arena, module->name, options->dump_to);
    TRY(run_pipeline(module, &job->target, &budget, *dump));
    if (saving) {
        struct rematerialized done = rematerialize_run(module, &job->target, saving);
        LOG(INFO,
            "%s: %d operations repeated to need less memory: %llu bytes of values at a time, "
            "down from %llu",
            module->name, done.operations, (unsigned long long)done.after,
            (unsigned long long)done.before);
        dump_module(*dump, module, "rematerialize");
        TRY(budget_check(&budget, module));
        TRY(ir_verify(module, false));
    }
    return lower(job, library, options, *dump, module, out);
}

/* Bytes of device memory that the plan needs beyond what there is. */
static uint64_t excess_of(const struct lowered *lowered, const struct target *target)
{
    struct program_memory memory;
    uint64_t limit = target->memory_bytes[MEMORY_DEVICE];
    program_memory(&lowered->program, MEMORY_DEVICE, &memory);
    return limit && memory.peak > limit ? memory.peak - limit : 0;
}

/* Where the plan exceeds the memory, and the client requests it, values are computed again. What is
 * saved is an estimate: where it was not enough, the rest is added. */
static struct error *plan_to_fit(struct compile_job *job, const struct codegen_library *library,
                                 struct compile_options *options, struct dump **dump,
                                 struct lowered *out)
{
    uint64_t saving = 0;
    for (int attempt = 0;; attempt++) {
        *out = (struct lowered){0};
        struct error *error = plan(job, library, saving, options, dump, out);
        uint64_t excess = error && options->fit_memory ? excess_of(out, &job->target) : 0;
        if (!excess || attempt == MAX_ATTEMPTS ||
            error_code(error) != PJRT_Error_Code_RESOURCE_EXHAUSTED)
            return error;
        saving += excess;
        error_free(error);
    }
}

static struct error *run_job(struct compile_job *job)
{
    struct compile_options options = {0};
    const struct codegen_library *library;
    struct lowered lowered;
    struct dump *dump = NULL;
    void **object = arena_keep(job->arena, alloc_free);
    TRY(codegen_library(&library));
    TRY(plan_to_fit(job, library, &options, &dump, &lowered));
    lowered.program.plan_only = lowered.program.model && job->target.plans_only;
    if (!lowered.program.plan_only)
        TRY(generate(job, library, dump, &lowered, object));
    return finish(job, &lowered, object);
}

struct error *compile(const struct compile_source *source, const struct target *target,
                      struct program **out)
{
    return compile_job_run(source, target, run_job, out);
}
