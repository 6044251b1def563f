#include "compiler/frontend/mosaic/mosaic_attr.h"

#include <string.h>

#include "compiler/frontend/mosaic/mosaic_dot.h"
#include "compiler/frontend/mosaic/mosaic_type.h"

static struct error *wrong(const char *name, const char *expected)
{
    return ERROR(INVALID_ARGUMENT, "the attribute %s must be %s", name, expected);
}

/* ---- values ---------------------------------------------------------------------------------- */
static struct error *ints_of_array(struct arena *arena, const struct mlir_attr *attr,
                                   const char *name, struct dims *out)
{
    int64_t *numbers = ARENA_ARRAY(arena, int64_t, attr->array.count);
    for (size_t i = 0; i < attr->array.count; i++) {
        const struct mlir_attr *item = attr->array.at[i];
        if (item->kind != MLIR_INTEGER && item->kind != MLIR_BOOL)
            return wrong(name, "a list of integers");
        numbers[i] = item->integer;
    }
    *out = (struct dims){.count = (int64_t)attr->array.count, .at = numbers};
    return NULL;
}

struct error *mosaic_attr_ints(struct arena *arena, struct mlir_attr *attr, const char *name,
                               struct dims *out)
{
    const struct dims *ints;
    *out = (struct dims){0};
    if (!attr)
        return NULL;
    if (attr->kind == MLIR_ARRAY)
        return ints_of_array(arena, attr, name, out);
    if (attr->kind != MLIR_LITERAL)
        return wrong(name, "a list of integers");
    TRY(mlir_attr_ints(arena, attr, &ints));
    *out = *ints;
    return NULL;
}

struct string mosaic_attr_keyword(const struct mlir_attr *attr)
{
    struct string none = {0, ""};
    if (!attr || attr->kind != MLIR_OTHER || !attr->string.data)
        return none;
    const char *text = attr->string.data, *end = text + attr->string.size;
    const char *open = memchr(text, '<', attr->string.size);
    const char *close = open ? memrchr(open, '>', (size_t)(end - open)) : NULL;
    return close ? (struct string){(size_t)(close - open - 1), open + 1} : none;
}

bool mosaic_attr_is(const struct mlir_attr *attr, const char *keyword)
{
    struct string found = mosaic_attr_keyword(attr);
    return found.size == strlen(keyword) && memcmp(found.data, keyword, found.size) == 0;
}

/* The kinds of vector.multi_reduction ("add"), and of tpu's reductions ("sum"). */
static struct error *read_REDUCTION(struct arena *arena, const struct mlir_attr *attr,
                                    const char *name, enum kernel_reduction *out)
{
    static const struct {
        const char *name;
        enum kernel_reduction kind;
    } kinds[] = {{"add", KERNEL_REDUCE_ADD},
                 {"sum", KERNEL_REDUCE_ADD},
                 {"mul", KERNEL_REDUCE_MUL},
                 {"minsi", KERNEL_REDUCE_MIN},
                 {"maxsi", KERNEL_REDUCE_MAX},
                 {"minimumf", KERNEL_REDUCE_MIN},
                 {"maximumf", KERNEL_REDUCE_MAX},
                 {"min", KERNEL_REDUCE_MIN},
                 {"max", KERNEL_REDUCE_MAX},
                 {"minf", KERNEL_REDUCE_MIN},
                 {"maxf", KERNEL_REDUCE_MAX},
                 {"minui", KERNEL_REDUCE_MIN_UNSIGNED},
                 {"maxui", KERNEL_REDUCE_MAX_UNSIGNED},
                 {"minnumf", KERNEL_REDUCE_MIN_NUMBER},
                 {"maxnumf", KERNEL_REDUCE_MAX_NUMBER},
                 {"and", KERNEL_REDUCE_AND},
                 {"or", KERNEL_REDUCE_OR},
                 {"xor", KERNEL_REDUCE_XOR},
                 {"arg_max", KERNEL_REDUCE_ARGMAX},
                 {"arg_min", KERNEL_REDUCE_ARGMIN}};
    (void)arena;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (mosaic_attr_is(attr, kinds[i].name)) {
            *out = kinds[i].kind;
            return NULL;
        }
    return wrong(name, "the kind of a reduction that is supported");
}

static struct error *read_INT(struct arena *arena, const struct mlir_attr *attr, const char *name,
                              int64_t *out)
{
    (void)arena;
    if (attr->kind != MLIR_INTEGER && attr->kind != MLIR_BOOL)
        return wrong(name, "an integer");
    *out = attr->integer;
    return NULL;
}

static struct error *read_INTS(struct arena *arena, struct mlir_attr *attr, const char *name,
                               struct dims *out)
{
    return mosaic_attr_ints(arena, attr, name, out);
}

static struct error *read_FLAG(struct arena *arena, const struct mlir_attr *attr, const char *name,
                               bool *out)
{
    (void)arena;
    *out = attr->kind == MLIR_UNIT || attr->integer != 0;
    return attr->kind == MLIR_BOOL || attr->kind == MLIR_UNIT || attr->kind == MLIR_INTEGER
               ? NULL
               : wrong(name, "true or false");
}

static struct error *read_FORMAT(struct arena *arena, const struct mlir_attr *attr,
                                 const char *name, bool *out)
{
    (void)arena;
    *out = mosaic_attr_is(attr, "interleaved");
    return *out || mosaic_attr_is(attr, "compressed") ? NULL
                                                      : wrong(name, "interleaved or compressed");
}

static struct error *read_ROUNDING(struct arena *arena, const struct mlir_attr *attr,
                                   const char *name, bool *out)
{
    (void)arena;
    *out = mosaic_attr_is(attr, "towards_zero");
    return *out || mosaic_attr_is(attr, "to_nearest_even")
               ? NULL
               : wrong(name, "towards_zero or to_nearest_even");
}

static struct error *read_DTYPE(struct arena *arena, const struct mlir_attr *attr, const char *name,
                                enum dtype *out)
{
    (void)arena;
    if (attr->kind != MLIR_TYPE || attr->type->kind != MLIR_TYPE_ELEMENT)
        return wrong(name, "the type of an element");
    *out = attr->type->dtype;
    return NULL;
}

static struct error *read_SPACE(struct arena *arena, const struct mlir_attr *attr, const char *name,
                                enum kernel_space *out)
{
    (void)arena;
    return attr->kind == MLIR_OTHER && attr->string.data ? mosaic_type_space(attr->string, out)
                                                         : wrong(name, "a memory space");
}

static struct error *read_TEXT(struct arena *arena, const struct mlir_attr *attr, const char *name,
                               const char **out)
{
    if (attr->kind != MLIR_STRING)
        return wrong(name, "a string");
    *out = arena_string(arena, attr->string.data, attr->string.size);
    return NULL;
}

/* ---- constants ------------------------------------------------------------------------------- */
static void set_constant(struct arena *arena, enum dtype dtype, double real, int64_t integer,
                         struct kernel_attrs *out)
{
    int64_t *bytes = ARENA_NEW(arena, int64_t);
    out->constant = bytes;
    out->constant_bytes = (size_t)dtype_bytes(dtype);
    if (dtype_is_float(dtype))
        dtype_from_double(dtype, real, bytes);
    else
        memcpy(bytes, &integer, out->constant_bytes); /* little-endian: the low bytes */
}

static struct error *read_constant(struct arena *arena, const struct mlir_attr *attr,
                                   struct kernel_attrs *out)
{
    if (!attr)
        return wrong("value", "given");
    if (attr->kind == MLIR_LITERAL) {
        const struct shape *shape = &attr->literal->type->shape;
        out->constant = attr->literal->bytes;
        out->constant_bytes =
            attr->literal->splat ? (size_t)dtype_bytes(shape->dtype) : (size_t)shape_bytes(shape);
        return NULL;
    }
    if (attr->kind != MLIR_INTEGER && attr->kind != MLIR_BOOL && attr->kind != MLIR_REAL)
        return wrong("value", "a number or dense elements");
    enum dtype dtype = attr->kind == MLIR_BOOL ? DTYPE_PRED : attr->dtype;
    bool is_real = attr->kind == MLIR_REAL;
    set_constant(arena, dtype, is_real ? attr->real : 0, is_real ? 0 : attr->integer, out);
    return NULL;
}

/* ---- dictionaries ---------------------------------------------------------------------------- */
static struct error *read_pair(struct arena *arena, struct string name, struct mlir_attr *value,
                               struct kernel_attrs *out)
{
#define MOSAIC_ATTR(text, FORM, field)                                                             \
    if (name.size == sizeof text - 1 && memcmp(name.data, text, sizeof text - 1) == 0)             \
        return read_##FORM(arena, value, text, &out->field);
#include "compiler/frontend/mosaic/mosaic_attrs.def"
#undef MOSAIC_ATTR
    return NULL;
}

struct error *mosaic_attr_convert(struct arena *arena, enum kernel_code code,
                                  const struct mlir_attr *dict, struct kernel_attrs *out)
{
    *out = (struct kernel_attrs){.count_axis = -1};
    if (code == KERNEL_CONSTANT)
        return read_constant(arena, mlir_attr_lookup(dict, "value"), out);
    if (code == KERNEL_MATMUL)
        TRY(mosaic_dot_read(arena, dict, &out->dot));
    if (code == KERNEL_CONTRACT)
        TRY(mosaic_dot_contract(arena, dict, &out->dot));
    for (size_t i = 0; dict && i < dict->dict.count; i++)
        TRY(read_pair(arena, dict->dict.names[i], dict->dict.values[i], out));
    return NULL;
}
