/* kernel.h: the function of one fusion, void name(void *const *buffers, int64_t begin, int64_t
 * end): opened here, its body written by the emitter of the fusion's kind. */
#ifndef GANTRY_COMPILER_CODEGEN_KERNELS_KERNEL_H
#define GANTRY_COMPILER_CODEGEN_KERNELS_KERNEL_H

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/emitter/emitter.h"

struct kernel { /* a function that is being written */
    struct emitter *e;
    const struct dispatch *dispatch;
    struct codegen_kernel *request;
    const struct op *fusion;
    LLVMValueRef buffers, begin, end; /* its arguments */
};

/* Writes the body; sets request->work. Errors: UNIMPLEMENTED naming the operation. */
typedef struct error *kernel_emitter(struct kernel *k);

/* Which function writes what. Static; filled at the top of the library (dispatch.c), so that no
 * emitter names another one above it. */
struct dispatch {
    expression_emitter *const *expressions; /* OP_CODE_COUNT, see emitter.h */
    kernel_emitter *const *kernels;         /* by fusion kind; NULL: not generated */
};

/* Adds the function to the module; sets request->work. `internal`: called only by another kernel of
 * the module. *function may be NULL. */
struct error *kernel_emit(struct arena *arena, const struct dispatch *dispatch,
                          const struct target *target, LLVMModuleRef module,
                          struct codegen_kernel *request, bool internal, LLVMValueRef *function);

/* The type of every kernel. */
LLVMTypeRef kernel_type(LLVMContextRef context);
/* Address i of `buffers`. */
LLVMValueRef kernel_buffer(struct kernel *k, int i);
/* Address of result i, or of the scratch. */
LLVMValueRef kernel_result(struct kernel *k, int i);
LLVMValueRef kernel_scratch(struct kernel *k);

#endif
