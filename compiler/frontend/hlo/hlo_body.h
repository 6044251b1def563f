/* hlo_body.h: HLO's computations as functions and regions of the IR. A computation that is called
 * becomes a function once; one that an operation applies becomes its region, copied each time. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_BODY_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_BODY_H

#include "compiler/frontend/hlo/hlo_shape.h"

typedef Gantry__Hlo__Instruction hlo_instruction;

#define HLO_BODY_MAX_DEPTH 128 /* computations inside of each other */
/* What a module may expand to, in instructions and tuple elements: this many, and one more for
 * each byte of the module. */
#define HLO_BODY_EXPANSION (1 << 17)

struct hlo { /* one conversion */
    struct arena *arena;
    struct module *module;
    const Gantry__Hlo__Module *proto;
    struct map *computations; /* struct hlo_computation by id */
    struct map *names;        /* of functions: struct hlo_name */
    struct map *groups;       /* struct pairs by what they are counted over: hlo_groups.c */
    size_t work, work_limit;  /* see hlo_body_charge() */
    int depth;
    bool is_placed; /* an error on its way out names its place in the user's source */
};

struct hlo_computation {
    const Gantry__Hlo__Computation *proto;
    size_t parameter_count;
    const hlo_instruction **parameters; /* by number */
    const hlo_instruction *root;
    struct func *func; /* NULL: not called yet */
    bool is_open;      /* being converted: it must not be reached again */
};

struct hlo_frame { /* one computation becoming a block */
    struct hlo *hlo;
    struct hlo_computation *computation;
    const struct hlo_node **arguments; /* what the parameters are */
    struct func *func;
    struct block *block;
    struct map *made; /* struct hlo_made by id */
};

struct hlo_made {
    const hlo_instruction *in;
    const struct hlo_node *node;
};

/* Counts `work` more instructions or tuple elements. RESOURCE_EXHAUSTED when the module expands to
 * more than its size allows: computations that are copied into many regions, and tuples that share
 * their elements, could otherwise double at every step. */
struct error *hlo_body_charge(struct hlo *h, size_t work);

/* Finds the parameters and the root of a computation. */
struct error *hlo_body_prepare(struct hlo *h, const Gantry__Hlo__Computation *from);

struct error *hlo_body_find(struct hlo *h, int64_t id, struct hlo_computation **out);

/* What an instruction's operand became; and the instruction that it is. UNIMPLEMENTED for arrays
 * with sizes known at run time only, but for hlo_body_node(). */
struct error *hlo_body_node(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                            const struct hlo_node **out);
struct error *hlo_body_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                               const struct hlo_node **out);
const hlo_instruction *hlo_body_source(struct hlo_frame *f, const hlo_instruction *in, size_t i);

/* Appends a tree's leaves. RESOURCE_EXHAUSTED as hlo_body_charge(). */
struct error *hlo_body_flatten(struct hlo *h, const struct hlo_node *node, hlo_values *values);

/* The function of a computation, made when this is its first use. */
struct error *hlo_body_func(struct hlo *h, struct hlo_computation *computation, const char *name,
                            struct func **out);

/* Region i of an operation: its arguments are the leaves of the computation's parameters. */
struct error *hlo_body_region(struct hlo_frame *f, int64_t id, struct op *op, int i);

/* Appends a computation to `block`, of f's function, with `arguments` for its parameters. */
struct error *hlo_body_inline(struct hlo_frame *f, int64_t id, struct block *block, size_t count,
                              const struct hlo_node **arguments, const struct hlo_node **root);

/* Region i without arguments: the computation's one parameter is `argument`. */
struct error *hlo_body_branch(struct hlo_frame *f, int64_t id, const struct hlo_node *argument,
                              struct op *op, int i);

#endif
