/* mlir_parser.h: what the parts of the MLIR text parser share. The entry point is
 * mlir_text.h. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_PARSER_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_PARSER_H

#include "base/vec.h"
#include "compiler/frontend/mlir/mlir_program.h"
#include "compiler/frontend/text/mlir_lex.h"

#define MLIR_PARSER_MAX_DEPTH 256 /* of regions, attributes and types in one another */

/* The values of one name: %0 of "%0:2 = ..." has two. */
struct mlir_binding {
    int count;
    struct value *const *values;
    size_t scope; /* mlir_parser.scope when it was bound */
};

/* A name of a region, and what it stood for before: undone when the region ends. */
struct mlir_shadow {
    struct string name;
    struct mlir_binding *before;
};

/* A function named before it is known. */
struct mlir_fixup {
    struct func **out;
    struct string name;
    size_t offset;
};

/* An operation with a location. */
struct mlir_placed {
    struct op *op;
    struct mlir_place *place; /* mlir_text_location.c */
};

struct mlir_parser {
    struct mlir_lex lex;
    struct arena *arena;
    struct mlir_program program;
    struct func *func; /* whose body is being read */
    struct map *names; /* struct mlir_binding */
    size_t scope;      /* of names: the number of the function, or of a body that is inlined */
    size_t scopes;
    VEC(struct mlir_shadow) shadows;
    VEC(struct mlir_fixup) fixups;
    struct map *attr_aliases, *type_aliases; /* struct mlir_alias */
    struct map *places;                      /* struct mlir_place, by the alias's name */
    VEC(struct mlir_placed) placed;
    struct map *keys;        /* names in dictionaries; the value identifies the dictionary */
    size_t weight, expanded; /* attributes and types read; those that aliases stood for */
    int depth;
};

/* Attributes of an operation as they are collected. `flat` holds the parts of dimension numbers and
 * channel handles under the names of attrs.def. */
struct mlir_attr_set {
    VEC(struct string) names;
    VEC(struct mlir_attr *) values;
    VEC(struct string) flat_names;
    VEC(struct mlir_attr *) flat_values;
};

/* One level deeper: INVALID_ARGUMENT beyond the limit. Leave with parser->depth--. */
struct error *mlir_parser_enter(struct mlir_parser *p);

#endif
