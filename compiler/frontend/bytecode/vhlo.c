#include "compiler/frontend/bytecode/vhlo.h"

#include <string.h>

#include "base/vec.h"
#include "compiler/frontend/bytecode/sdy.h"
#include "compiler/frontend/bytecode/vhlo_fields.h"
#include "compiler/frontend/bytecode/vhlo_ops.h"

static bool is_vhlo(const struct mlir_op *op, const char *name)
{
    return op->name->dialect == MLIR_VHLO && strcmp(op->name->name.data, name) == 0;
}

struct error *vhlo_operand(struct vhlo *v, const struct mlir_op *op, size_t i, struct value **out)
{
    *out = op->operands[i]->value;
    if (*out)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s: operand %zu is used before its definition",
                 mlir_op_where(v->file, op), i);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* What the operation is, found once for each name of the file. */
static struct error *form_of(struct vhlo *v, const struct mlir_op *op, const struct vhlo_form **out)
{
    if (!op->name->note)
        op->name->note = (void *)vhlo_ops_form(v->arena, op->name->name);
    *out = op->name->note;
    return *out ? NULL
                : ERROR(UNIMPLEMENTED, "%s: this operation is not served",
                        mlir_op_where(v->file, op));
}

static struct error *set_attributes(struct vhlo *v, const struct mlir_op *from,
                                    const struct vhlo_form *form, struct op *op)
{
    struct mlir_attr *attrs[VHLO_OPS_MAX_ATTRIBUTES], *discardable, *backend_config = NULL;
    TRY(mlir_op_properties(v->file, from, form->count, form->names, NULL, attrs));
    for (int i = 0; i < form->count; i++) {
        if (!form->fields[i])
            continue;
        struct error *error = vhlo_fields_set(v, form->fields[i], attrs[i], &op->attrs);
        if (error)
            return mlir_op_blame(v->file, from,
                                 error_prefix(error, "attribute %s", form->names[i]));
        if (form->fields[i]->kind == ATTR_STRING && attrs[i]->kind == MLIR_DICT)
            backend_config = attrs[i];
    }
    TRY(mlir_op_attributes(v->file, from, &discardable));
    bool mixed = v->file->version < 5; /* inherent ones stand among them */
    struct error *error = vhlo_fields_extra(v, discardable, mixed ? form->count : 0, form->names,
                                            backend_config, &op->extra);
    if (error)
        return mlir_op_blame(v->file, from, error);
    if (op->code == OP_custom_call && mlir_attr_lookup(discardable, "mhlo.backend_config") &&
        op->attrs.custom_call.backend_config.size == 0)
        op->attrs.custom_call.backend_config.data = NULL; /* the dictionary speaks */
    vhlo_fields_annotate(v, discardable, op);
    return NULL;
}

static struct error *append_region(struct vhlo *v, const struct mlir_op *from,
                                   const struct mlir_region *region, struct op *op,
                                   struct block **out)
{
    const struct type **types = ARENA_ARRAY(v->arena, const struct type *, region->argument_count);
    if (!region->first)
        return ERROR(INVALID_ARGUMENT, "%s: an empty region", mlir_op_where(v->file, from));
    for (size_t i = 0; i < region->argument_count; i++)
        TRY(mlir_op_blame(v->file, from,
                          mlir_op_value_type(v->file, &region->arguments[i], &types[i])));
    *out = ir_block(v->module, op->block->func, op, (int)region->argument_count, types);
    for (size_t i = 0; i < region->argument_count; i++)
        region->arguments[i].value = &(*out)->arguments[i];
    return vhlo_append(v, region, *out);
}

static struct error *make_op(struct vhlo *v, struct mlir_op *from, enum op_code code,
                             struct block *block, struct op **out)
{
    struct value **operands = ARENA_ARRAY(v->arena, struct value *, from->operand_count);
    const struct type **types = ARENA_ARRAY(v->arena, const struct type *, from->result_count);
    for (size_t i = 0; i < from->operand_count; i++)
        TRY(vhlo_operand(v, from, i, &operands[i]));
    for (size_t i = 0; i < from->result_count; i++)
        TRY(mlir_op_blame(v->file, from,
                          mlir_op_value_type(v->file, &from->results[i], &types[i])));
    size_t regions =
        code == OP_composite ? 0 : from->region_count; /* a composite means its decomposition */
    struct op *op = ir_op(v->module, code, (int)from->operand_count, operands,
                          (int)from->result_count, types, (int)regions);
    op->location = mlir_attr_location(v->file, from->location);
    ir_append(block, op);
    for (size_t i = 0; i < from->result_count; i++)
        from->results[i].value = &op->results[i];
    *out = op;
    return NULL;
}

static struct error *append_vhlo(struct vhlo *v, struct mlir_op *from, struct block *block)
{
    const struct vhlo_form *form;
    struct op *op;
    TRY(form_of(v, from, &form));
    TRY(make_op(v, from, form->code, block, &op));
    TRY(set_attributes(v, from, form, op));
    for (int i = 0; i < op->region_count; i++)
        TRY(append_region(v, from, &from->regions[i], op, &op->regions[i]));
    return NULL;
}

/* Between a VHLO type and the builtin type it stands for: the same value. */
static struct error *pass_cast(struct vhlo *v, struct mlir_op *op)
{
    if (strcmp(op->name->name.data, "unrealized_conversion_cast") != 0)
        return ERROR(UNIMPLEMENTED, "%s: this operation is not served", mlir_op_where(v->file, op));
    if (op->operand_count != 1 || op->result_count != 1)
        return ERROR(INVALID_ARGUMENT, "%s: not one operand and one result",
                     mlir_op_where(v->file, op));
    return vhlo_operand(v, op, 0, &op->results[0].value);
}

struct error *vhlo_append(struct vhlo *v, const struct mlir_region *region, struct block *block)
{
    for (struct mlir_op *op = region->first; op; op = op->next) {
        mlir_attr_location(v->file, op->location); /* so that every message can name it */
        switch (op->name->dialect) {
        case MLIR_VHLO: TRY(append_vhlo(v, op, block)); break;
        case MLIR_SDY: TRY(sdy_op(v, op, block)); break;
        case MLIR_BUILTIN: TRY(pass_cast(v, op)); break;
        case MLIR_UNKNOWN:
            return ERROR(UNIMPLEMENTED, "%s: operations of this dialect are not served",
                         mlir_op_where(v->file, op));
        }
    }
    return NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct error *wrong_func(struct vhlo *v, const struct mlir_op *op, const char *what)
{
    return ERROR(INVALID_ARGUMENT, "%s: %s", mlir_op_where(v->file, op), what);
}

/* `attrs` is [] or one dictionary each; what they say of layout and the like goes on `types`. */
static struct error *argument_infos(struct vhlo *v, const struct mlir_op *op,
                                    const struct mlir_attr *attrs, size_t count,
                                    const struct type **types, struct argument_info **out)
{
    *out = ARENA_ARRAY(v->arena, struct argument_info, count);
    if (attrs->kind != MLIR_ARRAY || (attrs->array.count != 0 && attrs->array.count != count))
        return wrong_func(
            v, op, "arg_attrs and res_attrs are not one dictionary for each argument or result");
    for (size_t i = 0; i < count; i++) {
        const struct mlir_attr *dict = attrs->array.count ? attrs->array.at[i] : NULL;
        TRY(mlir_op_blame(v->file, op, vhlo_fields_argument(v, dict, &types[i], &(*out)[i])));
    }
    return NULL;
}

static struct error *value_types(struct vhlo *v, const struct mlir_op *op,
                                 const struct mlir_types *from, const struct type ***out)
{
    *out = ARENA_ARRAY(v->arena, const struct type *, from->count);
    for (size_t i = 0; i < from->count; i++)
        TRY(mlir_op_blame(v->file, op, mlir_type_value(from->at[i], &(*out)[i])));
    return NULL;
}

static struct error *make_func(struct vhlo *v, const struct mlir_op *op,
                               struct mlir_attr *const *attrs)
{
    const struct mlir_attr *arg_attrs = attrs[0], *type = attrs[1], *res_attrs = attrs[2],
                           *name = attrs[3];
    if (type->kind != MLIR_TYPE || type->type->kind != MLIR_TYPE_FUNCTION ||
        name->kind != MLIR_STRING)
        return wrong_func(v, op, "has no function type or no name");
    const struct mlir_types *inputs = &type->type->inputs, *outputs = &type->type->outputs;
    if (op->region_count != 1 || !op->regions[0].first ||
        op->regions[0].argument_count != inputs->count)
        return wrong_func(v, op, "its body does not take its arguments");
    struct func *func = ir_func(v->module, name->string.data);
    const struct type **types;
    if (map_put(v->funcs, name->string.data, name->string.size, func))
        return ERROR(INVALID_ARGUMENT, "%s: a second function @%s", mlir_op_where(v->file, op),
                     func->name);
    TRY(value_types(v, op, inputs, &types));
    TRY(argument_infos(v, op, arg_attrs, inputs->count, types, &func->argument_infos));
    func->body = ir_block(v->module, func, NULL, (int)inputs->count, types);
    TRY(value_types(v, op, outputs, &types));
    func->result_types = types;
    func->result_count = (int)outputs->count;
    func->is_public =
        attrs[4]->kind == MLIR_STRING && strcmp(attrs[4]->string.data, "private") != 0;
    TRY(argument_infos(v, op, res_attrs, outputs->count, types, &func->result_infos));
    if (strcmp(func->name, "main") == 0)
        v->module->entry = func;
    return NULL;
}

static struct error *declare(struct vhlo *v, struct mlir_op *op)
{
    static const char *const names[] = {"arg_attrs", "function_type", "res_attrs", "sym_name",
                                        "sym_visibility"};
    struct mlir_attr *attrs[5];
    mlir_attr_location(v->file, op->location);
    if (!is_vhlo(op, "func_v1"))
        return ERROR(UNIMPLEMENTED, "%s: this operation is not served in a module",
                     mlir_op_where(v->file, op));
    TRY(mlir_op_properties(v->file, op, 5, names, NULL, attrs));
    return make_func(v, op, attrs);
}

static struct error *define(struct vhlo *v, const struct mlir_op *op, struct func *func)
{
    const struct mlir_region *body = &op->regions[0];
    for (size_t i = 0; i < body->argument_count; i++) {
        const struct type *type;
        TRY(mlir_op_blame(v->file, op, mlir_op_value_type(v->file, &body->arguments[i], &type)));
        if (!type_same(type, func->body->arguments[i].type))
            return ERROR(INVALID_ARGUMENT,
                         "%s: argument %zu of @%s has another type than the function says",
                         mlir_op_where(v->file, op), i, func->name);
        body->arguments[i].value = &func->body->arguments[i];
    }
    return vhlo_append(v, body, func->body);
}

/* ---- the module ------------------------------------------------------------------------------ */

static int replica_count(const struct mlir_attr *attributes, const char *name)
{
    const struct mlir_attr *attr = mlir_attr_lookup(attributes, name);
    bool usable =
        attr && attr->kind == MLIR_INTEGER && attr->integer >= 1 && attr->integer <= INT32_MAX;
    return usable ? (int)attr->integer : 1;
}

static struct error *read_head(struct vhlo *v, const struct mlir_op *op)
{
    static const char *const names[] = {"sym_name", "sym_visibility"};
    static const bool optional[] = {true, true};
    struct mlir_attr *attrs[2] = {NULL, NULL}, *discardable;
    if (v->file->version < 5 || op->has_properties)
        TRY(mlir_op_properties(v->file, op, 2, names, optional, attrs));
    TRY(mlir_op_attributes(v->file, op, &discardable));
    v->module = ir_module(
        v->arena, attrs[0] && attrs[0]->kind == MLIR_STRING ? attrs[0]->string.data : "module");
    v->module->num_replicas = replica_count(discardable, "mhlo.num_replicas");
    v->module->num_partitions = replica_count(discardable, "mhlo.num_partitions");
    v->module->meshes = v->file->meshes;
    return NULL;
}

/* Has the module's operation a place in ours? Meshes are read before, and a function that is only
 * declared, without a body, is of use to nobody: to call it is to call an unknown one. */
static bool is_defined(const struct mlir_op *op)
{
    if (op->name->dialect == MLIR_SDY)
        return false;
    return !is_vhlo(op, "func_v1") || op->region_count != 1 || op->regions[0].first;
}

struct error *vhlo_module(struct mlir_file *file, const struct mlir_op *module, struct module **out)
{
    struct vhlo v = {.file = file, .arena = file->arena, .funcs = map_create(file->arena)};
    *out = NULL;
    TRY(read_head(&v, module));
    if (module->region_count != 1)
        return ERROR(INVALID_ARGUMENT, "MLIR bytecode: the module has %zu regions",
                     module->region_count);
    struct mlir_op *first = module->regions[0].first;
    for (struct mlir_op *op = first; op; op = op->next)
        if (op->name->dialect == MLIR_SDY && strcmp(op->name->name.data, "mesh") == 0)
            TRY(sdy_mesh(file, op));
    for (struct mlir_op *op = first; op; op = op->next)
        if (is_defined(op))
            TRY(declare(&v, op));
    struct func *func = v.module->first;
    for (struct mlir_op *op = first; op; op = op->next) {
        if (!is_defined(op))
            continue;
        TRY(define(&v, op, func));
        func = func->next;
    }
    if (!v.module->entry)
        return ERROR(INVALID_ARGUMENT, "StableHLO module @%s has no function @main",
                     v.module->name);
    *out = v.module;
    return NULL;
}
