#include "compiler/frontend/sdy_round_trip.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/frontend/text/mlir_text.h"
#include "compiler/ir/sharding_rules.h"

struct round_trip {
    struct mlir_program program; /* the module, for the constructors of mlir_sdy.h */
    struct arena *arena;
};

/* ---- attributes ------------------------------------------------------------------------------ */

static const struct dict_value *find(const struct dict *dict, const char *name)
{
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (dict->names[i].size == strlen(name) &&
            !memcmp(dict->names[i].data, name, dict->names[i].size))
            return &dict->values[i];
    return NULL;
}

/* The text of a frontend attribute; no data: it has none. */
static struct string text_of(const struct dict *attributes, const char *name)
{
    const struct dict_value *value = find(attributes, name);
    return value && value->kind == DICT_STRING ? value->string : (struct string){0};
}

static const struct dict *attributes_of(const struct op *op)
{
    const struct dict_value *value = find(op->discardable, "mhlo.frontend_attributes");
    return value && value->kind == DICT_DICT ? value->dict : NULL;
}

/* Earlier exporters escaped the quotes once more. */
static struct string unescape(struct arena *arena, struct string text)
{
    char *copy = arena_string(arena, text.data, text.size);
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != '\\' || i + 1 == text.size || text.data[i + 1] != '"')
            copy[size++] = text.data[i];
    copy[size] = 0;
    return (struct string){size, copy};
}

/* Reads a frontend attribute; *out is NULL when it is absent. `expected` is a kind of attribute,
 * `what` names it for messages. */
static struct error *read_attr(const struct round_trip *r, const struct dict *attributes,
                               const char *name, enum mlir_attr_kind expected, const char *what,
                               struct mlir_attr **out)
{
    struct string text = text_of(attributes, name);
    *out = NULL;
    if (!text.data)
        return NULL;
    text = unescape(r->arena, text);
    struct error *error = mlir_text_read_attr(r->program.module, text.data, text.size, out);
    if (error)
        return error_prefix(error, "the frontend attribute %s", name);
    return (*out)->kind == expected
               ? NULL
               : ERROR(INVALID_ARGUMENT, "the frontend attribute %s is %s; it must be %s", name,
                       (*out)->name, what);
}

/* The sharding of a single value, or of the first of a list. */
static struct error *read_sharding(const struct round_trip *r, const struct dict *attributes,
                                   const struct sharding **out)
{
    static const char name[] = "xla.sdy.sharding";
    struct mlir_attr *attr;
    struct string text = text_of(attributes, name);
    bool is_list = text.data && memmem(text.data, text.size, "sharding_per_value", 18);
    *out = NULL;
    TRY(read_attr(r, attributes, name, is_list ? MLIR_ARRAY : MLIR_SHARDING, "a sharding", &attr));
    if (attr && is_list)
        attr = attr->array.count ? attr->array.at[0] : NULL;
    if (attr && attr->kind != MLIR_SHARDING)
        return ERROR(INVALID_ARGUMENT, "the frontend attribute %s has %s in a list of shardings",
                     name, attr->name);
    *out = attr ? attr->sharding : NULL;
    return NULL;
}

static const struct type *with_sharding(struct arena *arena, const struct type *type,
                                        const struct sharding *sharding)
{
    if (!sharding || !type || type->kind != TYPE_TENSOR)
        return type;
    return type_with_sharding(arena, type, sharding);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool calls(const struct op *op, const char *name)
{
    struct string target = op->attrs.custom_call.call_target_name;
    return op->code == OP_custom_call && target.size == strlen(name) &&
           !memcmp(target.data, name, target.size);
}

static void replace(struct module *module, struct op *op, struct value *const *values)
{
    for (int i = 0; i < op->result_count; i++)
        ir_replace_uses(module, &op->results[i], values[i]);
    ir_remove(op);
}

/* One of the two calls around a manual computation. */
static struct error *convert_boundary(struct round_trip *r, struct op *op, bool enters)
{
    struct mlir_sdy_place place = {&r->program, op->block, op, op->location};
    struct value **values = ARENA_ARRAY(r->arena, struct value *, (size_t)op->result_count);
    struct mlir_attr *shardings, *axes;
    const struct dict *attributes = attributes_of(op);
    const char *name = enters ? "xla.sdy.in_shardings" : "xla.sdy.out_shardings";
    TRY(read_attr(r, attributes, name, MLIR_ARRAY, "a list of shardings", &shardings));
    TRY(read_attr(r, attributes, "xla.sdy.manual_axes", MLIR_ARRAY, "a list of axes", &axes));
    if (!shardings || !axes || op->operand_count != op->result_count)
        return ERROR(INVALID_ARGUMENT,
                     "has %d operands and %d results; it must have as many results as operands, "
                     "and the frontend attributes %s and xla.sdy.manual_axes",
                     op->operand_count, op->result_count, name);
    struct mlir_sdy_region region = {true, shardings, shardings, axes};
    for (int i = 0; i < op->result_count; i++) {
        const struct type *type = type_plain(r->arena, op->results[i].type);
        TRY((enters ? mlir_sdy_enter : mlir_sdy_leave)(&place, &region, (size_t)i, op->operands[i],
                                                       type, &values[i]));
    }
    replace(r->program.module, op, values);
    return NULL;
}

static struct error *convert_group(struct round_trip *r, struct op *op)
{
    struct mlir_sdy_place place = {&r->program, op->block, op, op->location};
    struct mlir_attr *id;
    TRY(read_attr(r, attributes_of(op), "xla.sdy.sharding_group_id", MLIR_INTEGER, "an integer",
                  &id));
    if (!id || op->result_count)
        return ERROR(INVALID_ARGUMENT, "must have the frontend attribute "
                                       "xla.sdy.sharding_group_id and no results");
    for (int i = 0; i < op->operand_count; i++)
        mlir_sdy_join(&place, op->operands[i], id->integer);
    ir_remove(op);
    return NULL;
}

static struct error *convert_barrier(struct round_trip *r, struct op *op)
{
    if (op->operand_count != op->result_count)
        return ERROR(INVALID_ARGUMENT, "has %d operands and %d results; the numbers must be equal",
                     op->operand_count, op->result_count);
    replace(r->program.module, op, op->operands);
    return NULL;
}

/* GSPMD's call, which the exporter uses, too: the sharding of a value. */
static struct error *convert_constraint(struct round_trip *r, struct op *op)
{
    struct mlir_sdy_place place = {&r->program, op->block, op, op->location};
    const struct sharding *sharding;
    TRY(read_sharding(r, attributes_of(op), &sharding));
    if (!sharding || op->operand_count != 1 || op->result_count != 1)
        return NULL; /* GSPMD's spelling is left to a pass */
    replace(r->program.module, op,
            (struct value *[]){mlir_sdy_constrain(&place, op->operands[0], sharding)});
    return NULL;
}

/* The note of a function's result becomes part of the function's type. */
static struct error *convert_result(struct round_trip *r, struct func *func, struct op *op)
{
    const struct sharding *sharding;
    const struct op *end = func->body->last;
    TRY(read_sharding(r, attributes_of(op), &sharding));
    if (op->operand_count != 1 || op->result_count != 1)
        return ERROR(INVALID_ARGUMENT, "has %d operands and %d results; it must have one each",
                     op->operand_count, op->result_count);
    for (int i = 0; end && i < end->operand_count && i < func->result_count; i++)
        if (end->operands[i] == &op->results[0])
            func->result_types[i] = with_sharding(r->arena, func->result_types[i], sharding);
    replace(r->program.module, op, op->operands);
    return NULL;
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool is_round_trip(struct string name)
{
    return name.size > 8 && !memcmp(name.data, "xla.sdy.", 8);
}

/* A copy of `from` without the attributes of Shardy; `replaced` is what its value of the name
 * mhlo.frontend_attributes becomes (NULL: it is left out). */
static const struct dict *without(struct arena *arena, const struct dict *from,
                                  const struct dict *replaced)
{
    struct string *names = ARENA_ARRAY(arena, struct string, (size_t)from->count);
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, (size_t)from->count);
    struct dict *dict = ARENA_NEW(arena, struct dict);
    const struct dict_value *frontend = find(from, "mhlo.frontend_attributes");
    for (int64_t i = 0; i < from->count; i++) {
        bool is_frontend = &from->values[i] == frontend;
        if (is_round_trip(from->names[i]) || (is_frontend && !replaced))
            continue;
        names[dict->count] = from->names[i];
        values[dict->count] = from->values[i];
        if (is_frontend)
            values[dict->count].dict = replaced;
        dict->count++;
    }
    dict->names = names;
    dict->values = values;
    return dict->count ? dict : NULL;
}

/* Removes what has become part of types, so that later passes need not keep it equal. */
static void strip(struct arena *arena, struct op *op, const struct dict *attributes)
{
    for (int64_t i = 0; i < attributes->count; i++)
        if (is_round_trip(attributes->names[i])) {
            op->discardable = without(arena, op->discardable, without(arena, attributes, NULL));
            return;
        }
}

static struct error *annotate(struct round_trip *r, struct op *op)
{
    const struct dict *attributes = attributes_of(op);
    struct mlir_attr *list, *rule;
    if (!attributes)
        return NULL;
    if (op->code == OP_custom_call) {
        TRY(read_attr(r, attributes, "xla.sdy.sharding_rule", MLIR_RULE, "a sharding rule", &rule));
        if (rule)
            op->attrs.custom_call.sharding_rule = rule->rule;
        if (rule)
            TRY(sharding_rules_check(rule->rule, op));
    }
    TRY(read_attr(r, attributes, "xla.sdy.sharding", MLIR_ARRAY, "a list of shardings", &list));
    if (list)
        TRY(mlir_sdy_check_results("the frontend attribute xla.sdy.sharding", list, op));
    for (size_t i = 0; list && i < list->array.count && i < (size_t)op->result_count; i++)
        op->results[i].type =
            with_sharding(r->arena, op->results[i].type, list->array.at[i]->sharding);
    strip(r->arena, op, attributes);
    return NULL;
}

static struct error *convert_op(struct round_trip *r, struct func *func, struct op *op)
{
    if (calls(op, "xla.sdy.GlobalToLocalShape"))
        return convert_boundary(r, op, true);
    if (calls(op, "xla.sdy.LocalToGlobalShape"))
        return convert_boundary(r, op, false);
    if (calls(op, "xla.sdy.ShardingGroup"))
        return convert_group(r, op);
    if (calls(op, "xla.sdy.PropagationBarrier"))
        return convert_barrier(r, op);
    if (calls(op, "xla.sdy.FuncResultSharding"))
        return convert_result(r, func, op);
    if (calls(op, "Sharding"))
        return convert_constraint(r, op);
    return annotate(r, op);
}

static struct error *convert_block(struct round_trip *r, struct func *func, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->region_count; i++)
            TRY(convert_block(r, func, op->regions[i]));
        const char *where = ir_where(r->arena, op);
        struct error *error = convert_op(r, func, op);
        if (error)
            return error_prefix(error, "%s", where);
    }
    return NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct error *convert_argument(struct round_trip *r, const struct argument_info *info,
                                      const struct type **type)
{
    const struct sharding *sharding;
    TRY(read_sharding(r, info->frontend_attributes, &sharding));
    *type = with_sharding(r->arena, *type, sharding);
    return NULL;
}

static struct error *convert_func(struct round_trip *r, struct func *func)
{
    for (int i = 0; func->argument_infos && i < func->body->argument_count; i++)
        TRY(error_prefix(
            convert_argument(r, &func->argument_infos[i], &func->body->arguments[i].type),
            "@%s: argument %d", func->name, i));
    for (int i = 0; func->result_infos && i < func->result_count; i++)
        TRY(error_prefix(convert_argument(r, &func->result_infos[i], &func->result_types[i]),
                         "@%s: result %d", func->name, i));
    return convert_block(r, func, func->body);
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Meshes that the module also defines by sdy.mesh stay as they are. */
static struct error *define_meshes(struct round_trip *r)
{
    struct module *module = r->program.module;
    struct mlir_attr *meshes;
    TRY(read_attr(r, module->frontend_attributes, "xla.sdy.meshes", MLIR_DICT,
                  "a dictionary of meshes", &meshes));
    for (size_t i = 0; meshes && i < meshes->dict.count; i++) {
        struct string name = meshes->dict.names[i];
        if (!map_get(module->meshes, name.data, name.size))
            TRY(error_prefix(mlir_sdy_define(&r->program, name, meshes->dict.values[i]),
                             "the frontend attribute xla.sdy.meshes"));
    }
    return NULL;
}

/* The shardings of the leaves of HLO's one tuple of arguments, or of results. */
static struct error *read_tuple(struct round_trip *r, const char *name, int count,
                                struct mlir_attr **out)
{
    TRY(read_attr(r, r->program.module->frontend_attributes, name, MLIR_ARRAY,
                  "a list of shardings", out));
    for (size_t i = 0; *out && i < (*out)->array.count; i++)
        if ((*out)->array.at[i]->kind != MLIR_SHARDING || i >= (size_t)count)
            return ERROR(INVALID_ARGUMENT,
                         "the frontend attribute %s has %zu entries; there are %d values, and each "
                         "entry must be a sharding",
                         name, (*out)->array.count, count);
    return NULL;
}

static struct error *convert_tuples(struct round_trip *r)
{
    struct func *entry = r->program.module->entry;
    struct mlir_attr *list;
    if (!entry)
        return NULL;
    TRY(read_tuple(r, "xla.sdy.tuple_args_shardings", entry->body->argument_count, &list));
    for (size_t i = 0; list && i < list->array.count; i++) {
        struct value *argument = &entry->body->arguments[i];
        argument->type = with_sharding(r->arena, argument->type, list->array.at[i]->sharding);
    }
    TRY(read_tuple(r, "xla.sdy.tuple_results_shardings", entry->result_count, &list));
    for (size_t i = 0; list && i < list->array.count; i++)
        entry->result_types[i] =
            with_sharding(r->arena, entry->result_types[i], list->array.at[i]->sharding);
    return NULL;
}

static struct error *convert_module(void *context)
{
    struct round_trip *r = context;
    TRY(define_meshes(r));
    for (struct func *func = r->program.module->first; func; func = func->next)
        TRY(convert_func(r, func));
    return convert_tuples(r);
}

struct error *sdy_round_trip_run(struct module *module)
{
    struct round_trip r = {.program = {.arena = module->arena, .module = module},
                           .arena = module->arena};
    return arena_run(module->arena, convert_module, &r);
}
