#include "compiler/codegen/link/target_machine.h"

#include <criterion/criterion.h>
#include <llvm-c/Core.h>

#include "base/thread.h"

static const struct cpu_features baseline, avx2 = {.avx2 = true, .fma = true};

static LLVMTargetMachineRef take(const struct cpu_features *cpu, bool optimizes)
{
    LLVMTargetMachineRef machine;
    struct error *error = target_machine_take(cpu, optimizes, &machine);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    return machine;
}

TestSuite(target_machine, .init = target_machine_initialize);

Test(target_machine, is_kept_for_the_same_features)
{
    LLVMTargetMachineRef first = take(&avx2, true), second = take(&avx2, true);
    cr_expect_neq(first, second, "one at a time");
    target_machine_give_back(first, true);
    cr_expect_eq(take(&avx2, true), first);
    target_machine_give_back(first, true);
    target_machine_give_back(second, true);
}

Test(target_machine, has_the_features_that_were_asked_for)
{
    LLVMTargetMachineRef narrow = take(&baseline, true);
    target_machine_give_back(narrow, true);
    LLVMTargetMachineRef wide = take(&avx2, true), quick = take(&avx2, false);
    char *text = LLVMGetTargetMachineFeatureString(wide);
    cr_expect_str_eq(text, "+sse4.2,+popcnt,+avx,+avx2,+fma");
    LLVMDisposeMessage(text);
    cr_expect_neq(wide, quick, "levels have machines of their own");
    target_machine_give_back(wide, true);
    target_machine_give_back(quick, false);
}

static void take_and_give_back(void *context, int i)
{
    const struct cpu_features *cpu = i % 3 ? &avx2 : &baseline;
    LLVMTargetMachineRef machine = take(cpu, i % 2);
    (void)context;
    target_machine_give_back(machine, i % 2);
}

Test(target_machine, threads_share_what_is_kept)
{
    thread_parallel("take", 200, 8, take_and_give_back, NULL);
}
