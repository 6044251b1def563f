/* mlir_text_op.h: reads operations from MLIR text: the generic form, regions, names of values, and
 * functions shared with the pretty form (mlir_text_pretty.h). */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_OP_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_OP_H

#include "compiler/frontend/text/mlir_parser.h"

struct mlir_text_op { /* an operation while it is being read */
    enum op_code code;
    size_t offset; /* of its name */
    VEC(struct value *) operands;
    struct mlir_attr_set attrs;
    VEC(struct block *) regions;
    int type_count; /* results */
    const struct type **types;
};

/* The results of an operation; those of an identity are its operands. */
struct mlir_text_results {
    int count;
    struct value *const *values;
};

/* An argument of a region: %name: type. */
struct mlir_text_argument {
    struct string name;
    const struct type *type;
};
typedef VEC(struct mlir_text_argument) mlir_text_arguments;

/* Reads operations up to a '}', which stays the current token, and appends them to `block`. */
struct error *mlir_text_op_body(struct mlir_parser *p, struct block *block);

/* Reads a %name that must be defined. */
struct error *mlir_text_op_operand(struct mlir_parser *p, struct value **out);

/* Reads "%a, %b" as operands of *op, including a comma after the last one. */
struct error *mlir_text_op_operands(struct mlir_parser *p, struct mlir_text_op *op);

/* Reads "(%a, %b)" as operands of *op. */
struct error *mlir_text_op_operand_group(struct mlir_parser *p, struct mlir_text_op *op);

/* Read "%x: type loc(...)", and a list "(%x: type, ...)" of these. */
struct error *mlir_text_op_argument(struct mlir_parser *p, struct mlir_text_argument *out);
struct error *mlir_text_op_arguments(struct mlir_parser *p, mlir_text_arguments *out);

/* Reads "{ operations }" as a new block with these arguments. */
struct error *mlir_text_op_region(struct mlir_parser *p, int count,
                                  const struct mlir_text_argument *arguments, struct block **out);

/* Reads "{ operations }" into an existing block; `names` are the names of its arguments. */
struct error *mlir_text_op_block(struct mlir_parser *p, struct block *block,
                                 const struct string *const *names);

/* Reads "^bb0(%a: type):", if present. */
struct error *mlir_text_op_label(struct mlir_parser *p, int *count,
                                 struct mlir_text_argument **out);

/* Reads "operations sdy.return ... }" into `block` with `arguments` bound to `values`; *out are
 * the returned values. */
struct error *mlir_text_op_inline(struct mlir_parser *p, struct block *block, int count,
                                  const struct mlir_text_argument *arguments,
                                  struct value *const *values, struct mlir_text_results *out);

/* Reads ": (types) -> types" or ": types": sets the result types of *op and checks the types of its
 * operands. */
struct error *mlir_text_op_types(struct mlir_parser *p, struct mlir_text_op *op);

/* A position in the text as a location, in the arena. */
const struct location *mlir_text_op_location(struct mlir_parser *p, size_t offset);

/* Creates the operation with its fields and appends it to the block. */
struct error *mlir_text_op_finish(struct mlir_parser *p, struct mlir_text_op *op,
                                  struct block *block, struct mlir_text_results *out);

#endif
