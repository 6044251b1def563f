/* mlir_attr.h: attributes of MLIR in one generic form, whatever dialect they are of, and the
 * decoder of bytecode entries into it. Every entry is decoded once, when it is first asked for;
 * nesting is bounded and cycles are errors. What an attribute means to an operation is vhlo.h's
 * and sdy.h's. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_ATTR_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_ATTR_H

#include "compiler/frontend/bytecode/mlir_type.h"

enum mlir_attr_kind {
    MLIR_OTHER, /* known by name only */
    MLIR_UNIT,
    MLIR_BOOL,     /* integer */
    MLIR_INTEGER,  /* integer, dtype */
    MLIR_ENUM,     /* integer; code says which enumeration of VHLO */
    MLIR_REAL,     /* real, dtype */
    MLIR_STRING,   /* string */
    MLIR_SYMBOL,   /* string, without the @ */
    MLIR_TYPE,     /* type */
    MLIR_LITERAL,  /* literal */
    MLIR_ARRAY,    /* array */
    MLIR_DICT,     /* dict */
    MLIR_ALIAS,    /* alias */
    MLIR_LOCATION, /* see mlir_attr_location() */
    MLIR_MESH,
    MLIR_AXIS,
    MLIR_SUB_AXIS,
    MLIR_AXIS_SIZE,
    MLIR_DIM_SHARDING,
    MLIR_SHARDING /* sdy.h */
};

struct mlir_attr {
    enum mlir_attr_kind kind;
    const char *name; /* static: "integer_v1", for messages */
    int code;         /* ENUM: the attribute's code in VHLO's table */
    int64_t weight;   /* like mlir_type.weight */
    enum dtype dtype;
    union {
        int64_t integer;
        double real;
        struct string string;
        const struct mlir_type *type;
        const struct literal *literal;
        struct {
            size_t count;
            struct mlir_attr *const *at;
        } array;
        struct {
            size_t count;
            const struct string *names;
            struct mlir_attr *const *values;
        } dict;
        struct {
            struct dims output_tuple_indices, operand_tuple_indices;
            int64_t operand_index;
        } alias;
        const struct mesh *mesh;
        struct axis_ref *axis;
        struct dim_sharding *dim_sharding;
        const struct sharding *sharding;
    };
    const struct dims *ints;      /* of a LITERAL once asked for: mlir_attr_ints() */
    const struct dict_value *raw; /* once asked for: mlir_attr_raw() */
};

/* The entry with this index of the attribute table, decoded. */
struct error *mlir_attr_get(struct mlir_file *file, size_t index, struct mlir_attr **out);

/* Fields of an entry: each reads an index (or a list of them) from `in` and decodes what it
 * names. */
struct error *mlir_attr_field(struct mlir_file *file, struct bytes *in, struct mlir_attr **out);
struct error *mlir_attr_list(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner);
struct error *mlir_attr_pairs(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner);

/* apint and apfloat of an ELEMENT type of at most 64 bits; integers sign-extended if the type is
 * signed. */
struct error *mlir_attr_apint(struct bytes *in, const struct mlir_type *type, int64_t *out);
struct error *mlir_attr_apfloat(struct bytes *in, const struct mlir_type *type, double *out);

/* Where an operation comes from, by the index of its location attribute: the outermost name and
 * the first file position. NULL when nothing is known; never fails (locations are a courtesy). */
const struct location *mlir_attr_location(struct mlir_file *file, size_t index);

/* The value of a name in a DICT, or NULL. */
struct mlir_attr *mlir_attr_lookup(const struct mlir_attr *dict, const char *name);

/* A LITERAL of integers as a list (row-major). INVALID_ARGUMENT for other attributes and huge
 * splats. */
struct error *mlir_attr_ints(struct arena *arena, struct mlir_attr *attr, const struct dims **out);

/* Any attribute as a value of an IR dictionary; kinds that cannot be said there become
 * DICT_NONE. */
const struct dict_value *mlir_attr_raw(struct arena *arena, struct mlir_attr *attr);

#endif
