/* mlir_entry.h: the attributes and types of a bytecode file, decoded into the generic form of
 * compiler/frontend/mlir when they are first asked for. Which function decodes an entry's fields is
 * its dialect's (mlir_file.h); these are what such a function reads its fields with. Nesting is
 * bounded, and an entry that contains itself is an error. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_ENTRY_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_ENTRY_H

#include "compiler/frontend/bytecode/mlir_file.h"
#include "compiler/frontend/mlir/mlir_attr.h"

#define MLIR_ENTRY_MAX_DEPTH 128 /* of attributes and types in one another; 13 occur */

/* The entry with this index of the attribute or type table. */
struct error *mlir_entry_attr(struct mlir_file *file, size_t index, struct mlir_attr **out);
struct error *mlir_entry_type(struct mlir_file *file, size_t index, const struct mlir_type **out);

/* Counts the parts of an attribute or type that an operation refers to. RESOURCE_EXHAUSTED when all
 * operations together refer to more than the file's size allows: the same large attribute on every
 * operation would otherwise cost the product of both. */
struct error *mlir_entry_charge(struct mlir_file *file, int64_t weight);

/* ---- fields ---------------------------------------------------------------------------------- */

/* Each reads an index (or a list of them) from `in` and decodes what it names. */
struct error *mlir_entry_attr_field(struct mlir_file *file, struct bytes *in,
                                    struct mlir_attr **out);
struct error *mlir_entry_type_field(struct mlir_file *file, struct bytes *in,
                                    const struct mlir_type **out);

/* The TYPE of a type attribute; an ARRAY; a DICT: filled into *owner. */
struct error *mlir_entry_type_attr(struct mlir_file *file, struct bytes *in,
                                   struct mlir_attr *owner);
struct error *mlir_entry_list(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner);
struct error *mlir_entry_pairs(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner);

struct error *mlir_entry_types(struct mlir_file *file, struct bytes *in, struct mlir_type *owner,
                               struct mlir_types *out);
struct dims mlir_entry_dims(struct mlir_file *file, struct bytes *in); /* svarint[] */

/* An integer or float of an ELEMENT type of at most 64 bits; integers sign-extended if the type is
 * signed. */
struct error *mlir_entry_integer(struct bytes *in, const struct mlir_type *type, int64_t *out);
struct error *mlir_entry_float(struct bytes *in, const struct mlir_type *type, double *out);

/* A type and the bytes of a tensor of it; the literal borrows from the file. */
struct error *mlir_entry_literal(struct mlir_file *file, struct bytes *in,
                                 const struct literal **out);

/* The fields of types that several dialects have. */
struct error *mlir_entry_tensor(struct mlir_file *file, struct bytes *in, struct mlir_type *out);
struct error *mlir_entry_complex(struct mlir_file *file, struct bytes *in, struct mlir_type *out);
struct error *mlir_entry_tuple(struct mlir_file *file, struct bytes *in, struct mlir_type *out);
struct error *mlir_entry_function(struct mlir_file *file, struct bytes *in, struct mlir_type *out);

#endif
