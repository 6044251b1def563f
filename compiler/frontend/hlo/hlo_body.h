/* hlo_body.h: converts HLO's computations to functions and regions of the IR. A computation that is
 * called becomes one function; a computation that an operation applies becomes a region of each
 * such operation. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_BODY_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_BODY_H

#include "compiler/frontend/hlo/hlo_shape.h"

typedef Gantry__Hlo__Instruction hlo_instruction;

#define HLO_BODY_MAX_DEPTH 128 /* of nested computations */
/* A module may expand to this many instructions and tuple elements, plus one for each byte. */
#define HLO_BODY_EXPANSION (1 << 17)

struct hlo { /* one conversion */
    struct arena *arena;
    struct module *module;
    const Gantry__Hlo__Module *proto;
    struct map *computations; /* struct hlo_computation by id */
    struct map *names;        /* of functions: struct hlo_name */
    struct map *groups;       /* struct pairs by their iota description: hlo_groups.c */
    size_t work, work_limit;  /* see hlo_body_charge() */
    int depth;
    bool has_location; /* the error that is being returned has a source location */
};

struct hlo_computation {
    const Gantry__Hlo__Computation *proto;
    size_t parameter_count;
    const hlo_instruction **parameters; /* by number */
    const hlo_instruction *root;
    struct func *func; /* NULL: not called yet */
    bool is_open;      /* being converted; reaching it again is an error */
};

struct hlo_frame { /* the conversion of a computation to a block */
    struct hlo *hlo;
    struct hlo_computation *computation;
    const struct hlo_node **arguments; /* the values of the parameters */
    struct func *func;
    struct block *block;
    struct map *definitions; /* struct hlo_definition by the instruction's id */
};

struct hlo_definition {
    const hlo_instruction *in;
    const struct hlo_node *node;
};

/* Charges `work` instructions or tuple elements to the module's budget; RESOURCE_EXHAUSTED when it
 * is exceeded. Without the budget, nested regions that copy computations and tuples that share
 * elements could grow exponentially. */
struct error *hlo_body_charge(struct hlo *h, size_t work);

/* Finds the parameters and the root of a computation. */
struct error *hlo_body_prepare(struct hlo *h, const Gantry__Hlo__Computation *from);

struct error *hlo_body_find(struct hlo *h, int64_t id, struct hlo_computation **out);

/* The converted operand i of an instruction; hlo_body_source() returns the instruction that defines
 * it. For arrays with dynamic sizes, hlo_body_operand() returns UNIMPLEMENTED. */
struct error *hlo_body_node(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                            const struct hlo_node **out);
struct error *hlo_body_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                               const struct hlo_node **out);
const hlo_instruction *hlo_body_source(struct hlo_frame *f, const hlo_instruction *in, size_t i);

/* Appends the leaves of a tree. Errors: those of hlo_body_charge(). */
struct error *hlo_body_flatten(struct hlo *h, const struct hlo_node *node, hlo_values *values);

/* The function of a computation, created on first use. */
struct error *hlo_body_func(struct hlo *h, struct hlo_computation *computation, const char *name,
                            struct func **out);

/* Creates region i of an operation; its arguments are the leaves of the computation's
 * parameters. */
struct error *hlo_body_region(struct hlo_frame *f, int64_t id, struct op *op, int i);

/* Appends a computation to `block`, which is in f's function, with `arguments` as its
 * parameters. */
struct error *hlo_body_inline(struct hlo_frame *f, int64_t id, struct block *block, size_t count,
                              const struct hlo_node **arguments, const struct hlo_node **root);

/* Creates region i without arguments; the computation's only parameter is `argument`. */
struct error *hlo_body_branch(struct hlo_frame *f, int64_t id, const struct hlo_node *argument,
                              struct op *op, int i);

#endif
