/* call_config.c: see call_config.h. */
#include "compiler/analysis/call_config.h"

#include <string.h>

static bool equals(struct string string, const char *name)
{
    return strlen(name) == string.size && !memcmp(name, string.data, string.size);
}

bool call_config_is_called(const struct op *op, const char *name)
{
    return op->code == OP_custom_call && equals(op->attrs.custom_call.call_target_name, name);
}

/* A value of this kind of a discardable dictionary, or NULL. */
static const struct dict_value *find_in(const struct op *op, const char *dictionary,
                                        const char *name, enum dict_kind kind)
{
    const struct dict *config = NULL;
    for (int64_t i = 0; op->discardable && i < op->discardable->count; i++)
        if (op->discardable->values[i].kind == DICT_DICT &&
            equals(op->discardable->names[i], dictionary))
            config = op->discardable->values[i].dict;
    for (int64_t i = 0; config && i < config->count; i++)
        if (config->values[i].kind == kind && equals(config->names[i], name))
            return &config->values[i];
    return NULL;
}

static const struct dict_value *find(const struct op *op, const char *name, enum dict_kind kind)
{
    return find_in(op, "mhlo.backend_config", name, kind);
}

int64_t call_config_integer(const struct op *op, const char *name, int64_t otherwise)
{
    const struct dict_value *value = find(op, name, DICT_INT);
    return value ? value->integer : otherwise;
}

const struct literal *call_config_literal(const struct op *op, const char *name)
{
    const struct dict_value *value = find(op, name, DICT_LITERAL);
    return value ? value->literal : NULL;
}

const struct string *call_config_frontend(const struct op *op, const char *name)
{
    const struct dict_value *value = find_in(op, "mhlo.frontend_attributes", name, DICT_STRING);
    return value ? &value->string : NULL;
}
