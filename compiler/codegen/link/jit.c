/* jit.c: verifies modules, runs the passes of tier 2, and emits objects. LLVM terminates the
 * process on a fatal error, so modules are verified first, and the pass pipeline is a fixed
 * string. */
#include "compiler/codegen/link/jit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/codegen/link/llvm_memory.h"
#include "compiler/codegen/link/target_machine.h"

static const char passes[] =
    "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
    "loop-mssa(licm),simplifycfg,loop(loop-reduce))";
/* Simple loops have no variables in memory and no branches to simplify, and code generation folds
 * their arithmetic as well as instcombine, with fewer values live at a time. */
static const char simple_passes[] =
    "always-inline,function(early-cse,loop-simplify,lcssa,loop-mssa(licm))";
static const char loop_passes[] = "function(loop-simplify,lcssa,loop(loop-reduce))";

static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    (void)info;
    (void)context;
}

static void dispose_context(void *context)
{
    LLVMContextDispose(context);
}

static void dispose_module(void *module)
{
    LLVMDisposeModule(module);
}

static void dispose_builder(void *builder)
{
    LLVMDisposeBuilder(builder);
}

LLVMModuleRef jit_module(struct arena *arena)
{
    void **context = arena_keep(arena, dispose_context),
         **module = arena_keep(arena, dispose_module);
    target_machine_initialize();
    *context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(*context, ignore_diagnostic, NULL);
    LLVMContextSetDiscardValueNames(*context, true);
    *module = LLVMModuleCreateWithNameInContext("gantry", *context);
    LLVMSetTarget(*module, target_machine_triple);
    return *module;
}

LLVMBuilderRef jit_builder(struct arena *arena, LLVMContextRef context)
{
    void **builder = arena_keep(arena, dispose_builder);
    return *builder = LLVMCreateBuilderInContext(context);
}

static const char *const unoptimized[] = {"optnone", "noinline"};
static const char without_passes[] = "gantry-without-passes",
                  simple_loops[] = "gantry-simple-loops", hidden[] = "gantry-hidden";

static void mark(LLVMValueRef function, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), "", 0));
}

static bool is_marked(LLVMValueRef function, const char *name)
{
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                         (unsigned)strlen(name));
}

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void jit_skip_optimization(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    for (int i = 0; i < 2; i++)
        LLVMAddAttributeAtIndex(
            function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(context, attribute_kind(unoptimized[i]), 0));
}

static bool skips_optimization(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       attribute_kind(unoptimized[0]));
}

void jit_skip_passes(LLVMValueRef function)
{
    mark(function, without_passes);
}

void jit_skip_loop_passes(LLVMValueRef function)
{
    mark(function, simple_loops);
}

void jit_accesses_only(LLVMValueRef function, bool arguments)
{
    enum { READ_AND_WRITE = 3 }; /* of the memory of arguments, whose bits are the lowest */
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAttributeRef attributes[] = {
        LLVMCreateEnumAttribute(context, attribute_kind("memory"), arguments ? READ_AND_WRITE : 0),
        LLVMCreateEnumAttribute(context, attribute_kind("nounwind"), 0),
        LLVMCreateEnumAttribute(context, attribute_kind("willreturn"), 0)};
    for (int i = 0; i < 3; i++)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attributes[i]);
}

static struct error *llvm_error(const char *what, char *message)
{
    struct error *error = ERROR(INTERNAL, "%s: %s", what, message ? message : "no message");
    LLVMDisposeMessage(message);
    return error;
}

static struct error *run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                const char *which)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(module, which, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failed)
        return NULL;
    char *message = LLVMGetErrorMessage(failed);
    struct error *error = ERROR(INTERNAL, "LLVM's passes failed: %s", message);
    LLVMDisposeErrorMessage(message);
    return error;
}

static bool wants_simple_passes(LLVMValueRef function, int tier)
{
    return tier >= 2 && !is_marked(function, without_passes) && is_marked(function, simple_loops);
}

static bool wants_passes(LLVMValueRef function, int tier)
{
    return tier >= 2 && !is_marked(function, without_passes) && !is_marked(function, simple_loops);
}

static bool wants_loop_passes(LLVMValueRef function, int tier)
{
    return !is_marked(function, simple_loops) && !wants_passes(function, tier);
}

/* Hides functions from the passes that follow, except those that want them. True if any does. */
static bool hide_functions(LLVMModuleRef module, int tier, bool (*wants)(LLVMValueRef, int))
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || skips_optimization(f))
            continue;
        if (wants(f, tier)) {
            any = true;
            continue;
        }
        mark(f, hidden);
        jit_skip_optimization(f);
    }
    return any;
}

/* Code generation is not to skip what was hidden. */
static void show_functions(LLVMModuleRef module)
{
    const LLVMAttributeIndex at = LLVMAttributeFunctionIndex;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_marked(f, hidden)) {
            LLVMRemoveStringAttributeAtIndex(f, at, hidden, sizeof hidden - 1);
            for (int i = 0; i < 2; i++)
                LLVMRemoveEnumAttributeAtIndex(f, at, attribute_kind(unoptimized[i]));
        }
}

/* The functions of tier 2 get all passes, those of tier 1 only the ones for loops; neither gets
 * the latter if its loops do not gain by them. */
static struct error *optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, int tier)
{
    static const struct {
        bool (*wants)(LLVMValueRef function, int tier);
        const char *passes;
    } runs[] = {{wants_passes, passes},
                {wants_simple_passes, simple_passes},
                {wants_loop_passes, loop_passes}};
    struct error *error = NULL;
    for (size_t i = 0; i < sizeof runs / sizeof *runs && !error; i++) {
        if (hide_functions(module, tier, runs[i].wants))
            error = run_passes(module, machine, runs[i].passes);
        show_functions(module);
    }
    return error;
}

static struct error *emit(LLVMModuleRef module, LLVMTargetMachineRef machine,
                          LLVMCodeGenFileType type, void **out, size_t *size)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, type, &message, &buffer))
        return llvm_error("LLVM cannot emit code", message);
    *size = LLVMGetBufferSize(buffer);
    struct error *error = alloc_copy(LLVMGetBufferStart(buffer), *size, out);
    LLVMDisposeMemoryBuffer(buffer);
    return error;
}

/* Of a copy, since code generation changes a module. */
static struct error *emit_assembly(LLVMModuleRef module, LLVMTargetMachineRef machine, void **out)
{
    size_t size;
    LLVMModuleRef copy = LLVMCloneModule(module);
    struct error *error = emit(copy, machine, LLVMAssemblyFile, out, &size);
    LLVMDisposeModule(copy);
    return error;
}

struct error *jit_print(LLVMModuleRef module, void **text)
{
    char *printed = LLVMPrintModuleToString(module);
    struct error *error = alloc_copy(printed, strlen(printed), text);
    LLVMDisposeMessage(printed);
    return error;
}

static struct error *compile_with(LLVMModuleRef module, LLVMTargetMachineRef machine, int tier,
                                  void **assembly, void **object, size_t *size)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
    struct error *error = tier ? optimize(module, machine, tier) : NULL;
    if (!error)
        error = llvm_memory_check();
    if (!error && assembly)
        error = emit_assembly(module, machine, assembly);
    return error ? error : emit(module, machine, LLVMObjectFile, object, size);
}

struct error *jit_compile(LLVMModuleRef module, const struct target *target, int tier,
                          void **assembly, void **object, size_t *size)
{
    LLVMTargetMachineRef machine;
    char *message = NULL;
    *object = NULL;
    *size = 0;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        return llvm_error("generated code is invalid", message);
    LLVMDisposeMessage(message);
    TRY(target_machine_take(target->isa.features, tier > 0, &machine));
    struct error *error = compile_with(module, machine, tier, assembly, object, size);
    target_machine_give_back(machine, tier > 0);
    return error;
}
