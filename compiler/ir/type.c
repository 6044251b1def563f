#include "compiler/ir/type.h"

#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "compiler/ir/sharding.h"

static const int64_t *intern_dims(struct arena *arena, int rank, const int64_t *dims)
{
    return INTERN_ARRAY(arena, int64_t, dims, rank);
}

static const struct type *intern(struct arena *arena, const struct type *type)
{
    return INTERN_ARRAY(arena, struct type, type, 1);
}

const struct type *type_tensor(struct arena *arena, enum dtype dtype, int rank, const int64_t *dims)
{
    struct type type;
    memset(&type, 0, sizeof type);
    type.kind = TYPE_TENSOR;
    type.shape.dtype = dtype;
    type.shape.rank = rank;
    type.shape.dims = intern_dims(arena, rank, dims);
    return intern(arena, &type);
}

const struct type *type_scalar(struct arena *arena, enum dtype dtype)
{
    static const int64_t none;
    return type_tensor(arena, dtype, 0, &none);
}

const struct type *type_token(struct arena *arena)
{
    struct type type;
    memset(&type, 0, sizeof type);
    type.kind = TYPE_TOKEN;
    type.shape.dtype = DTYPE_TOKEN;
    return intern(arena, &type);
}

const struct type *type_tuple(struct arena *arena, int count, const struct type *const *elements)
{
    struct type *type = ARENA_NEW(arena, struct type);
    type->kind = TYPE_TUPLE;
    type->element_count = count;
    type->elements = arena_copy(arena, elements, (size_t)count * sizeof *elements);
    return type;
}

const struct type *type_with_dtype(struct arena *arena, const struct type *type, enum dtype dtype)
{
    struct type copy = *type;
    copy.shape.dtype = dtype;
    copy.quantization = NULL;
    return intern(arena, &copy);
}

const struct type *type_with_dims(struct arena *arena, const struct type *type, int rank,
                                  const int64_t *dims)
{
    struct type copy = *type;
    copy.shape.rank = rank;
    copy.shape.dims = intern_dims(arena, rank, dims);
    copy.shape.minor_to_major = NULL;
    copy.shape.tile_count = 0;
    copy.sharding = NULL;
    if (type->quantization && type->quantization->axis >= 0)
        copy.quantization = NULL;
    return intern(arena, &copy);
}

const struct type *type_with_sharding(struct arena *arena, const struct type *type,
                                      const struct sharding *sharding)
{
    struct type copy = *type;
    copy.sharding = sharding;
    return intern(arena, &copy);
}

bool type_is_dynamic(const struct type *type)
{
    for (int i = 0; type->kind == TYPE_TENSOR && i < type->shape.rank; i++)
        if (type->shape.dims[i] == SHAPE_DYNAMIC)
            return true;
    return false;
}

const struct type *type_with_sizes(struct arena *arena, const struct type *type,
                                   const int64_t *dims)
{
    struct type copy = *type;
    copy.shape.dims = intern_dims(arena, type->shape.rank, dims);
    return intern(arena, &copy);
}

const struct type *type_with_memory(struct arena *arena, const struct type *type,
                                    enum memory_kind memory)
{
    if (type->shape.memory == memory)
        return type;
    struct type copy = *type;
    copy.shape.memory = memory;
    return intern(arena, &copy);
}

const struct type *type_plain(struct arena *arena, const struct type *type)
{
    const struct shape *shape = &type->shape;
    if (!type->sharding && !shape->minor_to_major && !shape->tile_count &&
        shape->memory == MEMORY_DEVICE)
        return type;
    struct type plain = *type;
    plain.sharding = NULL;
    plain.shape.minor_to_major = NULL;
    plain.shape.tile_count = 0;
    plain.shape.tiles = NULL;
    plain.shape.memory = MEMORY_DEVICE;
    return intern(arena, &plain);
}

const struct type *type_without_layout(struct arena *arena, const struct type *type)
{
    if (!type->shape.minor_to_major && !type->shape.tile_count)
        return type;
    struct type copy = *type;
    copy.shape = shape_without_layout(&type->shape);
    return intern(arena, &copy);
}

const struct type *type_stored(struct arena *arena, const struct type *type)
{
    int64_t dims[SHAPE_MAX_RANK];
    int rank = type->shape.rank;
    if (type->kind != TYPE_TENSOR || shape_is_row_major(&type->shape))
        return type;
    for (int i = 0; i < rank; i++)
        dims[i] = type->shape.dims[shape_minor_to_major(&type->shape, rank - 1 - i)];
    return type_with_dims(arena, type, rank, dims);
}

int type_innermost(const struct type *type)
{
    int last = type->shape.rank - 1;
    while (last > 0 && type->shape.dims[last] == 1)
        last--;
    return last;
}

int64_t type_elements(const struct type *type)
{
    return type->kind == TYPE_TUPLE || type->kind == TYPE_TOKEN ? 0 : shape_elements(&type->shape);
}

void type_strides(const struct type *type, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = type->shape.rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= type->shape.dims[i];
    }
}

static int64_t tuple_bytes(const struct type *type)
{
    int64_t sum = 0;
    for (int i = 0; i < type->element_count; i++) {
        int64_t bytes = type_bytes(type->elements[i]);
        if (bytes < 0 || __builtin_add_overflow(sum, bytes, &sum))
            return -1;
    }
    return sum;
}

int64_t type_bytes(const struct type *type)
{
    if (type->kind == TYPE_TUPLE)
        return tuple_bytes(type);
    return type->kind == TYPE_TOKEN ? 0 : shape_bytes(&type->shape);
}

bool type_same_shape(const struct type *a, const struct type *b)
{
    return shape_same_dims(&a->shape, &b->shape);
}

static bool quantization_equal(const struct quantization *a, const struct quantization *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->expressed != b->expressed || a->axis != b->axis ||
        a->storage_min != b->storage_min || a->storage_max != b->storage_max ||
        a->scale_count != b->scale_count)
        return false;
    size_t count = (size_t)a->scale_count;
    return !memcmp(a->scales, b->scales, count * sizeof *a->scales) &&
           !memcmp(a->zero_points, b->zero_points, count * sizeof *a->zero_points);
}

bool type_same(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == TYPE_TOKEN)
        return true;
    if (a->kind != TYPE_TUPLE)
        return a->shape.dtype == b->shape.dtype && type_same_shape(a, b) &&
               quantization_equal(a->quantization, b->quantization);
    if (a->element_count != b->element_count)
        return false;
    for (int i = 0; i < a->element_count; i++)
        if (!type_same(a->elements[i], b->elements[i]))
            return false;
    return true;
}

bool type_equal(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (!type_same(a, b) || !shape_equal(&a->shape, &b->shape) ||
        !sharding_equal(a->sharding, b->sharding))
        return false;
    for (int i = 0; i < a->element_count; i++)
        if (!type_equal(a->elements[i], b->elements[i]))
            return false;
    return true;
}

static void print_quantized(const struct type *type, struct text *out)
{
    const struct quantization *q = type->quantization;
    text_add(out, "!quant.uniform<%s<%" PRId64 ":%" PRId64 ">:%s",
             dtype_info(type->shape.dtype)->mlir, q->storage_min, q->storage_max,
             dtype_info(q->expressed)->mlir);
    if (q->axis >= 0)
        text_add(out, ":%d", q->axis);
    text_add(out, ", %s", q->axis >= 0 ? "{" : "");
    for (int i = 0; i < q->scale_count; i++) {
        text_add(out, "%s%.17g", i ? "," : "", q->scales[i]);
        if (q->zero_points[i])
            text_add(out, ":%" PRId64, q->zero_points[i]);
    }
    text_add(out, "%s>", q->axis >= 0 ? "}" : "");
}

void type_print(const struct type *type, struct text *out)
{
    if (type->kind == TYPE_TOKEN) {
        text_add(out, "!stablehlo.token");
        return;
    }
    if (type->kind == TYPE_TUPLE) {
        text_add(out, "tuple<");
        for (int i = 0; i < type->element_count; i++) {
            text_add(out, "%s", i ? ", " : "");
            type_print(type->elements[i], out);
        }
        text_add(out, ">");
        return;
    }
    text_add(out, "tensor<");
    for (int i = 0; i < type->shape.rank; i++) {
        if (type->shape.dims[i] == SHAPE_DYNAMIC)
            text_add(out, "?x");
        else
            text_add(out, "%" PRId64 "x", type->shape.dims[i]);
    }
    if (type->quantization)
        print_quantized(type, out);
    else
        text_add(out, "%s", dtype_info(type->shape.dtype)->mlir);
    if (type->shape.memory != MEMORY_DEVICE)
        text_add(out, ", \"%s\"", memory_kind_name(type->shape.memory));
    text_add(out, ">");
}

char *type_text(struct arena *arena, const struct type *type)
{
    struct text text = {0};
    if (type)
        type_print(type, &text);
    else
        text_add(&text, "no type");
    /* arena_string() may not return (out of memory), so the text's heap memory is freed first. */
    char small[512];
    size_t size = text.size < sizeof small ? text.size : sizeof small;
    memcpy(small, text.data ? text.data : "", text.data ? size : 0);
    text_free(&text);
    return arena_string(arena, small, text.failed ? 0 : size);
}
