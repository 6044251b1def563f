/* kernel_ir.h: the form of a Pallas TPU kernel: functions of structured operations over scalars,
 * vectors and references to memory. It is read from Mosaic's MLIR
 * (compiler/frontend/mosaic/mosaic_read.h), checked by kernel_verify.h, priced by the model and
 * executed by devices/host/kernel_machine. Every operation is a row of kernel_ops.def. All of a
 * kernel is in one arena and does not change once it is verified; any thread may read it then. */
#ifndef GANTRY_COMPILER_KERNEL_IR_KERNEL_IR_H
#define GANTRY_COMPILER_KERNEL_IR_KERNEL_IR_H

#include "compiler/ir/ir.h"

enum { KERNEL_MAX_RANK = 16, KERNEL_MAX_SEGMENTS = 8 };

/* A size that is known only when the kernel runs. */
#define KERNEL_DYNAMIC INT64_MIN
/* Matrix units of a core, and staging registers of each; no generation has more. */
enum { KERNEL_MAX_MXUS = 8, KERNEL_MAX_STAGED = 4 };
/* No vector or buffer of a kernel has more elements. */
#define KERNEL_MAX_ELEMENTS ((int64_t)1 << 32)

/* ---- types ----------------------------------------------------------------------------------- */
enum kernel_type_kind { KERNEL_SCALAR, KERNEL_VECTOR, KERNEL_REF };

enum kernel_space {
    KERNEL_ANY, /* where the compiler put it: HBM here */
    KERNEL_HBM,
    KERNEL_VMEM,
    KERNEL_SMEM,
    KERNEL_CMEM,
    KERNEL_SEMAPHORES,
    KERNEL_HOST
};

enum kernel_semaphore {
    KERNEL_NO_SEMAPHORE,
    KERNEL_REGULAR_SEMAPHORE,
    KERNEL_DMA_SEMAPHORE,
    KERNEL_BARRIER_SEMAPHORE
};

struct kernel_type {
    enum kernel_type_kind kind;
    enum dtype dtype; /* signless integers are signed; DTYPE_INVALID for semaphores */
    bool is_index;    /* MLIR's index: dtype is DTYPE_S64 */
    enum kernel_semaphore semaphore; /* of the elements of a REF */
    enum kernel_space space;         /* REF */
    int rank;                        /* 0 for scalars */
    int64_t dims[KERNEL_MAX_RANK];   /* KERNEL_DYNAMIC in references only */
    int64_t elements;                /* their product; KERNEL_DYNAMIC if one is dynamic */
};

struct kernel_value {
    const struct kernel_type *type;
    int id; /* unique in its function, from 0 */
};

/* ---- operations ------------------------------------------------------------------------------ */
enum kernel_code {
#define KERNEL_OP(CODE, name, class, operands, results, regions) KERNEL_##CODE,
#include "compiler/kernel_ir/kernel_ops.def"
#undef KERNEL_OP
    KERNEL_CODE_COUNT
};

enum kernel_reduction {
    KERNEL_REDUCE_ADD,
    KERNEL_REDUCE_MUL,
    KERNEL_REDUCE_MIN, /* signed integers; floats: NaN wins */
    KERNEL_REDUCE_MAX,
    KERNEL_REDUCE_MIN_UNSIGNED,
    KERNEL_REDUCE_MAX_UNSIGNED,
    KERNEL_REDUCE_MIN_NUMBER, /* floats: NaN loses */
    KERNEL_REDUCE_MAX_NUMBER,
    KERNEL_REDUCE_AND,
    KERNEL_REDUCE_OR,
    KERNEL_REDUCE_XOR,
    KERNEL_REDUCE_ARGMAX,
    KERNEL_REDUCE_ARGMIN
};

/* tpu.matmul: the roles of the dimensions, as indices into those of an operand. */
struct kernel_dot {
    struct dims lhs_contract, rhs_contract, lhs_free, rhs_free, lhs_batch, rhs_batch;
    struct dims output; /* pairs: 0 (left) or 1 (right), and the dimension of that operand */
    int passes;         /* of f32: 1: operands rounded to bf16, 3 (bf16x3), 6 (fp32) */
};

struct kernel_block; /* below */

/* The attributes that operations have, under the names of kernel_ops.def's comment; zero where an
 * operation has none of that name. */
struct kernel_attrs {
    const void *constant;  /* `constant_bytes` bytes: one element (splat), or all of them */
    size_t constant_bytes; /* an i1 has a byte: 0 or 1 */
    int64_t predicate;     /* MLIR's numbers of arith.cmpi and cmpf */
    enum kernel_reduction reduction;
    struct dims dims;   /* permutation, dimensions, reduction_dims, offsets, positions, pattern */
    struct dims sizes;  /* sizes of extract_strided_slice; sublane_offsets; cases of index_switch */
    struct dims stride; /* strides */
    struct dims mask;   /* sublane_mask */
    int64_t axis;       /* dimension, axis, lane, index, multiple, times with an axis */
    int64_t count;      /* times; stride of dynamic_rotate; sublane_stride */
    int64_t count_axis; /* stride_dimension; -1: none */
    int64_t priority;
    bool add, approximate, full_range, interleaved, unsigned_integers, descending, wait_target;
    bool transposed, formatted;
    bool towards_zero;            /* rounding_mode */
    enum dtype source_type;       /* source_type, target_type, dst_type */
    enum kernel_space space;      /* memory_space */
    const struct kernel_dot *dot; /* matmul, contract */
    const char *text;             /* message, tag, label, msg of an assertion */
};

struct kernel_op {
    enum kernel_code code;
    int operand_count, result_count, region_count, segment_count;
    const struct kernel_value **operands;
    struct kernel_value *results;
    struct kernel_block *regions; /* one block each */
    int segments[KERNEL_MAX_SEGMENTS];
    const struct location *location;  /* may be NULL */
    const struct kernel_attrs *attrs; /* never NULL */
    struct kernel_op *next;
};

struct kernel_block {
    int argument_count;
    struct kernel_value *arguments;
    struct kernel_op *first; /* the last one is a terminator */
};

/* ---- functions and kernels ------------------------------------------------------------------- */
struct kernel_function {
    const char *name;
    struct kernel_block body;
    int value_count; /* ids of values are below */
    const struct location *location;
};

enum kernel_pipeline { KERNEL_PIPELINE_DEFAULT, KERNEL_SYNCHRONOUS, KERNEL_DOUBLE_BUFFERED };

/* How an array is seen by the steps of the grid. */
struct kernel_window {
    bool is_present; /* false: the kernel sees the whole array */
    bool is_placed;  /* the call puts the array itself into this memory, so nothing is copied */
    const struct kernel_function *transform; /* grid indices and prefetched scalars to a block */
    struct dims bounds;                      /* of a block, with dimensions of size 1 */
    enum kernel_pipeline pipeline;
    bool revisits_any; /* revisit_mode any: blocks are read back when they are visited again */
    bool is_element;   /* the transform gives element offsets, not block numbers */
    struct dims pad_low, pad_high; /* of the array, if is_element */
};

/* Whether a window of an array of this shape has one block: all of the array. */
bool kernel_window_is_whole(const struct kernel_window *window, const struct shape *array);

enum kernel_semantics {
    KERNEL_ARBITRARY,
    KERNEL_PARALLEL,
    KERNEL_CORE_PARALLEL,
    KERNEL_SUBCORE_PARALLEL
};

/* The arguments of main, in this order: grid_rank indices (i32), prefetch_count scalars and small
 * arrays in SMEM, array_count inputs and then outputs, scratch_count buffers and semaphores. How
 * many arrays are inputs the custom call says, not the kernel. */
struct kernel {
    const char *name; /* of main, never NULL */
    int version;      /* of stable_mosaic, as it was read */
    struct kernel_function *main;
    int function_count;
    struct kernel_function *functions; /* all, main and the transforms */
    int grid_rank, prefetch_count, array_count, scratch_count;
    int64_t grid[KERNEL_MAX_RANK]; /* KERNEL_DYNAMIC: an operand of the call says */
    enum kernel_semantics semantics[KERNEL_MAX_RANK];
    struct kernel_window *windows; /* array_count */
    bool has_communication;        /* remote DMAs, signals to other devices, a barrier */
};

/* The arguments of main by role. */
static inline const struct kernel_value *kernel_prefetch(const struct kernel *kernel, int i)
{
    return &kernel->main->body.arguments[kernel->grid_rank + i];
}
static inline const struct kernel_value *kernel_array(const struct kernel *kernel, int i)
{
    return kernel_prefetch(kernel, kernel->prefetch_count + i);
}
static inline const struct kernel_value *kernel_scratch(const struct kernel *kernel, int i)
{
    return kernel_array(kernel, kernel->array_count + i);
}

/* ---- the table ------------------------------------------------------------------------------- */
/* What an operation is to those who walk a kernel. */
enum kernel_class {
    KERNEL_CLASS_CONSTANT,
    KERNEL_CLASS_ELEMENTWISE, /* result i depends on element i of the operands */
    KERNEL_CLASS_SHAPE,       /* moves elements of vectors */
    KERNEL_CLASS_REDUCTION,
    KERNEL_CLASS_MATRIX,
    KERNEL_CLASS_MXU, /* a matrix unit step by step: its registers, accumulators, results */
    KERNEL_CLASS_LOAD,
    KERNEL_CLASS_STORE,
    KERNEL_CLASS_VIEW, /* makes a reference of a reference */
    KERNEL_CLASS_ALLOCATE,
    KERNEL_CLASS_DMA,
    KERNEL_CLASS_SEMAPHORE,
    KERNEL_CLASS_CONTROL,
    KERNEL_CLASS_QUERY, /* device, core, bound of the grid */
    KERNEL_CLASS_RANDOM,
    KERNEL_CLASS_PRINT,
    KERNEL_CLASS_MARK /* profiling, hints: no effect */
};

struct kernel_op_info {
    const char *name; /* "arith.addf" */
    enum kernel_class class;
    int operands, results, regions; /* -1: any number */
};

/* Static. */
const struct kernel_op_info *kernel_op_info(enum kernel_code code);
/* KERNEL_CODE_COUNT: unknown. Any thread. */
enum kernel_code kernel_op_find(const char *name, size_t size);

/* The operand of a segment and how many it has; for operations with operandSegmentSizes. */
int kernel_op_segment(const struct kernel_op *op, int segment, int *first);

/* Whether the vector unit computes a product (MATRIX), in f32 whatever its precision: where each
 * row of f32 is multiplied with one vector, along the lanes of both. (So does libtpu 0.0.45.) */
bool kernel_op_is_row_product(const struct kernel_op *op);

/* Whether an indirect DMA (or the wait for it) from `from` gathers: its source is indexed, which is
 * in HBM; else it scatters, and its target is. */
static inline bool kernel_op_gathers(const struct kernel_type *from)
{
    return from->space == KERNEL_HBM || from->space == KERNEL_ANY;
}

/* "tpu.matmul at jit(f)/dot (model.py:12)" for messages; in `out`, which has `size` bytes. */
void kernel_op_where(const struct kernel_op *op, char *out, size_t size);

/* "vector<8x128xf32>", "memref<8x128xf32, vmem>", "index". */
void kernel_type_print(const struct kernel_type *type, char *out, size_t size);

#endif
