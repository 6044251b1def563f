/* mlir_entry.h: decodes the attributes and types of a bytecode file, each on first use, into the
 * generic form of compiler/frontend/mlir. The dialects (mlir_file.h) decode entries with the
 * functions of the section "fields". Nesting is bounded; an entry that contains itself is an error.
 */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_ENTRY_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_ENTRY_H

#include "compiler/frontend/bytecode/mlir_file.h"
#include "compiler/frontend/mlir/mlir_attr.h"

#define MLIR_ENTRY_MAX_DEPTH 128 /* of nested attributes and types; at most 13 in practice */

/* The entry with this index of the attribute or type table. */
struct error *mlir_entry_attr(struct mlir_file *file, size_t index, struct mlir_attr **out);
struct error *mlir_entry_type(struct mlir_file *file, size_t index, const struct mlir_type **out);

/* Charges the weight of an attribute or type to the file's budget. RESOURCE_EXHAUSTED when all
 * operations together exceed the budget, which is proportional to the file's size: a large
 * attribute shared by many operations would otherwise take superlinear time. */
struct error *mlir_entry_charge(struct mlir_file *file, int64_t weight);

/* ---- fields ---------------------------------------------------------------------------------- */

/* Each reads an index (or a list of indices) from `in` and decodes the entry. */
struct error *mlir_entry_attr_field(struct mlir_file *file, struct bytes *in,
                                    struct mlir_attr **out);
struct error *mlir_entry_type_field(struct mlir_file *file, struct bytes *in,
                                    const struct mlir_type **out);

/* Reads an index of an attribute that may be absent: NULL. */
struct error *mlir_entry_optional_field(struct mlir_file *file, struct bytes *in,
                                        struct mlir_attr **out);

/* Read the TYPE of a type attribute, an ARRAY, a DICT into *owner. */
struct error *mlir_entry_type_attr(struct mlir_file *file, struct bytes *in,
                                   struct mlir_attr *owner);
struct error *mlir_entry_list(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner);
struct error *mlir_entry_pairs(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner);

struct error *mlir_entry_types(struct mlir_file *file, struct bytes *in, struct mlir_type *owner,
                               struct mlir_types *out);
struct dims mlir_entry_dims(struct mlir_file *file, struct bytes *in); /* svarint[] */

/* Read an integer or float of an ELEMENT type of at most 64 bits; integers of signed types are
 * sign-extended. */
struct error *mlir_entry_integer(struct bytes *in, const struct mlir_type *type, int64_t *out);
struct error *mlir_entry_float(struct bytes *in, const struct mlir_type *type, double *out);

/* Read a KEYWORD of an enumeration; an ALIAS of an output and an operand. */
void mlir_entry_keyword(struct bytes *in, enum mlir_enum enumeration, struct mlir_attr *out);
void mlir_entry_alias(struct mlir_file *file, struct bytes *in, struct mlir_attr *out);

/* Reads a type and the bytes of a tensor; the literal borrows from the file. */
struct error *mlir_entry_literal(struct mlir_file *file, struct bytes *in,
                                 const struct literal **out);

/* Read the fields of types that several dialects have. */
struct error *mlir_entry_tensor(struct mlir_file *file, struct bytes *in, struct mlir_type *out);
struct error *mlir_entry_complex(struct mlir_file *file, struct bytes *in, struct mlir_type *out);
struct error *mlir_entry_tuple(struct mlir_file *file, struct bytes *in, struct mlir_type *out);
struct error *mlir_entry_function(struct mlir_file *file, struct bytes *in, struct mlir_type *out);

#endif
