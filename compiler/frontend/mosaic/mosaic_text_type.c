#include "compiler/frontend/mosaic/mosaic_text_type.h"

#include <string.h>

#include "compiler/frontend/mosaic/mosaic_type.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_type.h"

static struct error *read_element(struct mlir_parser *p, struct kernel_type *out)
{
    const struct mlir_type *type;
    size_t offset = p->lex.start;
    TRY(mlir_text_type_read(p, &type));
    if (type->kind == MLIR_TYPE_OTHER)
        out->semaphore = mosaic_type_semaphore((struct string){strlen(type->name), type->name});
    if (out->semaphore != KERNEL_NO_SEMAPHORE && out->kind == KERNEL_REF)
        return NULL;
    return mlir_lex_with_position(&p->lex, offset, mosaic_type_element(type, out));
}

/* "<8x128xf32" of a vector or a reference */
static struct error *read_shaped(struct mlir_parser *p, struct kernel_type *out)
{
    int64_t dims[SHAPE_MAX_RANK], count;
    size_t offset = p->lex.start;
    mlir_lex_next(&p->lex);
    TRY(mlir_text_type_dims(p, dims, &count));
    TRY(read_element(p, out));
    return mlir_lex_with_position(&p->lex, offset,
                                  mosaic_type_shape(out, (struct dims){count, dims}));
}

/* A layout or the memory space. Layouts are ignored: the strides of a reference follow from how it
 * was made. */
static struct error *read_memref_attribute(struct mlir_parser *p, struct kernel_type *out)
{
    struct mlir_attr *attr;
    size_t offset = p->lex.start;
    TRY(mlir_text_attr_read(p, &attr));
    if (attr->kind != MLIR_OTHER)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                              "%s as the layout or memory space of a reference is unsupported",
                              attr->name);
    if (strcmp(attr->name, "#tpu.memory_space") != 0)
        return NULL;
    return mlir_lex_with_position(&p->lex, offset, mosaic_type_space(attr->string, &out->space));
}

struct error *mosaic_text_type(struct mlir_parser *p, const struct kernel_type **out)
{
    struct kernel_type *type = ARENA_NEW(p->arena, struct kernel_type);
    bool is_ref = mlir_lex_is_word(&p->lex, "memref");
    *out = type;
    if (!is_ref && !mlir_lex_is_word(&p->lex, "vector")) {
        type->kind = KERNEL_SCALAR;
        type->elements = 1;
        return read_element(p, type);
    }
    type->kind = is_ref ? KERNEL_REF : KERNEL_VECTOR;
    TRY(read_shaped(p, type));
    type->space = type->semaphore ? KERNEL_SEMAPHORES : KERNEL_ANY;
    while (is_ref && mlir_lex_accept(&p->lex, ','))
        TRY(read_memref_attribute(p, type));
    return mlir_lex_expect(&p->lex, '>');
}
