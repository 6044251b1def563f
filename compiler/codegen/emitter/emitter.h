/* emitter.h: the state of writing one LLVM function, and the places ("scopes") where code can
 * be emitted.
 *
 * A scope is an open basic block: the function's entry (depth 0), or the body of a loop that is
 * being written (one deeper than what is around it). All scopes around the current one stay open at
 * their ends: code that depends only on an outer scope's variables is written there, once, and so
 * leaves the loop. Everything that is written is pure but for stores, loads are in bounds or
 * masked, so writing early is always right.
 *
 * What was written is remembered in its scope by a key (emitter_recall, emitter_remember), so an
 * expression that is used twice is written once.
 *
 * Lanes: vector code treats `lanes` neighbours of one dimension together. Scalars of a vector
 * expression stay scalars ("uniform") until they meet a vector.
 *
 * All memory comes from the compile's arena (under arena_run), which owns the builder too; other
 * objects of LLVM belong to the module. One thread. */
#ifndef GANTRY_COMPILER_CODEGEN_EMITTER_EMITTER_H
#define GANTRY_COMPILER_CODEGEN_EMITTER_EMITTER_H

#include <llvm-c/Core.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct scope {
    struct scope *parent;
    int depth;
    LLVMBasicBlockRef block; /* where code is appended while the scope is not the current one */
    struct map *memo;
};

/* The variables of symbolic indices (affine.h). */
struct index_var {
    LLVMValueRef value;  /* i64, or <lanes x i64> */
    int lanes;           /* 1: scalar */
    bool is_lane_number; /* value is <0, 1, 2 ...>: a coefficient of it is a stride */
    int64_t min, max;
    int depth;
};

/* A condition under which elements are needed; where it is false, loads give anything and do not
 * fault. */
struct guard {
    LLVMValueRef value; /* i1, or <lanes x i1> */
    int lanes, depth;
};

/* A tile of a transposition that is being written: the loop over its rows (`var` counts them) is
 * inside the scope of `depth`, where arguments that are stored along the rows are loaded,
 * transposed, and cached for the rows to read. */
struct tile {
    int var, rows, depth;
};

/* Values of a reducer's region while it is written: arguments and what was computed from them. */
struct binding {
    const struct binding *parent;
    const struct block *block;
    struct map *elements; /* value -> struct element */
};

struct element;
struct emitter;
struct index;
/* Writes an operation at an index of its results: out[0 .. result_count). */
typedef struct error *expression_emitter(struct emitter *e, const struct op *op,
                                         const struct index *index, struct element *out);

struct emitter {
    struct arena *arena;
    const struct target *target;
    /* By operation code, of OP_CODE_COUNT; NULL: element by element, or not an expression. */
    expression_emitter *const *expressions;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, pointer;
    struct scope *scope; /* the current one; the builder is positioned in its block */
    VEC(struct index_var) vars;
    struct map *buffers;           /* value -> its address (LLVMValueRef) */
    int lanes;                     /* of the vector loop that is being written; 1: none */
    int lane_var;                  /* its lane number among `vars`, or -1 */
    LLVMValueRef tail;             /* <lanes x i1>: lanes that exist; NULL: all */
    const struct tile *tile;       /* NULL: none */
    const struct guard *guard;     /* NULL: none */
    const struct binding *binding; /* NULL: not inside a reducer's region */
    const struct op *op;           /* being written, for errors */
    int budget;                    /* expressions that may still be written */
    int nesting;                   /* of expressions, now */
    bool has_loops;                /* the expression being written has reductions inside */
    int row_caches;                /* rows cached on the stack so far (emit_reduce.c) */
    bool unrounded;                /* within a reduction: rounding is left to its end */
    bool streamed;                 /* streaming stores were written */
    VEC(char) key;                 /* buffer to build keys */
};

/* Starts on a function whose entry block is made and becomes scope 0. */
struct emitter *emitter_create(struct arena *arena, const struct target *target,
                               expression_emitter *const *expressions, LLVMModuleRef module,
                               LLVMValueRef function);

/* The scope of a depth around the current one. */
struct scope *emitter_scope(struct emitter *e, int depth);
/* Moves the builder to the end of a scope around the current one; returns the scope to go back
 * to. */
struct scope *emitter_enter(struct emitter *e, struct scope *scope);
void emitter_leave(struct emitter *e, struct scope *back);

void *emitter_recall(struct scope *scope, const void *key, size_t size);
void emitter_remember(struct scope *scope, const void *key, size_t size, void *what);

/* A new variable; the number to name it by. */
int emitter_var(struct emitter *e, LLVMValueRef value, int lanes, int64_t min, int64_t max,
                int depth);
/* Starts vector code of so many lanes (1: scalar code); returns what was before, for
 * emitter_lanes_restore. */
struct lanes {
    int lanes, lane_var;
    LLVMValueRef tail;
};
struct lanes emitter_lanes(struct emitter *e, int lanes);
void emitter_lanes_restore(struct emitter *e, struct lanes before);

/* ---- loops: for (i = first; i < end; i += step), with values carried between iterations. The body
 * is a scope. The loop runs at least once: the caller knows first < end. */
struct loop {
    struct scope scope, *outer;
    LLVMBasicBlockRef head;
    LLVMValueRef i, first, end; /* i64 */
    int64_t step;
    int carried_count;
    LLVMValueRef *carried; /* in the body: values at the start of the iteration */
    LLVMValueRef *initial;
    int var; /* i as an index variable */
};
struct loop *emitter_loop_begin(struct emitter *e, LLVMValueRef first, LLVMValueRef end,
                                int64_t step, int64_t min, int64_t max, int carried_count,
                                LLVMValueRef *initial);
/* `next` are the carried values at the end of the iteration; after it they are the loop's
 * results. */
void emitter_loop_end(struct emitter *e, struct loop *loop, LLVMValueRef *next);

/* ---- branches: the code between runs only when `condition` (i1) holds. The body is a scope. */
struct branch {
    struct scope scope, *outer;
    LLVMBasicBlockRef body, from;
    LLVMValueRef condition;
};
struct branch *emitter_branch_begin(struct emitter *e, LLVMValueRef condition);
/* Merges values[i] (of the body) with otherwise[i] by phis. */
void emitter_branch_end(struct emitter *e, struct branch *branch, int count, LLVMValueRef *values,
                        LLVMValueRef const *otherwise);

/* ---- shorthand */
LLVMTypeRef emitter_vector(LLVMTypeRef element, int lanes); /* the element itself for 1 lane */
LLVMValueRef emitter_i64(struct emitter *e, int64_t value);
/* A mask of the first `count` lanes. */
LLVMValueRef emitter_first_lanes(struct emitter *e, int lanes, int64_t count);
LLVMValueRef emitter_i32(struct emitter *e, int64_t value);
LLVMValueRef emitter_splat(struct emitter *e, LLVMValueRef scalar, int lanes);
LLVMValueRef emitter_int_like(LLVMTypeRef type, int64_t value); /* a constant, splat for vectors */
LLVMValueRef emitter_real_like(LLVMTypeRef type, double value);
/* Calls llvm.<name>, overloaded on the given types. */
LLVMValueRef emitter_intrinsic(struct emitter *e, const char *name, int overload_count,
                               LLVMTypeRef const *overloads, int count, LLVMValueRef *arguments);
/* Overloaded on the type of the first argument only. */
LLVMValueRef emitter_unary(struct emitter *e, const char *name, LLVMValueRef a);
LLVMValueRef emitter_binary(struct emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b);
/* Lets a float operation be contracted with another; returns it. */
LLVMValueRef emitter_contract(LLVMValueRef value);
/* True when any lane (or the scalar) is set: i1. */
LLVMValueRef emitter_any(struct emitter *e, LLVMValueRef mask, int lanes);
LLVMBasicBlockRef emitter_block(struct emitter *e);
/* A stack slot made in the function's entry block. */
LLVMValueRef emitter_alloca(struct emitter *e, LLVMTypeRef type, int alignment);
/* A private constant array of bytes. */
LLVMValueRef emitter_constant_bytes(struct emitter *e, const void *bytes, int64_t size);
/* UNIMPLEMENTED: "<operation and location>: generated code does not support <what>". */
struct error *emitter_unimplemented(struct emitter *e, const struct op *op, const char *what);

#endif
