/* mlir_text_op.h: operations from MLIR text: the generic form, regions, names of values, and
 * what the pretty forms (mlir_text_pretty.h) need to finish theirs. */
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

/* Values that an operation gave; an annotation passes its operands on. */
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

/* Operations up to a '}', which is not taken, appended to `block`. */
struct error *mlir_text_op_body(struct mlir_parser *p, struct block *block);

/* A %name that is defined. */
struct error *mlir_text_op_operand(struct mlir_parser *p, struct value **out);

/* "%a, %b" as operands of *op; a comma before something else is taken. */
struct error *mlir_text_op_operands(struct mlir_parser *p, struct mlir_text_op *op);

/* "(%a, %b)" with the brackets. */
struct error *mlir_text_op_operand_group(struct mlir_parser *p, struct mlir_text_op *op);

/* "%x: type loc(...)", and "(" of these ")" into a list. */
struct error *mlir_text_op_argument(struct mlir_parser *p, struct mlir_text_argument *out);
struct error *mlir_text_op_arguments(struct mlir_parser *p, mlir_text_arguments *out);

/* "{ operations }" as a new block with these arguments. */
struct error *mlir_text_op_region(struct mlir_parser *p, int count,
                                  const struct mlir_text_argument *arguments, struct block **out);

/* "{ operations }" into a block that is there; `names` are its arguments'. */
struct error *mlir_text_op_fill(struct mlir_parser *p, struct block *block,
                                const struct string *const *names);

/* "{ operations sdy.return ... }" into `block`, its arguments being `values`; gives what it
 * returns. */
struct error *mlir_text_op_inline(struct mlir_parser *p, struct block *block, int count,
                                  const struct mlir_text_argument *arguments,
                                  struct value *const *values, struct mlir_text_results *out);

/* ": (types) -> types" or ": types": gives *op its results' types, compares those of operands. */
struct error *mlir_text_op_types(struct mlir_parser *p, struct mlir_text_op *op);

/* A place in the text as a location; in the arena. */
const struct location *mlir_text_op_location(struct mlir_parser *p, size_t offset);

/* Makes the operation with its fields and puts it at the end of the block. */
struct error *mlir_text_op_finish(struct mlir_parser *p, struct mlir_text_op *op,
                                  struct block *block, struct mlir_text_results *out);

/* Names: bind one in the innermost region (INVALID_ARGUMENT when it is taken there or around it);
 * open and close a region. */
struct error *mlir_text_op_bind(struct mlir_parser *p, struct string name /*in the text*/,
                                int count, struct value *const *values);
size_t mlir_text_op_open(const struct mlir_parser *p);
void mlir_text_op_close(struct mlir_parser *p, size_t mark);

#endif
