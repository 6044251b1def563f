#include "compiler/frontend/hlo/hlo_dynamic.h"

#include <string.h>

#include "compiler/ir/build.h"

bool hlo_dynamic_is_set_size(const hlo_instruction *in)
{
    bool dynamic = false;
    for (size_t i = 0; in->shape && i < in->shape->n_is_dynamic; i++)
        dynamic |= in->shape->is_dynamic[i];
    return dynamic && strcmp(in->opcode, "set-dimension-size") == 0;
}

struct error *hlo_dynamic_set_size(struct hlo_frame *f, const hlo_instruction *in,
                                   const struct hlo_node **out)
{
    const struct hlo_node *from, *size;
    TRY(hlo_body_node(f, in, 0, &from));
    TRY(hlo_body_operand(f, in, 1, &size));
    const struct type *type = from->value ? from->value->type : NULL;
    int64_t dim = in->n_dimensions == 1 ? in->dimensions[0] : -1;
    if (!type || type->kind != TYPE_TENSOR || dim < 0 || dim >= type->shape.rank || !size->value ||
        size->value->type->shape.rank != 0 || size->value->type->shape.dtype != DTYPE_S32)
        return ERROR(INVALID_ARGUMENT,
                     "must have an array, one of its dimensions and a scalar size of type s32");
    struct hlo_node *node = ARENA_NEW(f->hlo->arena, struct hlo_node);
    struct value **sizes = ARENA_ARRAY(f->hlo->arena, struct value *, (size_t)type->shape.rank);
    for (int i = 0; i < type->shape.rank; i++)
        sizes[i] = i == dim ? size->value : from->sizes ? from->sizes[i] : NULL;
    *node = (struct hlo_node){.value = from->value, .leaves = 1, .sizes = sizes};
    *out = node;
    return NULL;
}

/* ---- scatter --------------------------------------------------------------------------------- */

static bool contains(const int64_t *list, size_t count, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

/* Sets the indices at positions >= `size` along a dimension to -1 (or the largest unsigned number),
 * which is out of bounds. */
static struct value *mask_beyond(struct builder *b, struct value *indices, int64_t dim,
                                 struct value *size)
{
    const struct type *type = type_with_dtype(b->module->arena, indices->type, DTYPE_S32);
    union attrs attrs = {.iota = {.iota_dimension = dim}};
    struct value *position = build_declared(b, OP_iota, 0, NULL, type, &attrs);
    struct value *sizes = build_broadcast(b, size, type, 0, NULL);
    struct value *inside = build_compare(b, COMPARE_LT, position, sizes);
    struct value *out_of_bounds = build_unary(b, OP_not, build_splat(b, indices->type, 0));
    return build_select(b, inside, indices, out_of_bounds);
}

/* The dimension of the indices that corresponds to dimension `dim` of the updates; -1 for a window
 * dimension. */
static int64_t dimension_of_indices(const hlo_instruction *in, int64_t dim)
{
    const Gantry__Hlo__ScatterNumbers *numbers = in->scatter;
    int64_t number = 0;
    if (contains(numbers->update_window_dims, numbers->n_update_window_dims, dim))
        return -1;
    for (int64_t i = 0; i < dim; i++)
        number += !contains(numbers->update_window_dims, numbers->n_update_window_dims, i);
    return number >= numbers->index_vector_dim ? number + 1 : number;
}

static struct error *mask_all(struct hlo_frame *f, const hlo_instruction *in, bool updates,
                              const struct hlo_node *sized, struct value **indices)
{
    struct builder b = {f->hlo->module, f->block, NULL, hlo_module_location(f->hlo, in)};
    for (int i = 0; sized->sizes && i < sized->value->type->shape.rank; i++) {
        int64_t dim = updates ? dimension_of_indices(in, i) : i;
        if (!sized->sizes[i])
            continue;
        if (dim < 0 || dim >= (*indices)->type->shape.rank || dim == in->scatter->index_vector_dim)
            return ERROR(UNIMPLEMENTED,
                         "window dimension %d has a dynamic size; only batch dimensions may", i);
        *indices = mask_beyond(&b, *indices, dim, sized->sizes[i]);
    }
    return NULL;
}

struct error *hlo_dynamic_scatter_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                                          const struct hlo_node **out)
{
    size_t inputs = in->n_operands / 2; /* then the indices, then an update for each input */
    const struct hlo_node *node, *update;
    if (i < inputs || !in->scatter)
        return hlo_body_operand(f, in, i, out);
    TRY(hlo_body_node(f, in, i, &node));
    *out = node->value ? hlo_shape_leaf(f->hlo->arena, node->value) : node;
    if (i > inputs || !node->value)
        return NULL;
    if (in->scatter->n_update_window_dims > SHAPE_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "has %zu window dimensions; the limit is %d",
                     in->scatter->n_update_window_dims, SHAPE_MAX_RANK);
    struct value *indices = node->value;
    TRY(mask_all(f, in, false, node, &indices));
    for (size_t k = inputs + 1; k < in->n_operands; k++) {
        TRY(hlo_body_node(f, in, k, &update));
        TRY(mask_all(f, in, true, update, &indices));
    }
    *out = hlo_shape_leaf(f->hlo->arena, indices);
    return NULL;
}
