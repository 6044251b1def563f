/* env.c: the only module that calls getenv. */
#include "base/env.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"

#define BLANKS " \t\n\r\f\v"

#define TEXT {.type = ENV_TEXT}
#define NUMBER(MIN, MAX) {.type = ENV_NUMBER, .min = MIN, .max = MAX}
#define ONE_OF(...)                                                                                \
    {                                                                                              \
        .type = ENV_CHOICE, .choices = { __VA_ARGS__ }                                             \
    }
#define BYTES {.type = ENV_BYTES}
#define FOLDER {.type = ENV_FOLDER}
static const struct {
    const char *name, *fallback, *meaning;
    struct env_rule rule;
} variables[] = {
#define ENV(NAME, type, default_text, meaning) {#NAME, default_text, meaning, type},
#include "base/env.def"
#undef ENV
};

/* ---- the table ------------------------------------------------------------------------------- */
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

const struct env_rule *env_rule(enum env_variable variable)
{
    return &variables[variable].rule;
}

/* ---- values ---------------------------------------------------------------------------------- */
static bool is_blank(const char *text)
{
    return !text[strspn(text, BLANKS)];
}

static bool read_number(const struct env_rule *rule, const char *text, int64_t *out)
{
    text += strspn(text, BLANKS);
    return number_take(&text, out) && is_blank(text) && *out >= rule->min && *out <= rule->max;
}

/* The exponent of 1024 for a unit ("", "B", "K", "KB", "KiB" ...); -1 for other text. */
static int unit_of(const char *text)
{
    static const char letters[] = "KMGT";
    const char *letter = *text ? strchr(letters, toupper((unsigned char)*text)) : NULL;
    text += letter ? 1 : 0;
    text += letter && (*text == 'i' || *text == 'I') ? 1 : 0;
    text += *text == 'B' || *text == 'b' ? 1 : 0;
    return !is_blank(text) ? -1 : letter ? (int)(letter - letters) + 1 : 0;
}

bool env_parse_bytes(const char *text, int64_t *out)
{
    double value;
    text += strspn(text, BLANKS);
    int unit = number_take_real(&text, &value) ? unit_of(text + strspn(text, " ")) : -1;
    for (int i = 0; i < unit; i++)
        value *= 1024;
    if (unit < 0 || !(value >= 0 && value < 0x1p63))
        return false;
    *out = (int64_t)value;
    return true;
}

static int read_choice(const struct env_rule *rule, const char *text)
{
    for (int i = 0; i < ENV_CHOICES && rule->choices[i]; i++)
        if (!strcmp(text, rule->choices[i]))
            return i;
    return -1;
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

bool env_allows(enum env_variable variable, const char *text)
{
    const struct env_rule *rule = env_rule(variable);
    int64_t number;
    switch (rule->type) {
    case ENV_NUMBER: return read_number(rule, text, &number);
    case ENV_CHOICE: return read_choice(rule, text) >= 0;
    case ENV_BYTES: return env_parse_bytes(text, &number);
    case ENV_FOLDER: return is_folder(text);
    case ENV_TEXT: break;
    }
    return true;
}

const char *env_text(enum env_variable variable)
{
    const char *text = getenv(env_name(variable));
    return text && *text ? text : NULL;
}

int64_t env_int(enum env_variable variable, int64_t fallback)
{
    const struct env_rule *rule = env_rule(variable);
    const char *text = env_text(variable);
    int64_t value;
    bool allowed = text && (rule->type == ENV_BYTES ? env_parse_bytes(text, &value)
                                                    : read_number(rule, text, &value));
    return allowed ? value : fallback;
}

int env_choice(enum env_variable variable)
{
    const char *text = env_text(variable);
    return text ? read_choice(env_rule(variable), text) : -1;
}

/* ---- XLA_FLAGS ------------------------------------------------------------------------------- */
/* Copies one word of `text`, without its quotes, to `word`, truncated to `size` bytes including the
 * NUL. Returns the text after the word, or NULL at the end. */
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
