/* jit.h: the LLVM back end: compiles a module to the bytes of a relocatable object. Deterministic.
 * Thread-safe; a context belongs to the thread that created it.
 *
 * LLVM guarantees that different threads may use different contexts, with everything created in
 * them, at the same time; one context may be used by one thread at a time. Each compilation creates
 * its own context. Global state (targets, options, the fatal error handler) is initialized once,
 * before the first context (target_machine.h). */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_JIT_H
#define GANTRY_COMPILER_CODEGEN_LINK_JIT_H

#include <llvm-c/Core.h>

#include "base/arena.h"
#include "base/error.h"
#include "compiler/target.h"

/* Creates an empty module in a new context. The arena owns both. */
LLVMModuleRef jit_module(struct arena *arena);
/* Creates a builder in a context. The arena owns it. */
LLVMBuilderRef jit_builder(struct arena *arena, LLVMContextRef context);

/* In a module that is compiled at a higher tier, marks a function to be compiled as at tier 0; or
 * as at tier 1. */
void jit_skip_optimization(LLVMValueRef function);
void jit_skip_passes(LLVMValueRef function);
/* Marks a function whose loops access memory at few addresses, so that passes for loops would not
 * make it faster. */
void jit_skip_loop_passes(LLVMValueRef function);
/* Declares that a function returns, and accesses no memory visible to its callers except, if
 * `arguments`, the memory that its arguments point to: values can stay in registers across its
 * calls, and equal calls are merged. */
void jit_accesses_only(LLVMValueRef function, bool arguments);
/* The module as LLVM IR in text form; the caller owns it (alloc_free). */
struct error *jit_print(LLVMModuleRef module, void **text);
/* Compiles a module at a tier (codegen.h). The caller owns the object and, unless `assembly` is
 * NULL, the text that describes it (alloc_free). */
struct error *jit_compile(LLVMModuleRef module, const struct target *target, int tier,
                          void **assembly, void **object, size_t *size);

#endif
