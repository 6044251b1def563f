/* mlir_text_name.h: the names of values in MLIR text: %0, %x:2. A name is visible in the region
 * that defines it and in those inside. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_NAME_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_NAME_H

#include "compiler/frontend/text/mlir_parser.h"

/* The names before the '=' of an operation, maybe none. */
struct mlir_text_name {
    struct string name; /* in the text */
    int count;          /* of its values, at least 1 */
};
struct mlir_text_names {
    size_t offset; /* of the first one in the text */
    VEC(struct mlir_text_name) list;
};

/* Enclose a region; the mark connects the two. */
size_t mlir_text_name_push(const struct mlir_parser *p);
void mlir_text_name_pop(struct mlir_parser *p, size_t mark);

/* Binds a name of the text in the innermost region; the binding's scope is ignored.
 * INVALID_ARGUMENT when it is already bound in the function. */
struct error *mlir_text_name_bind(struct mlir_parser *p, struct string name,
                                  struct mlir_binding binding);

/* Reads "%x" or "%x#1": value `number` of the binding. INVALID_ARGUMENT for unknown names. */
struct error *mlir_text_name_use(struct mlir_parser *p, const struct mlir_binding **out,
                                 int *number);

/* Reads "%a:2, %b =", if present; checks that the names are for `result_count` values. */
struct error *mlir_text_name_results(struct mlir_parser *p, struct mlir_text_names *out);
struct error *mlir_text_name_check(struct mlir_parser *p, const struct mlir_text_names *names,
                                   int result_count);

#endif
