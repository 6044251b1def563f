/* kernel.h: the function of one fusion, void name(void *const *buffers, int64_t begin, int64_t
 * end). kernel_emit() creates the function; the emitter of the fusion's kind generates its body. */
#ifndef GANTRY_COMPILER_CODEGEN_KERNELS_KERNEL_H
#define GANTRY_COMPILER_CODEGEN_KERNELS_KERNEL_H

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/emitter/emitter.h"

struct kernel { /* a function that is being emitted */
    struct emitter *e;
    const struct dispatch *dispatch;
    struct codegen_kernel *request;
    const struct op *fusion;
    LLVMValueRef buffers, begin, end; /* the function's arguments */
};

/* Emits the body and sets request->work. Errors: UNIMPLEMENTED naming the operation. */
typedef struct error *kernel_emitter(struct kernel *k);

/* The emitters of operations and of kernels. Static. Defined in dispatch.c, at the top of the
 * library, so that no emitter depends on one in a higher layer. */
struct dispatch {
    expression_emitter *const *expressions; /* OP_CODE_COUNT entries, see emitter.h */
    kernel_emitter *const *kernels;         /* by fusion kind; NULL: not generated */
};

/* Adds the function to the module and sets request->work. `internal`: only another kernel of the
 * module calls it. `function` may be NULL. */
struct error *kernel_emit(struct arena *arena, const struct dispatch *dispatch,
                          const struct target *target, LLVMModuleRef module,
                          struct codegen_kernel *request, bool internal, LLVMValueRef *function);

/* Begins another function of the module, which the kernel passes to a routine (routines/). Its
 * first argument is the kernel's `buffers`, so code that is emitted with the result's emitter can
 * use the fusion's values. Ends it: */
struct kernel kernel_function_begin(struct kernel *k, LLVMTypeRef type);
void kernel_function_end(struct kernel *function);

/* The function type of every kernel. */
LLVMTypeRef kernel_type(LLVMContextRef context);
/* Loads element i of `buffers`. */
LLVMValueRef kernel_buffer(struct kernel *k, int i);
/* The address of result i; the address of the scratch. */
LLVMValueRef kernel_result(struct kernel *k, int i);
LLVMValueRef kernel_scratch(struct kernel *k);

#endif
