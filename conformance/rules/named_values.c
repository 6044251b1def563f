/* named_values.c: checks of named values. */
#include "conformance/rules/named_values.h"

#include <string.h>

static bool has_memory(const PJRT_NamedValue *value)
{
    if (value->type == PJRT_NamedValue_kString)
        return value->string_value || !value->value_size;
    if (value->type == PJRT_NamedValue_kInt64List)
        return value->int64_array_value || !value->value_size;
    return true;
}

void named_values_check(struct rule_context *t, const PJRT_NamedValue *values, size_t count)
{
    CHECK(t, values || !count, "%zu values at address NULL", count);
    for (size_t i = 0; values && i < count; i++) {
        const PJRT_NamedValue *value = &values[i];
        CHECK(t, value->struct_size >= offsetof(PJRT_NamedValue, value_size),
              "value %zu has a struct_size of %zu", i, value->struct_size);
        CHECK(t, value->name && value->name_size, "value %zu has no name", i);
        CHECK(t, (unsigned)value->type <= PJRT_NamedValue_kBool, "value %zu has type %d", i,
              (int)value->type);
        CHECK(t, has_memory(value), "value %zu has %zu elements at address NULL", i,
              value->value_size);
    }
}

static bool same_name(const PJRT_NamedValue *a, const PJRT_NamedValue *b)
{
    return a->name_size == b->name_size && !memcmp(a->name, b->name, a->name_size);
}

void named_values_check_unique(struct rule_context *t, const PJRT_NamedValue *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(t, !same_name(&values[i], &values[k]), "values %zu and %zu are both '%.*s'", k, i,
                  (int)values[i].name_size, values[i].name);
}

const PJRT_NamedValue *named_values_find(const PJRT_NamedValue *values, size_t count,
                                         const char *name)
{
    PJRT_NamedValue wanted = {.name = name, .name_size = strlen(name)};
    for (size_t i = 0; i < count; i++)
        if (same_name(&values[i], &wanted))
            return &values[i];
    return NULL;
}

bool named_values_equal(const PJRT_NamedValue *a, const PJRT_NamedValue *b)
{
    if (!same_name(a, b) || a->type != b->type || a->value_size != b->value_size)
        return false;
    switch (a->type) {
    case PJRT_NamedValue_kString: return !memcmp(a->string_value, b->string_value, a->value_size);
    case PJRT_NamedValue_kInt64: return a->int64_value == b->int64_value;
    case PJRT_NamedValue_kInt64List:
        return !memcmp(a->int64_array_value, b->int64_array_value,
                       a->value_size * sizeof *a->int64_array_value);
    case PJRT_NamedValue_kFloat: return !memcmp(&a->float_value, &b->float_value, sizeof(float));
    case PJRT_NamedValue_kBool: return a->bool_value == b->bool_value;
    default: return false;
    }
}
