/* compile.c: see compile.h. The pipeline is the table below: every pass runs over the whole
 * module, the verifier runs after each, and GANTRY_DUMP (or the option xla_dump_to) writes the
 * module after it. */
#include "compiler/compile.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "compiler/codegen_library.h"
#include "compiler/frontend/bytecode/mlir_bytecode.h"
#include "compiler/frontend/hlo/hlo_proto.h"
#include "compiler/frontend/text/mlir_text.h"
#include "compiler/lower/lower.h"
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/cse.h"
#include "compiler/passes/dce.h"
#include "compiler/passes/dynamic.h"
#include "compiler/passes/entry_layouts.h"
#include "compiler/passes/fold/fold.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/layout.h"
#include "compiler/passes/quantized.h"
#include "compiler/passes/reduce_merge.h"
#include "compiler/passes/reduce_split.h"
#include "compiler/passes/unroll.h"
#include "compiler/passes/vector_product.h"
#include "compiler/program/program_check.h"
#include "compiler/program/program_copy.h"

enum { STACK_BYTES = 16 << 20, PATIENCE_SECONDS = 5 };

/* ---- the pipeline ---------------------------------------------------------------------------- */
enum state {                     /* what holds of a module */
             FLAT = 1 << 0,      /* one function, no calls */
             STATIC = 1 << 1,    /* no dynamic operations or shapes */
             CANONICAL = 1 << 2, /* one way to say each thing */
             LAYOUTS = 1 << 3,   /* library steps can be specified */
             FUSED = 1 << 4
};

struct pass {
    const char *name;
    struct error *(*run)(struct module *module, const struct target *target);
    unsigned needs, gives, breaks;
};

static const struct pass pipeline[] = {
    /* name          run               needs                               gives      breaks */
    {"inline", inline_run, 0, FLAT, 0},
    {"entry_layouts", entry_layouts_run, FLAT, 0, 0},
    {"fold", fold_run, FLAT, 0, 0},
    {"dynamic", dynamic_run, FLAT, STATIC, 0},
    {"canonicalize", canonicalize_run, FLAT | STATIC, CANONICAL, 0},
    {"fold", fold_run, FLAT, 0, 0},
    {"cse", cse_run, FLAT, 0, 0},
    {"dce", dce_run, FLAT, 0, 0},
    {"unroll", unroll_run, FLAT | CANONICAL, 0, 0},
    {"canonicalize", canonicalize_run, FLAT | STATIC, CANONICAL, 0},
    {"fold", fold_run, FLAT, 0, 0},
    {"cse", cse_run, FLAT, 0, 0},
    {"dce", dce_run, FLAT, 0, 0},
    {"vector_product", vector_product_run, CANONICAL, 0, 0},
    {"reduce_split", reduce_split_run, CANONICAL, 0, 0},
    {"reduce_merge", reduce_merge_run, CANONICAL, 0, 0},
    {"layout", layout_run, FLAT | STATIC | CANONICAL, LAYOUTS, 0},
    {"fusion", fusion_run, FLAT | STATIC | CANONICAL | LAYOUTS, FUSED, CANONICAL | LAYOUTS},
    {"outline", outline_run, FUSED, 0, 0},
};

/* ---- dumps ----------------------------------------------------------------------------------- */
/* The folder to dump a pass into, or false. GANTRY_DUMP is "FOLDER", or "PASS,PASS:FOLDER". */
static bool dump_folder(const char *asked, const char *pass, char *out, size_t size)
{
    const char *wish = env_text(ENV_GANTRY_DUMP);
    if (!wish)
        return asked && (size_t)snprintf(out, size, "%s", asked) < size;
    const char *colon = strrchr(wish, ':');
    if (!colon)
        return (size_t)snprintf(out, size, "%s", wish) < size;
    for (const char *name = wish; name < colon;) {
        size_t length = strcspn(name, ",:");
        if (length == strlen(pass) && !memcmp(name, pass, length))
            return (size_t)snprintf(out, size, "%s", colon + 1) < size;
        name += length + 1;
    }
    return false;
}

/* A dump that cannot be written is a message in the log, never a failed compile. */
static void dump(const struct module *module, const char *asked, int number, const char *pass)
{
    char folder[1024], path[1400];
    struct text text = {0};
    if (!dump_folder(asked, pass, folder, sizeof folder))
        return;
    snprintf(path, sizeof path, "%s/%s.%02d.%s.mlir", folder,
             module->name ? module->name : "module", number, pass);
    FILE *file = mkdir(folder, 0777) && errno != EEXIST ? NULL : fopen(path, "w");
    if (!file) {
        LOG(WARNING, "cannot write %s: %s", path, strerror(errno));
        return;
    }
    ir_print(module, &text);
    if (text.data)
        fwrite(text.data, 1, text.size, file);
    text_free(&text);
    fclose(file);
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct error *run_pipeline(struct module *module, const struct target *target,
                                  const char *dump_to)
{
    unsigned state = 0;
    int count = sizeof pipeline / sizeof *pipeline;
    dump(module, dump_to, 0, "read");
    for (int i = 0; i < count; i++) {
        const struct pass *pass = &pipeline[i];
        if (pass->needs & ~state)
            return ERROR(INTERNAL, "pass %s needs state %#x, has %#x", pass->name, pass->needs,
                         state);
        double begin = milliseconds();
        TRY(pass->run(module, target));
        LOG(DEBUG, "%s: pass %s took %.2f ms", module->name, pass->name, milliseconds() - begin);
        state = (state & ~pass->breaks) | pass->gives;
        dump(module, dump_to, i + 1, pass->name);
        struct error *error = ir_verify(module, false);
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
        return ERROR(INVALID_ARGUMENT, "program format \"%.*s\": \"mlir\" and \"hlo\" are served",
                     (int)source->format_size, source->format);
    if (mlir_bytecode_is(source->bytes, source->size))
        TRY(mlir_bytecode_read(arena, source->bytes, source->size, out));
    else
        TRY(mlir_text_read(arena, source->bytes, source->size, out));
    TRY(quantized_run(*out));
    return ir_verify(*out, true);
}

struct job {
    const struct compile_source *source;
    const struct target *target;
    struct arena *arena;
    struct program **out;
    struct error *error;
};

/* What clients may ask for as the optimized program, and the fingerprint of what runs. */
static struct error *describe(struct module *module, struct lowered *lowered)
{
    struct program *program = &lowered->program;
    char *text;
    size_t size;
    struct text printed = {0};
    void **keep = arena_keep(module->arena, alloc_free);
    ir_print(module, &printed);
    TRY(text_finish(&printed, &text, &size));
    *keep = text;
    program->optimized = text;
    program->optimized_size = size;
    uint64_t hash = map_hash(program->optimized, size, 1);
    hash = map_hash(program->constants, program->constants_size, hash);
    int64_t numbers[] = {program->num_replicas, program->num_partitions,
                         (int64_t)program->temp_size, program->parameter_count,
                         program->result_count};
    program->fingerprint = map_hash(numbers, sizeof numbers, hash);
    return NULL;
}

static struct error *load(const struct codegen_library *library, struct program *program)
{
    if (!program->object)
        return NULL;
    return library->load(program->object, program->object_size, program->kernel_count,
                         program->kernel_names, program->kernels, &program->code_size,
                         &program->code);
}

static struct error *generate(struct module *module, const struct target *target,
                              struct lowered *lowered, const struct codegen_library *library,
                              struct program **out)
{
    struct program *draft = &lowered->program;
    TRY(describe(module, lowered));
    double begin = milliseconds();
    if (lowered->request.kernel_count)
        TRY(library->compile(module->arena, &lowered->request, &draft->object,
                             &draft->object_size));
    LOG(DEBUG, "%s: code of %d kernels took %.2f ms", module->name, lowered->request.kernel_count,
        milliseconds() - begin);
    lower_cut(lowered, target);
    TRY(program_check(draft));
    draft->fingerprint = map_hash(draft->object, draft->object_size, draft->fingerprint);
    TRY(program_copy(draft, out));
    struct error *error = load(library, *out);
    if (error) {
        program_release(*out);
        *out = NULL;
    }
    return error;
}

static struct error *read_options(struct job *job, struct module *module,
                                  struct compile_options *options)
{
    const struct compile_source *source = job->source;
    TRY(compile_options_read(job->arena, source->options, source->options_size, options));
    TRY(compile_options_raise(options, module->num_replicas, module->num_partitions));
    module->num_replicas = options->num_replicas; /* what collectives go by */
    module->num_partitions = options->num_partitions;
    if (options->num_partitions > 1)
        return ERROR(UNIMPLEMENTED, "program for %d partitions: one is served",
                     options->num_partitions);
    return NULL;
}

/* A program that cannot fit is refused here, not when it runs. A result that takes a parameter's
 * memory costs none. */
static struct error *check_memory(const struct program *program, const struct target *target)
{
    uint64_t arguments = 0, results = 0;
    for (int i = 0; i < program->parameter_count; i++)
        arguments +=
            program->parameters[i].shape.memory == MEMORY_DEVICE ? program->parameters[i].bytes : 0;
    for (int i = 0; i < program->result_count; i++)
        if (program->results[i].shape.memory == MEMORY_DEVICE && program->results[i].alias < 0)
            results += program->results[i].bytes;
    uint64_t total = arguments + results + program->temp_size + program->constants_size;
    if (!target->memory_bytes || total <= target->memory_bytes)
        return NULL;
    return ERROR(RESOURCE_EXHAUSTED,
                 "%s needs %llu bytes of device memory (arguments %llu, results %llu, temporaries "
                 "%llu, constants "
                 "%llu), %s has %llu",
                 program->name, (unsigned long long)total, (unsigned long long)arguments,
                 (unsigned long long)results, (unsigned long long)program->temp_size,
                 (unsigned long long)program->constants_size, target->name,
                 (unsigned long long)target->memory_bytes);
}

static struct error *compile_in_arena(void *context)
{
    struct job *job = context;
    struct module *module;
    struct compile_options options;
    const struct codegen_library *library;
    struct buffer_plan *plan;
    struct lowered lowered;
    TRY(codegen_library(&library));
    TRY(compile_read(job->arena, job->source, &module));
    TRY(read_options(job, module, &options));
    TRY(run_pipeline(module, job->target, options.dump_to));
    double begin = milliseconds();
    TRY(buffer_assign_entry(module, job->target, library->scratch_size, &plan));
    LOG(DEBUG, "%s: buffers took %.2f ms", module->name, milliseconds() - begin);
    dump(module, options.dump_to, sizeof pipeline / sizeof *pipeline + 1, "buffers");
    TRY(ir_verify(module, false));
    TRY(lower_module(module, job->target, plan, &lowered));
    TRY(check_memory(&lowered.program, job->target));
    lowered.program.num_replicas = options.num_replicas;
    lowered.program.num_partitions = options.num_partitions;
    lowered.program.assignment_count = options.assignment_count;
    lowered.program.device_assignment = (int64_t *)options.device_assignment;
    return generate(module, job->target, &lowered, library, job->out);
}

/* ---- the thread ------------------------------------------------------------------------------ */
/* Numbers are read and written with a point, whatever LC_NUMERIC the process has chosen. */
static void *compile_thread(void *context)
{
    struct job *job = context;
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* static in glibc */
    job->error = arena_run(job->arena, compile_in_arena, job);
    return NULL;
}

/* Waits; a person at a terminal is told once that it takes long. */
static void wait_for(pthread_t thread)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_SECONDS;
    if (isatty(STDERR_FILENO) && pthread_timedjoin_np(thread, NULL, &until) == 0)
        return;
    if (isatty(STDERR_FILENO))
        dprintf(STDERR_FILENO, "gantry: compiling, more than %d seconds so far ...\n",
                PATIENCE_SECONDS);
    pthread_join(thread, NULL);
}

static struct error *run_on_thread(struct job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int failed = pthread_create(&thread, &attributes, compile_thread, job);
    pthread_attr_destroy(&attributes);
    if (failed)
        return ERROR(RESOURCE_EXHAUSTED, "cannot start a compile thread: %s", strerror(failed));
    wait_for(thread);
    return job->error;
}

struct error *compile(const struct compile_source *source, const struct target *target,
                      struct program **out)
{
    struct job job = {.source = source, .target = target, .out = out};
    *out = NULL;
    TRY(arena_create(&job.arena));
    struct error *error = run_on_thread(&job);
    arena_destroy(job.arena);
    return error;
}
