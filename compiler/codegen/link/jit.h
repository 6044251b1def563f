/* jit.h: LLVM as a back end: a module in, the bytes of a relocatable object out. Deterministic,
 * thread-safe (a context belongs to its caller's thread).
 *
 * LLVM promises that different contexts, with all that is made in them, are used by different
 * threads at once, and one context by one thread at a time; each compilation makes its own. What is
 * global (targets, options, the fatal error handler) is set up once, before the first context. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_JIT_H
#define GANTRY_COMPILER_CODEGEN_LINK_JIT_H

#include <llvm-c/Core.h>

#include "base/arena.h"
#include "base/error.h"
#include "compiler/target.h"

/* A new empty module in a new context; both belong to the arena. */
LLVMModuleRef jit_module(struct arena *arena);
/* A new builder in a context; it belongs to the arena. */
LLVMBuilderRef jit_builder(struct arena *arena, LLVMContextRef context);

/* Marks a function to be compiled as at tier 0, or as at tier 1, in a module of a higher tier. */
void jit_skip_optimization(LLVMValueRef function);
void jit_skip_passes(LLVMValueRef function);
/* Compiles at a tier (codegen.h). The object is owned by the caller (alloc_free). */
struct error *jit_compile(LLVMModuleRef module, const struct target *target, int tier,
                          void **object, size_t *size);

#endif
