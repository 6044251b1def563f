/* compile.c: see compile.h. The pipeline is the table below: every pass runs over the whole module,
 * and the verifier runs after each. */
#include "compiler/compile.h"

#include <string.h>
#include <time.h>

#include "base/fpu.h"
#include "base/alloc.h"
#include "base/log.h"
#include "compiler/budget.h"
#include "compiler/codegen_library.h"
#include "compiler/compile_thread.h"
#include "compiler/dump.h"
#include "compiler/frontend/bytecode/mlir_bytecode.h"
#include "compiler/frontend/hlo/hlo_proto.h"
#include "compiler/frontend/text/mlir_text.h"
#include "compiler/lower/lower.h"
#include "compiler/memory_check.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/cse.h"
#include "compiler/passes/dce.h"
#include "compiler/passes/dynamic.h"
#include "compiler/passes/entry_layouts.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/fold/simplify.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/layout.h"
#include "compiler/passes/quantized.h"
#include "compiler/passes/reduce_merge.h"
#include "compiler/passes/reduce_split.h"
#include "compiler/passes/states.h"
#include "compiler/passes/unroll.h"
#include "compiler/passes/vector_product.h"
#include "compiler/program/program_check.h"
#include "compiler/program/program_copy.h"
#include "compiler/program/program_io.h"

/* ---- the pipeline ---------------------------------------------------------------------------- */
struct pass {
    const char *name;
    struct error *(*run)(struct module *module, const struct target *target);
    unsigned needs, gives, breaks;
};

static const struct pass pipeline[] = {
    /* name          run               needs                               gives      breaks */
    {"inline", inline_run, 0, STATE_FLAT, 0},
    {"entry_layouts", entry_layouts_run, STATE_FLAT, 0, 0},
    {"fold", fold_run, STATE_FLAT, 0, 0},
    {"dynamic", dynamic_run, STATE_FLAT, STATE_STATIC, 0},
    {"canonicalize", canonicalize_run, STATE_FLAT | STATE_STATIC, STATE_CANONICAL, 0},
    {"fold", fold_run, STATE_FLAT, 0, 0},
    {"simplify", simplify_run, STATE_FLAT, 0, 0},
    {"cse", cse_run, STATE_FLAT, 0, 0},
    {"dce", dce_run, STATE_FLAT, 0, 0},
    {"unroll", unroll_run, STATE_FLAT | STATE_CANONICAL, 0, 0},
    {"canonicalize", canonicalize_run, STATE_FLAT | STATE_STATIC, STATE_CANONICAL, 0},
    {"fold", fold_run, STATE_FLAT, 0, 0},
    {"cse", cse_run, STATE_FLAT, 0, 0},
    {"dce", dce_run, STATE_FLAT, 0, 0},
    {"vector_product", vector_product_run, STATE_CANONICAL, 0, 0},
    {"reduce_split", reduce_split_run, STATE_CANONICAL, 0, 0},
    {"reduce_merge", reduce_merge_run, STATE_CANONICAL, 0, 0},
    {"layout", layout_run, STATE_FLAT | STATE_STATIC | STATE_CANONICAL, STATE_LAYOUTS, 0},
    {"fusion", fusion_run, STATE_FLAT | STATE_STATIC | STATE_CANONICAL | STATE_LAYOUTS, STATE_FUSED,
     STATE_CANONICAL | STATE_LAYOUTS},
    {"outline", outline_run, STATE_FUSED, 0, 0},
};

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct error *run_pipeline(struct module *module, const struct target *target,
                                  const struct budget *budget, const char *dump_to)
{
    unsigned state = 0;
    int count = sizeof pipeline / sizeof *pipeline;
    dump_module(module, dump_to, 0, "read");
    for (int i = 0; i < count; i++) {
        const struct pass *pass = &pipeline[i];
        if (pass->needs & ~state)
            return ERROR(INTERNAL, "pass %s needs the states %#x; %#x hold", pass->name,
                         pass->needs, state);
        double begin = milliseconds();
        arena_set_task(module->arena, pass->name);
        struct fpu_mode mode = fpu_enter(); /* constants are folded as programs compute */
        struct error *error = pass->run(module, target);
        fpu_restore(mode);
        TRY(error);
        LOG(DEBUG, "%s: pass %s took %.2f ms", module->name, pass->name, milliseconds() - begin);
        state = (state & ~pass->breaks) | pass->gives;
        dump_module(module, dump_to, i + 1, pass->name);
        error = budget_check(budget, module);
        if (!error)
            error = ir_verify(module, false);
        if (!error && states_are_verified())
            error = states_verify(module, state, target);
        if (error)
            return error_prefix(error, "after pass %s", pass->name);
    }
    return NULL;
}

/* ---- one compile ----------------------------------------------------------------------------- */
static bool format_is(const struct compile_source *source, const char *name)
{
    return source->format_size == strlen(name) &&
           !memcmp(source->format, name, source->format_size);
}

struct error *compile_read(struct arena *arena, const struct compile_source *source,
                           struct module **out)
{
    *out = NULL;
    if (format_is(source, "hlo")) {
        TRY(hlo_proto_read(arena, source->bytes, source->size, out));
        return ir_verify(*out, true);
    }
    if (!format_is(source, "mlir"))
        return ERROR(INVALID_ARGUMENT,
                     "program format \"%.*s\": \"mlir\" and \"hlo\" are supported",
                     (int)source->format_size, source->format);
    if (mlir_bytecode_is(source->bytes, source->size))
        TRY(mlir_bytecode_read(arena, source->bytes, source->size, out));
    else
        TRY(mlir_text_read(arena, source->bytes, source->size, out));
    TRY(quantized_run(*out));
    return ir_verify(*out, true);
}

struct job { /* what a compile needs, also when its caller does not wait for it any more */
    struct compile_source source; /* in the arena */
    struct target target;
    struct arena *arena;
    struct program *program; /* the result; owned */
};

/* Makes the kernels' code and moves the program out of the arena. */
static struct error *generate(struct job *job, const struct codegen_library *library,
                              struct lowered *lowered)
{
    struct program *draft = &lowered->program;
    void **object = arena_keep(job->arena, alloc_free);
    double begin = milliseconds();
    if (lowered->request.kernel_count)
        TRY(library->compile(job->arena, &lowered->request, object, &draft->object_size));
    LOG(DEBUG, "%s: code of %d kernels took %.2f ms", draft->name, lowered->request.kernel_count,
        milliseconds() - begin);
    LOG(DEBUG, "%s: %zu bytes of arena for %zu bytes of program", draft->name,
        arena_used(job->arena), job->source.size);
    draft->object = *object;
    lower_cut(lowered, &job->target);
    TRY(program_check(draft));
    program_io_fingerprint(draft, draft->fingerprint);
    *object = *lowered->constants = NULL;
    TRY(program_copy(draft, &job->program));
    return codegen_library_load(job->program);
}

static struct error *read_options(struct job *job, struct module *module,
                                  struct compile_options *options)
{
    const struct compile_source *source = &job->source;
    TRY(compile_options_read(job->arena, source->options, source->options_size, options));
    TRY(compile_options_raise(options, module->num_replicas, module->num_partitions));
    module->num_replicas = options->num_replicas; /* what collectives go by */
    module->num_partitions = options->num_partitions;
    if (options->num_partitions > 1)
        return ERROR(UNIMPLEMENTED, "program for %d partitions: only one is supported",
                     options->num_partitions);
    return NULL;
}

static void set_devices(struct program *program, const struct compile_options *options)
{
    program->num_replicas = options->num_replicas;
    program->num_partitions = options->num_partitions;
    program->assignment_count = options->assignment_count;
    program->device_assignment = (int64_t *)(uintptr_t)options->device_assignment; /* is copied */
}

static struct error *compile_in_arena(void *context)
{
    struct job *job = context;
    struct module *module;
    struct compile_options options;
    const struct codegen_library *library;
    struct buffer_plan *plan;
    struct lowered lowered;
    struct budget budget = budget_of(job->source.size);
    TRY(codegen_library(&library));
    arena_set_limit(job->arena, budget.bytes);
    TRY(compile_read(job->arena, &job->source, &module));
    module->operation_limit = budget.operations;
    TRY(read_options(job, module, &options));
    TRY(run_pipeline(module, &job->target, &budget, options.dump_to));
    double begin = milliseconds();
    arena_set_task(job->arena, "code generation");
    TRY(buffer_assign_entry(module, &job->target, library->scratch_size, &plan));
    LOG(DEBUG, "%s: buffers took %.2f ms", module->name, milliseconds() - begin);
    dump_module(module, options.dump_to, sizeof pipeline / sizeof *pipeline + 1, "buffers");
    TRY(ir_verify(module, false));
    TRY(lower_module(module, &job->target, plan, &lowered));
    set_devices(&lowered.program, &options);
    TRY(memory_check(&lowered.program, &job->target));
    return generate(job, library, &lowered);
}

/* ---- the job --------------------------------------------------------------------------------- */
static void free_job(void *context)
{
    struct job *job = context;
    program_release(job->program);
    arena_destroy(job->arena);
    alloc_free(job);
}

static struct error *copy_source(void *context)
{
    struct job *job = context;
    struct compile_source *source = &job->source;
    source->format = arena_copy(job->arena, source->format, source->format_size);
    source->bytes = arena_copy(job->arena, source->bytes, source->size);
    source->options = arena_copy(job->arena, source->options, source->options_size);
    return NULL;
}

/* The source and the target are the caller's for the call only, but the compile may outlast it. */
static struct error *create_job(const struct compile_source *source, const struct target *target,
                                struct job **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->source = *source;
    (*out)->target = *target;
    struct error *error = arena_create(&(*out)->arena);
    if (!error)
        error = arena_run((*out)->arena, copy_source, *out);
    if (error)
        free_job(*out);
    return error;
}

struct error *compile(const struct compile_source *source, const struct target *target,
                      struct program **out)
{
    struct job *job;
    bool abandoned;
    *out = NULL;
    TRY(create_job(source, target, &job));
    struct error *error =
        compile_thread_run(job->arena, compile_in_arena, free_job, job, &abandoned);
    if (abandoned)
        return error;
    if (!error) {
        *out = job->program;
        job->program = NULL;
    }
    free_job(job);
    return error;
}
