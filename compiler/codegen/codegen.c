/* codegen.c: the library's entry points. A request is compiled as one module into one object, at
 * the highest tier that any of its kernels requests; the other kernels are marked to skip
 * optimization. Each compile has its own arena, which owns LLVM's objects. They are released when
 * the object is complete or when memory runs out. */
#include "compiler/codegen/codegen.h"

#include "base/alloc.h"
#include "compiler/codegen/dispatch.h"
#include "compiler/codegen/link/elf.h"
#include "compiler/codegen/link/jit.h"
#include "compiler/codegen/link/llvm_memory.h"
#include "compiler/codegen/standalone/standalone.h"
#include "version.h"

struct job {
    struct arena *arena;
    struct codegen_request *request;
    void **object;
    size_t *object_size;
};

static struct error *compile(void *context)
{
    struct job *job = context;
    int tier = 0;
    LLVMModuleRef module = jit_module(job->arena);
    for (int i = 0; i < job->request->kernel_count; i++)
        tier = job->request->kernels[i].tier > tier ? job->request->kernels[i].tier : tier;
    for (int i = 0; i < job->request->kernel_count; i++) {
        struct codegen_kernel *kernel = &job->request->kernels[i];
        LLVMValueRef function;
        TRY(kernel_emit(job->arena, &dispatch_table, job->request->target, module, kernel, false,
                        &function));
        TRY(llvm_memory_check());
        if (kernel->tier == 0 && tier)
            jit_skip_optimization(function);
        else if (kernel->tier < tier)
            jit_skip_passes(function);
    }
    if (job->request->llvm_ir)
        TRY(jit_print(module, job->request->llvm_ir));
    return jit_compile(module, job->request->target, tier, job->request->assembly, job->object,
                       job->object_size);
}

struct error *codegen_compile(struct arena *arena, struct codegen_request *request, void **object,
                              size_t *object_size)
{
    struct job job = {.request = request, .object = object, .object_size = object_size};
    (void)arena;
    *object = NULL;
    *object_size = 0;
    TRY(arena_create(&job.arena));
    struct error *error = llvm_memory_begin();
    if (!error)
        error = arena_run(job.arena, compile, &job);
    arena_destroy(job.arena);
    llvm_memory_end();
    if (error) {
        alloc_free(*object);
        *object = NULL;
    }
    return error;
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
    return elf_load(object, size, count, names, kernels, code_size, code);
}

void codegen_unload(struct loaded_code *code)
{
    elf_unload(code);
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
