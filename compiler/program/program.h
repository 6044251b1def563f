/* program.h: what a device gets: a list of steps over numbered allocations, constants, and one
 * object file with the generated kernels. It holds no pointer into the compiler's arena and can be
 * written to bytes and read back (program_io.h).
 *
 *   allocations   parameter 0..P-1 | result 0..R-1 | constants | tables | temp   (offsets are
 *                 planned: one temp block an execution)
 *   step          a generated kernel, a library call, a copy, or control flow with step lists of
 *                 its own
 *   slice         a range of an allocation: where a value is stored while a step runs
 *
 * Cost is in rough scalar operations (or bytes/4 moved, whichever is more); it only steers
 * parallelism, tiers and asynchrony, never results.
 * Thread-safety: immutable after compile() but for `plans`; shared by reference count. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/refs.h"
#include "base/shape.h"
#include "compiler/program/fft_tables.h"

enum {
    PROGRAM_MAX_DEVICES = 1 << 20, /* replicas times partitions */
    PROGRAM_MAX_NESTING = 256      /* step lists within step lists, dictionaries within those */
};

struct program_value { /* a parameter or result of the program */
    struct shape shape;
    void *shape_memory; /* owned: the arrays of `shape` */
    uint64_t bytes;     /* unpacked */
    char *sharding;     /* text, or NULL */
    /* parameter: result that may take its memory, or -1. result: parameter, or -1 */
    int alias;
    /* parameter: the client gives it away, also where no result may take its memory */
    bool donated;
};

enum allocation_kind {
    ALLOCATION_PARAMETER,
    ALLOCATION_RESULT,
    ALLOCATION_CONSTANTS,
    ALLOCATION_TABLES,
    ALLOCATION_TEMP
};
struct allocation {
    enum allocation_kind kind;
    int index;
    uint64_t size;
};
struct slice {
    int allocation;
    uint64_t offset, size;
};

/* Matrix product out[b,m,n] = sum_k lhs[b,m,k] * rhs[b,k,n]; strides in elements. A dimension of
 * size 1 may have any stride. Accumulates in f32 for bf16/f16/f32, f64 for f64, s32 for s8/u8. */
struct dot_spec {
    enum dtype lhs, rhs, out;
    int64_t batch, m, n, k;
    int64_t lhs_batch_stride, lhs_m_stride, lhs_k_stride;
    int64_t rhs_batch_stride, rhs_k_stride, rhs_n_stride;
    int64_t out_batch_stride, out_m_stride, out_n_stride;
    bool rhs_constant; /* same bytes in every execution: reordering pays */
    /* One dimension more, outside of all others, that the launcher loops over: a plan does one
     * product of it. */
    int64_t outer, lhs_outer_stride, rhs_outer_stride, out_outer_stride;
};

#define CONVOLUTION_MAX_SPATIAL 3
/* Convolution, every array with strides in elements so that any layout of dimensions is meant.
 * Window positions as StableHLO: padding is low/high on the (lhs-dilated) input, may be
 * negative. */
struct convolution_spec {
    enum dtype lhs, rhs, out;
    int spatial; /* number of spatial dimensions, 1..3 */
    int64_t batch, in_features, out_features, feature_groups, batch_groups;
    int64_t in[CONVOLUTION_MAX_SPATIAL], kernel[CONVOLUTION_MAX_SPATIAL],
        out_size[CONVOLUTION_MAX_SPATIAL];
    int64_t stride[CONVOLUTION_MAX_SPATIAL], pad_low[CONVOLUTION_MAX_SPATIAL],
        pad_high[CONVOLUTION_MAX_SPATIAL];
    int64_t lhs_dilation[CONVOLUTION_MAX_SPATIAL], rhs_dilation[CONVOLUTION_MAX_SPATIAL];
    bool reverse[CONVOLUTION_MAX_SPATIAL];
    int64_t lhs_batch_stride, lhs_feature_stride, lhs_stride[CONVOLUTION_MAX_SPATIAL];
    int64_t rhs_in_stride, rhs_out_stride, rhs_stride[CONVOLUTION_MAX_SPATIAL];
    int64_t out_batch_stride, out_feature_stride, out_stride[CONVOLUTION_MAX_SPATIAL];
    bool rhs_constant;
};

/* A custom call: the function's name, and all call metadata except buffer addresses. Names end with
 * a NUL that their sizes do not count. */
struct call_value {     /* an operand or result */
    struct shape shape; /* logical dimensions */
    void *shape_memory; /* owned: the arrays of `shape` */
    int slice;          /* of the step; -1: a token, which has no memory */
};

enum call_attribute_kind { CALL_SCALAR, CALL_ARRAY, CALL_STRING, CALL_DICTIONARY };
struct call_attribute {
    char *name;
    size_t name_size;
    enum call_attribute_kind kind;
    enum dtype dtype; /* of a scalar, and of an array's elements */
    int count;        /* entries of a dictionary; 0 for other kinds */
    size_t elements;  /* of an array; 1 for a scalar */
    void *data;       /* elements, unpacked, or a string's bytes; NULL for a dictionary */
    size_t size;      /* bytes of `data` */
    struct call_attribute *entries; /* sorted by name */
};

struct call_spec {
    char *target, *config; /* config: opaque bytes, for calls without typed attributes */
    size_t config_size;
    int api_version; /* as StableHLO numbers them; 4: XLA's typed FFI */
    int operand_count, value_count;
    struct call_value *values; /* operands, then results */
    int attribute_count;
    struct call_attribute *attributes; /* sorted by name */
};

enum step_kind {
    STEP_KERNEL,      /* slices: operands, results, scratch; kernel(buffers, begin, end) */
    STEP_DOT,         /* slices: lhs, rhs, out */
    STEP_CONVOLUTION, /* slices: lhs, rhs, out */
    STEP_COPY,        /* slices: from, to; equal sizes; nothing when they are the same range */
    /* slices: predicate (one byte, written by `condition`); carried values are in place */
    STEP_WHILE,
    /* slices: index (s32, out of range = last branch) or predicate (pred: 0 -> branch 1) */
    STEP_CASE,
    STEP_CUSTOM_CALL, /* slices: operands, results that are no tokens */
    STEP_SEND,        /* slices: what the host gets */
    STEP_RECEIVE      /* slices: what the host fills */
};

struct step_list {
    int count;
    struct step *steps;
};

struct step {
    enum step_kind kind;
    char *label; /* "fusion.3: jit(f)/tanh (model.py:12:3)"; for errors, dumps and profiles */
    int slice_count, operand_count; /* operand_count of the slices are read, the rest written */
    struct slice *slices;
    int64_t cost;
    int plan; /* STEP_DOT, STEP_CONVOLUTION, STEP_CUSTOM_CALL: place in program.plans; others: -1 */
    union {
        /* run over [0, work) in ranges of <= grain */
        struct {
            int index;
            int64_t work, grain;
        } kernel;
        struct dot_spec dot;
        struct convolution_spec convolution;
        struct {
            struct step_list condition, body;
        } loop;
        struct {
            int count;
            struct step_list *branches;
            bool is_predicate;
        } branch;
        struct call_spec call;
        int64_t channel; /* of a send or receive */
    };
};

/* One end of a conversation with the host while the program runs. Several steps may use one; they
 * come in the order of the program, so in that of their tokens. */
struct program_channel {
    int64_t id;
    bool receives; /* from the host */
};

/* A large constant that is computed when the program first runs. */
struct program_table {
    struct fft_table table;
    uint64_t offset; /* in the tables' allocation */
};

/* Every generated function. buffers: one pointer a slice of the step, in order. */
typedef void kernel_function(void *const *buffers, int64_t begin, int64_t end);

struct program_plan { /* the head of it; destroyed with the program */
    void (*destroy)(struct program_plan *plan);
};

/* The cost of one execution as reported to clients, counted as XLA's HloCostAnalysis counts: a
 * multiply-add is two flops; exp, tanh, power ... are transcendentals and no flops; what stays
 * inside of a kernel is no access. Loops without a known trip count count as one iteration. */
struct cost_analysis {
    double flops, transcendentals, bytes_accessed;
};

/* The cost from which a program counts as unbounded: the trip count of a loop is not known, or it
 * would take some ten minutes. */
#define PROGRAM_UNBOUNDED (INT64_C(1) << 40)

struct program {
    struct refs refs;
    char *name;                       /* the module's */
    int num_replicas, num_partitions; /* each >= 1; the product <= PROGRAM_MAX_DEVICES */
    int assignment_count;             /* num_replicas * num_partitions, or 0: none was given */
    int64_t *device_assignment;       /* [replica][partition]: ids; NULL when there are none */
    int parameter_count, result_count;
    struct program_value *parameters, *results;
    int allocation_count;
    struct allocation *allocations;
    void *constants; /* 64-byte aligned */
    uint64_t constants_size, temp_size;
    int table_count;
    struct program_table *tables;
    uint64_t tables_size;
    struct step_list steps;
    int channel_count;
    struct program_channel *channels; /* those a client must support; each once, sorted by id */
    int kernel_count;
    char **kernel_names; /* symbols in `object` */
    void *object;        /* relocatable ELF, or NULL when there are no kernels */
    size_t object_size;
    int64_t cost; /* of one execution; PROGRAM_UNBOUNDED or more: it may never end */
    struct cost_analysis analysis;
    uint64_t fingerprint[2]; /* of everything above but labels: program_io_fingerprint() */
    uint64_t code_size;      /* bytes of machine code; 0 until it is loaded */
    /* The object linked into memory, owned, or NULL: codegen_library_load() sets both. */
    struct loaded_code *code;
    void (*unload)(struct loaded_code *code);
    kernel_function **kernels;   /* kernel_count addresses, valid while code is */
    _Atomic(void *) table_bytes; /* of ALLOCATION_TABLES, owned; NULL until program_tables() */
    int plan_count;              /* library steps and custom calls */
    /* What the launcher keeps for each of them, made at its first run; owned. */
    _Atomic(struct program_plan *) *plans;
};

void program_retain(struct program *program);
void program_release(struct program *program); /* accepts NULL */

/* The bytes of ALLOCATION_TABLES, computed at the first call; NULL when there are none. They are
 * borrowed from the program. RESOURCE_EXHAUSTED. Thread-safe; takes no lock. */
struct error *program_tables(const struct program *program, void **out);

#endif
