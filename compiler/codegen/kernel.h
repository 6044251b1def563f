/* kernel.h: the function of one fusion, void name(void *const *buffers, int64_t begin, int64_t
 * end). */
#ifndef GANTRY_COMPILER_CODEGEN_KERNEL_H
#define GANTRY_COMPILER_CODEGEN_KERNEL_H

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/emitter.h"

/* Adds the function to the module; sets kernel->work. `internal`: called by another kernel of the
 * module only. *function may be NULL. */
struct error *kernel_emit(struct arena *arena, const struct target *target, LLVMModuleRef module,
                          struct codegen_kernel *kernel, bool internal, LLVMValueRef *function);
/* The type of every kernel. */
LLVMTypeRef kernel_type(LLVMContextRef context);

/* What the emitters of the kinds of fusion get: the function is open, its arguments are these. */
struct kernel {
    struct emitter *e;
    struct codegen_kernel *request;
    const struct op *fusion;
    LLVMValueRef buffers, begin, end;
};
/* Address i of `buffers`. */
LLVMValueRef kernel_buffer(struct kernel *k, int i);
/* Address of result i, or of the scratch. */
LLVMValueRef kernel_result(struct kernel *k, int i);
LLVMValueRef kernel_scratch(struct kernel *k);
/* The bodies by kind; each sets request->work. */
struct error *kernel_loop(struct kernel *k); /* FUSION_LOOP */
struct error *emit_update(struct kernel *k); /* FUSION_UPDATE: emit_update.c */
struct error *emit_region(struct kernel *k); /* FUSION_REGION: emit_region.c */

#endif
