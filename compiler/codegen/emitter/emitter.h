/* emitter.h: the state of emitting one LLVM function, and the positions ("scopes") where code can
 * be inserted.
 *
 * A scope is an open basic block: the function's entry (depth 0), or the body of a loop that is
 * being emitted (one deeper than the scope around it). All enclosing scopes stay open at their
 * ends. Code that depends only on an outer scope's variables is emitted there, once, so
 * loop-invariant code is hoisted. This is always correct: everything except stores is pure, and
 * loads are in bounds or masked.
 *
 * Emitted values are memoized in their scope by key (emitter_memo_get, emitter_memo_put), so an
 * expression that is used twice is emitted once.
 *
 * Lanes: vector code processes `lanes` adjacent elements of one dimension together. Scalars in a
 * vector expression stay scalar ("uniform") until they are combined with a vector.
 *
 * All memory, including the builder, belongs to the compile's arena (under arena_run). Other LLVM
 * objects belong to the module. Not thread-safe: one thread per emitter. */
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
    LLVMBasicBlockRef block; /* insertion point while this is not the current scope */
    struct map *memo;
};

/* The variables of symbolic indices (affine.h). */
struct index_var {
    LLVMValueRef value;  /* i64, or <lanes x i64> */
    int lanes;           /* 1: scalar */
    bool is_lane_number; /* value is <0, 1, 2 ...>; its coefficient is a stride */
    int64_t min, max;
    int depth;
    const struct affine_division *division; /* of the remainder of a division; NULL: another */
    /* A step of a chunk of a row: chunk_var * chunk + value < steps. `steps` is 0 for others. */
    int chunk_var;
    int64_t chunk, steps;
};

/* A condition under which elements are needed. Where it is false, loads give undefined values and
 * do not fault. Some lane is `certain` to need its element: what is the same for all lanes needs
 * only the guard outside of this one. */
struct guard {
    LLVMValueRef value; /* i1, or <lanes x i1> */
    int lanes, depth;
    bool certain;
    const struct guard *outer;
};

/* A tile of a transpose that is being emitted: `rows` rows, of which those before number `begin`
 * (i64) are stored with another tile. The row that is being emitted (`var` is its number in the
 * tile) is inside the scope at `depth`: in a loop over the rows, or `unrolled` as code of its own,
 * for the row with the constant `number`. In that scope, arguments that are contiguous along the
 * rows are loaded, transposed and cached for the rows to read. */
struct tile {
    int var, rows, depth;
    bool unrolled;
    int number;
    LLVMValueRef begin;
};

/* A chunk of vectors of a nest that is being emitted. The loop over the vectors (`var` is its
 * counter) is inside the scope at `depth`. In that scope, reductions over rows are computed for all
 * vectors of the chunk, and their results cached for the vectors to read. */
struct chunk {
    int var, depth;
    LLVMValueRef trip_count; /* i64: vectors */
    int64_t most;            /* of the trip count */
};

/* Values of a reducer's region while it is emitted: its arguments and the values computed from
 * them. */
struct binding {
    const struct binding *parent;
    const struct block *block;
    struct map *elements; /* value -> struct element */
};

/* Loops that reduce rows (row_fetch.h). */
struct row_reads {
    int loops;     /* so far */
    int loop;      /* the number of that being emitted, or 0 */
    bool fetches;  /* it fetches the next row */
    int group_var; /* the loop over the rows of a group, or -1 */
    bool streams;  /* an operand is being read once, in order */
};

/* What the results of operations need not be, in a reduction that a combination is part of. */
struct combining {
    bool unrounded; /* rounded: that is deferred to its end */
    bool any_zero;  /* of a certain sign, if they are zero */
};

/* What is known of the arrays that a kernel reads and stores. */
struct arrays {
    bool exceed_caches;      /* they are larger than the last level of cache */
    bool stored_past_caches; /* results are to be stored past it (codegen.h) */
    bool one_stream;         /* one operand is large (row_fetch.h) */
};

/* What a function contains, for the attributes that it needs. */
struct emitted {
    bool streams; /* stores past the caches */
    bool tiles;   /* of transposes */
};

struct element;
struct emitter;
struct index;
struct nest;
/* Emits an operation at an index of its results: out[0 .. result_count). */
typedef struct error *expression_emitter(struct emitter *e, const struct op *op,
                                         const struct index *index, struct element *out);

struct emitter {
    struct arena *arena;
    const struct target *target;
    /* Indexed by operation code (OP_CODE_COUNT entries). NULL: elementwise, or not an
     * expression. */
    expression_emitter *const *expressions;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, pointer;
    struct scope *scope; /* the current one; the builder is positioned in its block */
    VEC(struct index_var) vars;
    struct map *buffers;           /* value -> its address (LLVMValueRef) */
    int lanes;                     /* of the vector loop being emitted; 1: none */
    int lane_var;                  /* its lane number in `vars`, or -1 */
    LLVMValueRef tail;             /* <lanes x i1>: lanes in bounds; NULL: all */
    const struct tile *tile;       /* NULL: none */
    const struct chunk *chunk;     /* NULL: none */
    int64_t chunk_bytes;           /* of the stack for results of chunks */
    const struct guard *guard;     /* NULL: none */
    const struct binding *binding; /* NULL: not inside a reducer's region */
    const struct op *op;           /* being emitted, for errors */
    int budget;                    /* expressions that may still be emitted */
    int nesting;                   /* current depth of nested expressions */
    const struct nest *nest;       /* whose elements are computed; NULL: none */
    int *math_uses;                /* per operation code (element/math.c); NULL: none yet */
    int row_caches;                /* rows cached on the stack so far (row_cache.h) */
    struct row_reads rows;
    struct combining combining;
    struct arrays arrays;
    struct emitted emitted;
    LLVMValueRef
        stop_flag; /* address of the flag that every loop reads (codegen.h); NULL: none does */
    /* i64: the columns of a row that a FUSION_ROWS computes (codegen.h); NULL: all */
    LLVMValueRef columns;
    VEC(char) key; /* buffer to build memo keys in */
};

/* Begins a function. Its entry block is created and becomes scope 0. */
struct emitter *emitter_create(struct arena *arena, const struct target *target,
                               expression_emitter *const *expressions, LLVMModuleRef module,
                               LLVMValueRef function);

/* The scope at `depth`: the current scope or one that encloses it. */
struct scope *emitter_scope(struct emitter *e, int depth);
/* Moves the builder to the end of an enclosing scope. Returns the previous scope, for
 * emitter_leave(). */
struct scope *emitter_enter(struct emitter *e, struct scope *scope);
void emitter_leave(struct emitter *e, struct scope *back);

void *emitter_memo_get(struct scope *scope, const void *key, size_t size);
void emitter_memo_put(struct scope *scope, const void *key, size_t size, void *what);

/* Adds a variable and returns its number. */
int emitter_var(struct emitter *e, LLVMValueRef value, int lanes, int64_t min, int64_t max,
                int depth);
/* Starts vector code with `lanes` lanes (1: scalar code). Returns the previous state for
 * emitter_lanes_restore(). */
struct lanes {
    int lanes, lane_var;
    LLVMValueRef tail;
};
struct lanes emitter_lanes(struct emitter *e, int lanes);
/* As emitter_lanes(), for the `count` elements that remain after whole vectors: as few lanes as
 * possible (a power of two), those beyond `count` disabled by `tail`. The range of the lane number
 * is [0, count), so that indices of enabled lanes are known to be in bounds; what disabled lanes
 * compute is undefined. With 1 lane there is no lane number. */
struct lanes emitter_tail(struct emitter *e, int64_t count);
void emitter_lanes_restore(struct emitter *e, struct lanes before);
/* The number of lanes that the tail does not disable: the first ones. */
int emitter_lanes_enabled(const struct emitter *e);

/* Whether the stop flag at an address is 0 (i1). The load is atomic, so LLVM does not hoist it out
 * of a loop. */
LLVMValueRef emitter_goes_on(struct emitter *e, LLVMValueRef stop_flag);

/* ---- loops: for (i = first; i < end; i += step), with loop-carried values. The body is a scope.
 * The loop runs at least once: the caller guarantees first < end. */
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
/* `next` holds the carried values at the end of the iteration. On return it holds the loop's
 * results. */
void emitter_loop_end(struct emitter *e, struct loop *loop, LLVMValueRef *next);

/* ---- branches: the code between begin and end runs only when `condition` (i1) is true. The body
 * is a scope. */
struct branch {
    struct scope scope, *outer;
    LLVMBasicBlockRef body, from;
    LLVMValueRef condition;
};
struct branch *emitter_branch_begin(struct emitter *e, LLVMValueRef condition);
/* Merges values[i] (from the body) with otherwise[i] using phis. */
void emitter_branch_end(struct emitter *e, struct branch *branch, int count, LLVMValueRef *values,
                        LLVMValueRef const *otherwise);

/* ---- shared functions: code that several places of a module call, so that it is compiled once.
 * They are internal and not inlined; vectors may be passed, since the attributes that decide how
 * are those of the function being emitted. The builder, not the emitter's scopes, is inside a body:
 * emit there only what needs no scope. */
/* The module's function of a name. LLVMIsDeclaration(): the caller has to give it a body. */
LLVMValueRef emitter_shared_function(struct emitter *e, const char *name, LLVMTypeRef type);
struct shared_body {
    LLVMBasicBlockRef back; /* where the builder was */
};
/* Moves the builder to the begin of a new body, and back after its return was emitted. */
struct shared_body emitter_shared_begin(struct emitter *e, LLVMValueRef function);
void emitter_shared_end(struct emitter *e, struct shared_body body);

/* ---- shorthand */
LLVMTypeRef emitter_vector(LLVMTypeRef element,
                           int lanes); /* for 1 lane, the element type itself */
/* Of an element of a vector, or of a scalar: an integer or a float. */
int emitter_bits_of(LLVMTypeRef type);
LLVMValueRef emitter_i64(struct emitter *e, int64_t value);
/* How many vectors have the computed columns of a row (e->columns). */
LLVMValueRef emitter_column_vectors(struct emitter *e, int lanes);
/* A mask with the first `count` lanes set. */
LLVMValueRef emitter_first_lanes(struct emitter *e, int lanes, int64_t count);
/* The offset of a masked load of `lanes` elements at `at`, of a buffer of `count`: 0 in place of
 * one where no lane is in the buffer, so none is enabled. Processors fault, if only inside, when a
 * masked load touches an unmapped page, which takes them about 100 ns. */
LLVMValueRef emitter_near_buffer(struct emitter *e, LLVMValueRef at, int lanes, int64_t count);
LLVMValueRef emitter_i32(struct emitter *e, int64_t value);
LLVMValueRef emitter_splat(struct emitter *e, LLVMValueRef scalar, int lanes);
LLVMValueRef emitter_int_like(LLVMTypeRef type, int64_t value); /* a constant; splat for vectors */
LLVMValueRef emitter_real_like(LLVMTypeRef type, double value);
/* Calls llvm.<name>, overloaded on the given types. */
LLVMValueRef emitter_intrinsic(struct emitter *e, const char *name, int overload_count,
                               LLVMTypeRef const *overloads, int count, LLVMValueRef *arguments);
/* As emitter_intrinsic(), overloaded on the type of the first argument only. */
LLVMValueRef emitter_unary(struct emitter *e, const char *name, LLVMValueRef a);
LLVMValueRef emitter_binary(struct emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b);
/* Allows LLVM to contract a float operation with another one. Returns the value. */
LLVMValueRef emitter_contract(LLVMValueRef value);
/* The value if it is a product that emitter_contract() has marked, else NULL. */
LLVMValueRef emitter_contracted_product(LLVMValueRef value);
/* True (i1) if any lane, or the scalar, is set. */
LLVMValueRef emitter_any(struct emitter *e, LLVMValueRef mask, int lanes);
/* Whether a vector mask is constant and has a lane that is set. */
bool emitter_is_certain(LLVMValueRef mask, int lanes);
/* The guard with this condition, of the current scope and inside of the current guard. */
struct guard emitter_guard(const struct emitter *e, LLVMValueRef condition, int lanes);
LLVMBasicBlockRef emitter_block(struct emitter *e);
/* A stack slot, allocated in the function's entry block. */
LLVMValueRef emitter_alloca(struct emitter *e, LLVMTypeRef type, int alignment);
/* The address of element `index` (an i64) of an array. */
LLVMValueRef emitter_at(struct emitter *e, LLVMTypeRef type, LLVMValueRef array,
                        LLVMValueRef index);
/* A load and a store that are aligned to so many bytes; with a mask, unless it is NULL, of some
 * lanes: a load has zeros in the others. */
LLVMValueRef emitter_load(struct emitter *e, LLVMTypeRef type, LLVMValueRef from, unsigned align,
                          LLVMValueRef mask);
void emitter_store(struct emitter *e, LLVMValueRef value, LLVMValueRef to, unsigned align,
                   LLVMValueRef mask);
/* A private constant array of bytes. */
LLVMValueRef emitter_constant_bytes(struct emitter *e, const void *bytes, int64_t size);
/* UNIMPLEMENTED: "<operation and location>: generated code does not support <what>". */
struct error *emitter_unimplemented(struct emitter *e, const struct op *op, const char *what);

#endif
