/* env.c: the only getenv. */
#include "base/env.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *fallback, *meaning;
} variables[] = {
#define ENV(NAME, default_text, meaning) {#NAME, default_text, meaning},
#include "base/env.def"
#undef ENV
};

const char *env_text(enum env_variable variable)
{
    const char *text = getenv(env_name(variable));
    return text && *text ? text : NULL;
}

int64_t env_int(enum env_variable variable, int64_t fallback)
{
    const char *text = env_text(variable);
    if (!text)
        return fallback;
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    return errno || end == text || *end ? fallback : (int64_t)value;
}

const char *env_name(enum env_variable variable)
{
    return (unsigned)variable < ENV_COUNT ? variables[variable].name : "";
}

const char *env_default(enum env_variable variable)
{
    return (unsigned)variable < ENV_COUNT ? variables[variable].fallback : "";
}

const char *env_meaning(enum env_variable variable)
{
    return (unsigned)variable < ENV_COUNT ? variables[variable].meaning : "";
}

/* Copies one word of `text`, without its quotes, into `word` (at most `size` bytes with the NUL;
 * the rest is dropped); returns what follows, or NULL at the end. */
static const char *next_word(const char *text, char *word, size_t size)
{
    size_t used = 0;
    char quote = '\0';
    while (isspace((unsigned char)*text))
        text++;
    if (!*text)
        return NULL;
    for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
        if (*text == quote)
            quote = '\0';
        else if (!quote && (*text == '"' || *text == '\''))
            quote = *text;
        else if (used + 1 < size)
            word[used++] = *text;
    }
    word[used] = '\0';
    return text;
}

bool env_xla_flag(const char *name, char *out, size_t out_size)
{
    char word[4096];
    bool found = false;
    size_t name_size = strlen(name);
    const char *text = env_text(ENV_XLA_FLAGS);
    while (text && (text = next_word(text, word, sizeof word))) {
        if (strncmp(word, "--", 2) || strncmp(word + 2, name, name_size))
            continue;
        const char *value = word + 2 + name_size;
        if (*value && *value != '=')
            continue;
        value = *value ? value + 1 : "true";
        size_t size = strlen(value);
        if (size >= out_size)
            continue;
        memcpy(out, value, size + 1);
        found = true;
    }
    return found;
}

const char *env_xla_flag_name(const char *position, char *name, size_t size)
{
    char word[4096];
    const char *text = position ? position : env_text(ENV_XLA_FLAGS);
    if (!text || !(text = next_word(text, word, sizeof word)))
        return NULL;
    const char *start = strncmp(word, "--", 2) ? word : word + 2;
    size_t length = strcspn(start, "=");
    if (length >= size)
        length = size - 1;
    memcpy(name, start, length);
    name[length] = '\0';
    return text;
}
