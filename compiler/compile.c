/* compile.c: see compile.h. Reads a program, runs the pipeline, assigns buffers, lowers the module
 * to steps and generates their code. */
#include "compiler/compile.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "compiler/analysis/module_outline.h"
#include "compiler/codegen_library.h"
#include "compiler/driver/budget.h"
#include "compiler/driver/compile_job.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/memory_check.h"
#include "compiler/driver/model_check.h"
#include "compiler/driver/pipeline.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/ir/auto_request.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/lower_partition.h"
#include "compiler/lower/lower_plan.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/passes/buffer/rematerialize.h"
#include "compiler/program/program_check.h"
#include "compiler/program/program_copy.h"
#include "compiler/program/program_io.h"
#include "compiler/program/program_memory.h"
#include "compiler/program/program_print.h"
#include "compiler/schedule/schedule_print.h"

/* ---- names, for dumps ------------------------------------------------------------------------ */
size_t compile_passes(const char **names, size_t capacity)
{
    static const char *const last[] = {"rematerialize", "buffer_assignment"};
    size_t room = capacity ? capacity - 1 : 0;
    size_t count = 1 + pipeline_passes(room ? names + 1 : NULL, room);
    if (capacity)
        names[0] = "read";
    for (size_t i = 0; i < sizeof last / sizeof *last; i++, count++)
        if (count < capacity)
            names[count] = last[i];
    return count;
}

struct error *compile_check_dump(void)
{
    enum { STAGES = 3 };
    const char *names[PIPELINE_MAX + STAGES];
    return dump_check(names, compile_passes(names, PIPELINE_MAX + STAGES));
}

/* ---- one compile ----------------------------------------------------------------------------- */
static double milliseconds_since(int64_t begin)
{
    return (double)(clock_now() - begin) / 1e6;
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
                       "'%s' needs %d devices (num_replicas %d, num_partitions %d); there are %d",
                       module->name, count, options->num_replicas, options->num_partitions,
                       available);
}

static struct error *read_module(struct compile_job *job, const struct budget *budget,
                                 struct compile_options *options, struct module **out)
{
    struct compile_source source = job->source;
    arena_set_limit(job->arena, budget->bytes);
    TRY(compile_options_read(job->arena, source.options, source.options_size,
                             job->target.accelerator, options));
    source.function = options->function;
    source.argument_shapes = options->argument_shapes;
    source.operation_limit = budget->operations;
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
static struct error *lower_to_steps(struct compile_job *job, const struct codegen_library *library,
                                    struct dump *dump, struct module *module, struct lowered *out)
{
    struct buffer_plan *plan;
    int64_t begin = clock_now();
    arena_set_task(job->arena, "code generation");
    TRY(buffer_assign_entry(module, &job->target, library->scratch_size, &plan));
    arena_scratch_clear(job->arena);
    LOG(DEBUG, "%s: buffers took %.2f ms, the arena has %zu KiB", module->name,
        milliseconds_since(begin), arena_used(job->arena) >> 10);
    dump_module(dump, module, "buffer_assignment");
    TRY(ir_verify(module, false));
    TRY(lower_module(module, &job->target, plan, out));
    arena_scratch_clear(job->arena);
    return NULL;
}

static struct error *lower(struct compile_job *job, const struct codegen_library *library,
                           const struct compile_options *options, struct dump *dump,
                           struct module *module, struct lowered *out)
{
    if (lower_plan_suffices(module, &job->target))
        lower_plan(module, &job->target, out);
    else
        TRY(lower_to_steps(job, library, dump, module, out));
    set_devices(&out->program, options);
    out->program.model = module->model;
    out->program.plan_only = module->model && job->target.plans_only;
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
    int64_t begin = clock_now();
    if (lowered->request.kernel_count)
        TRY(library->compile(job->arena, &lowered->request, object, &draft->object_size));
    LOG(DEBUG, "%s: code of %d kernels took %.2f ms", draft->name, lowered->request.kernel_count,
        milliseconds_since(begin));
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
        if (lowered->constants)
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
    TRY(pipeline_run(module, &job->target, &budget, *dump));
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
    if (!lowered.program.plan_only)
        TRY(generate(job, library, dump, &lowered, object));
    return finish(job, &lowered, object);
}

struct error *compile(const struct compile_source *source, const struct target *target,
                      struct program **out)
{
    return compile_job_run(source, target, run_job, out);
}
