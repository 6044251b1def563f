/* hlo_shape.h: HLO's shapes as types, and its tuples. The IR has no tuples between operations, so
 * what an instruction gives is a tree (struct hlo_node) whose leaves are values, and whoever takes
 * it takes the leaves in order. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_SHAPE_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_SHAPE_H

#include "base/vec.h"
#include "compiler/frontend/hlo/hlo.pb-c.h"
#include "compiler/ir/ir.h"

typedef Gantry__Hlo__Shape hlo_shape;

struct hlo_node {        /* immutable once made; nodes may be parts of several others */
    struct value *value; /* NULL: a tuple */
    size_t count;
    const struct hlo_node **elements;
    struct value **sizes; /* a value's, by dimension: those known at run time only; NULL: none */
};

typedef VEC(const struct type *) hlo_types;
typedef VEC(struct value *) hlo_values;

bool hlo_shape_is_tuple(const hlo_shape *shape);

/* The type of an array or token; INVALID_ARGUMENT for tuples and shapes that cannot be,
 * UNIMPLEMENTED for dynamic sizes and element types that are not served. NULL is no shape. */
struct error *hlo_shape_type(struct arena *arena, const hlo_shape *shape, const struct type **out);

/* Appends the types of a shape's leaves, depth first. */
struct error *hlo_shape_types(struct arena *arena, const hlo_shape *shape, hlo_types *types);

/* The layouts of a shape's leaves (see hlo_shape_layout), depth first: appended. */
typedef VEC(struct dims) hlo_layouts;
struct error *hlo_shape_layouts(struct arena *arena, const hlo_shape *shape, hlo_layouts *layouts);

/* An array's dimensions from minor to major; a shape that says nothing is row-major.
 * INVALID_ARGUMENT when they are no permutation. */
struct error *hlo_shape_layout(struct arena *arena, const hlo_shape *shape, struct dims *out);
bool hlo_shape_is_row_major(struct dims layout);

/* The tree of a shape over its leaves' values: takes them from *values and moves it on. */
const struct hlo_node *hlo_shape_node(struct arena *arena, const hlo_shape *shape,
                                      struct value **values, size_t *at);

/* A leaf. */
const struct hlo_node *hlo_shape_leaf(struct arena *arena, struct value *value);

/* Appends a tree's leaves. */
void hlo_shape_flatten(struct arena *arena, const struct hlo_node *node, hlo_values *values);

/* True when the tree and its leaves' types are as the shape says. */
bool hlo_shape_fits(const hlo_shape *shape, const struct hlo_node *node);

/* The position among the leaves of the one that a path of element numbers leads to. */
struct error *hlo_shape_leaf_index(const hlo_shape *shape, size_t count, const int64_t *path,
                                   int64_t *out);
int64_t hlo_shape_leaf_count(const hlo_shape *shape);

#endif
