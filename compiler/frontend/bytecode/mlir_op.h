/* mlir_op.h: the operations of an MLIR bytecode file in one generic form: names, operands as
 * values, result types and attributes still as indices into the file's tables, regions of one
 * block. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_OP_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_OP_H

#include "compiler/frontend/bytecode/mlir_entry.h"

#define MLIR_MAX_REGION_DEPTH 256
#define MLIR_OP_MAX_ATTRIBUTES 256 /* discardable ones of one operation */

struct mlir_value {
    size_t type;         /* index of the type table */
    bool defined;        /* an operation or block has filled the slot */
    struct value *value; /* what it became in the IR, once it is there */
};

struct mlir_region { /* its one block; without any: no operation */
    size_t argument_count;
    struct mlir_value *arguments;
    struct mlir_op *first;
};

struct mlir_op {
    struct mlir_op_name *name; /* of the file's table */
    size_t offset;             /* in the file */
    size_t location;           /* index of an attribute */
    bool has_attributes, has_properties;
    size_t attributes, properties; /* indices: a dictionary attribute; an entry of the properties */
    size_t result_count, operand_count, region_count;
    struct mlir_value *results; /* result_count of them */
    struct mlir_value **operands;
    struct mlir_region *regions;
    struct mlir_op *next; /* in its block */
};

/* Is it this operation of this dialect? */
bool mlir_op_is(const struct mlir_op *op, const char *dialect, const char *name);

/* Reads the IR section. *out is its one operation, builtin.module. */
struct error *mlir_op_read(struct mlir_file *file, struct mlir_op **out);

/* "vhlo.add_v1 at jit(f)/add (model.py:12:3)" or, without a location, "vhlo.add_v1 at byte 513";
 * in the arena. */
const char *mlir_op_where(struct mlir_file *file, const struct mlir_op *op);

/* Prefixes an owned error (or NULL) with the operation and its location. Allocates nothing from the
 * arena. */
struct error *mlir_op_place(struct mlir_file *file, const struct mlir_op *op, struct error *error);

/* The discardable attributes (version < 5: all attributes) as a DICT; NULL when there are none. */
struct error *mlir_op_attributes(struct mlir_file *file, const struct mlir_op *op,
                                 struct mlir_attr **out);

/* The inherent attributes by name; `names` are all the operation has, in alphabetical order, the
 * i-th may be absent when optional[i] (NULL: none may). out[i] is NULL for an absent one. */
struct error *mlir_op_properties(struct mlir_file *file, const struct mlir_op *op, int count,
                                 const char *const *names, const bool *optional,
                                 struct mlir_attr **out);

/* The IR's type of a value. */
struct error *mlir_op_value_type(struct mlir_file *file, const struct mlir_value *value,
                                 const struct type **out);

#endif
