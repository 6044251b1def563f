/* mlir_attr.h: MLIR attributes in a generic form that is independent of dialect and syntax.
 * mlir_fields.h converts them to the fields of operations. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_ATTR_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_ATTR_H

#include "compiler/frontend/mlir/mlir_enums.h"
#include "compiler/frontend/mlir/mlir_type.h"

enum mlir_attr_kind {
    MLIR_OTHER, /* known by name only; string: its text, where it was read from text */
    MLIR_UNIT,
    MLIR_BOOL,     /* integer */
    MLIR_INTEGER,  /* integer, dtype */
    MLIR_KEYWORD,  /* integer, enumeration */
    MLIR_REAL,     /* real, dtype */
    MLIR_STRING,   /* string */
    MLIR_SYMBOL,   /* string, without the @ */
    MLIR_TYPE,     /* type */
    MLIR_LITERAL,  /* literal */
    MLIR_ARRAY,    /* array */
    MLIR_DICT,     /* dict */
    MLIR_COMPOUND, /* dict: the fields of a compound attribute, such as dot_dimension_numbers */
    MLIR_ALIAS,    /* alias */
    MLIR_MESH,
    MLIR_AXIS,
    MLIR_SUB_AXIS,
    MLIR_AXIS_SIZE,
    MLIR_DIM_SHARDING,
    MLIR_SHARDING, /* of Shardy: mlir_sdy.h */
    MLIR_FACTORS,  /* factors: of a dimension in a sharding rule */
    MLIR_RULE,     /* rule: mlir_sdy_rule.h */
    MLIR_GROUPS    /* groups: mlir_groups.h */
};

/* Parts of a Shardy sharding, whose axes are named until its mesh is known (mlir_sdy.h). */
struct mlir_axis {
    const char *name;
    int64_t pre_size, size; /* 0, 0: the whole axis */
};
struct mlir_axes {
    size_t count;
    const struct mlir_axis *at;
};
struct mlir_dim {
    struct mlir_axes axes; /* major to minor */
    bool is_closed;
    int64_t priority; /* -1: none */
};

/* Replica groups along axes of a mesh (mlir_groups.h). */
struct mlir_groups {
    const struct mlir_attr *mesh; /* MESH, or SYMBOL or STRING: its name */
    struct mlir_axes axes;
};

struct mlir_attr {
    enum mlir_attr_kind kind;
    const char *name; /* static or in the arena: "integer_v1", for messages */
    int64_t weight;   /* number of contained attributes and types, each occurrence counted */
    enum mlir_enum enumeration; /* KEYWORD */
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
        const struct mlir_axis *axis;
        const struct mlir_dim *dim;
        const struct sharding *sharding;
        struct dims factors;
        const struct sharding_rule *rule;
        const struct mlir_groups *groups;
    };
    /* LITERAL: cached by mlir_attr_ints(). OTHER: the bounds of a tensor's sizes, if it has some */
    const struct dims *ints;
    const struct dict_value *raw;   /* cached by mlir_attr_raw() */
    const struct dict *discardable; /* DICT: cached by mlir_fields_discardable() */
};

/* Make an attribute in the arena. `name` (for messages) is static or in the arena; integers have
 * type i64; `values` are borrowed. */
struct mlir_attr *mlir_attr_make(struct arena *arena, enum mlir_attr_kind kind, const char *name);
struct mlir_attr *mlir_attr_of_int(struct arena *arena, int64_t value);
struct mlir_attr *mlir_attr_of_ints(struct arena *arena, int64_t count, const int64_t *values);

/* The value of a name in a DICT; NULL when it is absent or `dict` is NULL or no DICT. Linear in the
 * number of names. */
struct mlir_attr *mlir_attr_lookup(const struct mlir_attr *dict, const char *name);

/* A LITERAL of integers as a list (row-major). INVALID_ARGUMENT for other attributes and large
 * splats. */
struct error *mlir_attr_ints(struct arena *arena, struct mlir_attr *attr, const struct dims **out);

/* An attribute as a value of an IR dictionary; DICT_NONE for kinds that cannot be represented. */
const struct dict_value *mlir_attr_raw(struct arena *arena, struct mlir_attr *attr);

#endif
