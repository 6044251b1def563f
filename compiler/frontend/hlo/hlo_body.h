/* hlo_body.h: converts HLO's computations to functions and regions of the IR. A computation that is
 * called becomes one function; a computation that an operation applies becomes a region of each
 * such operation. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_BODY_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_BODY_H

#include "compiler/frontend/hlo/hlo_module.h"
#include "compiler/ir/build.h"

#define HLO_BODY_MAX_DEPTH 128 /* of nested computations */

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

/* The converted operand i of an instruction; hlo_body_source() returns the instruction that defines
 * it. */
struct error *hlo_body_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                               const struct hlo_node **out);
const hlo_instruction *hlo_body_source(struct hlo_frame *f, const hlo_instruction *in, size_t i);

/* Builds operations at the end of the block, with the location of an instruction. */
struct builder hlo_body_builder(struct hlo_frame *f, const hlo_instruction *in);
/* The leaf of a value that was built; an error if it could not be. */
struct error *hlo_body_built(struct hlo_frame *f, struct value *value, const struct hlo_node **out);

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
