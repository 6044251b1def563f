/* completion.c: scripts that complete the command's arguments in bash, zsh and fish. What an option
 * or an operand may be is read from the synopsis: "text|json" are words, FILE, FOLDER, PROGRAM and
 * PLUGIN.so are files, COMMAND is a subcommand, TOPOLOGY begins with a generation of TPUs, AREA is
 * one of the rules', and anything else is not completed. */
#include <stdio.h>
#include <string.h>

#include "tools/manual.h"

enum kind { NOTHING, WORDS, FILES, COMMANDS };

/* The areas of the conformance suite, as "load table ...". */
static const char areas[] =
#define AREA(number, name, title) #name " "
#include "conformance/rules.def"
    ;

static bool is(const char *value, size_t size, const char *name)
{
    return strlen(name) == size && !strncmp(name, value, size);
}

static enum kind kind_of(const char *value, size_t size)
{
    static const char *const files[] = {"FILE", "FILE.npy", "FOLDER", "PROGRAM", "PLUGIN.so"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (is(value, size, files[i]))
            return FILES;
    if (is(value, size, "COMMAND"))
        return COMMANDS;
    if (is(value, size, "TOPOLOGY") || is(value, size, "AREA"))
        return WORDS;
    return size && memchr(value, '|', size) ? WORDS : NOTHING;
}

/* "a|b" as "a b". */
static void add_words(struct text *out, const char *value, size_t size)
{
    if (is(value, size, "TOPOLOGY")) {
        text_add(out, "v2 v3 v4 v5e v5p v6e tpu7x");
        return;
    }
    if (is(value, size, "AREA")) {
        text_add(out, "%s", areas);
        return;
    }
    for (size_t i = 0; i < size; i++)
        text_add_bytes(out, value[i] == '|' ? " " : &value[i], 1);
}

static void add_commands(struct text *out)
{
    const struct manual *manual;
    for (size_t i = 0; (manual = manual_at(i)); i++)
        text_add(out, "%s%s", i ? " " : "", manual->name);
}

/* The word after the subcommand's name in the synopsis; size 0: there is none. */
static const char *operand_of(const struct manual *manual, size_t *size)
{
    const char *at = manual->text + strlen("gantry ") + strlen(manual->name);
    at += *at == ' ';
    at += *at == '[' && at[1] != '-';
    *size = *at == '[' || *at == '-' ? 0 : strcspn(at, "] \n");
    return at;
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void add_bash_reply(struct text *out, const char *value, size_t size)
{
    switch (kind_of(value, size)) {
    case NOTHING: text_add(out, ":"); break;
    case FILES: text_add(out, "COMPREPLY=($(compgen -f -- \"$cur\"))"); break;
    case WORDS:
        text_add(out, "COMPREPLY=($(compgen -W '");
        add_words(out, value, size);
        text_add(out, "' -- \"$cur\"))");
        break;
    case COMMANDS:
        text_add(out, "COMPREPLY=($(compgen -W '");
        add_commands(out);
        text_add(out, "' -- \"$cur\"))");
        break;
    }
}

static void add_bash_values(struct text *out, const struct manual *manual)
{
    struct manual_option options[MANUAL_OPTIONS];
    size_t count = manual_options(manual, options);
    for (size_t i = 0; i < count; i++) {
        const struct manual_option *option = &options[i];
        if (!option->value_size)
            continue;
        text_add(out, "    %s:%.*s) ", manual->name, (int)option->name_size, option->name);
        add_bash_reply(out, option->value, option->value_size);
        text_add(out, "; return ;;\n");
    }
}

static void add_bash_options(struct text *out, const struct manual *manual)
{
    struct manual_option options[MANUAL_OPTIONS];
    size_t count = manual_options(manual, options), size;
    const char *operand = operand_of(manual, &size);
    text_add(out, "    %s:-*) COMPREPLY=($(compgen -W '", manual->name);
    for (size_t i = 0; i < count; i++)
        text_add(out, "%.*s ", (int)options[i].name_size, options[i].name);
    text_add(out, "--help' -- \"$cur\")) ;;\n    %s:*) ", manual->name);
    add_bash_reply(out, operand, size);
    text_add(out, " ;;\n");
}

static void write_bash(struct text *out)
{
    const struct manual *manual;
    text_add(out, "# Completion of gantry's arguments in bash.\n"
                  "_gantry() {\n"
                  "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
                  "command=${COMP_WORDS[1]}\n"
                  "    COMPREPLY=()\n"
                  "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                  "        COMPREPLY=($(compgen -W '");
    add_commands(out);
    text_add(out, "' -- \"$cur\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    if [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then "
                  "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                  "    case $command:$prev in\n");
    for (size_t i = 0; (manual = manual_at(i)); i++)
        add_bash_values(out, manual);
    text_add(out, "    esac\n    case $command:$cur in\n");
    for (size_t i = 0; (manual = manual_at(i)); i++)
        add_bash_options(out, manual);
    text_add(out, "    esac\n}\ncomplete -o filenames -F _gantry gantry\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* What follows the name of an option, or stands for an operand: ":message:action". */
static void add_zsh_action(struct text *out, const char *value, size_t size)
{
    text_add(out, ":%.*s:", (int)strcspn(value, "|] \n"), value);
    switch (kind_of(value, size)) {
    case NOTHING: text_add(out, " "); break;
    case FILES: text_add(out, "_files"); break;
    case WORDS:
        text_add(out, "(");
        add_words(out, value, size);
        text_add(out, ")");
        break;
    case COMMANDS:
        text_add(out, "(");
        add_commands(out);
        text_add(out, ")");
        break;
    }
}

static void add_zsh_command(struct text *out, const struct manual *manual)
{
    struct manual_option options[MANUAL_OPTIONS];
    size_t count = manual_options(manual, options), size;
    const char *operand = operand_of(manual, &size);
    text_add(out, "    %s) _arguments ", manual->name);
    for (size_t i = 0; i < count; i++) {
        const struct manual_option *option = &options[i];
        text_add(out, "'*%.*s", (int)option->name_size, option->name);
        if (option->value_size) {
            text_add(out, "=");
            add_zsh_action(out, option->value, option->value_size);
        }
        text_add(out, "' ");
    }
    text_add(out, "'--help'");
    if (size) {
        text_add(out, " '*");
        add_zsh_action(out, operand, size);
        text_add(out, "'");
    }
    text_add(out, " ;;\n");
}

/* A summary in which nothing is special between single quotes and after a colon. */
static void add_quoted(struct text *out, const char *summary, bool colons)
{
    for (; *summary; summary++) {
        if (*summary == '\'')
            text_add(out, "'\\''");
        else
            text_add(out, *summary == ':' && colons ? "\\%c" : "%c", *summary);
    }
}

static void write_zsh(struct text *out)
{
    const struct manual *manual;
    text_add(out, "#compdef gantry\n"
                  "# Completion of gantry's arguments in zsh.\n"
                  "_gantry() {\n"
                  "    local -a commands=(\n");
    for (size_t i = 0; (manual = manual_at(i)); i++) {
        text_add(out, "        '%s:", manual->name);
        add_quoted(out, manual->summary, true);
        text_add(out, "'\n");
    }
    text_add(out, "    )\n"
                  "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
                  "    shift words\n"
                  "    (( CURRENT-- ))\n"
                  "    case $words[1] in\n");
    for (size_t i = 0; (manual = manual_at(i)); i++)
        add_zsh_command(out, manual);
    text_add(out, "    esac\n}\n"
                  "if [ \"$funcstack[1]\" = _gantry ]; then _gantry \"$@\"; else compdef _gantry "
                  "gantry; fi\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

/* The arguments of `complete` for a value or an operand. */
static void add_fish_action(struct text *out, const char *value, size_t size)
{
    switch (kind_of(value, size)) {
    case NOTHING: text_add(out, " -x"); break;
    case FILES: text_add(out, " -r -F"); break;
    case WORDS:
        text_add(out, " -x -a '");
        add_words(out, value, size);
        text_add(out, "'");
        break;
    case COMMANDS:
        text_add(out, " -x -a '");
        add_commands(out);
        text_add(out, "'");
        break;
    }
}

static void add_fish_command(struct text *out, const struct manual *manual)
{
    struct manual_option options[MANUAL_OPTIONS];
    size_t count = manual_options(manual, options), size;
    const char *operand = operand_of(manual, &size);
    text_add(out, "complete -c gantry -n '__gantry_command_is \"\"' -f -a %s -d '", manual->name);
    for (const char *at = manual->summary; *at; at++)
        text_add(out, *at == '\'' ? "\\%c" : "%c", *at);
    text_add(out, "'\n");
    for (size_t i = 0; i < count; i++) {
        text_add(out, "complete -c gantry -n '__gantry_command_is %s' -l %.*s", manual->name,
                 (int)options[i].name_size - 2, options[i].name + 2);
        if (options[i].value_size)
            add_fish_action(out, options[i].value, options[i].value_size);
        text_add(out, "\n");
    }
    text_add(out, "complete -c gantry -n '__gantry_command_is %s' -l help\n", manual->name);
    if (size && kind_of(operand, size) != FILES) {
        text_add(out, "complete -c gantry -n '__gantry_command_is %s'", manual->name);
        add_fish_action(out, operand, size);
        text_add(out, "\n");
    }
}

static void write_fish(struct text *out)
{
    const struct manual *manual;
    text_add(out, "# Completion of gantry's arguments in fish.\n"
                  "function __gantry_command_is\n"
                  "    set -l words (commandline -opc)\n"
                  "    test \"$words[2]\" = \"$argv[1]\"\n"
                  "end\n");
    for (size_t i = 0; (manual = manual_at(i)); i++)
        add_fish_command(out, manual);
}

/* ---- The shells ------------------------------------------------------------------------------ */

bool manual_write_completion(const char *shell, struct text *out)
{
    static const struct {
        const char *name;
        void (*write)(struct text *out);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(shells[i].name, shell)) {
            shells[i].write(out);
            return true;
        }
    return false;
}
