/* hlo_module.h: an HLO module while it is converted: its computations, its budget, and the
 * locations of its instructions. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_MODULE_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_MODULE_H

#include "compiler/frontend/hlo/hlo_shape.h"

typedef Gantry__Hlo__Instruction hlo_instruction;
struct hlo_frame;

/* A module may expand to this many instructions and tuple elements, plus one for each byte. */
#define HLO_MODULE_EXPANSION (1 << 17)

/* Appends the converted instruction to f->block. The caller adds the instruction to errors. */
typedef struct error *hlo_converter(struct hlo_frame *f, const hlo_instruction *in,
                                    const struct hlo_node **out);

struct hlo { /* one conversion */
    struct arena *arena;
    struct module *module;
    const Gantry__Hlo__Module *proto;
    hlo_converter *convert;   /* hlo_ops_convert(): computations contain instructions, and
                               * instructions apply computations */
    struct map *computations; /* struct hlo_computation by id */
    struct map *names;        /* of functions: struct hlo_name */
    struct map *groups;       /* struct pairs by their iota description: hlo_groups.c */
    size_t work, work_limit;  /* see hlo_module_charge() */
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

/* Charges `work` instructions or tuple elements to the module's budget; RESOURCE_EXHAUSTED when it
 * is exceeded. Without the budget, nested regions that copy computations and tuples that share
 * elements could grow exponentially. */
struct error *hlo_module_charge(struct hlo *h, size_t work);

/* Appends the leaves of a tree. Errors: those of hlo_module_charge(). */
struct error *hlo_module_flatten(struct hlo *h, const struct hlo_node *node, hlo_values *values);

/* Adds a computation and finds its parameters and its root. */
struct error *hlo_module_prepare(struct hlo *h, const Gantry__Hlo__Computation *from);

struct error *hlo_module_find(struct hlo *h, int64_t id, struct hlo_computation **out);

/* INVALID_ARGUMENT: "HLO computation <name>: <what>". */
struct error *hlo_module_invalid(const struct hlo_computation *c, const char *what);

/* The instruction's location in the user's program; its own name when it has no metadata. */
const struct location *hlo_module_location(struct hlo *h, const hlo_instruction *in);

#endif
