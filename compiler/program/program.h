/* program.h: a compiled program: a list of steps over numbered allocations, constants, and one
 * object file with the generated kernels. It has no pointers into the compiler's arena and can be
 * serialized (program_io.h).
 *
 *   allocations   parameter 0..P-1 | result 0..R-1 | constants | temporaries, one block an
 *                 execution for each memory kind, of size 0 where it has none (offsets are planned)
 *   step          a generated kernel, a library call, a copy, or control flow with step lists of
 *                 its own
 *   slice         a range of an allocation: where a value is stored while a step runs
 *
 * Cost is in rough scalar operations or bytes/4 moved, of a kernel's step its time in that unit. It
 * affects parallelism, compilation tiers, asynchrony, not results. Thread-safety: immutable after
 * compile() except for `plans`; shared by reference count. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/refs.h"
#include "base/shape.h"
#include "compiler/program/model_plan.h"

enum {
    PROGRAM_MAX_DEVICES = 1 << 20, /* replicas times partitions */
    PROGRAM_ALIGNMENT = 64,        /* of every allocation, in bytes */
    PROGRAM_MAX_NESTING = 256      /* step lists within step lists, dictionaries within those */
};

struct program_value { /* a parameter or result of the program */
    struct shape shape;
    void *shape_memory; /* owned: the arrays of `shape` */
    uint64_t bytes;     /* unpacked */
    /* of the whole value, of which `shape` is a shard, as HLO text: "{devices=[2,1]<=[2]}"; NULL:
     * the program has one partition */
    char *sharding;
    /* parameter: the result that may reuse its memory, or -1; result: that parameter, or -1 */
    int alias;
    /* parameter: the client gives it up; one that it only allows to be reused (jax.buffer_donor)
     * stays the client's unless a result reuses it */
    bool donated;
};

/* A dynamic size: a parameter (or result) that clients do not see, an s32, has that of dimension
 * `dimension` of another one, whose shape has the bound of that size. These are the last parameters
 * (and results) of a program. */
struct program_size {
    bool of_result;
    int index, value, dimension; /* the hidden one; whose size it is */
};

enum allocation_kind {
    ALLOCATION_PARAMETER,
    ALLOCATION_RESULT,
    ALLOCATION_CONSTANTS,
    ALLOCATION_TEMP
};
struct allocation {
    enum allocation_kind kind;
    int index; /* of the parameter or result */
    uint64_t size;
    enum memory_kind memory;
};
struct slice {
    int allocation;
    uint64_t offset, size;
};

/* Moves a slice that a step reads, when it runs: by `stride` bytes times an index, clamped to
 * [0, last] as that of a dynamic_slice.
 * Offsets of one slice are added; all are in slice order. */
struct slice_offset {
    int slice;          /* of the step, an operand */
    enum dtype dtype;   /* of the index: integers of whole bytes */
    struct slice index; /* where it is stored */
    int64_t last, stride;
};

/* The memory plan: a range of the temporaries or of a result (whose memory may hold temporaries
 * before it is written), and the steps during which it is in use. Steps are numbered in the order
 * of the program, a loop or branch before the steps inside it. */
struct program_buffer {
    struct slice slice;  /* size > 0 */
    int64_t first, last; /* steps, inclusive; `first` writes it */
    char *contents;      /* "f32[4,512]"; "scratch" for what one step alone uses */
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

/* A product of few rows with a matrix whose numbers need few bits, which is decoded on the way:
 *
 *   out[b,m,n] = sum_k lhs[b,m,k] * ((rhs[b,k,n] - zero) * scale + offset)
 *
 * where each parameter is one number for k_group rows and n_group columns of the right side: that
 * with the number b * batch_stride + k / k_group * k_stride + n / n_group * n_stride of an array.
 * Numbers of at most 16 bits are exact in f32, in which all of this is computed; parameters of s32
 * are rounded to it. But integers minus a zero point of s32 are integers of 32 bits, which wrap
 * around, and are rounded then. */
struct thin_parameter {
    enum dtype dtype; /* DTYPE_INVALID: there is none; 1 for a scale, 0 for others */
    int64_t batch_stride, k_group, k_stride, n_group, n_stride;
};
/* Two numbers of 4 bits share a byte of the right side, along k or along n: those with the numbers
 * i and i + half, for each i with i / half % 2 == 0. The strides of `dot` are between bytes: of
 * number i along that dimension, i / (2 * half) * half + i % half. */
struct thin_packing { /* of numbers that share elements of memory */
    int64_t count;    /* in an element, a byte or a word of 32 bits; 0: each has one of its own */
    int64_t inner;    /* number i is i * inner numbers behind the first one of its element */
    bool along_k;
    uint8_t shift[8]; /* the lowest bit of number i */
};
struct thin_dot_spec {
    struct dot_spec dot; /* outer is 1 */
    struct thin_parameter zero, scale, offset;
    struct thin_packing packing;
    enum dtype table; /* of which the right side has indices, all of which it has; or INVALID */
};

/* Rows are cut at multiples of the first (compiler/codegen/codegen.h), and loops along them at
 * multiples of at most the second: the largest vector of a loop. */
enum { PROGRAM_COLUMN_STEP = 16, PROGRAM_COLUMN_VECTOR = 64 };
/* The most operands of an attention step's kernel beside the scores. */
enum { ATTENTION_MAX_OPERANDS = 32 };

/* Attention: two products with a kernel between them, which is a softmax of some function of the
 * scores, for a block of rows at a time, so that the scores are never in memory as a whole:
 *
 *   scores[row, n] = queries[row, k] * keys[k, n]         rows: outer x batch x m
 *   weights[row]   = kernel(scores[row], ...)             item `row` of the kernel, in scratch
 *   out[row, v]    = weights[row, n] * values[n, v]
 *
 * Both arrays in between are dense; the kernel, a FUSION_ROWS (compiler/codegen/codegen.h), gets
 * addresses as if they were whole.
 *
 * With a mask, one of the kernel's operands has `mask_rows` s32: in row i of the scores, the
 * columns from element [i % mask_rows] on are hidden (a number out of [0, n] is taken for the
 * nearest one). The kernel does not depend on scores that are hidden, and their weights are equal.
 * If one of them is zero, so are all, and rows without them have the same weights. So a block of
 * rows needs no column that is hidden in all of them, unless its values have infinities or NaNs. */
struct attention_spec {
    struct dot_spec scores, values;
    int64_t kernel, kernel_operands; /* the latter without the scores */
    int64_t scores_operand;          /* the place of the scores among them */
    int64_t mask_operand;            /* one of them; -1: there is no mask */
    int64_t mask_rows;
};

/* The gradient of attention, from the queries, keys and values (scores = queries * keys) and the
 * gradient `given` of its result. For a block of rows at a time, so that no array with the size of
 * the scores is in memory:
 *
 *   scores[row, n]   = queries[row, k] * keys[k, n]      rows: outer x batch x m
 *   weights[row]     = weights_kernel(scores[row], ...)
 *   change[row, n]   = given[row, v] * values[v, n]      the gradient of the weights
 *   gradient[row]    = gradient_kernel(weights[row], change[row], ...)      that of the scores
 *   to_values[n, v]  = weights[row, n] * given[row, v]   summed over the m rows of a batch
 *   to_queries[row]  = gradient[row, n] * keys[n, k]
 *   to_keys[n, k]    = gradient[row, n] * queries[row, k]  summed over the m rows of a batch
 *
 * All operands of products are f32, or all bf16; then weights and gradient, which are f32 for the
 * kernels, are rounded for the products that read them. All arrays of rows are dense; the kernels
 * are FUSION_ROWS (compiler/codegen/codegen.h) and get addresses as if these were whole. The right
 * sides of the last three products may be other arrays than those of the first two.
 *
 * With a mask, one of the other operands of the weights' kernel counts columns, as in struct
 * attention_spec. If the weights of hidden columns are zero, so is the gradient of their scores,
 * and neither depends on hidden columns of `change`, as long as these are finite. So a block of
 * rows needs no column that is hidden in all of them, if given, values and the right sides of the
 * last three products are of usual size (below 2^57). */
struct attention_backward_spec {
    struct dot_spec scores, change, to_values, to_queries, to_keys;
    int64_t weights_kernel, weights_others;   /* operands without the scores */
    int64_t scores_operand;                   /* the place of the scores among all operands */
    int64_t gradient_kernel, gradient_others; /* operands without weights and change */
    int64_t weights_operand, change_operand;  /* their places among all operands */
    int64_t mask_operand;                     /* one of the weights' others; -1: there is no mask */
    int64_t mask_rows;
};

/* The slices of the products' operands come first, the results last. */
enum { ATTENTION_BACKWARD_INPUTS = 7, ATTENTION_BACKWARD_RESULTS = 3 };

#define CONVOLUTION_MAX_SPATIAL 3
/* A convolution. Every array has strides in elements, so its dimensions may have any layout. Window
 * positions are as in StableHLO: padding applies to the low and high end of the (lhs-dilated) input
 * and may be negative. */
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
    bool above_default_precision; /* each element is a sum of products, computed in no other way */
};

/* A custom call: the function's name, and all call metadata except buffer addresses. Names are
 * NUL-terminated; their sizes exclude the NUL. */
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
    int api_version; /* StableHLO's numbering; 4 is XLA's typed FFI */
    /* All participants meet and run it together: they are the one group of program.groups[groups],
     * and the call has a number among the steps that meet. false: each runs it alone. */
    bool meets;
    int groups, number;
    int operand_count, value_count;
    struct call_value *values; /* operands, then results */
    int attribute_count;
    struct call_attribute *attributes; /* sorted by name */
};

enum { COPY_MAX_RANK = 8 };
/* A copy between memory kinds: of a whole value (rank 0), of a slice of an array, or into one. The
 * slice is a box of `sizes` elements in an array of dimensions `dims`; the other side is just the
 * box. */
struct copy_spec {
    int number;       /* of the copy in the program; equal in its start and its done step */
    int rank;         /* of the array, or 0 */
    bool updates;     /* the slice is in the destination, else in the source */
    bool is_indexed;  /* slices[1 + i] is the index of dimension i; else starts[i] is */
    enum dtype index; /* element type of the indices, which are clamped so that the box fits */
    int64_t element;  /* bytes of an element; of the whole value for rank 0 */
    int64_t sizes[COPY_MAX_RANK], dims[COPY_MAX_RANK], starts[COPY_MAX_RANK];
};

/* Which participants meet in a collective: disjoint groups of participants, each of which is a
 * logical id (replica * num_partitions + partition), in the order in which their parts are laid out
 * or reduced. */
struct program_groups {
    int group_count, member_count;
    int *offsets; /* group_count + 1: group g has the members offsets[g] .. offsets[g + 1] - 1 */
    int *members;
    /* member_count: the position in its group of the member whose data a member of a permute or
     * broadcast receives; -1: it receives zeros */
    int *sources;
};

enum collective_kind {
    COLLECTIVE_PARTITION_ID, /* writes the participant's partition (u32) and meets no other */
    COLLECTIVE_REPLICA_ID,   /* the same for its replica */
    COLLECTIVE_ALL_REDUCE,
    COLLECTIVE_ALL_GATHER,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_ALL_TO_ALL,
    COLLECTIVE_PERMUTE,   /* members receive what `sources` say */
    COLLECTIVE_BROADCAST, /* the same; the source is the first member of each group */
    /* Messages: who is the source of a member sends it what this one receives from it, by an equal
     * table and channel, and does not wait for it. Those of a pair arrive in their order. */
    COLLECTIVE_SEND,   /* has operands only */
    COLLECTIVE_RECEIVE /* has results only: zeros where there is no source */
};
static inline bool collective_is_message(enum collective_kind kind)
{
    return kind == COLLECTIVE_SEND || kind == COLLECTIVE_RECEIVE;
}

enum collective_reducer {
    REDUCER_ADD,
    REDUCER_MULTIPLY,
    REDUCER_MINIMUM,
    REDUCER_MAXIMUM,
    REDUCER_AND,
    REDUCER_OR,
    REDUCER_XOR
};

/* An operand of a collective and its result, row-major. With n = parts:
 *   all_reduce, permute, broadcast, send, receive
 *                         [inner]                       -> [inner]
 *   all_gather            [outer][inner]                -> [outer][n][inner]
 *   reduce_scatter        [outer][n][inner]             -> [outer][inner]
 *   all_to_all            [outer][n][middle][inner]     -> [outer][middle][n][inner], or
 *                                                            the reverse
 * Dimensions not listed are 1. */
struct collective_array {
    enum dtype dtype;
    int rank;
    int64_t outer, middle, inner; /* inner: in elements */
    /* of the operand; its elements are as many as those above; an all_to_all whose parts move to
     * another dimension has the split one as two: parts, and the rest */
    int64_t *dims;
};

struct collective_spec {
    enum collective_kind kind;
    enum collective_reducer reducer;
    int groups;    /* index in program.groups; -1 for ids */
    int number;    /* among the steps that meet, in their order; -1 for ids */
    int parts;     /* members of each group, where all groups are equally large; else 0 */
    int dimension; /* that an all_gather joins, and a reduce_scatter or all_to_all splits; else 0 */
    bool concatenates_outside; /* all_to_all: the reverse */
    /* slices: array_count operands, then as many results; of messages either of them */
    int array_count;
    struct collective_array *arrays;
    int64_t channel; /* of messages; else 0 */
};

enum step_kind {
    STEP_KERNEL,      /* slices: operands, results, scratch; kernel(buffers, begin, end) */
    STEP_DOT,         /* slices: lhs, rhs, out */
    STEP_THIN_DOT,    /* slices: lhs, rhs, those of zero, scale and offset that exist, out */
    STEP_CONVOLUTION, /* slices: lhs, rhs, out */
    STEP_ATTENTION,   /* slices: queries, keys, values, the kernel's other operands, out */
    /* slices: queries, keys, given, values; the right sides of to_values, to_queries and to_keys;
     * the other operands of the weights' kernel, then of the gradient's; these three results */
    STEP_ATTENTION_BACKWARD,
    STEP_COPY, /* slices: from, to; equal sizes; a no-op if they are the same range */
    /* slices: from, indices, to. Starts a copy that runs during the following steps. No step writes
     * to `from` or uses `to` before its STEP_COPY_DONE, which is in the same list. */
    STEP_COPY_START,
    STEP_COPY_DONE, /* no slices; waits until the copy of that number is complete */
    /* slices: predicate (one byte, written by `condition`); carried values are in place */
    STEP_WHILE,
    /* slices: index (s32, out of range = last branch) or predicate (pred: 0 -> branch 1) */
    STEP_CASE,
    STEP_CUSTOM_CALL, /* slices: operands and results, except tokens */
    STEP_SEND,        /* slices: the data sent to the host */
    STEP_RECEIVE,     /* slices: the data received from the host */
    STEP_COLLECTIVE   /* slices: operands, results; equal operands and results may share memory only
                         in an all_reduce */
};

struct step_list {
    int count;
    struct step *steps;
};

/* The cost of one execution as clients and profiles have it, counted as in XLA's HloCostAnalysis: a
 * multiply-add is two flops; exp, tanh, power and so on are transcendentals, not flops; values
 * inside a kernel are not memory accesses. A loop of unknown trip count counts as one iteration. */
struct cost_analysis {
    double flops, transcendentals, bytes_accessed;
};

struct step {
    enum step_kind kind;
    char *label; /* "fusion.3: jit(f)/tanh (model.py:12:3)"; for errors, dumps and profiles */
    /* the first operand_count slices are read, the others written */
    int slice_count, operand_count;
    struct slice *slices;
    int offset_count; /* of products, convolutions and attention; 0 for others */
    struct slice_offset *offsets;
    int64_t cost;
    struct cost_analysis analysis; /* zero of loops and branches: their steps have their own */
    /* STEP_DOT, STEP_CONVOLUTION, STEP_ATTENTION, STEP_ATTENTION_BACKWARD, STEP_CUSTOM_CALL: index
     * in program.plans; others: -1 */
    int plan;
    union {
        /* run over [0, work) in ranges of <= grain */
        struct {
            int index;
            int64_t work, grain;
        } kernel;
        struct dot_spec dot;
        struct thin_dot_spec thin_dot;
        struct convolution_spec convolution;
        struct attention_spec attention;
        struct attention_backward_spec attention_backward;
        struct {
            struct step_list condition, body;
            int64_t trip_count; /* -1: unknown */
        } loop;
        struct {
            int count;
            struct step_list *branches;
            bool is_predicate;
        } branch;
        struct call_spec call;
        struct copy_spec copy; /* STEP_COPY_START; STEP_COPY_DONE has only the number */
        int64_t channel;       /* of a send or receive */
        struct collective_spec collective;
    };
};

/* A channel for transfers with the host while the program runs. Several steps may use one channel;
 * they run in program order, which is the order of their tokens. */
struct program_channel {
    int64_t id;
    bool receives; /* from the host */
};

/* The type of every generated function. buffers: one pointer per slice of the step, in order. */
typedef void kernel_function(void *const *buffers, int64_t begin, int64_t end);

/* What ends an execution early; its results are undefined then. One for each execution. */
struct kernel_limits {
    atomic_uint stop; /* not 0: the execution is cancelled; any thread may set it */
    /* What loops of unknown trip count may still cost. Each of their iterations subtracts its cost;
     * they end when it becomes negative. Only the thread that executes the program uses it. */
    int64_t budget;
};

struct program_plan { /* common header of all plans; destroyed with the program */
    void (*destroy)(struct program_plan *plan);
};

/* Programs of at least this cost count as unbounded: a loop has an unknown trip count, or the
 * program would run for about ten minutes. */
#define PROGRAM_UNBOUNDED (INT64_C(1) << 40)

/* The iterations with which a loop of unknown trip count enters the cost of its step. */
enum { PROGRAM_UNKNOWN_TRIP_COUNT = 16 };

struct program {
    struct refs refs;
    char *name;                       /* the module's */
    int num_replicas, num_partitions; /* each >= 1; the product <= PROGRAM_MAX_DEVICES */
    int assignment_count;             /* num_replicas * num_partitions, or 0 if none was given */
    /* device ids by [replica][partition]; NULL if none was given */
    int64_t *device_assignment;
    int parameter_count, result_count;
    struct program_value *parameters, *results;
    int size_count;
    struct program_size *sizes; /* in the order of the hidden parameters, then results */
    int allocation_count;
    struct allocation *allocations;
    void *constants; /* 64-byte aligned */
    uint64_t constants_size;
    struct step_list steps;
    int buffer_count;
    struct program_buffer *buffers; /* sorted by `first` */
    int copy_count;                 /* STEP_COPY_START steps */
    int channel_count;
    /* channels that need callbacks of the client; unique, sorted by program_compare_channels() */
    struct program_channel *channels;
    int group_count; /* distinct tables of groups */
    struct program_groups *groups;
    int collective_count; /* steps at which participants meet */
    int kernel_count;
    char **kernel_names; /* symbols in `object` */
    void *object; /* relocatable ELF, or several (link/objects.h); NULL if there are no kernels */
    size_t object_size;
    int64_t cost; /* of one execution; at least PROGRAM_UNBOUNDED if it may never end */
    /* The same with PROGRAM_UNKNOWN_TRIP_COUNT iterations of each loop of unknown trip count; equal
     * to `cost` if one of these does not count against kernel_limits.budget. */
    int64_t expected_cost;
    struct cost_analysis analysis;
    double seconds;           /* of one execution, expected: lower/execution_time.h */
    struct model_plan *model; /* owned; NULL: the target is not a modeled accelerator */
    bool plan_only;           /* it was compiled for its plan and cannot run: it has no code */
    uint64_t fingerprint[2];  /* of all fields above except labels: program_io_fingerprint() */
    uint64_t code_size;       /* bytes of machine code; 0 until it is loaded */
    /* The object linked into memory; owned; NULL until codegen_library_load(), which sets both. */
    struct loaded_code *code;
    void (*unload)(struct loaded_code *code);
    kernel_function **kernels; /* kernel_count addresses, valid as long as `code` */
    int plan_count;            /* library steps and custom calls */
    /* The launcher's cached state for each of them, created when it first runs; owned. */
    _Atomic(struct program_plan *) *plans;
};

/* How many of the parameters (or results) clients see: those that are not dynamic sizes. */
int program_visible(const struct program *program, bool results);

/* Where slice `i` of a step may be, at any index that moves it. */
struct slice step_reach(const struct step *step, int i);

/* Number of steps, including those in loops and branches. */
int64_t program_step_count(const struct program *program);
/* Writes all steps in the order of their numbers to out[program_step_count()]; borrowed. */
void program_list_steps(const struct program *program, const struct step **out);

/* The order of a program's channels, for qsort() and bsearch(). */
int program_compare_channels(const void *left, const void *right);

/* Where the participants of a step meet: the index in program.groups, and the number among the
 * steps that meet, in their order. Both -1: they do not. */
struct step_meeting {
    int groups, number;
};
static inline struct step_meeting step_meeting(const struct step *step)
{
    if (step->kind == STEP_COLLECTIVE)
        return (struct step_meeting){step->collective.groups, step->collective.number};
    if (step->kind == STEP_CUSTOM_CALL && step->call.meets)
        return (struct step_meeting){step->call.groups, step->call.number};
    return (struct step_meeting){-1, -1};
}

/* Whether a STEP_COLLECTIVE can reduce elements of that type. */
bool program_can_reduce(enum collective_reducer reducer, enum dtype dtype);

/* Bytes of temporaries in a memory kind: the last allocations, one for each kind. */
static inline uint64_t program_temp_size(const struct program *program, enum memory_kind memory)
{
    int index = program->allocation_count - MEMORY_KIND_COUNT + (int)memory;
    return index >= 0 ? program->allocations[index].size : 0;
}
/* Bytes of device memory for the constants, rounded up to PROGRAM_ALIGNMENT. */
uint64_t program_constant_bytes(const struct program *program);

void program_retain(struct program *program);
void program_release(struct program *program); /* accepts NULL */

#endif
