/* offload_annotations.c: see offload_annotations.h. */
#include "hostoffload/passes/offload_annotations.h"

#include <string.h>

#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

static bool is(struct string text, const char *name)
{
    return text.size == strlen(name) && !memcmp(text.data, name, text.size);
}

/* ---- kinds ----------------------------------------------------------------------------------- */
static bool has_kind(const struct target *target, enum memory_kind kind)
{
    return kind == MEMORY_DEVICE || target->memory_kinds & 1u << kind;
}

static struct error *check_kind(const struct target *target, enum memory_kind kind,
                                const char *where)
{
    if (has_kind(target, kind))
        return NULL;
    return ERROR(UNIMPLEMENTED, "%s: the device %s has no memory of kind %s", where, target->name,
                 memory_kind_name(kind));
}

static const struct dict_value *entry(const struct dict *dict, const char *name)
{
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (is(dict->names[i], name))
            return &dict->values[i];
    return NULL;
}

/* The memory kind of an annotation, or NULL if it has none. */
static const struct dict_value *placement_of(const struct op *op)
{
    const struct dict_value *attributes = entry(op->discardable, "mhlo.frontend_attributes");
    bool known = attributes && attributes->kind == DICT_DICT;
    const struct dict_value *kind = known ? entry(attributes->dict, "_xla_buffer_placement") : NULL;
    return kind && kind->kind == DICT_STRING ? kind : NULL;
}

static struct error *read_kind(struct arena *arena, const struct op *op, struct string text,
                               enum memory_kind *out)
{
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        if (is(text, memory_kind_name((enum memory_kind)kind))) {
            *out = (enum memory_kind)kind;
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT,
                 "%s: _xla_buffer_placement is \"%.*s\"; allowed: device, pinned_host, "
                 "unpinned_host",
                 ir_where(arena, op), (int)(text.size < 80 ? text.size : 80), text.data);
}

/* ---- annotations ----------------------------------------------------------------------------- */
/* *is_annotation: whether the operation requests a memory kind, which is returned in *out. */
static struct error *annotation_of(struct arena *arena, const struct op *op, bool *is_annotation,
                                   enum memory_kind *out)
{
    struct string name = op->attrs.custom_call.call_target_name;
    const struct dict_value *placement;
    *is_annotation = false;
    if (op->code != OP_custom_call)
        return NULL;
    *is_annotation = true;
    if (is(name, "annotate_device_placement") && (placement = placement_of(op)))
        return read_kind(arena, op, placement->string, out);
    if (is(name, "MoveToHost") || is(name, "MoveToDevice"))
        *out = is(name, "MoveToHost") ? MEMORY_PINNED_HOST : MEMORY_DEVICE;
    else
        *is_annotation = false;
    return NULL;
}

static struct error *replace(struct module *module, struct op *op, const struct target *target)
{
    bool is_annotation;
    enum memory_kind kind = MEMORY_DEVICE;
    TRY(annotation_of(module->arena, op, &is_annotation, &kind));
    if (!is_annotation)
        return NULL;
    const char *where = ir_where(module->arena, op);
    if (op->operand_count != 1 || op->result_count != 1 ||
        op->operands[0]->type->kind != TYPE_TENSOR ||
        !type_same(op->operands[0]->type, op->results[0].type))
        return ERROR(INVALID_ARGUMENT,
                     "%s: a placement annotation must have one array operand and one result of "
                     "the same type",
                     where);
    TRY(check_kind(target, kind, where));
    struct builder b = rewrite_before(module, op);
    return rewrite_with(module, op, build_copy(&b, op->operands[0], kind));
}

/* ---- parameters and results ------------------------------------------------------------------ */
/* `what`: "argument" or "result". */
static struct error *check_type(const struct module *module, const struct target *target,
                                const struct type *type, const char *what, int index)
{
    enum memory_kind kind = type->shape.memory;
    if (has_kind(target, kind))
        return NULL;
    return check_kind(target, kind,
                      arena_format(module->arena, "%s %d of '%s'", what, index, module->name));
}

static struct error *check_boundary(struct module *module, const struct target *target)
{
    const struct func *func = module->entry;
    for (int i = 0; i < func->body->argument_count; i++)
        TRY(check_type(module, target, func->body->arguments[i].type, "argument", i));
    for (int i = 0; i < func->result_count; i++)
        TRY(check_type(module, target, func->result_types[i], "result", i));
    return NULL;
}

struct error *offload_annotations_run(struct module *module, const struct target *target)
{
    TRY(check_boundary(module, target));
    return each_op(module, target, replace);
}
