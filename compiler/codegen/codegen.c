/* codegen.c: the library's entry points. The kernels of a request are divided among modules
 * (shards.h), each of which is compiled into an object on any thread, at the highest tier that any
 * of its kernels requests; its other kernels are marked to skip optimization. Each module has its
 * own arena, which owns LLVM's objects. They are released when the object is complete or when
 * memory runs out. */
#include "compiler/codegen/codegen.h"

#include <locale.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/thread.h"
#include "compiler/codegen/dispatch.h"
#include "compiler/codegen/link/jit.h"
#include "compiler/codegen/link/llvm_memory.h"
#include "compiler/codegen/link/objects.h"
#include "compiler/codegen/shards.h"
#include "compiler/codegen/standalone/standalone.h"
#include "version.h"

struct job { /* a module */
    struct arena *arena;
    const struct codegen_request *request;
    struct codegen_kernel *kernels;
    int kernel_count;
    void *object, *llvm_ir, *assembly; /* owned */
    size_t object_size;
    struct error *error; /* owned */
};

/* ---- one module ------------------------------------------------------------------------------ */
static struct error *compile(void *context)
{
    struct job *job = context;
    const struct codegen_request *request = job->request;
    int tier = 0;
    LLVMModuleRef module = jit_module(job->arena);
    for (int i = 0; i < job->kernel_count; i++)
        tier = job->kernels[i].tier > tier ? job->kernels[i].tier : tier;
    for (int i = 0; i < job->kernel_count; i++) {
        struct codegen_kernel *kernel = &job->kernels[i];
        LLVMValueRef function;
        TRY(kernel_emit(job->arena, &dispatch_table, request->target, module, kernel, false,
                        &function));
        TRY(llvm_memory_check());
        if (kernel->tier == 0 && tier)
            jit_skip_optimization(function);
        else if (kernel->tier < tier)
            jit_skip_passes(function);
    }
    if (request->llvm_ir)
        TRY(jit_print(module, &job->llvm_ir));
    return jit_compile(module, request->target, tier, request->assembly ? &job->assembly : NULL,
                       &job->object, &job->object_size);
}

static struct error *run_job(struct job *job)
{
    TRY(arena_create(&job->arena));
    struct error *error = llvm_memory_begin();
    if (!error)
        error = arena_run(job->arena, compile, job);
    arena_destroy(job->arena);
    llvm_memory_end();
    return error;
}

/* ---- all of them ----------------------------------------------------------------------------- */
/* Uses the C locale, like the thread of the compile (compile_thread.c). */
static void run_any(void *context, int i)
{
    struct job *job = &((struct job *)context)[i];
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* static in glibc */
    job->error = run_job(job);
}

/* Joins the texts of the modules, one behind the other. */
static struct error *join_texts(int count, void *const *texts[], void **out)
{
    size_t size = 1, at = 0;
    for (int i = 0; i < count; i++)
        size += *texts[i] ? strlen(*texts[i]) : 0;
    char *joined;
    TRY(alloc_bytes(size, &joined));
    for (int i = 0; i < count; i++) {
        size_t length = *texts[i] ? strlen(*texts[i]) : 0;
        memcpy(joined + at, *texts[i] ? *texts[i] : "", length);
        at += length;
    }
    joined[at] = 0;
    *out = joined;
    return NULL;
}

static struct error *join_listings(const struct codegen_request *request, int count,
                                   struct job *jobs)
{
    void *const *llvm_ir[SHARDS_MAX], *const *assembly[SHARDS_MAX];
    for (int i = 0; i < count; i++) {
        llvm_ir[i] = &jobs[i].llvm_ir;
        assembly[i] = &jobs[i].assembly;
    }
    if (request->llvm_ir)
        TRY(join_texts(count, llvm_ir, request->llvm_ir));
    return request->assembly ? join_texts(count, assembly, request->assembly) : NULL;
}

static struct error *join(const struct codegen_request *request, int count, struct job *jobs,
                          void **bytes, size_t *size)
{
    struct object objects[SHARDS_MAX];
    for (int i = 0; i < count; i++)
        objects[i] = (struct object){jobs[i].object, jobs[i].object_size, jobs[i].kernel_count};
    TRY(join_listings(request, count, jobs));
    TRY(objects_join(count, objects, bytes, size));
    for (int i = 0; i < count; i++)
        jobs[i].object = objects[i].bytes; /* NULL: moved */
    return NULL;
}

/* Releases what is left, and returns the error of the first module that has one. */
static struct error *finish(int count, struct job *jobs)
{
    struct error *first = NULL;
    for (int i = 0; i < count; i++) {
        alloc_free(jobs[i].object);
        alloc_free(jobs[i].llvm_ir);
        alloc_free(jobs[i].assembly);
        first = error_join(first, jobs[i].error);
    }
    return first;
}

struct error *codegen_compile(struct arena *arena, struct codegen_request *request, void **object,
                              size_t *object_size)
{
    struct shard shards[SHARDS_MAX];
    struct job jobs[SHARDS_MAX] = {{0}};
    int count = shards_divide(request, shards);
    bool failed = false;
    (void)arena;
    *object = NULL;
    *object_size = 0;
    for (int i = 0; i < count; i++)
        jobs[i] = (struct job){.request = request,
                               .kernels = &request->kernels[shards[i].first],
                               .kernel_count = shards[i].count};
    thread_parallel("gantry-codegen", count, count > 1 ? pool_width(pool_shared()) : 1, run_any,
                    jobs);
    for (int i = 0; i < count; i++)
        failed |= jobs[i].error != NULL;
    struct error *error = failed ? NULL : join(request, count, jobs, object, object_size);
    return error_join(error, finish(count, jobs));
}

uint64_t codegen_scratch_size(const struct op *fusion, const struct target *target)
{
    return fusion->attrs.fusion.fusion_kind == FUSION_STANDALONE
               ? standalone_scratch(fusion, target)
               : 0;
}

struct error *codegen_load(const void *object, size_t size, int count, char *const *names,
                           kernel_function **kernels, uint64_t *code_size,
                           struct loaded_code **code)
{
    return objects_load(object, size, count, names, kernels, code_size, code);
}

void codegen_unload(struct loaded_code *code)
{
    objects_unload(code);
}

const char *codegen_build(void)
{
    return GANTRY_BUILD_ID;
}

/* Replaces __cxa_atexit(), with which the C++ code of this library registers its destructors. They
 * are never run: an abandoned compile may still use what they would destroy when the process exits,
 * and the library is never unloaded. */
int __wrap___cxa_atexit(void (*destructor)(void *object), void *object, void *library);
int __wrap___cxa_atexit(void (*destructor)(void *object), void *object, void *library)
{
    (void)destructor;
    (void)object;
    (void)library;
    return 0;
}
