#include "compiler/codegen/link/target_machine.h"

#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

const char target_machine_triple[] = "x86_64-unknown-linux-gnu";

/* Passes that LLVM's code generation would run for all functions: the first is run for those that
 * gain by it (jit.h), and the others find nothing to do in kernels. */
static const char *const settings[] = {"gantry",
                                       "-disable-lsr",
                                       "-disable-mergeicmps",
                                       "-disable-constant-hoisting",
                                       "-disable-partial-libcall-inlining",
                                       "-disable-replace-with-vec-lib",
                                       "-disable-early-ifcvt",
                                       "-disable-early-taildup",
                                       "-disable-tail-duplicate",
                                       "-disable-machine-dce",
                                       "-disable-post-ra",
                                       "-disable-x86-domain-reassignment",
                                       "-disable-x86-lea-opt",
                                       "-x86-tile-ra=false",
                                       "-disable-postra-machine-licm",
                                       "-disable-postra-machine-sink",
                                       "-enable-shrink-wrap=false",
                                       "-disable-cfi-fixup"};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialize(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMParseCommandLineOptions(sizeof settings / sizeof *settings, settings, NULL);
}

void target_machine_initialize(void)
{
    pthread_once(&once, initialize);
}

/* Uses only feature flags: a CPU name would imply features that a virtual machine may hide. The
 * minimum that kernels are written for is SSE4.2, which cpu_check() has asked for: 16-byte vectors
 * with rounding and blends. */
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

/* ---- machines -------------------------------------------------------------------------------- */
enum { MACHINES = 4 }; /* for each level of code generation */

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
    if (LLVMGetTargetFromTriple(target_machine_triple, &llvm_target, &message)) {
        struct error *error = ERROR(INTERNAL, "LLVM lacks the x86-64 target: %s", message);
        LLVMDisposeMessage(message);
        return error;
    }
    LLVMCodeGenOptLevel level = optimizes ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone;
    *machine = LLVMCreateTargetMachine(llvm_target, target_machine_triple, "x86-64", features,
                                       level, LLVMRelocPIC, LLVMCodeModelSmall);
    return *machine ? NULL
                    : ERROR(INTERNAL, "LLVM cannot create a target machine for the features %s",
                            features);
}

void target_machine_give_back(LLVMTargetMachineRef machine, bool optimizes)
{
    for (int i = 0; i < MACHINES; i++) {
        LLVMTargetMachineRef none = NULL;
        if (atomic_compare_exchange_strong(&kept[optimizes][i], &none, machine))
            return;
    }
    LLVMDisposeTargetMachine(machine);
}

/* Kept ones of other features make room. */
struct error *target_machine_take(const struct cpu_features *cpu, bool optimizes,
                                  LLVMTargetMachineRef *machine)
{
    char features[256];
    feature_text(cpu, features, sizeof features);
    for (int i = 0; i < MACHINES; i++) {
        *machine = atomic_exchange(&kept[optimizes][i], NULL);
        if (*machine && has_features(*machine, features))
            return NULL;
        if (*machine)
            LLVMDisposeTargetMachine(*machine);
    }
    return create_machine(features, optimizes, machine);
}
