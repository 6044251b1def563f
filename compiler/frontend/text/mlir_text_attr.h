/* mlir_text_attr.h: reads attributes from MLIR text into the generic form of mlir_attr.h.
 * mlir_text_compound.h reads those of StableHLO. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ATTR_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ATTR_H

#include "compiler/frontend/text/mlir_parser.h"

/* Reads the value of an attribute. */
struct error *mlir_text_attr_read(struct mlir_parser *p, struct mlir_attr **out);

/* Reads "[element, ...]" as an ARRAY with the name `what`; `read` reads an element. */
typedef struct error *mlir_text_attr_reader(struct mlir_parser *p, struct mlir_attr **out);
struct error *mlir_text_attr_elements(struct mlir_parser *p, mlir_text_attr_reader *read,
                                      const char *what, struct mlir_attr **out);

/* Reads "{name = value, name, ...}" into a set. */
struct error *mlir_text_attr_dict(struct mlir_parser *p, struct mlir_attr_set *set);

/* Adds an attribute; the parts of a compound one are added to the flat ones. */
void mlir_text_attr_add(struct mlir_parser *p, struct mlir_attr_set *set, struct string name,
                        struct mlir_attr *attr);

/* Add a flat attribute; return all of them as a COMPOUND. */
void mlir_text_attr_add_flat(struct mlir_parser *p, struct mlir_attr_set *set, const char *name,
                             struct mlir_attr *attr);
struct mlir_attr *mlir_text_attr_as_flat(struct mlir_parser *p, const struct mlir_attr_set *set);

/* Reads the keyword of an enumeration: "<precision DEFAULT>". */
struct error *mlir_text_attr_enumeration(struct mlir_parser *p, struct mlir_attr **out);

/* Reads a field of an operation in pretty form: numbers without types, [lists], KEYWORDS. */
struct error *mlir_text_attr_field(struct mlir_parser *p, enum attr_kind kind,
                                   struct mlir_attr **out);

/* Removes an attribute if it exists. */
void mlir_text_attr_remove(struct mlir_attr_set *set, const char *name);

/* The set's attributes as a DICT (without the flat ones). */
struct mlir_attr *mlir_text_attr_as_dict(struct mlir_parser *p, const struct mlir_attr_set *set);

/* An attribute by name, flat ones last; NULL if it does not exist. */
struct mlir_attr *mlir_text_attr_find(const struct mlir_attr_set *set, const char *name);

/* Constructors; `name` (for messages) is static or in the arena. */
struct mlir_attr *mlir_text_attr_make(struct mlir_parser *p, enum mlir_attr_kind kind,
                                      const char *name);
struct mlir_attr *mlir_text_attr_ints(struct mlir_parser *p, int64_t count, const int64_t *values);
struct mlir_attr *mlir_text_attr_int(struct mlir_parser *p, int64_t value);
struct mlir_attr *mlir_text_attr_pairs(struct mlir_parser *p, int64_t rows, int64_t columns,
                                       const int64_t *values);

/* Skips the parameters "<...>" or "(...)" of an attribute that is known by name only, and keeps its
 * text from `begin` on. */
struct error *mlir_text_attr_rest(struct mlir_parser *p, size_t begin, struct mlir_attr *out);

/* Reads "[1, -2]". */
struct error *mlir_text_attr_list(struct mlir_parser *p, struct mlir_attr **out);

#endif
