/* codegen.h: kernels out of fusions. This is the whole interface of libgantry_codegen.so, which
 * holds LLVM and is opened at the first compile (codegen_library.h finds it). Only fusions reach
 * code generation (passes/fusion makes everything that is no library call, copy or step-level
 * control flow into one):
 *
 *   FUSION_LOOP    a pure expression; each result is written once, element by element, any order
 *   FUSION_UPDATE  the last operation is dynamic_update_slice or scatter, done in place: result i
 * is stored where the updated operand is (the buffer plan gave them the same slice,
 *                  after a copy if need be)
 *   FUSION_STANDALONE  one operation with an emitter of its own: sort, reduce_window,
 *                  rng_bit_generator ...
 *   FUSION_REGION  a sequence of the above with while and case: a small loop compiled as one
 * function; values inside are stored in the fusion's scratch by its own buffer plan
 *
 * A kernel is called as kernel(buffers, begin, end): buffers are the fusion's operands, results and
 * — where scratch_size is not 0 — scratch, then the address of a 32-bit stop flag, which a
 * FUSION_REGION reads in every iteration of a loop that may be unbounded: when it is not 0 the
 * kernel returns soon, with undefined results. [begin, end) is a part of its work items. Calls for
 * disjoint parts may run at the same time on different threads unless work is 1. */
#ifndef GANTRY_COMPILER_CODEGEN_CODEGEN_H
#define GANTRY_COMPILER_CODEGEN_CODEGEN_H

#include "base/arena.h"
#include "base/error.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/buffer/buffer_assign.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

/* How well code is made: 0 quickly; 1 well, as it was written; 2 after LLVM's passes, too, which
 * pay for arithmetic and for loops of several kernels in one. Results are the same. */
enum { CODEGEN_TIERS = 3 };

struct codegen_kernel {
    const struct op *fusion;           /* in */
    const struct buffer_plan *buffers; /* in: of FUSION_REGION; else NULL */
    const char *name;                  /* in: symbol, unique in the request */
    int tier;                          /* in */
    int64_t work;                      /* out: number of independent work items, >= 1; 1 = serial */
};

struct codegen_request {
    const struct target *target;
    int kernel_count;
    struct codegen_kernel *kernels;
};

/* Compiles the kernels into one relocatable object (owned by the caller, alloc_free).
 * Deterministic: equal requests give equal bytes. Errors: UNIMPLEMENTED naming operation and
 * location. Thread-safe. */
typedef struct error *codegen_compile_function(struct arena *arena, struct codegen_request *request,
                                               void **object, size_t *object_size);
codegen_compile_function codegen_compile;

/* Bytes of scratch a fusion's kernel needs (FUSION_STANDALONE such as sort); 0 for most. Called
 * before buffers are assigned, so it depends on the operation and types alone. */
typedef uint64_t codegen_scratch_size_function(const struct op *fusion,
                                               const struct target *target);
codegen_scratch_size_function codegen_scratch_size;

/* Links an object into executable memory (one slab, never writable and executable at once) and
 * finds the kernels. *code is owned (codegen_unload). `names` must be defined in the object.
 * Thread-safe. */
typedef struct error *codegen_load_function(const void *object, size_t size, int count,
                                            char *const *names, kernel_function **kernels,
                                            uint64_t *code_size, struct loaded_code **code);
codegen_load_function codegen_load;
typedef void codegen_unload_function(struct loaded_code *code);
codegen_unload_function codegen_unload;

/* The build that this library is of (library.h); static. */
const char *codegen_build(void);

#endif
