/* hlo_shape.h: converts HLO's shapes to types, and represents its tuples. The IR has no tuples
 * between operations, so the result of an instruction is a tree (struct hlo_node) whose leaves are
 * values; an operation uses the leaves in order. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_SHAPE_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_SHAPE_H

#include "base/vec.h"
#include "compiler/frontend/hlo/hlo.pb-c.h"
#include "compiler/ir/ir.h"

typedef Gantry__Hlo__Shape hlo_shape;

struct hlo_node {        /* immutable; a node may be an element of several others */
    struct value *value; /* NULL: a tuple */
    size_t count;
    const struct hlo_node **elements;
    size_t leaves; /* the number of values in the tree, each occurrence counted */
    int depth;     /* of nested tuples */
};

#define HLO_SHAPE_MAX_DEPTH 64 /* of nested tuples */

typedef VEC(const struct type *) hlo_types;
typedef VEC(struct value *) hlo_values;

bool hlo_shape_is_tuple(const hlo_shape *shape);

/* The type of an array or token; dynamic sizes are type.bounded. INVALID_ARGUMENT for tuples,
 * invalid shapes and NULL; UNIMPLEMENTED for unsupported element types. */
struct error *hlo_shape_type(struct arena *arena, const hlo_shape *shape, const struct type **out);

/* Appends the types of a shape's leaves, depth first. */
struct error *hlo_shape_types(struct arena *arena, const hlo_shape *shape, hlo_types *types);

/* Appends the layouts of a shape's leaves (see hlo_shape_layout()), depth first. */
typedef VEC(struct dims) hlo_layouts;
struct error *hlo_shape_layouts(struct arena *arena, const hlo_shape *shape, hlo_layouts *layouts);

/* The dimensions of an array from minor to major; a shape without a layout is row-major.
 * INVALID_ARGUMENT unless they are a permutation. */
struct error *hlo_shape_layout(struct arena *arena, const hlo_shape *shape, struct dims *out);
bool hlo_shape_is_row_major(struct dims layout);

/* The tree of a shape whose leaves are values[*at], values[*at + 1] ...; advances *at. */
const struct hlo_node *hlo_shape_node(struct arena *arena, const hlo_shape *shape,
                                      struct value **values, size_t *at);

const struct hlo_node *hlo_shape_leaf(struct arena *arena, struct value *value);

/* A tuple of `count` elements (copied). INVALID_ARGUMENT when tuples are nested deeper than
 * HLO_SHAPE_MAX_DEPTH or the tree has more than INT32_MAX leaves. */
struct error *hlo_shape_group(struct arena *arena, size_t count,
                              const struct hlo_node *const *elements, const struct hlo_node **out);

/* True when the tree and its leaves' types match the shape. */
bool hlo_shape_fits(const hlo_shape *shape, const struct hlo_node *node);

/* The leaf at a path of element indices; INVALID_ARGUMENT when there is no leaf at the path. */
struct error *hlo_shape_at(const hlo_shape *shape, size_t count, const int64_t *path,
                           const hlo_shape **out);

/* Numbers the leaves of a shape, depth first, starting with *next + 1, and advances *next.
 * `numbers` maps the address of each leaf to its number. */
void hlo_shape_number(const hlo_shape *shape, struct map *numbers, size_t *next);

#endif
