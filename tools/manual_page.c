/* manual_page.c: the man page, in roff's macros for manuals. */
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "tools/manual.h"
#include "version.h"

/* Text in which nothing is a request or an escape of roff's. */
static void add_escaped(struct text *out, const char *at, size_t size)
{
    if (size && (*at == '.' || *at == '\''))
        text_add(out, "\\&");
    for (; size; at++, size--) {
        if (*at == '\\' || *at == '-')
            text_add(out, *at == '-' ? "\\-" : "\\e");
        else
            text_add_bytes(out, at, 1);
    }
}

static void add_line(struct text *out, const char *at, size_t size)
{
    add_escaped(out, at, size);
    text_add(out, "\n");
}

/* The size of what a line of a list explains: an option, or what is before two spaces. */
static size_t tag_size(const char *line, size_t size)
{
    if (!strncmp(line, "--", 2))
        return strcspn(line, " ");
    for (size_t i = 0; i + 1 < size; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            return i;
    return size;
}

/* "  --only  RULE is an id": a paragraph with a tag. */
static void add_item(struct text *out, const char *line, size_t size)
{
    size_t tag = tag_size(line, size);
    text_add(out, ".TP\n\\fB");
    add_escaped(out, line, tag);
    text_add(out, "\\fR\n");
    for (; tag < size && line[tag] == ' '; tag++)
        ;
    add_line(out, line + tag, size - tag);
}

static void add_command(struct text *out, const struct manual *manual)
{
    const char *end = manual->text + manual_synopsis_size(manual);
    bool listing = false;
    text_add(out, ".SS %s\n.nf\n", manual->name);
    for (const char *at = manual->text; *at;) {
        size_t size = strcspn(at, "\n");
        bool item = at >= end && !strncmp(at, "  ", 2);
        if (at == end)
            text_add(out, ".fi\n.PP\n");
        if (listing && !item)
            text_add(out, ".PP\n");
        listing = item;
        if (item)
            add_item(out, at + 2, size - 2);
        else
            add_line(out, at, size);
        at += size + (at[size] == '\n');
    }
}

static void add_summaries(struct text *out)
{
    const struct manual *manual;
    for (size_t i = 0; (manual = manual_at(i)); i++) {
        text_add(out, ".TP\n\\fB%s\\fR\n", manual->name);
        add_line(out, manual->summary, strlen(manual->summary));
    }
}

static void add_environment(struct text *out)
{
    for (int i = 0; i < ENV_COUNT; i++) {
        const char *meaning = env_meaning(i), *fallback = env_default(i);
        text_add(out, ".TP\n\\fB%s\\fR\n", env_name(i));
        add_line(out, meaning, strlen(meaning));
        if (*fallback) {
            text_add(out, "Default: ");
            add_line(out, fallback, strlen(fallback));
        }
    }
}

void manual_write_page(struct text *out)
{
    const struct manual *manual;
    text_add(out,
             ".TH GANTRY 1 \"\" \"gantry %s\" \"User Commands\"\n"
             ".SH NAME\ngantry \\- PJRT plugin: run, plan and test programs, inspect plugins\n"
             ".SH SYNOPSIS\n\\fBgantry\\fR \\fICOMMAND\\fR ...\n"
             ".SH DESCRIPTION\nGantry is a PJRT plugin for JAX, PyTorch/XLA, Go and C. This "
             "command runs and measures programs on any plugin, and shows a plugin's devices and "
             "features.\n",
             GANTRY_VERSION);
    add_summaries(out);
    text_add(out, ".SH COMMANDS\n");
    for (size_t i = 0; (manual = manual_at(i)); i++)
        add_command(out, manual);
    text_add(out, ".SH EXIT STATUS\n"
                  "0: success, 1: failure, 2: usage error, 3: no plugin could be loaded, 4: does "
                  "not fit (plan).\n"
                  ".SH ENVIRONMENT\n");
    add_environment(out);
}
