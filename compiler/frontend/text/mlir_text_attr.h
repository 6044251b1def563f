/* mlir_text_attr.h: attributes from MLIR text, in the generic form of mlir_attr.h. Those of
 * StableHLO itself are mlir_text_compound.h's. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ATTR_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ATTR_H

#include "compiler/frontend/text/mlir_parser.h"

/* One attribute's value. A compound one is a DICT named mlir_text_attr_flat. */
struct error *mlir_text_attr_read(struct mlir_parser *p, struct mlir_attr **out);
extern const char *const mlir_text_attr_flat;

/* "[element, ...]" with the brackets, each read by a function, as an ARRAY; `what` names it. */
typedef struct error *mlir_text_attr_reader(struct mlir_parser *p, struct mlir_attr **out);
struct error *mlir_text_attr_elements(struct mlir_parser *p, mlir_text_attr_reader *read,
                                      const char *what, struct mlir_attr **out);

/* "{name = value, name, ...}" with the braces, into a set. */
struct error *mlir_text_attr_dict(struct mlir_parser *p, struct mlir_attr_set *set);

/* Adds one; a compound attribute's parts go to the flat ones. */
void mlir_text_attr_add(struct mlir_parser *p, struct mlir_attr_set *set, struct string name,
                        struct mlir_attr *attr);

/* One of the flat ones; all of them as one attribute, named mlir_text_attr_flat. */
void mlir_text_attr_add_flat(struct mlir_parser *p, struct mlir_attr_set *set, const char *name,
                             struct mlir_attr *attr);
struct mlir_attr *mlir_text_attr_as_flat(struct mlir_parser *p, const struct mlir_attr_set *set);

/* "<precision DEFAULT>" with the brackets: the keyword of an enumeration. */
struct error *mlir_text_attr_enumeration(struct mlir_parser *p, struct mlir_attr **out);

/* A field of an operation as pretty forms write it: bare numbers, [lists], KEYWORDS. */
struct error *mlir_text_attr_field(struct mlir_parser *p, enum attr_kind kind,
                                   struct mlir_attr **out);

/* Takes one out again; nothing happens when there is none of the name. */
void mlir_text_attr_remove(struct mlir_attr_set *set, const char *name);

/* The set's attributes as a DICT (without the flat ones). */
struct mlir_attr *mlir_text_attr_as_dict(struct mlir_parser *p, const struct mlir_attr_set *set);

/* By name, flat ones last; NULL when there is none. */
struct mlir_attr *mlir_text_attr_find(const struct mlir_attr_set *set, const char *name);

/* Constructors. */
struct mlir_attr *mlir_text_attr_make(struct mlir_parser *p, enum mlir_attr_kind kind,
                                      const char *name);
struct mlir_attr *mlir_text_attr_ints(struct mlir_parser *p, int64_t count, const int64_t *values);
struct mlir_attr *mlir_text_attr_int(struct mlir_parser *p, int64_t value);
struct mlir_attr *mlir_text_attr_pairs(struct mlir_parser *p, int64_t rows, int64_t columns,
                                       const int64_t *values);

/* "[1, -2]" with the brackets. */
struct error *mlir_text_attr_list(struct mlir_parser *p, struct mlir_attr **out);

#endif
