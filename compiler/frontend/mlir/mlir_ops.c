#include "compiler/frontend/mlir/mlir_ops.h"

#include <stdlib.h>
#include <string.h>

struct exception {
    const char *name;
    enum op_code code;
    const char *absent, *ignored;
};

static const struct exception exceptions[] = {
#define VHLO_OP(name, operation, absent, ignored) {name, OP_##operation, absent, ignored},
#include "compiler/frontend/mlir/vhlo_ops.def"
#undef VHLO_OP
};

/* True when `name` is a word of the space-separated list. */
static bool in_list(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    return false;
}

static bool is_gantry_op(enum op_code code)
{
    return code == OP_copy || code == OP_copy_done || code == OP_erf || code == OP_full_to_shard ||
           code == OP_fusion || code == OP_lu || code == OP_shard_to_full ||
           code == OP_sharding_constraint || code == OP_sharding_group;
}

static const struct exception *find_exception(struct string name)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strlen(exceptions[i].name) == name.size &&
            memcmp(exceptions[i].name, name.data, name.size) == 0)
            return &exceptions[i];
    return NULL;
}

/* Insertion sort: the lists are short. */
static void add(struct mlir_op_schema *schema, const char *name, const struct attr_field *field)
{
    int i = schema->count++;
    for (; i > 0 && strcmp(schema->names[i - 1], name) > 0; i--) {
        schema->names[i] = schema->names[i - 1];
        schema->fields[i] = schema->fields[i - 1];
    }
    schema->names[i] = name;
    schema->fields[i] = field;
}

const struct mlir_op_schema *mlir_ops_vhlo(struct arena *arena, struct string name)
{
    const struct exception *exception = find_exception(name);
    enum op_code code = OP_INVALID_CODE;
    if (exception)
        code = exception->code;
    else if (name.size > 3 && memcmp(name.data + name.size - 3, "_v1", 3) == 0)
        code = op_code_from_name(name.data, name.size - 3);
    if (code == OP_INVALID_CODE || is_gantry_op(code))
        return NULL;
    struct mlir_op_schema *schema = ARENA_NEW(arena, struct mlir_op_schema);
    const struct op_info *info = op_info(code);
    schema->code = code;
    for (int i = 0; i < info->field_count; i++)
        if (!exception || !in_list(exception->absent, info->fields[i].name))
            add(schema, info->fields[i].name, &info->fields[i]);
    if (exception && exception->ignored[0])
        add(schema, exception->ignored, NULL);
    return schema;
}

/* A '-' in a name corresponds to '_' in the IR's name: stablehlo.cross-replica-sum. */
enum op_code mlir_ops_code(struct string name)
{
    static const char *const dialects[] = {"stablehlo.", "func.", "chlo.", "gantry.", "arith."};
    char plain[64];
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        size_t prefix = strlen(dialects[i]);
        if (name.size <= prefix || memcmp(name.data, dialects[i], prefix) != 0 ||
            name.size - prefix >= sizeof plain)
            continue;
        for (size_t j = prefix; j < name.size; j++)
            plain[j - prefix] = name.data[j] == '-' ? '_' : name.data[j];
        enum op_code code = op_code_from_name(plain, name.size - prefix);
        bool own = is_gantry_op(code) && code != OP_erf;
        bool chlo = code == OP_erf || code == OP_constant;
        bool func = code == OP_call || code == OP_return;
        bool fits = i == 0   ? !own && code != OP_erf && code != OP_call
                    : i == 1 ? func
                    : i == 2 ? chlo
                    : i == 3 ? own
                             : code == OP_constant;
        return fits ? code : OP_INVALID_CODE;
    }
    bool call = name.size == 4 && memcmp(name.data, "call", 4) == 0;
    bool end = name.size == 6 && memcmp(name.data, "return", 6) == 0;
    return call ? OP_call : end ? OP_return : OP_INVALID_CODE;
}
