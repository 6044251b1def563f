#include "compiler/frontend/text/mlir_text_fields.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_defaults.h"
#include "compiler/frontend/mlir/mlir_fields.h"
#include "compiler/frontend/text/mlir_text_attr.h"

#define MAX_KNOWN 32

/* ---- functions ------------------------------------------------------------------------------- */

static struct error *name_func(struct mlir_parser *p, size_t offset, const struct mlir_attr *attr,
                               struct func **out)
{
    if (attr->kind != MLIR_SYMBOL)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "expected a function, got %s", attr->name);
    struct mlir_fixup fixup = {out, attr->string, offset};
    VEC_PUSH(p->arena, &p->fixups, fixup);
    return NULL;
}

static struct error *name_funcs(struct mlir_parser *p, size_t offset, const struct mlir_attr *attr,
                                struct funcs *out)
{
    if (attr->kind != MLIR_ARRAY)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "expected an array of functions, got %s", attr->name);
    struct func **funcs = ARENA_ARRAY(p->arena, struct func *, attr->array.count);
    for (size_t i = 0; i < attr->array.count; i++)
        TRY(name_func(p, offset, attr->array.at[i], &funcs[i]));
    *out = (struct funcs){(int64_t)attr->array.count, funcs};
    return NULL;
}

struct error *mlir_text_fields_link(struct mlir_parser *p)
{
    for (size_t i = 0; i < p->fixups.count; i++) {
        const struct mlir_fixup *fixup = &p->fixups.items[i];
        *fixup->out = map_get(p->program.funcs, fixup->name.data, fixup->name.size);
        if (!*fixup->out)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, fixup->offset,
                                  "the function @%s is not defined", fixup->name.data);
    }
    return NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static struct error *set_field(struct mlir_parser *p, const struct mlir_text_op *from,
                               const struct attr_field *field, struct op *op)
{
    struct mlir_attr *attr = mlir_text_attr_find(&from->attrs, field->name);
    void *out = (char *)&op->attrs + field->offset;
    if (!attr && field->required)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, from->offset,
                              "%s requires the attribute %s", op_info(op->code)->name, field->name);
    if (!attr) {
        if (field->kind == ATTR_STRING && !mlir_text_attr_find(&from->attrs, "mhlo.backend_config"))
            *(struct string *)out = (struct string){0, ""};
        return NULL;
    }
    if (field->kind == ATTR_FUNC)
        return name_func(p, from->offset, attr, out);
    if (field->kind == ATTR_FUNCS)
        return name_funcs(p, from->offset, attr, out);
    struct error *error = mlir_fields_set(&p->program, field, attr, &op->attrs);
    if (!error)
        return NULL;
    bool unknown = attr->kind == MLIR_OTHER; /* an unsupported kind of attribute */
    PJRT_Error_Code code = unknown ? PJRT_Error_Code_UNIMPLEMENTED : error_code(error);
    struct error *positioned =
        mlir_lex_error(&p->lex, code, from->offset, "%s: attribute %s %s", op_info(op->code)->name,
                       field->name, error_message(error, NULL));
    error_free(error);
    return positioned;
}

/* Inherent attributes that are ignored. */
static const char *const ignored[] = {"result_accuracy", "operandSegmentSizes",
                                      "resultSegmentSizes"};

struct error *mlir_text_fields_set(struct mlir_parser *p, const struct mlir_text_op *from,
                                   struct op *op)
{
    const struct op_info *info = op_info(op->code);
    const char *known[MAX_KNOWN];
    int known_count = 0;
    for (int i = 0; i < info->field_count; i++) {
        TRY(set_field(p, from, &info->fields[i], op));
        known[known_count++] = info->fields[i].name;
    }
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        known[known_count++] = ignored[i];
    struct mlir_attr *all = mlir_text_attr_as_dict(p, &from->attrs);
    mlir_defaults_set(p->arena, all, op);
    struct mlir_attr *config = mlir_text_attr_find(&from->attrs, "backend_config");
    bool structured = config && config->kind == MLIR_DICT && op->code == OP_custom_call;
    struct error *error = mlir_fields_annotate(&p->program, all, op);
    if (!error)
        error = mlir_fields_discardable(&p->program, all, known_count, known,
                                        structured ? config : NULL, &op->discardable);
    return error ? error_prefix(error, "MLIR text:%d:%d", op->location->line, op->location->column)
                 : NULL;
}
