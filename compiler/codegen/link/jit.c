/* jit.c: creates target machines from CPU feature flags, verifies modules, runs the passes of tier
 * 2, and emits objects. LLVM terminates the process on a fatal error, so modules are verified
 * first, and the pass pipeline is a fixed string. */
#include "compiler/codegen/link/jit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/codegen/link/llvm_memory.h"

static const char triple[] = "x86_64-unknown-linux-gnu";
#define CLEAN_UP                                                                                   \
    "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"   \
    "loop-mssa(licm),simplifycfg"
static const char passes[] = CLEAN_UP ",loop(loop-reduce))";
static const char simple_passes[] = CLEAN_UP ")";
static const char loop_passes[] = "function(loop-simplify,lcssa,loop(loop-reduce))";
/* Passes that LLVM's code generation would run for all functions: the first is run for those that
 * gain by it (above), and the others find nothing to do in kernels. */
static const char *const settings[] = {"gantry",
                                       "-disable-lsr",
                                       "-disable-mergeicmps",
                                       "-disable-constant-hoisting",
                                       "-disable-partial-libcall-inlining",
                                       "-disable-replace-with-vec-lib",
                                       "-disable-early-ifcvt",
                                       "-disable-early-taildup",
                                       "-disable-postra-machine-licm",
                                       "-disable-postra-machine-sink",
                                       "-enable-shrink-wrap=false",
                                       "-disable-cfi-fixup"};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialize_llvm(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMParseCommandLineOptions(sizeof settings / sizeof *settings, settings, NULL);
}

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
    pthread_once(&once, initialize_llvm);
    *context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(*context, ignore_diagnostic, NULL);
    LLVMContextSetDiscardValueNames(*context, true);
    *module = LLVMModuleCreateWithNameInContext("gantry", *context);
    LLVMSetTarget(*module, triple);
    return *module;
}

LLVMBuilderRef jit_builder(struct arena *arena, LLVMContextRef context)
{
    void **builder = arena_keep(arena, dispose_builder);
    return *builder = LLVMCreateBuilderInContext(context);
}

/* Uses only feature flags: a CPU name would imply features that a virtual machine may hide. The
 * minimum that kernels are written for is SSE4.2: 16-byte vectors with rounding and blends. */
static void feature_text(const struct cpu_features *f, char *text, size_t size)
{
    snprintf(text, size, "+sse4.2,+popcnt%s%s%s%s%s%s%s%s%s%s%s%s%s", f->avx2 ? ",+avx,+avx2" : "",
             f->fma ? ",+fma" : "", f->f16c ? ",+f16c" : "", f->bmi2 ? ",+bmi,+bmi2,+lzcnt" : "",
             f->avx512 ? ",+avx512f,+avx512cd,+avx512bw,+avx512dq,+avx512vl" : "",
             f->avx512_bf16 ? ",+avx512bf16" : "", f->avx512_vnni ? ",+avx512vnni" : "",
             f->avx512_vbmi ? ",+avx512vbmi" : "", f->avx_vnni ? ",+avxvnni" : "",
             f->amx_tile ? ",+amx-tile" : "", f->amx_bf16 ? ",+amx-bf16" : "",
             f->amx_int8 ? ",+amx-int8" : "", "");
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

static struct error *llvm_error(const char *what, char *message)
{
    struct error *error = ERROR(INTERNAL, "%s: %s", what, message ? message : "no message");
    LLVMDisposeMessage(message);
    return error;
}

/* ---- target machines -------------------------------------------------------------------------
 * To create one, and its tables for the features of a function, takes longer than to compile a
 * small kernel. So a few are kept for each level of code generation. Any thread may use a machine,
 * with any context, but only one thread at a time. */
enum { MACHINES = 4 };

static _Atomic(LLVMTargetMachineRef) kept[2][MACHINES]; /* NULL: none */

static bool has_features(LLVMTargetMachineRef machine, const char *features)
{
    char *text = LLVMGetTargetMachineFeatureString(machine);
    bool same = !strcmp(text, features);
    LLVMDisposeMessage(text);
    return same;
}

static struct error *create_machine(const char *features, bool optimizes,
                                    LLVMTargetMachineRef *machine)
{
    char *message = NULL;
    LLVMTargetRef llvm_target;
    if (LLVMGetTargetFromTriple(triple, &llvm_target, &message))
        return llvm_error("LLVM lacks the x86-64 target", message);
    LLVMCodeGenOptLevel level = optimizes ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone;
    *machine = LLVMCreateTargetMachine(llvm_target, triple, "x86-64", features, level, LLVMRelocPIC,
                                       LLVMCodeModelSmall);
    return *machine ? NULL
                    : ERROR(INTERNAL, "LLVM cannot create a target machine for the features %s",
                            features);
}

static void give_back(LLVMTargetMachineRef machine, bool optimizes)
{
    for (int i = 0; i < MACHINES; i++) {
        LLVMTargetMachineRef none = NULL;
        if (atomic_compare_exchange_strong(&kept[optimizes][i], &none, machine))
            return;
    }
    LLVMDisposeTargetMachine(machine);
}

/* Takes a kept machine, or creates one. Kept ones of other features make room. */
static struct error *take_machine(const struct target *target, bool optimizes,
                                  LLVMTargetMachineRef *machine)
{
    char features[256];
    feature_text(target->features, features, sizeof features);
    for (int i = 0; i < MACHINES; i++) {
        *machine = atomic_exchange(&kept[optimizes][i], NULL);
        if (*machine && has_features(*machine, features))
            return NULL;
        if (*machine)
            LLVMDisposeTargetMachine(*machine);
    }
    return create_machine(features, optimizes, machine);
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
    TRY(take_machine(target, tier > 0, &machine));
    struct error *error = compile_with(module, machine, tier, assembly, object, size);
    give_back(machine, tier > 0);
    return error;
}
