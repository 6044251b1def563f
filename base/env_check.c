/* env_check.c: see env_check.h. */
#include "base/env_check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/suggest.h"

#define PREFIX "GANTRY_"

/* Variables of the Python package and the tests, without the prefix, besides those that begin with
 * TEST_. The library does not read them. */
static const char *const others[] = {"JAX_CPU", "JAX_TPU", "CACHE", "LIB",
                                     "BIN",     "TORCH",   "GOLDEN"};
enum { PREFIX_SIZE = sizeof PREFIX - 1, OTHERS = sizeof others / sizeof *others, NAME_SHOWN = 64 };

static bool is_ours(const char *name)
{
    return !strncmp(name, PREFIX, PREFIX_SIZE);
}

static void add_choices(const struct env_rule *rule, struct text *out)
{
    for (int i = 0; i < ENV_CHOICES && rule->choices[i]; i++) {
        bool last = i + 1 == ENV_CHOICES || !rule->choices[i + 1];
        text_add(out, "%s%s", !i ? "" : last ? " or " : ", ", rule->choices[i]);
    }
}

void env_add_allowed(enum env_variable variable, struct text *out)
{
    const struct env_rule *rule = env_rule(variable);
    switch (rule->type) {
    case ENV_NUMBER:
        text_add(out, "%lld to %lld", (long long)rule->min, (long long)rule->max);
        break;
    case ENV_CHOICE: add_choices(rule, out); break;
    case ENV_BYTES: text_add(out, "a number of bytes, as 1048576, 512M or 1.5GiB"); break;
    case ENV_FOLDER: text_add(out, "the path of a folder"); break;
    case ENV_TEXT: text_add(out, "any text"); break;
    }
}

static struct error *check_value(enum env_variable variable)
{
    const char *value = env_text(variable);
    char *allowed;
    struct text text = {0};
    if (!is_ours(env_name(variable)) || !value || env_allows(variable, value))
        return NULL;
    env_add_allowed(variable, &text);
    TRY(text_finish(&text, &allowed, NULL));
    struct error *error =
        ERROR(INVALID_ARGUMENT, "the environment variable %s is '%.*s'; allowed: %s",
              env_name(variable), NAME_SHOWN, value, allowed);
    alloc_free(allowed);
    return error;
}

/* The known names without their prefix: first those of the table, then the others. */
static size_t known_names(const char *names[ENV_COUNT + OTHERS])
{
    size_t count = 0;
    for (int i = 0; i < ENV_COUNT; i++)
        if (is_ours(env_name((enum env_variable)i)))
            names[count++] = env_name((enum env_variable)i) + PREFIX_SIZE;
    for (int i = 0; i < OTHERS; i++)
        names[count++] = others[i];
    return count;
}

/* Whether the words of one name, which '_' separates, are in the other: THREADS and NUM_THREADS. */
static bool shares_words(const char *x, const char *y)
{
    const char *longer = strlen(x) > strlen(y) ? x : y, *shorter = longer == x ? y : x;
    size_t size = strlen(shorter);
    for (const char *at = longer; *shorter && (at = strstr(at, shorter)); at++)
        if ((at == longer || at[-1] == '_') && (!at[size] || at[size] == '_'))
            return true;
    return false;
}

/* The known name that a user may have meant; NULL: none. */
static const char *meant_by(const char *name, const char *const *names, size_t count)
{
    const char *near = suggest(name, names, count);
    for (size_t i = 0; !near && i < count - OTHERS; i++)
        if (shares_words(name, names[i]))
            near = names[i];
    return near;
}

/* `entry`: as in `environ`. */
static struct error *check_name(const char *entry)
{
    const char *names[ENV_COUNT + OTHERS];
    char name[NAME_SHOWN];
    if (!is_ours(entry))
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(entry, "=") - PREFIX_SIZE,
             entry + PREFIX_SIZE);
    if (!strncmp(name, "TEST_", 5))
        return NULL;
    size_t count = known_names(names);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return NULL;
    const char *meant = meant_by(name, names, count);
    if (meant)
        return ERROR(INVALID_ARGUMENT,
                     "the environment variable " PREFIX "%s is unknown; did you mean " PREFIX "%s?",
                     name, meant);
    LOG(WARNING, "the environment variable " PREFIX "%s is unknown and has no effect", name);
    return NULL;
}

struct error *env_check(void)
{
    for (int i = 0; i < ENV_COUNT; i++)
        TRY(check_value((enum env_variable)i));
    for (char **entry = environ; entry && *entry; entry++)
        TRY(check_name(*entry));
    return NULL;
}
