#include "compiler/frontend/xla_options.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/suggest.h"

enum type { BOOL, INT32, INT64, FLOAT, STRING, ENUM, MESSAGE };

static const char *const type_names[] = {"bool",   "int32", "int64",  "float",
                                         "string", "enum",  "message"};

/* Sorted by name. */
static const char *const names[] = {
#define XLA_OPTION(name, type) #name,
#include "compiler/frontend/xla_options.def"
#undef XLA_OPTION
};
static const enum type types[] = {
#define XLA_OPTION(name, type) type,
#include "compiler/frontend/xla_options.def"
#undef XLA_OPTION
};
enum { OPTIONS = sizeof names / sizeof *names };

static int by_name(const void *name, const void *row)
{
    return strcmp(name, *(const char *const *)row);
}

/* The index of the option; -1: there is none. */
static int find(const char *name)
{
    const char *const *row = bsearch(name, names, OPTIONS, sizeof *names, by_name);
    return row ? (int)(row - names) : -1;
}

static const char *without_prefix(const char *name)
{
    return name + (strncmp(name, "xla_", 4) ? 0 : 4);
}

/* The option whose name is the nearest, but for the prefix that all have; NULL: none is near. */
static const char *nearest(const char *name)
{
    const char *words[OPTIONS];
    for (int i = 0; i < OPTIONS; i++)
        words[i] = without_prefix(names[i]);
    const char *found = suggest(without_prefix(name), words, OPTIONS);
    for (int i = 0; i < OPTIONS; i++)
        if (words[i] == found)
            return names[i];
    return NULL;
}

static struct error *unknown(const char *name)
{
    const char *meant = nearest(name);
    return ERROR(INVALID_ARGUMENT, "No such compile option: '%.200s'%s%s%s", name,
                 meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static struct error *misfit(const char *name, const Gantry__OptionOverride__Value *value,
                            enum type type)
{
    char number[32];
    const char *text = number;
    switch (value->value_case) {
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD: text = value->string_field; break;
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_BOOL_FIELD:
        text = value->bool_field ? "true" : "false";
        break;
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_INT_FIELD:
        snprintf(number, sizeof number, "%lld", (long long)value->int_field);
        break;
    default: snprintf(number, sizeof number, "%g", value->double_field);
    }
    return ERROR(INVALID_ARGUMENT, "While setting option %.200s, '%.200s' is not a valid %s value.",
                 name, text, type_names[type]);
}

/* ---- values ---------------------------------------------------------------------------------- */
static bool text_is_bool(const char *text, bool *out)
{
    static const char *const spellings[] = {"false", "true", "False", "True", "0", "1"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(text, spellings[i])) {
            *out = i & 1;
            return true;
        }
    return false;
}

static bool is_bool(const Gantry__OptionOverride__Value *value, bool *out)
{
    switch (value->value_case) {
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD:
        return text_is_bool(value->string_field, out);
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_BOOL_FIELD: *out = value->bool_field; return true;
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_INT_FIELD:
        *out = value->int_field == 1;
        return (uint64_t)value->int_field <= 1;
    default: return false;
    }
}

static bool text_fits(const char *text, enum type type)
{
    int64_t number;
    double real;
    switch (type) {
    case INT32: return number_read(text, INT32_MIN, INT32_MAX, &number);
    case INT64: return number_read(text, INT64_MIN, INT64_MAX, &number);
    case FLOAT: return number_read_real(text, -FLT_MAX, FLT_MAX, &real);
    case MESSAGE: return !*text;
    default: return true;
    }
}

/* Of any type but BOOL. */
static bool fits(const Gantry__OptionOverride__Value *value, enum type type)
{
    switch (value->value_case) {
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD:
        return text_fits(value->string_field, type);
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_INT_FIELD:
        return type == INT64 || type == ENUM ||
               (type == INT32 && value->int_field == (int32_t)value->int_field);
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_DOUBLE_FIELD: return type == FLOAT;
    default: return false;
    }
}

struct error *xla_options_bool(const char *name, const Gantry__OptionOverride__Value *value,
                               bool *out)
{
    return is_bool(value, out) ? NULL : misfit(name, value, BOOL);
}

struct error *xla_options_check(const char *name, const Gantry__OptionOverride__Value *value,
                                bool any_name)
{
    bool ignored;
    int option = find(name);
    if (option < 0)
        return any_name && !strncmp(name, "xla_", 4) ? NULL : unknown(name);
    if (!value)
        return NULL;
    if (types[option] == BOOL)
        return xla_options_bool(name, value, &ignored);
    return fits(value, types[option]) ? NULL : misfit(name, value, types[option]);
}
