/* target_machine.h: LLVM's target machines for the features of a processor. To create one, and its
 * tables for the features of a function, takes longer than to compile a small kernel, so a few are
 * kept for each level of code generation. A machine may compile modules of any context, on any
 * thread, but one at a time. Thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_TARGET_MACHINE_H
#define GANTRY_COMPILER_CODEGEN_LINK_TARGET_MACHINE_H

#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "base/cpu.h"
#include "base/error.h"

extern const char target_machine_triple[]; /* of all modules */

/* Initializes LLVM's global state (target, options); only the first call does. Needed before the
 * first context. */
void target_machine_initialize(void);

/* Takes a kept machine, or creates one. `optimizes`: false for tier 0. The caller owns *machine and
 * passes it to target_machine_give_back() with the same level. INTERNAL when LLVM has no such
 * target. */
struct error *target_machine_take(const struct cpu_features *cpu, bool optimizes,
                                  LLVMTargetMachineRef *machine);
void target_machine_give_back(LLVMTargetMachineRef machine, bool optimizes);

#endif
