/* mlir_parser.h: the state of the MLIR text parser, shared by its parts. The entry point is
 * mlir_text.h. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_PARSER_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_PARSER_H

#include "base/vec.h"
#include "compiler/frontend/mlir/mlir_program.h"
#include "compiler/frontend/text/mlir_lex.h"

struct kernel_value;

#define MLIR_PARSER_MAX_DEPTH 256 /* of nested regions, attributes and types */

/* The values of a name: %0 of "%0:2 = ..." has two. */
struct mlir_binding {
    int count;
    union {
        struct value *const *values;
        const struct kernel_value *kernel_values; /* an array: of a kernel (frontend/mosaic) */
    };
    size_t scope; /* mlir_parser.scope when it was bound */
};

/* A name bound in a region, and its previous binding, which is restored at the region's end. */
struct mlir_shadow {
    struct string name;
    struct mlir_binding *before;
};

/* A reference to a function, resolved after all functions are read. */
struct mlir_fixup {
    struct func **out;
    struct string name;
    size_t offset;
};

/* Where to put a location, which may refer to an alias that is defined later. */
struct mlir_located {
    const struct location **out;
    struct mlir_partial_location *location; /* mlir_text_location.c */
};

struct mlir_parser {
    struct mlir_lex lex;
    struct arena *arena;
    struct arena *scratch; /* of the arena: names, types, attributes as they are written */
    struct mlir_program program;
    struct func *func; /* the function being read */
    struct map *names; /* struct mlir_binding */
    size_t scope;      /* of names: identifies the function or the body that is inlined */
    size_t scopes;     /* the number of scopes so far */
    VEC(struct mlir_shadow) shadows;
    VEC(struct mlir_fixup) fixups;
    struct map *attr_aliases, *type_aliases; /* struct mlir_alias */
    struct map *location_aliases;            /* struct mlir_partial_location */
    VEC(struct mlir_located) located;
    struct map *keys;        /* names in dictionaries; the value identifies the dictionary */
    size_t weight, expanded; /* the number of attributes and types read; of those from aliases */
    int depth;
    bool has_vectors; /* vector<...> is read as a tensor, so that dense constants have a shape */
};

/* The attributes of an operation. Compound attributes (dimension numbers, channel handles) are
 * flattened: `flat` has their parts with the names of attrs.def. */
struct mlir_attr_set {
    VEC(struct string) names;
    VEC(struct mlir_attr *) values;
    VEC(struct string) flat_names;
    VEC(struct mlir_attr *) flat_values;
};

/* Starts at the first token of a text, which is borrowed for the arena's lifetime. `program` is for
 * the caller to begin. */
void mlir_parser_begin(struct mlir_parser *p, struct arena *arena, const char *text, size_t size);

/* Increments the depth; INVALID_ARGUMENT beyond the limit. The caller decrements parser->depth. */
struct error *mlir_parser_enter(struct mlir_parser *p);

#endif
