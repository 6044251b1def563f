/* mlir_op.h: the operations of an MLIR bytecode file in a generic form: names, operands as values,
 * result types and attributes as indices into the file's tables, regions of one block. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_OP_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_OP_H

#include "compiler/frontend/bytecode/mlir_entry.h"

#define MLIR_MAX_REGION_DEPTH 256
#define MLIR_OP_MAX_ATTRIBUTES 256 /* discardable attributes of an operation */

struct kernel_value;

struct mlir_value {
    size_t type;                           /* index into the type table */
    bool defined;                          /* an operation or block defines it */
    union {                                /* NULL: not converted yet */
        struct value *value;               /* the IR's */
        const struct kernel_value *kernel; /* of a kernel (frontend/mosaic) */
    };
};

struct mlir_region { /* has at most one block; `first` is NULL when it has none */
    size_t argument_count;
    struct mlir_value *arguments;
    struct mlir_op *first;
};

struct mlir_op {
    struct mlir_op_name *name;     /* in the file's table */
    size_t offset;                 /* in the file */
    size_t location;               /* index of the location attribute */
    const struct location *origin; /* takes the place of `location`; NULL: none */
    bool has_attributes, has_properties;
    size_t attributes, properties; /* indices of a dictionary attribute and of a property entry */
    size_t result_count, operand_count, region_count;
    struct mlir_value *results;
    struct mlir_value **operands;
    struct mlir_region *regions;
    struct mlir_op *next; /* in its block */
};

/* True when `op` is the operation `name` of `dialect`. */
bool mlir_op_is(const struct mlir_op *op, const char *dialect, const char *name);

/* Reads the IR section. *out is its only operation, builtin.module. */
struct error *mlir_op_read(struct mlir_file *file, struct mlir_op **out);

/* Where the operation comes from: its origin, else its location; NULL when it is unknown. */
const struct location *mlir_op_location(struct mlir_file *file, const struct mlir_op *op);

/* "vhlo.add_v1 at jit(f)/add (model.py:12:3)" or, without a location, "vhlo.add_v1 at byte 513";
 * in the arena. */
const char *mlir_op_where(struct mlir_file *file, const struct mlir_op *op);

/* Prefixes an owned error (or NULL) with the operation and its location. Allocates nothing from the
 * arena. */
struct error *mlir_op_with_location(struct mlir_file *file, const struct mlir_op *op,
                                    struct error *error);

/* The discardable attributes (version < 5: all attributes) as a DICT; NULL when there are none. */
struct error *mlir_op_attributes(struct mlir_file *file, const struct mlir_op *op,
                                 struct mlir_attr **out);

/* The inherent attributes by name. `names` lists all of the operation's, in alphabetical order;
 * attribute i may be absent if optional[i] (NULL: all are required). out[i] is NULL if it is
 * absent.
 */
struct error *mlir_op_properties(struct mlir_file *file, const struct mlir_op *op, int count,
                                 const char *const *names, const bool *optional,
                                 struct mlir_attr **out);

/* True when the operation has this number of inherent attributes, present or absent. True for
 * versions < 5, in which no entry says that one is absent. */
bool mlir_op_has_properties(const struct mlir_file *file, const struct mlir_op *op, int count);

/* The type of a value. */
struct error *mlir_op_value_type(struct mlir_file *file, const struct mlir_value *value,
                                 const struct type **out);

#endif
