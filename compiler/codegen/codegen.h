/* codegen.h: compiles fusions to kernels. This is the whole interface of libgantry_codegen.so,
 * which contains LLVM and is loaded at the first compile (see codegen_library.h). Only fusions
 * reach code generation: passes/fusion wraps everything that is not a library call, a copy or
 * step-level control flow in a fusion.
 *
 *   FUSION_LOOP        a pure expression; each result element is written once, in any order
 *   FUSION_ROWS        the same with one result, where work item i writes row i, all elements along
 *                      the last dimension, or the first of them (below). Its reductions are all
 *                      over whole rows of that size
 *   FUSION_UPDATE      the last operations are dynamic_update_slice or scatter, done in place:
 *                      such a result is stored where the updated operand is. The buffer plan gave
 *                      them the same slice, after a copy if needed. Other results are stored as
 *                      those of a FUSION_LOOP (analysis/update_window.h).
 *   FUSION_STANDALONE  one operation with an emitter of its own: sort, reduce_window,
 *                      rng_bit_generator ...
 *   FUSION_REGION      a sequence of the above with while and case: a small loop compiled as
 *                      one function. Intermediate values are stored in the fusion's scratch,
 *                      as assigned by its own buffer plan.
 *
 * A kernel is called as kernel(buffers, begin, end). `buffers` holds the addresses of the fusion's
 * operands, then of its results, then of its scratch if scratch_size is not 0, and last the address
 * of the execution's struct kernel_limits (program.h). Two kinds of kernel use them: in a
 * FUSION_REGION, every iteration of a loop that may be unbounded subtracts its cost from the budget
 * and reads the stop flag; a FUSION_LOOP, FUSION_ROWS or FUSION_UPDATE whose cost is
 * PROGRAM_UNBOUNDED reads the flag in all its loops. When the flag is not 0 or the budget is
 * negative, the kernel returns soon, with undefined results. [begin, end) is a range of the
 * kernel's work items. Calls for disjoint ranges may run at the same time on different threads
 * unless work is 1.
 *
 * After these limits, a FUSION_ROWS gets the address of a 64-bit number of columns: all columns of
 * a row, or a smaller positive multiple of PROGRAM_COLUMN_STEP. It may compute as if rows had no
 * other columns: reductions leave the others out, and what it stores there is undefined. A loop may
 * include others, up to the next multiple of PROGRAM_COLUMN_VECTOR. */
#ifndef GANTRY_COMPILER_CODEGEN_CODEGEN_H
#define GANTRY_COMPILER_CODEGEN_CODEGEN_H

#include "base/arena.h"
#include "base/error.h"
#include "compiler/ir/ir.h"
#include "compiler/plan/buffer_plan.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

/* Number of optimization tiers. Tier 0 compiles fast. Tier 1 generates good code but runs no IR
 * passes, except those for loops where they access memory at many addresses. Tier 2 also runs
 * LLVM's passes, which pay off for arithmetic-heavy kernels and for loops that contain several
 * kernels. Results are the same at every tier. */
enum { CODEGEN_TIERS = 3 };

struct codegen_kernel {
    const struct op *fusion;           /* in */
    const struct buffer_plan *buffers; /* in: the plan of a FUSION_REGION; else NULL */
    const char *name;                  /* in: symbol name, unique in the request */
    int tier;                          /* in */
    /* in: the caches will have lost the results when they are read: stored past them, their lines
     * are not read first */
    bool stores_past_caches;
    int64_t work; /* out: number of independent work items, >= 1; 1 = serial */
};

struct codegen_request {
    const struct target *target;
    int kernel_count;
    struct codegen_kernel *kernels;
    /* out, owned by the caller (alloc_free): the module as LLVM IR before LLVM's passes, and as
     * assembly; NULL: not requested */
    void **llvm_ir, **assembly; /* char * each */
};

/* Compiles the kernels into an object, which the caller owns (alloc_free). Large requests are
 * compiled on several threads, as many as the pool has, into several objects in one block
 * (link/objects.h). Deterministic: equal requests give equal bytes, whatever the number of threads.
 * Errors: UNIMPLEMENTED, naming the operation and its location. Thread-safe. */
typedef struct error *codegen_compile_function(struct arena *arena, struct codegen_request *request,
                                               void **object, size_t *object_size);
codegen_compile_function codegen_compile;

/* Bytes of scratch that a fusion's kernel needs; 0 for most. A FUSION_STANDALONE such as sort needs
 * some. Called before buffers are assigned, so the result depends only on the operation and its
 * types. */
typedef uint64_t codegen_scratch_size_function(const struct op *fusion,
                                               const struct target *target);
codegen_scratch_size_function codegen_scratch_size;

/* Links an object into executable memory and looks up its kernels. The memory is never writable and
 * executable at once. The caller owns *code (codegen_unload). The object must define all `names`.
 * Thread-safe. */
typedef struct error *codegen_load_function(const void *object, size_t size, int count,
                                            char *const *names, kernel_function **kernels,
                                            uint64_t *code_size, struct loaded_code **code);
codegen_load_function codegen_load;
typedef void codegen_unload_function(struct loaded_code *code);
codegen_unload_function codegen_unload;

/* Identifies the build that this library belongs to (library.h). The string is static. */
const char *codegen_build(void);

#endif
