/* ir.h: Gantry's intermediate representation: SSA, close to StableHLO. A module holds functions; a
 * function's body is a block; a block is a list of operations, the last of which is `return`; an
 * operation has operands, results, typed attributes and regions (one block each) for control flow,
 * reducers and fusions. Everything is allocated in the module's arena and freed with it.
 *
 * Regions of control flow (while, if, case) and of reducers (reduce, scatter, sort, map ...) may
 * use values of the blocks around them (implicit capture), as StableHLO allows. The region of a
 * `fusion` uses only its own arguments (argument i is operand i). Thread-safety: only one thread at
 * a time may modify a module; any number may read a verified one. */
#ifndef GANTRY_COMPILER_IR_IR_H
#define GANTRY_COMPILER_IR_IR_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "compiler/ir/literal.h"
#include "compiler/ir/type.h"

enum op_code {
    OP_INVALID_CODE,
#define OP(name, operands, results, traits, infer, attributes) OP_##name,
#include "compiler/ir/ops.def"
#undef OP
    OP_CODE_COUNT
};

enum op_trait {
    /* element i of the result depends on element i of the operands (or scalars) */
    OP_ELEMENTWISE = 1 << 0,
    OP_COMMUTATIVE = 1 << 1,
    OP_INDEXED = 1 << 2, /* moves elements: result[i] = operand[f(i)], no arithmetic */
    OP_CONTROL = 1 << 3, /* regions are control flow */
    OP_REDUCER = 1 << 4, /* regions combine elements */
    OP_COLLECTIVE = 1 << 5,
    OP_SIDE_EFFECT = 1 << 6, /* never removed or merged; custom_call: if has_side_effect */
    OP_TERMINATOR = 1 << 7,
    OP_CALL = 1 << 8,
    OP_TOKEN = 1 << 9,
    OP_DYNAMIC = 1 << 10, /* shape operands must be constants; rewritten to a static operation */
    OP_TRANSCENDENTAL = 1 << 11 /* many instructions an element; clients count them apart */
};

/* ---- attributes ------------------------------------------------------------------------------ */
enum comparison { COMPARE_EQ, COMPARE_NE, COMPARE_GE, COMPARE_GT, COMPARE_LE, COMPARE_LT };
enum compare_type {
    COMPARE_NOTYPE,
    COMPARE_FLOAT,
    COMPARE_TOTALORDER,
    COMPARE_SIGNED,
    COMPARE_UNSIGNED
};
enum precision { PRECISION_DEFAULT, PRECISION_HIGH, PRECISION_HIGHEST };
enum fft_type { FFT_FFT, FFT_IFFT, FFT_RFFT, FFT_IRFFT };
enum transpose_kind { TRANSPOSE_INVALID, TRANSPOSE_NONE, TRANSPOSE_PLAIN, TRANSPOSE_ADJOINT };
enum rng_algorithm { RNG_DEFAULT, RNG_THREE_FRY, RNG_PHILOX };
enum rng_distribution { RNG_UNIFORM = 1, RNG_NORMAL = 2 };
enum fusion_kind {
    FUSION_LOOP,
    FUSION_UPDATE,
    FUSION_STANDALONE,
    FUSION_REGION,
    FUSION_ROWS,      /* codegen/codegen.h */
    FUSION_DOT,       /* passes/layout/layout.h: a library step */
    FUSION_ATTENTION, /* passes/fusion/attention.h: two products and the FUSION_ROWS between */
    FUSION_ATTENTION_BACKWARD, /* passes/fusion/attention_backward.h: its gradient */
    FUSION_THIN_DOT, /* passes/products/thin_product.h: a product and how its matrix is decoded */
    FUSION_SLICED    /* passes/fusion/sliced_steps.h: a step of a library, and slices it reads */
};

/* a list of int64 */
struct dims {
    int64_t count;
    const int64_t *at;
};
static inline bool dims_contain(struct dims dims, int64_t number)
{
    for (int64_t i = 0; i < dims.count; i++)
        if (dims.at[i] == number)
            return true;
    return false;
}
/* Number i of the list; `otherwise` behind its end, as empty lists of attributes mean. */
static inline int64_t dims_at(struct dims dims, int64_t i, int64_t otherwise)
{
    return i < dims.count ? dims.at[i] : otherwise;
}
/* The product of a type's sizes along some of its dimensions; INT64_MAX where it overflows. */
int64_t dims_elements(const struct type *type, struct dims dims);

struct sharding_rule; /* compiler/ir/sharding_rules.h */
/* row-major */
struct pairs {
    int64_t rows, columns;
    const int64_t *at;
};
/* A number of row i; 0 behind the last row, as of padding that is not given. */
static inline int64_t pairs_at(struct pairs pairs, int64_t i, int column)
{
    return i < pairs.rows ? pairs.at[i * pairs.columns + column] : 0;
}
/* may contain NULs */
struct string {
    size_t size;
    const char *data;
};
struct layouts {
    int64_t count;
    const struct dims *at;
};
struct funcs {
    int64_t count;
    struct func *const *at;
};
struct precisions {
    enum precision lhs, rhs;
};

/* A raw attribute dictionary: composite_attributes, backend_config, frontend attributes. */
enum dict_kind {
    DICT_NONE,
    DICT_BOOL,
    DICT_INT,
    DICT_REAL,
    DICT_STRING,
    DICT_LITERAL,
    DICT_LIST,
    DICT_DICT
};
struct dict_value {
    enum dict_kind kind;
    enum dtype dtype; /* of DICT_INT and DICT_REAL */
    union {
        bool boolean;
        int64_t integer;
        double real;
        struct string string;
        const struct literal *literal;
        struct {
            int64_t count;
            const struct dict_value *at;
        } list;
        const struct dict *dict;
    };
};
struct dict {
    int64_t count;
    const struct string *names;
    const struct dict_value *values;
};

#define ATTR_TYPE_INT int64_t
#define ATTR_TYPE_BOOL bool
#define ATTR_TYPE_REAL double
#define ATTR_TYPE_DIMS struct dims
#define ATTR_TYPE_BOOLS struct dims
#define ATTR_TYPE_PAIRS struct pairs
#define ATTR_TYPE_STRING struct string
#define ATTR_TYPE_LITERAL const struct literal *
#define ATTR_TYPE_FUNC struct func *
#define ATTR_TYPE_FUNCS struct funcs
#define ATTR_TYPE_TYPE enum dtype
#define ATTR_TYPE_DICT const struct dict *
#define ATTR_TYPE_LAYOUTS struct layouts
#define ATTR_TYPE_SHARDING const struct sharding *
#define ATTR_TYPE_RULE const struct sharding_rule *
#define ATTR_TYPE_PRECISIONS struct precisions
#define ATTR_TYPE_COMPARISON enum comparison
#define ATTR_TYPE_COMPARE_TYPE enum compare_type
#define ATTR_TYPE_FFT_TYPE enum fft_type
#define ATTR_TYPE_TRANSPOSE enum transpose_kind
#define ATTR_TYPE_RNG_ALGORITHM enum rng_algorithm
#define ATTR_TYPE_RNG_DISTRIBUTION enum rng_distribution
#define ATTR_TYPE_FUSION_KIND enum fusion_kind

enum attr_kind {
    ATTR_INT,
    ATTR_BOOL,
    ATTR_REAL,
    ATTR_DIMS,
    ATTR_BOOLS,
    ATTR_PAIRS,
    ATTR_STRING,
    ATTR_LITERAL,
    ATTR_FUNC,
    ATTR_FUNCS,
    ATTR_TYPE,
    ATTR_DICT,
    ATTR_LAYOUTS,
    ATTR_SHARDING,
    ATTR_RULE,
    ATTR_PRECISIONS,
    ATTR_COMPARISON,
    ATTR_COMPARE_TYPE,
    ATTR_FFT_TYPE,
    ATTR_TRANSPOSE,
    ATTR_RNG_ALGORITHM,
    ATTR_RNG_DISTRIBUTION,
    ATTR_FUSION_KIND
};

/* struct attrs_dot { struct dims lhs_batching_dimensions; ... }: a struct for each set of
 * attrs.def. */
/* clang-format off */
#define ATTRS(set) struct attrs_##set { char unused_;
#define FIELD(kind, name) ATTR_TYPE_##kind name;
#define END };
/* clang-format on */
#include "compiler/ir/attrs.def"
#undef ATTRS
#undef FIELD
#undef END

union attrs { /* op->attrs.dot.lhs_batching_dimensions */
#define ATTRS(set) struct attrs_##set set;
#define FIELD(kind, name)
#define END
#include "compiler/ir/attrs.def"
#undef ATTRS
#undef FIELD
#undef END
};

struct attr_field {
    const char *name;
    enum attr_kind kind;
    size_t offset; /* in union attrs */
    bool required; /* has no default */
};

/* ---- the operation table --------------------------------------------------------------------- */
struct model_plan;   /* compiler/program/model_plan.h */
struct auto_request; /* compiler/ir/auto_request.h */
struct op;
struct op_info {
    const char *name;                /* "dot_general" */
    int operand_count, result_count; /* -1: any */
    unsigned traits;
    /* Checks op's operands, attributes and regions; sets the result types that are NULL and checks
     * the others. Errors: INVALID_ARGUMENT with the operation and its location. */
    struct error *(*infer)(struct arena *arena, struct op *op);
    const struct attr_field *fields; /* in the order of attrs.def */
    int field_count;
};
const struct op_info *op_info(enum op_code code); /* static */
/* "add"; OP_INVALID_CODE when unknown */
enum op_code op_code_from_name(const char *name, size_t size);

/* ---- the graph ------------------------------------------------------------------------------- */
struct location {     /* in the user's program; immutable; any field may be NULL or 0 */
    const char *name; /* "jit(f)/jit(main)/dot_general" */
    const char *file;
    int line, column;
};

struct use { /* stored in user->slots[operand] */
    struct op *user;
    int operand;
    /* from: the pointer that points to this use, for removal in constant time */
    struct use *next, **from;
};

struct value {
    const struct type *type;
    struct op *def;      /* NULL: an argument of `block` */
    struct block *block; /* of arguments */
    int index;           /* of the result or argument */
    struct use *uses;    /* updated by ir_set_operand() and the other functions of this header */
    void *note;          /* scratch of the running pass, which sets it before reading it */
};

struct op {
    enum op_code code;
    int operand_count, result_count, region_count;
    struct value **operands;
    struct use *slots; /* one for each operand; updated with value.uses */
    struct value *results;
    struct block **regions; /* one block each */
    union attrs attrs;
    const struct location *location; /* may be NULL */
    /* discardable attributes (mhlo.frontend_attributes ...); may be NULL */
    const struct dict *discardable;
    struct op *previous, *next;
    struct block *block; /* that contains it; NULL: none */
    void *note;          /* see value.note */
};

struct block {
    int argument_count;
    struct value *arguments;
    struct op *first, *last; /* last is `return` once built */
    struct op *owner;        /* the operation whose region this is; NULL: a function's body */
    struct func *func;
};

/* Attributes of an entry function's argument or result. Layout, memory kind and sharding are in its
 * type. */
struct argument_info {
    int alias_result;   /* tf.aliasing_output: the result that may reuse its memory; -1: none */
    bool donated;       /* jax.buffer_donor */
    bool layout_auto;   /* mhlo.layout_mode = "auto": the compiler chooses the layout */
    bool sharding_free; /* the client lets the compiler choose the sharding */
    /* This value, an s32 that clients do not see, is the size of dimension `dimension` of the
     * argument (or result) `sized` (passes/dynamic/bounded.h). */
    bool is_size;
    int sized, dimension;
    const struct dict *frontend_attributes; /* mhlo.frontend_attributes; NULL: none */
};

struct func {
    const char *name;
    bool is_public;
    struct block *body;
    int result_count;
    /* The declared types of arguments and results, with the layouts that the client asks for; also
     * row-major ones. argument_types is NULL (the
     * declared types are those of the body's arguments) until the pass entry_layouts replaces the
     * latter by type_stored(); from then on the body returns stored types, too. */
    const struct type **argument_types, **result_types;
    struct argument_info *argument_infos, *result_infos;
    struct func *next;
};

struct module {
    struct arena *arena; /* borrowed: of the compile */
    const char *name;    /* "jit_f" */
    struct func *first, *last;
    struct func *entry; /* "main", unless the client chooses another; NULL: neither exists */
    int num_replicas, num_partitions;
    const int64_t *device_assignment; /* [replica][partition]: ids; NULL: 0, 1, 2 ... */
    int64_t operation_limit;          /* of the compile's budget, for passes that clone; 0: none */
    struct map *meshes;               /* sdy.mesh by name */
    struct map *lists;                /* ir_share_list() */
    struct map *collective_groups;    /* collective_groups(), by lists */
    bool lists_devices;               /* HLO whose shardings list their devices one by one */
    const struct dict *frontend_attributes; /* mhlo.frontend_attributes; NULL: none */
    /* Pallas kernels by the address of the text that holds them (passes/mosaic/mosaic_calls.h);
     * NULL: there are none */
    struct map *kernels;
    /* what the target's accelerator would do (compiler/model/model.h); NULL: it models none */
    struct model_plan *model;
    /* the client leaves shardings to the compiler (auto_request.h); NULL: it does not */
    const struct auto_request *auto_request;
    /* a model will read the module: rewrites that the accelerator's compiler does not do wait */
    bool awaits_model;
};

/* ---- building and changing ------------------------------------------------------------------- */
struct module *ir_module(struct arena *arena, const char *name);
/* The module's one copy of a list: equal lists have equal addresses. Groups of devices are as long
 * as there are devices, so an operation must not have a copy of its own. NULL for an empty list. */
const int64_t *ir_share_list(struct module *module, int64_t count, const int64_t *numbers);
struct func *ir_func(struct module *module, const char *name); /* appended; the body is NULL */
struct func *ir_find_func(const struct module *module, const char *name, size_t size); /* or NULL */
/* Creates a block; the caller stores it in func->body or owner->regions[i]. */
struct block *ir_block(struct module *module, struct func *func, struct op *owner,
                       int argument_count, const struct type *const *argument_types);
/* Creates an operation outside of any block and adds it to the uses of its operands. Result types
 * may be NULL (infer_op() sets them). */
struct op *ir_op(struct module *module, enum op_code code, int operand_count,
                 struct value *const *operands, int result_count,
                 const struct type *const *result_types, int region_count);
void ir_append(struct block *block, struct op *op);
void ir_insert_before(struct op *position, struct op *op);
void ir_insert_after(struct op *position, struct op *op);
void ir_move_before(struct op *position, struct op *op);
/* Moves all operations of `from` to the end of `to`. */
void ir_move_all(struct block *from, struct block *to);
/* Custom calls, sends and receives may be on one device of several, where the client says
 * so by a sharding. -1: the operation is on all, or of another kind. */
bool ir_may_have_device(const struct op *op);
int64_t ir_device(const struct op *op);
void ir_set_device(struct op *op, int64_t device);
/* Removes an operation from its block and drops its uses of other values, including those in its
 * regions. Its results must be unused. */
void ir_remove(struct op *op);
void ir_set_operand(struct module *module, struct op *op, int i, struct value *value);
void ir_replace_uses(struct module *module, struct value *from, struct value *to);
bool ir_has_one_use(const struct value *value);
/* Whether one operation has all uses of a value, of which there is at least one. */
bool ir_has_one_user(const struct value *value);
enum dtype ir_dtype(const struct value *value);
/* The block that has the value's definition, or whose argument it is. */
struct block *ir_block_of(const struct value *value);
/* The first operand of `op` that is `value`; -1: none is. Reads the operands, not the uses. */
int ir_operand_of(const struct op *op, const struct value *value);
int ir_use_count(const struct value *value);
/* A deep copy of op, outside of any block. `values` (value -> value) maps its operands and the
 * values that its regions capture; other values are used as they are. Results are added to
 * `values`. */
struct op *ir_clone(struct module *module, const struct op *op, struct map *values);
/* Clones all operations of `from` except its return before `position`, with its arguments replaced
 * by `arguments`; results[i] receives the clone of return's operand i. INTERNAL, and nothing is
 * cloned, unless the block takes `argument_count` values and returns `result_count`. */
struct error *ir_inline_block(struct module *module, const struct block *from, int argument_count,
                              struct value *const *arguments, struct op *position, int result_count,
                              struct value **results);
/* True when `value` is defined in `block` or inside a region of it. */
bool ir_is_inside(const struct value *value, const struct block *block);
/* True for an operation with OP_ELEMENTWISE that computes: not for copies. Such operations have one
 * result, no regions and at most IR_ELEMENTWISE_OPERANDS operands. */
enum { IR_ELEMENTWISE_OPERANDS = 3 };
bool ir_is_elementwise(const struct op *op);
/* True for operations whose results depend only on operands, attributes and regions. */
bool ir_is_pure(const struct op *op);
/* True when all operations of a block are pure. */
bool ir_is_pure_block(const struct block *block);
/* The declared type of an argument. */
const struct type *ir_argument_type(const struct func *func, int i);
/* "dot_general at jit(f)/dot_general (model.py:12:3)", in the arena. */
const char *ir_where(struct arena *arena, const struct op *op);

/* ---- printing and checking ------------------------------------------------------------------- */
/* Prints StableHLO in generic form; deterministic. Shardings of values that are no arguments or
 * results of functions are comments. */
void ir_print(const struct module *module, struct text *out);
/* Prints the same for human readers: constants of more than `max_elements` elements are elided. */
void ir_print_brief(const struct module *module, int64_t max_elements, struct text *out);
void ir_print_op(const struct op *op, struct text *out);
/* Verifies types, SSA dominance, use lists, terminators and the entry function. An invalid module
 * is INVALID_ARGUMENT when it comes from a frontend (`foreign`), INTERNAL after a pass. */
struct error *ir_verify(struct module *module, bool foreign);

#endif
