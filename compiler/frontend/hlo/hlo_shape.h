/* hlo_shape.h: HLO's shapes as types, and its tuples. The IR has no tuples between operations, so
 * what an instruction gives is a tree (struct hlo_node) whose leaves are values, and whoever takes
 * it takes the leaves in order. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_SHAPE_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_SHAPE_H

#include "base/vec.h"
#include "compiler/frontend/hlo/hlo.pb-c.h"
#include "compiler/ir/ir.h"

typedef Gantry__Hlo__Shape hlo_shape;

struct hlo_node {        /* immutable once made; nodes may be elements of several others */
    struct value *value; /* NULL: a tuple */
    size_t count;
    const struct hlo_node **elements;
    size_t leaves;        /* values in the tree, shared ones as often as they occur */
    int depth;            /* of tuples within it */
    struct value **sizes; /* a value's, by dimension: those known at run time only; NULL: none */
};

#define HLO_SHAPE_MAX_DEPTH 64 /* of tuples within tuples */

typedef VEC(const struct type *) hlo_types;
typedef VEC(struct value *) hlo_values;

bool hlo_shape_is_tuple(const hlo_shape *shape);

/* The type of an array or token; INVALID_ARGUMENT for tuples and shapes that cannot be,
 * UNIMPLEMENTED for dynamic sizes and element types that are unsupported. NULL is no shape. */
struct error *hlo_shape_type(struct arena *arena, const hlo_shape *shape, const struct type **out);

/* Appends the types of a shape's leaves, depth first. */
struct error *hlo_shape_types(struct arena *arena, const hlo_shape *shape, hlo_types *types);

/* The layouts of a shape's leaves (see hlo_shape_layout), depth first: appended. */
typedef VEC(struct dims) hlo_layouts;
struct error *hlo_shape_layouts(struct arena *arena, const hlo_shape *shape, hlo_layouts *layouts);

/* An array's dimensions from minor to major; a shape without a layout is row-major.
 * INVALID_ARGUMENT when they are no permutation. */
struct error *hlo_shape_layout(struct arena *arena, const hlo_shape *shape, struct dims *out);
bool hlo_shape_is_row_major(struct dims layout);

/* The tree of a shape over its leaves' values: takes them from *values and moves it on. */
const struct hlo_node *hlo_shape_node(struct arena *arena, const hlo_shape *shape,
                                      struct value **values, size_t *at);

/* A leaf. */
const struct hlo_node *hlo_shape_leaf(struct arena *arena, struct value *value);

/* A tuple of `count` elements (copied). INVALID_ARGUMENT when tuples are nested deeper than
 * HLO_SHAPE_MAX_DEPTH or the tree has more than INT32_MAX leaves. */
struct error *hlo_shape_group(struct arena *arena, size_t count,
                              const struct hlo_node *const *elements, const struct hlo_node **out);

/* True when the tree and its leaves' types match the shape. */
bool hlo_shape_fits(const hlo_shape *shape, const struct hlo_node *node);

/* The leaf that a path of element numbers leads to. INVALID_ARGUMENT when it leads to none. */
struct error *hlo_shape_at(const hlo_shape *shape, size_t count, const int64_t *path,
                           const hlo_shape **out);

/* Numbers the leaves of a shape from *next on, depth first: `numbers` has each leaf's number plus
 * one under its address. */
void hlo_shape_number(const hlo_shape *shape, struct map *numbers, size_t *next);

#endif
