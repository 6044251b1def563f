#include "compiler/frontend/mosaic/mosaic_type.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_codes.h"
#include "compiler/frontend/bytecode/builtin_dialect.h"

/* ---- text ------------------------------------------------------------------------------------ */
static bool text_has(struct string text, const char *part)
{
    return text.size > 0 && memmem(text.data, text.size, part, strlen(part)) != NULL;
}

/* The keyword, which begins with '<', up to a '>' or a comma. */
static bool has_keyword(struct string text, const char *keyword)
{
    size_t size = strlen(keyword);
    const char *at = text.size ? memmem(text.data, text.size, keyword, size) : NULL;
    return at && at + size < text.data + text.size && (at[size] == '>' || at[size] == ',');
}

static struct string entry_text(const struct mlir_file *file, const struct mlir_entry *entry)
{
    const char *text = (const char *)file->bytes.data + entry->offset;
    return (struct string){.size = strnlen(text, entry->size), .data = text};
}

struct error *mosaic_type_space(struct string text, enum kernel_space *out)
{
    static const struct {
        const char *text;
        enum kernel_space space;
    } spaces[] = {{"<any", KERNEL_ANY},   {"<hbm", KERNEL_HBM},
                  {"<vmem", KERNEL_VMEM}, {"<smem", KERNEL_SMEM},
                  {"<cmem", KERNEL_CMEM}, {"<semaphore_mem", KERNEL_SEMAPHORES},
                  {"<host", KERNEL_HOST}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (has_keyword(text, spaces[i].text)) {
            *out = spaces[i].space;
            return NULL;
        }
    return ERROR(UNIMPLEMENTED,
                 "Mosaic kernel: the memory space \"%.*s\" is unsupported; supported are any, hbm, "
                 "vmem, smem, cmem, semaphore_mem and host",
                 (int)(text.size < 64 ? text.size : 64), text.data);
}

static struct error *read_space(const struct mlir_file *file, size_t index, enum kernel_space *out)
{
    const struct mlir_entry *entry = &file->attrs[index];
    return mosaic_type_space(entry->coded ? (struct string){0, ""} : entry_text(file, entry), out);
}

/* ---- elements -------------------------------------------------------------------------------- */
enum kernel_semaphore mosaic_type_semaphore(struct string text)
{
    return text_has(text, "dma_semaphore")       ? KERNEL_DMA_SEMAPHORE
           : text_has(text, "barrier_semaphore") ? KERNEL_BARRIER_SEMAPHORE
           : text_has(text, "semaphore")         ? KERNEL_REGULAR_SEMAPHORE
                                                 : KERNEL_NO_SEMAPHORE;
}

struct error *mosaic_type_element(const struct mlir_type *type, struct kernel_type *out)
{
    if (type->kind != MLIR_TYPE_ELEMENT || type->dtype == DTYPE_INVALID || type->quantization ||
        dtype_is_complex(type->dtype))
        return ERROR(UNIMPLEMENTED, "Mosaic kernel: elements of type %.64s are unsupported",
                     type->name);
    out->dtype = type->dtype;
    out->is_index = strcmp(type->name, "index") == 0;
    return NULL;
}

static struct error *read_element(struct mlir_file *file, size_t index, struct kernel_type *out)
{
    const struct mlir_entry *entry = &file->types[index];
    const struct mlir_type *type;
    if (!entry->coded)
        out->semaphore = mosaic_type_semaphore(entry_text(file, entry));
    if (out->semaphore != KERNEL_NO_SEMAPHORE)
        return NULL;
    TRY(mlir_entry_type(file, index, &type));
    return mosaic_type_element(type, out);
}

/* ---- shapes ---------------------------------------------------------------------------------- */
struct error *mosaic_type_shape(struct kernel_type *type, struct dims shape)
{
    if (shape.count > KERNEL_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: a type has %lld dimensions; the limit is %d",
                     (long long)shape.count, KERNEL_MAX_RANK);
    type->rank = (int)shape.count;
    type->elements = 1;
    for (int i = 0; i < type->rank; i++) {
        int64_t dim = type->dims[i] = shape.at[i];
        bool is_dynamic = dim == KERNEL_DYNAMIC && type->kind == KERNEL_REF;
        if (is_dynamic || type->elements == KERNEL_DYNAMIC)
            type->elements = KERNEL_DYNAMIC;
        else if (dim < 0 || (dim > 0 && type->elements > KERNEL_MAX_ELEMENTS / dim))
            return ERROR(
                INVALID_ARGUMENT,
                "Mosaic kernel: a dimension of %lld of a type of %d dimensions; sizes must "
                "not be negative, and their product at most 2^32",
                (long long)dim, type->rank);
        else
            type->elements *= dim;
    }
    return NULL;
}

/* A reference: its memory space (an attribute), sizes, element, layout. Layouts are ignored: the
 * strides of a reference follow from how it was made. */
static struct error *read_ref(struct mlir_file *file, struct bytes *in, bool has_space,
                              struct kernel_type *out)
{
    size_t space = has_space ? bytes_index(in, file->attr_count) : 0;
    struct dims shape = mlir_entry_dims(file, in);
    size_t element = bytes_index(in, file->type_count);
    TRY(bytes_error(in, "Mosaic kernel: type"));
    out->kind = KERNEL_REF;
    TRY(read_element(file, element, out));
    TRY(mosaic_type_shape(out, shape));
    out->space = out->semaphore ? KERNEL_SEMAPHORES : KERNEL_ANY;
    return has_space ? read_space(file, space, &out->space) : NULL;
}

static struct error *read_vector(struct mlir_file *file, struct bytes *in, struct kernel_type *out)
{
    struct dims shape = mlir_entry_dims(file, in);
    size_t element = bytes_index(in, file->type_count);
    TRY(bytes_error(in, "Mosaic kernel: type"));
    out->kind = KERNEL_VECTOR;
    TRY(read_element(file, element, out));
    if (out->semaphore != KERNEL_NO_SEMAPHORE)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: a vector of semaphores");
    return mosaic_type_shape(out, shape);
}

static struct error *read(struct mlir_file *file, size_t index, struct kernel_type *out)
{
    const struct mlir_entry *entry = &file->types[index];
    bool is_builtin =
        entry->coded && entry->dialect && strcmp(entry->dialect->name, "builtin") == 0;
    struct bytes in = bytes_part(&file->bytes, entry->offset, entry->size);
    uint64_t code = is_builtin ? bytes_varint(&in) : BUILTIN_TYPE_NONE;
    if (code == BUILTIN_TYPE_MEMREF || code == BUILTIN_TYPE_MEMREF_WITH_SPACE)
        return read_ref(file, &in, code == BUILTIN_TYPE_MEMREF_WITH_SPACE, out);
    if (code == BUILTIN_TYPE_VECTOR)
        return read_vector(file, &in, out);
    out->kind = KERNEL_SCALAR;
    out->elements = 1;
    TRY(read_element(file, index, out));
    if (out->semaphore != KERNEL_NO_SEMAPHORE)
        return ERROR(INVALID_ARGUMENT, "Mosaic kernel: a semaphore is not in memory");
    return NULL;
}

void mosaic_type_start(struct mlir_file *file, struct mosaic_types *out)
{
    out->file = file;
    out->types = ARENA_ARRAY(file->arena, const struct kernel_type *, file->type_count);
}

struct error *mosaic_type_get(struct mosaic_types *types, size_t index,
                              const struct kernel_type **out)
{
    if (!types->types[index]) {
        struct kernel_type *type = ARENA_NEW(types->file->arena, struct kernel_type);
        TRY(read(types->file, index, type));
        types->types[index] = type;
    }
    *out = types->types[index];
    return NULL;
}

struct error *mosaic_type_builtin(struct mlir_file *file, struct bytes *in, uint64_t code,
                                  struct mlir_type *out)
{
    if (code == BUILTIN_TYPE_VECTOR) {
        out->name = "vector";
        return mlir_entry_tensor(file, in, out);
    }
    return builtin_dialect_type(file, in, code, out);
}
