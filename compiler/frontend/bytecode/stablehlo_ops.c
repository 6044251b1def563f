#include "compiler/frontend/bytecode/stablehlo_ops.h"

#include <string.h>

#include "compiler/frontend/bytecode/mlir_convert_op.h"
#include "compiler/frontend/mlir/mlir_defaults.h"
#include "compiler/frontend/mlir/mlir_fields.h"
#include "compiler/frontend/mlir/mlir_ops.h"

#define MAX_ATTRIBUTES 9

struct schema { /* of an operation */
    enum op_code code;
    int count;
    const char *names[MAX_ATTRIBUTES]; /* alphabetical */
    bool optional[MAX_ATTRIBUTES];
    const struct schema *earlier; /* without the attributes that were added later; NULL: there are
                                     none */
};

static const struct {
    const char *name, *attributes;
} table[] = {
#define STABLEHLO_OP(name, attributes) {name, attributes},
#include "compiler/frontend/bytecode/stablehlo_ops.def"
#undef STABLEHLO_OP
};

/* ---- schemas --------------------------------------------------------------------------------- */

static struct schema *make_schema(struct arena *arena, enum op_code code, const char *list,
                                  bool with_added)
{
    struct schema *schema = ARENA_NEW(arena, struct schema);
    schema->code = code;
    while (*list) {
        size_t size = strcspn(list, "?+ ");
        if (list[size] != '+' || with_added) {
            schema->names[schema->count] = arena_string(arena, list, size);
            schema->optional[schema->count++] = list[size] == '?' || list[size] == '+';
        }
        list += size;
        list += strspn(list, "?+ ");
    }
    return schema;
}

static const struct schema *find_schema(struct arena *arena, struct string name)
{
    const char *full = arena_format(arena, "stablehlo.%.*s", (int)name.size, name.data), *list = "";
    enum op_code code = mlir_ops_code((struct string){strlen(full), full});
    if (code == OP_INVALID_CODE)
        return NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name.data) == 0)
            list = table[i].attributes;
    struct schema *schema = make_schema(arena, code, list, true);
    if (strchr(list, '+'))
        schema->earlier = make_schema(arena, code, list, false);
    return schema;
}

/* Looked up once for each name of the file. */
static struct error *schema_of(struct mlir_convert *c, const struct mlir_op *op,
                               const struct schema **out)
{
    if (!op->name->schema)
        op->name->schema = find_schema(c->program.arena, op->name->name);
    *out = op->name->schema;
    if (*out && (*out)->earlier && !mlir_op_has_properties(c->file, op, (*out)->count))
        *out = (*out)->earlier;
    return *out ? NULL
                : ERROR(UNIMPLEMENTED, "%s: this operation is unsupported",
                        mlir_op_where(c->file, op));
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Inherent attributes that have no field and may be ignored. */
static bool is_ignored(const char *name)
{
    return strcmp(name, "result_accuracy") == 0;
}

static bool is_field(const struct op_info *info, const char *name)
{
    for (int i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0)
            return true;
    return false;
}

static void add(struct mlir_attr *dict, struct string *names, struct mlir_attr **values,
                struct string name, struct mlir_attr *value)
{
    names[dict->dict.count] = name;
    values[dict->dict.count++] = value;
}

/* Any attribute of a file may be a compound one. */
static size_t count_fields(const struct schema *schema, struct mlir_attr *const *attrs)
{
    size_t count = 0;
    for (int i = 0; i < schema->count; i++)
        if (attrs[i])
            count += attrs[i]->kind == MLIR_COMPOUND ? attrs[i]->dict.count : 1;
    return count;
}

/* The attributes of an operation as a DICT of fields: those in compound attributes by themselves.
 */
static struct error *flatten(struct mlir_convert *c, const struct schema *schema,
                             struct mlir_attr *const *attrs, struct mlir_attr **out)
{
    struct arena *arena = c->program.arena;
    size_t most = count_fields(schema, attrs);
    struct string *names = ARENA_ARRAY(arena, struct string, most);
    struct mlir_attr **values = ARENA_ARRAY(arena, struct mlir_attr *, most);
    struct mlir_attr *dict = mlir_attr_make(arena, MLIR_DICT, "a dictionary");
    dict->dict.names = names;
    dict->dict.values = values;
    *out = dict;
    for (int i = 0; i < schema->count; i++) {
        const char *name = schema->names[i];
        if (!attrs[i] || is_ignored(name))
            continue;
        if (attrs[i]->kind == MLIR_COMPOUND)
            for (size_t j = 0; j < attrs[i]->dict.count; j++)
                add(dict, names, values, attrs[i]->dict.names[j], attrs[i]->dict.values[j]);
        else if (is_field(op_info(schema->code), name))
            add(dict, names, values, (struct string){strlen(name), name}, attrs[i]);
        else
            return ERROR(UNIMPLEMENTED, "attribute %s is %s, which is unsupported", name,
                         attrs[i]->name);
    }
    return NULL;
}

static struct error *set_field(struct mlir_convert *c, const struct attr_field *field,
                               const struct mlir_attr *given, struct op *op)
{
    struct mlir_attr *attr = mlir_attr_lookup(given, field->name);
    if (attr) {
        struct error *error = mlir_fields_set(&c->program, field, attr, &op->attrs);
        return error ? error_prefix(error, "attribute %s", field->name) : NULL;
    }
    if (field->required)
        return ERROR(INVALID_ARGUMENT, "attribute %s is missing", field->name);
    if (field->kind == ATTR_STRING)
        *(struct string *)((char *)&op->attrs + field->offset) = (struct string){0, ""};
    return NULL;
}

static struct error *set_fields(struct mlir_convert *c, const struct schema *schema,
                                struct mlir_attr *const *attrs, struct op *op)
{
    const struct op_info *info = op_info(schema->code);
    struct mlir_attr *given;
    TRY(flatten(c, schema, attrs, &given));
    for (int i = 0; i < info->field_count; i++)
        TRY(set_field(c, &info->fields[i], given, op));
    mlir_defaults_set(c->program.arena, given, op);
    return NULL;
}

static struct error *set_attributes(struct mlir_convert *c, const struct mlir_op *from,
                                    const struct schema *schema, struct op *op)
{
    struct mlir_attr *attrs[MAX_ATTRIBUTES], *backend_config = NULL;
    TRY(mlir_op_properties(c->file, from, schema->count, schema->names, schema->optional, attrs));
    TRY(mlir_op_with_location(c->file, from, set_fields(c, schema, attrs, op)));
    for (int i = 0; i < schema->count; i++)
        if (attrs[i] && attrs[i]->kind == MLIR_DICT && schema->code == OP_custom_call)
            backend_config = attrs[i];
    return mlir_convert_op_attributes(c, from, schema->count, schema->names, backend_config, op);
}

struct error *stablehlo_ops_convert(struct mlir_convert *c, struct mlir_op *from,
                                    struct block *block)
{
    const struct schema *schema;
    struct op *op;
    TRY(schema_of(c, from, &schema));
    TRY(mlir_convert_op(c, from, schema->code, block, &op));
    TRY(set_attributes(c, from, schema, op));
    return mlir_convert_op_regions(c, from, op);
}
