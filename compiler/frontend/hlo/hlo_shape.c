#include "compiler/frontend/hlo/hlo_shape.h"

/* Types without an element type here. */
enum {
    TUPLE = 13,
    OPAQUE = 14,
    TOKEN = 17,
    S1 = 30,
    U1 = 31,
    BUFFER = 34,
    F6E3M2FN = 35,
    F6E2M3FN = 36
};

/* The element types by HLO's number. */
static const enum dtype dtypes[] = {
    [1] = DTYPE_PRED,        [2] = DTYPE_S8,
    [3] = DTYPE_S16,         [4] = DTYPE_S32,
    [5] = DTYPE_S64,         [6] = DTYPE_U8,
    [7] = DTYPE_U16,         [8] = DTYPE_U32,
    [9] = DTYPE_U64,         [10] = DTYPE_F16,
    [11] = DTYPE_F32,        [12] = DTYPE_F64,
    [15] = DTYPE_C64,        [16] = DTYPE_BF16,
    [18] = DTYPE_C128,       [19] = DTYPE_F8E5M2,
    [20] = DTYPE_F8E4M3FN,   [21] = DTYPE_S4,
    [22] = DTYPE_U4,         [23] = DTYPE_F8E4M3B11FNUZ,
    [24] = DTYPE_F8E5M2FNUZ, [25] = DTYPE_F8E4M3FNUZ,
    [26] = DTYPE_S2,         [27] = DTYPE_U2,
    [28] = DTYPE_F8E4M3,     [29] = DTYPE_F8E3M4,
    [32] = DTYPE_F4E2M1FN,   [33] = DTYPE_F8E8M0FNU,
};

static enum dtype dtype_of(const hlo_shape *shape)
{
    int number = shape->element_type, count = sizeof dtypes / sizeof *dtypes;
    return number >= 0 && number < count ? dtypes[number] : DTYPE_INVALID;
}

/* What to say of a type that the IR does not have. */
static const char *name_of_unsupported(int number)
{
    switch (number) {
    case OPAQUE: return " (opaque)";
    case S1: return " (s1): use pred or s2";
    case U1: return " (u1): use pred or u2";
    case BUFFER: return " (a buffer)";
    case F6E3M2FN: return " (f6E3M2FN): use f8E4M3FN, which has its values";
    case F6E2M3FN: return " (f6E2M3FN): use f8E4M3FN, which has its values";
    default: return "";
    }
}

bool hlo_shape_is_tuple(const hlo_shape *shape)
{
    return shape && shape->element_type == TUPLE;
}

struct error *hlo_shape_type(struct arena *arena, const hlo_shape *shape, const struct type **out)
{
    if (!shape || hlo_shape_is_tuple(shape))
        return ERROR(INVALID_ARGUMENT, "a shape is %s; it must be an array",
                     shape ? "a tuple" : "missing");
    if (shape->element_type == TOKEN) {
        *out = type_token(arena);
        return NULL;
    }
    if (dtype_of(shape) == DTYPE_INVALID)
        return ERROR(UNIMPLEMENTED, "element type %d is unsupported%s", shape->element_type,
                     name_of_unsupported(shape->element_type));
    if (shape->n_dimensions > SHAPE_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "a shape has rank %zu; the limit is %d", shape->n_dimensions,
                     SHAPE_MAX_RANK);
    for (size_t i = 0; i < shape->n_dimensions; i++)
        if (shape->dimensions[i] < 0)
            return ERROR(INVALID_ARGUMENT, "dimension %zu has size %lld; sizes must be >= 0", i,
                         (long long)shape->dimensions[i]);
    *out = type_tensor(arena, dtype_of(shape), (int)shape->n_dimensions, shape->dimensions);
    uint32_t bounded = 0;
    for (size_t i = 0; i < shape->n_is_dynamic && i < shape->n_dimensions; i++)
        bounded |= (uint32_t)(shape->is_dynamic[i] != 0) << i;
    if (bounded) {
        struct type *copy = arena_copy(arena, *out, sizeof **out);
        copy->bounded = bounded;
        *out = copy;
    }
    if (type_bytes(*out) < 0)
        return ERROR(INVALID_ARGUMENT, "the size of %s in bytes overflows 63 bits",
                     type_text(arena, *out));
    return NULL;
}

struct error *hlo_shape_types(struct arena *arena, const hlo_shape *shape, hlo_types *types)
{
    if (hlo_shape_is_tuple(shape)) {
        for (size_t i = 0; i < shape->n_elements; i++)
            TRY(hlo_shape_types(arena, shape->elements[i], types));
        return NULL;
    }
    const struct type *type;
    TRY(hlo_shape_type(arena, shape, &type));
    VEC_PUSH(arena, types, type);
    return NULL;
}

/* ---- layouts --------------------------------------------------------------------------------- */

struct error *hlo_shape_layout(struct arena *arena, const hlo_shape *shape, struct dims *out)
{
    size_t rank = shape->n_dimensions;
    int64_t *order = ARENA_ARRAY(arena, int64_t, rank);
    bool declared = shape->layout && shape->layout->n_minor_to_major;
    bool seen[SHAPE_MAX_RANK] = {false};
    if (rank > SHAPE_MAX_RANK || (declared && shape->layout->n_minor_to_major != rank))
        return ERROR(INVALID_ARGUMENT,
                     "a layout has %zu dimensions and its shape %zu; the numbers must be equal and "
                     "at most %d",
                     declared ? shape->layout->n_minor_to_major : 0, rank, SHAPE_MAX_RANK);
    for (size_t i = 0; i < rank; i++) {
        order[i] = declared ? shape->layout->minor_to_major[i] : (int64_t)(rank - 1 - i);
        if (order[i] < 0 || order[i] >= (int64_t)rank || seen[order[i]])
            return ERROR(INVALID_ARGUMENT, "a layout must list each of its %zu dimensions once",
                         rank);
        seen[order[i]] = true;
    }
    *out = (struct dims){(int64_t)rank, order};
    return NULL;
}

bool hlo_shape_is_row_major(struct dims layout)
{
    for (int64_t i = 0; i < layout.count; i++)
        if (layout.at[i] != layout.count - 1 - i)
            return false;
    return true;
}

struct error *hlo_shape_layouts(struct arena *arena, const hlo_shape *shape, hlo_layouts *layouts)
{
    if (hlo_shape_is_tuple(shape)) {
        for (size_t i = 0; i < shape->n_elements; i++)
            TRY(hlo_shape_layouts(arena, shape->elements[i], layouts));
        return NULL;
    }
    struct dims layout;
    TRY(hlo_shape_layout(arena, shape, &layout));
    VEC_PUSH(arena, layouts, layout);
    return NULL;
}

/* ---- trees ----------------------------------------------------------------------------------- */

const struct hlo_node *hlo_shape_leaf(struct arena *arena, struct value *value)
{
    struct hlo_node *node = ARENA_NEW(arena, struct hlo_node);
    node->value = value;
    node->leaves = 1;
    return node;
}

/* Adds the leaves and depth of an element to those of its tuple. */
static void measure(struct hlo_node *node, const struct hlo_node *element)
{
    node->leaves += element->leaves;
    if (element->depth >= node->depth)
        node->depth = element->depth + 1;
}

struct error *hlo_shape_group(struct arena *arena, size_t count,
                              const struct hlo_node *const *elements, const struct hlo_node **out)
{
    struct hlo_node *node = ARENA_NEW(arena, struct hlo_node);
    node->count = count;
    node->elements = arena_copy(arena, elements, count * sizeof(const struct hlo_node *));
    node->depth = 1;
    for (size_t i = 0; i < count; i++) {
        measure(node, elements[i]);
        if (node->leaves > INT32_MAX || node->depth > HLO_SHAPE_MAX_DEPTH)
            return ERROR(INVALID_ARGUMENT,
                         "its tuple has more than %d values or is nested deeper than %d", INT32_MAX,
                         HLO_SHAPE_MAX_DEPTH);
    }
    *out = node;
    return NULL;
}

const struct hlo_node *hlo_shape_node(struct arena *arena, const hlo_shape *shape,
                                      struct value **values, size_t *at)
{
    if (!hlo_shape_is_tuple(shape))
        return hlo_shape_leaf(arena, values[(*at)++]);
    struct hlo_node *node = ARENA_NEW(arena, struct hlo_node);
    node->count = shape->n_elements;
    node->elements = ARENA_ARRAY(arena, const struct hlo_node *, node->count);
    node->depth = 1;
    for (size_t i = 0; i < node->count; i++) {
        node->elements[i] = hlo_shape_node(arena, shape->elements[i], values, at);
        measure(node, node->elements[i]);
    }
    return node;
}

static bool leaf_fits(const hlo_shape *shape, const struct type *type)
{
    if (type->kind != TYPE_TENSOR)
        return shape->element_type == TOKEN;
    if (type->shape.dtype != dtype_of(shape) || (size_t)type->shape.rank != shape->n_dimensions)
        return false;
    for (int i = 0; i < type->shape.rank; i++)
        if (type->shape.dims[i] != shape->dimensions[i])
            return false;
    return true;
}

bool hlo_shape_fits(const hlo_shape *shape, const struct hlo_node *node)
{
    if (!shape || hlo_shape_is_tuple(shape) == (node->value != NULL))
        return false;
    if (node->value)
        return leaf_fits(shape, node->value->type);
    if (node->count != shape->n_elements)
        return false;
    for (size_t i = 0; i < node->count; i++)
        if (!hlo_shape_fits(shape->elements[i], node->elements[i]))
            return false;
    return true;
}

struct error *hlo_shape_at(const hlo_shape *shape, size_t count, const int64_t *path,
                           const hlo_shape **out)
{
    for (size_t i = 0; i < count; i++) {
        if (!hlo_shape_is_tuple(shape) || path[i] < 0 || (uint64_t)path[i] >= shape->n_elements)
            return ERROR(INVALID_ARGUMENT,
                         "index %zu of a path into a shape is %lld; there is no such "
                         "element",
                         i, (long long)path[i]);
        shape = shape->elements[path[i]];
    }
    if (hlo_shape_is_tuple(shape))
        return ERROR(INVALID_ARGUMENT,
                     "a path of %zu indices ends at a tuple; it must end at an array", count);
    *out = shape;
    return NULL;
}

void hlo_shape_number(const hlo_shape *shape, struct map *numbers, size_t *next)
{
    if (!hlo_shape_is_tuple(shape)) {
        map_put_pointer(numbers, shape, (void *)(uintptr_t)++*next);
        return;
    }
    for (size_t i = 0; i < shape->n_elements; i++)
        hlo_shape_number(shape->elements[i], numbers, next);
}
