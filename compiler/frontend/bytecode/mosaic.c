#include "compiler/frontend/bytecode/mosaic.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_codes.h"
#include "compiler/frontend/bytecode/builtin_dialect.h"

/* ---- the configuration ----------------------------------------------------------------------- */
/* The text of the string "body" in JSON; its letters are those of base64. */
static bool find_body(struct string config, struct string *out)
{
    static const char key[] = "\"body\"";
    const char *end = config.data + config.size;
    const char *at = config.size ? memmem(config.data, config.size, key, sizeof key - 1) : NULL;
    if (!at)
        return false;
    for (at += sizeof key - 1; at < end && (*at == ' ' || *at == ':'); at++)
        ;
    if (at == end || *at++ != '"')
        return false;
    const char *close = memchr(at, '"', (size_t)(end - at));
    *out = (struct string){.data = at, .size = close ? (size_t)(close - at) : 0};
    return close != NULL;
}

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decode_base64(struct arena *arena, struct string text, struct string *out)
{
    uint8_t *bytes = ARENA_ARRAY(arena, uint8_t, text.size / 4 * 3 + 3);
    size_t size = 0;
    uint32_t word = 0;
    int bits = 0;
    for (size_t i = 0; i < text.size && text.data[i] != '='; i++) {
        int digit = digit_of(text.data[i]);
        if (digit < 0)
            return false;
        word = word << 6 | (uint32_t)digit;
        if ((bits += 6) >= 8)
            bytes[size++] = (uint8_t)(word >> (bits -= 8));
    }
    *out = (struct string){.data = (const char *)bytes, .size = size};
    return true;
}

/* ---- types ----------------------------------------------------------------------------------- */
/* The memory space of a memref, "#tpu.memory_space<vmem>" as text, becomes the type's name. */
static const char *space_name(const struct mlir_file *file, size_t index)
{
    const struct mlir_entry *entry = &file->attrs[index];
    const char *text = (const char *)file->bytes.data + entry->offset;
    if (entry->coded)
        return "";
    return memmem(text, entry->size, "<vmem>", 6)   ? "vmem"
           : memmem(text, entry->size, "<smem>", 6) ? "smem"
                                                    : "";
}

static struct error *read_memref(struct mlir_file *file, struct bytes *in, bool has_space,
                                 struct mlir_type *out)
{
    const struct mlir_type *element;
    size_t space = has_space ? bytes_index(in, file->attr_count) : 0;
    struct dims shape = mlir_entry_dims(file, in);
    TRY(mlir_entry_type_field(file, in, &element));
    in->at = in->end; /* the layout */
    TRY(bytes_error(in, "Mosaic kernel"));
    out->name = has_space ? space_name(file, space) : "";
    if (element->kind != MLIR_TYPE_ELEMENT || element->dtype == DTYPE_INVALID ||
        shape.count > SHAPE_MAX_RANK)
        return NULL; /* semaphores */
    for (int64_t i = 0; i < shape.count; i++)
        if (shape.at[i] < 0)
            return NULL; /* of a dynamic size */
    out->kind = MLIR_TYPE_VALUE;
    out->type = type_tensor(file->arena, element->dtype, (int)shape.count, shape.at);
    return NULL;
}

static struct error *read_type(struct mlir_file *file, struct bytes *in, uint64_t code,
                               struct mlir_type *out)
{
    if (code == BUILTIN_TYPE_MEMREF || code == BUILTIN_TYPE_MEMREF_WITH_SPACE)
        return read_memref(file, in, code == BUILTIN_TYPE_MEMREF_WITH_SPACE, out);
    return builtin_dialect_type(file, in, code, out);
}

/* ---- the kernel ------------------------------------------------------------------------------ */
static void add_inputs(const struct mlir_type *function, struct mosaic_kernel *out)
{
    for (size_t i = 0; i < function->inputs.count; i++) {
        const struct mlir_type *input = function->inputs.at[i];
        int64_t bytes = input->kind == MLIR_TYPE_VALUE ? shape_bytes(&input->type->shape) : -1;
        if (bytes < 0)
            continue;
        int64_t *sum = !strcmp(input->name, "vmem")   ? &out->vmem_bytes
                       : !strcmp(input->name, "smem") ? &out->smem_bytes
                                                      : NULL;
        if (sum && __builtin_add_overflow(*sum, bytes, sum))
            *sum = INT64_MAX;
    }
}

/* The properties of a function are a dictionary with its name and type. The kernel is the function
 * with the most memory; the others compute which blocks it works on. */
static void consider(const struct mlir_attr *attr, struct mosaic_kernel *out)
{
    struct mosaic_kernel found = {0};
    if (attr->kind != MLIR_DICT)
        return;
    const struct mlir_attr *name = mlir_attr_lookup(attr, "sym_name");
    const struct mlir_attr *type = mlir_attr_lookup(attr, "function_type");
    if (!name || name->kind != MLIR_STRING || !type || type->kind != MLIR_TYPE ||
        type->type->kind != MLIR_TYPE_FUNCTION)
        return;
    found.name = name->string;
    add_inputs(type->type, &found);
    if (!out->name.size || found.vmem_bytes + found.smem_bytes > out->vmem_bytes + out->smem_bytes)
        *out = found;
}

struct error *mosaic_read(struct arena *arena, struct string config, struct mosaic_kernel *out)
{
    static const struct mlir_dialect dialects[] = {
        {.name = "builtin", .attr = builtin_dialect_attr, .type = read_type}, {.name = NULL}};
    struct string body, bytes;
    struct mlir_file *file;
    *out = (struct mosaic_kernel){0};
    if (!find_body(config, &body) || !decode_base64(arena, body, &bytes))
        return ERROR(INVALID_ARGUMENT, "the configuration has no kernel in base64");
    TRY(mlir_file_read(arena, bytes.data, bytes.size, dialects, &file));
    for (size_t i = 0; i < file->attr_count; i++) {
        struct mlir_attr *attr;
        struct error *error = mlir_entry_attr(file, i, &attr);
        if (!error)
            consider(attr, out);
        error_free(error); /* attributes that are not needed */
    }
    return NULL;
}
