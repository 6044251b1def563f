/* expected.c: reads lists of expectations. */
#include "conformance/cts/expected.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "conformance/cts/embedded.h"

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Splits a line at its first blanks; returns what follows them. */
static char *split(char *line)
{
    char *rest = line + strcspn(line, " \t");
    if (*rest)
        *rest++ = '\0';
    return rest + strspn(rest, " \t");
}

static struct error *add_line(struct expected *expected, char *line, const char *name, int number)
{
    char *reason = split(line);
    if (!*reason)
        return ERROR(INVALID_ARGUMENT, "%s:%d: '%s' has no reason; a line is PATTERN REASON", name,
                     number, line);
    TRY(alloc_resize(&expected->items, (expected->count + 1) * sizeof *expected->items));
    expected->items[expected->count++] = (struct expectation){line, reason};
    return NULL;
}

/* Whether the words of a line `plugin GLOB [MINOR]` are about the plugin. */
static bool is_about(char *words, const struct expected_plugin *plugin)
{
    char *minor = split(words);
    return !fnmatch(words, file_name(plugin->path), 0) && (!*minor || atoi(minor) == plugin->minor);
}

/* Reads the lines of a list in place, up to one that says that it is for another plugin. */
static struct error *read_lines(struct expected *expected, char *text,
                                const struct expected_plugin *plugin, const char *name)
{
    int number = 0;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        line += strspn(line, " \t");
        if (!*line || *line == '#')
            continue;
        if (strncmp(line, "plugin ", 7))
            TRY(add_line(expected, line, name, number));
        else if (!is_about(line + 7, plugin))
            return NULL;
    }
    return NULL;
}

struct error *expected_add(struct expected *expected, const struct expected_plugin *plugin,
                           const char *name, const char *text)
{
    char *copy;
    TRY(alloc_resize(&expected->texts, (expected->text_count + 1) * sizeof *expected->texts));
    TRY(alloc_copy(text, strlen(text) + 1, &copy));
    expected->texts[expected->text_count++] = copy;
    return read_lines(expected, copy, plugin, name);
}

static struct error *read_file(const char *path, struct text *out)
{
    char chunk[4096];
    FILE *file = fopen(path, "re");
    if (!file)
        return ERROR(NOT_FOUND, "--expected %s: %s", path, strerror(errno));
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        text_add_bytes(out, chunk, got);
    bool failed = ferror(file);
    int why = errno;
    fclose(file);
    if (!failed)
        return NULL;
    text_free(out);
    return ERROR(NOT_FOUND, "--expected %s: %s", path, strerror(why));
}

static struct error *add_file(struct expected *expected, const struct expected_plugin *plugin,
                              const char *path)
{
    struct text text = {0};
    char *list;
    TRY(read_file(path, &text));
    TRY(text_finish(&text, &list, NULL));
    struct error *error = expected_add(expected, plugin, path, list);
    alloc_free(list);
    return error;
}

struct error *expected_read(const struct expected_plugin *plugin, const char *path,
                            struct expected *out)
{
    *out = (struct expected){0};
    for (const struct embedded_file *file = embedded_files; file->path; file++)
        if (strstr(file->path, "/expected/"))
            TRY(expected_add(out, plugin, file->path, file->bytes));
    return path ? add_file(out, plugin, path) : NULL;
}

struct error *expected_apply(const struct expected *expected, struct result *result)
{
    bool failure = verdict_is_failure(result->verdict);
    if (!failure && result->verdict != PASSED)
        return NULL;
    for (size_t i = 0; i < expected->count; i++)
        if (rule_matches(result->rule, expected->items[i].pattern)) {
            const char *reason = expected->items[i].reason;
            result->verdict = failure ? XFAILED : XPASSED;
            return alloc_copy(reason, strlen(reason) + 1, &result->expected);
        }
    return NULL;
}

void expected_free(struct expected *expected)
{
    for (size_t i = 0; i < expected->text_count; i++)
        alloc_free(expected->texts[i]);
    alloc_free(expected->texts);
    alloc_free(expected->items);
    *expected = (struct expected){0};
}
