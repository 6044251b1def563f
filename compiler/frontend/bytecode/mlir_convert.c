#include "compiler/frontend/bytecode/mlir_convert.h"

#include <string.h>

#include "compiler/frontend/bytecode/mlir_location.h"
#include "compiler/frontend/mlir/mlir_func.h"
#include "compiler/frontend/mlir/mlir_sdy.h"

struct error *mlir_convert_operand(struct mlir_convert *c, const struct mlir_op *op, size_t i,
                                   struct value **out)
{
    *out = op->operands[i]->value;
    if (*out)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s: operand %zu is used before its definition",
                 mlir_op_where(c->file, op), i);
}

struct error *mlir_convert_region(struct mlir_convert *c, const struct mlir_region *region,
                                  struct block *block)
{
    for (struct mlir_op *op = region->first; op; op = op->next) {
        const struct mlir_dialect *dialect = op->name->dialect;
        mlir_location_get(c->file, op->location); /* cached for mlir_op_with_location() */
        if (!dialect || !dialect->op)
            return ERROR(UNIMPLEMENTED,
                         "%s: operations of this dialect are unsupported; supported are builtin, "
                         "chlo, func, sdy, stablehlo and vhlo",
                         mlir_op_where(c->file, op));
        TRY(dialect->op(c, op, block));
    }
    return NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct error *invalid(struct mlir_convert *c, const struct mlir_op *op, const char *what)
{
    return ERROR(INVALID_ARGUMENT, "%s: %s", mlir_op_where(c->file, op), what);
}

/* `attrs` is NULL, [], or one dictionary for each of `types`. */
static struct error *boundary(struct mlir_convert *c, const struct mlir_op *op,
                              const struct mlir_types *types, const struct mlir_attr *attrs,
                              struct mlir_boundary **out)
{
    struct mlir_boundary *values =
        ARENA_ARRAY(c->program.arena, struct mlir_boundary, types->count);
    if (attrs && (attrs->kind != MLIR_ARRAY ||
                  (attrs->array.count != 0 && attrs->array.count != types->count)))
        return invalid(
            c, op, "arg_attrs and res_attrs must have a dictionary for each argument or result");
    for (size_t i = 0; i < types->count; i++) {
        TRY(mlir_op_with_location(c->file, op, mlir_type_value(types->at[i], &values[i].type)));
        values[i].attributes = attrs && attrs->array.count ? attrs->array.at[i] : NULL;
    }
    *out = values;
    return NULL;
}

/* `arg_attrs`, `res_attrs` and `visibility` may be NULL. */
static struct error *make_func(struct mlir_convert *c, const struct mlir_op *op,
                               const struct mlir_attr *arg_attrs, const struct mlir_attr *type,
                               const struct mlir_attr *res_attrs, const struct mlir_attr *name,
                               const struct mlir_attr *visibility)
{
    if (type->kind != MLIR_TYPE || type->type->kind != MLIR_TYPE_FUNCTION ||
        name->kind != MLIR_STRING)
        return invalid(c, op, "must have a function type and a name");
    const struct mlir_types *inputs = &type->type->inputs, *outputs = &type->type->outputs;
    if (op->region_count != 1 || !op->regions[0].first ||
        op->regions[0].argument_count != inputs->count)
        return invalid(c, op, "must have a body with as many arguments as the function type");
    struct mlir_signature signature = {
        .name = name->string,
        .is_public = !visibility || (visibility->kind == MLIR_STRING &&
                                     strcmp(visibility->string.data, "private") != 0),
        .argument_count = inputs->count,
        .result_count = outputs->count,
    };
    struct func *func;
    TRY(boundary(c, op, inputs, arg_attrs, &signature.arguments));
    TRY(boundary(c, op, outputs, res_attrs, &signature.results));
    return mlir_op_with_location(c->file, op, mlir_func_make(&c->program, &signature, &func));
}

static struct error *declare(struct mlir_convert *c, struct mlir_op *op)
{
    static const char *const vhlo[] = {"arg_attrs", "function_type", "res_attrs", "sym_name",
                                       "sym_visibility"};
    static const char *const func[] = {"arg_attrs", "function_type", "no_inline",
                                       "res_attrs", "sym_name",      "sym_visibility"};
    static const bool optional[] = {true, false, true, true, false, true};
    struct mlir_attr *attrs[6];
    mlir_location_get(c->file, op->location);
    if (mlir_op_is(op, "vhlo", "func_v1")) {
        TRY(mlir_op_with_location(c->file, op,
                                  mlir_op_properties(c->file, op, 5, vhlo, NULL, attrs)));
        return make_func(c, op, attrs[0], attrs[1], attrs[2], attrs[3], attrs[4]);
    }
    if (mlir_op_is(op, "func", "func")) {
        TRY(mlir_op_with_location(c->file, op,
                                  mlir_op_properties(c->file, op, 6, func, optional, attrs)));
        return make_func(c, op, attrs[0], attrs[1], attrs[3], attrs[4], attrs[5]);
    }
    return ERROR(UNIMPLEMENTED,
                 "%s: this operation is unsupported in a module; only functions are supported",
                 mlir_op_where(c->file, op));
}

static struct error *define(struct mlir_convert *c, const struct mlir_op *op, struct func *func)
{
    const struct mlir_region *body = &op->regions[0];
    for (size_t i = 0; i < body->argument_count; i++) {
        const struct type *type;
        TRY(mlir_op_with_location(c->file, op,
                                  mlir_op_value_type(c->file, &body->arguments[i], &type)));
        if (!type_same(type, func->body->arguments[i].type))
            return ERROR(INVALID_ARGUMENT,
                         "%s: argument %zu of the body of @%s does not have the declared type %s",
                         mlir_op_where(c->file, op), i, func->name,
                         type_text(c->program.arena, func->body->arguments[i].type));
        body->arguments[i].value = &func->body->arguments[i];
    }
    return mlir_convert_region(c, body, func->body);
}

/* ---- the module ------------------------------------------------------------------------------ */

static struct error *read_count(const struct mlir_attr *attributes, const char *name, int *out)
{
    return mlir_program_count(name, mlir_attr_lookup(attributes, name), out);
}

static struct error *read_module_attributes(struct mlir_convert *c, const struct mlir_op *op)
{
    static const char *const names[] = {"sym_name", "sym_visibility"};
    static const bool optional[] = {true, true};
    struct mlir_attr *attrs[2] = {NULL, NULL}, *discardable;
    if (c->file->version < 5 || op->has_properties)
        TRY(mlir_op_properties(c->file, op, 2, names, optional, attrs));
    TRY(mlir_op_attributes(c->file, op, &discardable));
    const char *name = attrs[0] && attrs[0]->kind == MLIR_STRING ? attrs[0]->string.data : "module";
    mlir_program_begin(&c->program, c->file->arena, name, c->file->meshes);
    mlir_program_attributes(&c->program, discardable);
    TRY(read_count(discardable, "mhlo.num_replicas", &c->program.module->num_replicas));
    return read_count(discardable, "mhlo.num_partitions", &c->program.module->num_partitions);
}

static struct error *read_mesh(struct mlir_convert *c, const struct mlir_op *op)
{
    static const char *const names[] = {"mesh", "sym_name"};
    struct mlir_attr *attrs[2];
    TRY(mlir_op_properties(c->file, op, 2, names, NULL, attrs));
    if (attrs[1]->kind != MLIR_STRING)
        return invalid(c, op, "must have a mesh and a name");
    return mlir_op_with_location(c->file, op,
                                 mlir_sdy_define(&c->program, attrs[1]->string, attrs[0]));
}

/* True for functions with a body. Those without are omitted, so that calls to them are errors.
 * Other operations except Shardy's are included for declare() to reject. */
static bool is_defined(const struct mlir_op *op)
{
    if (op->name->dialect && strcmp(op->name->dialect->name, "sdy") == 0)
        return false;
    bool is_func = mlir_op_is(op, "vhlo", "func_v1") || mlir_op_is(op, "func", "func");
    return !is_func || op->region_count != 1 || op->regions[0].first;
}

struct error *mlir_convert_module(struct mlir_file *file, const struct mlir_op *module,
                                  struct module **out)
{
    struct mlir_convert c = {.file = file};
    *out = NULL;
    TRY(read_module_attributes(&c, module));
    if (module->region_count != 1)
        return ERROR(INVALID_ARGUMENT, "MLIR bytecode: the module has %zu regions; it must have 1",
                     module->region_count);
    struct mlir_op *first = module->regions[0].first;
    for (struct mlir_op *op = first; op; op = op->next)
        if (mlir_op_is(op, "sdy", "mesh"))
            TRY(read_mesh(&c, op));
    for (struct mlir_op *op = first; op; op = op->next)
        if (is_defined(op))
            TRY(declare(&c, op));
    struct func *func = c.program.module->first;
    for (struct mlir_op *op = first; op; op = op->next) {
        if (!is_defined(op))
            continue;
        TRY(define(&c, op, func));
        func = func->next;
    }
    *out = c.program.module;
    return NULL;
}
