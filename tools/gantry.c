/* gantry.c: the command: a table of subcommands, whose manuals are in manual.c. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/suggest.h"
#include "tools/commands.h"
#include "tools/manual.h"
#include "version.h"

static const struct command {
    const char *name;
    command_run *run;
} commands[] = {
    {"info", cmd_info_run},       {"doctor", cmd_doctor_run}, {"run", cmd_run_run},
    {"bench", cmd_benchmark_run}, {"topo", cmd_topo_run},     {"plan", cmd_plan_run},
    {"explore", cmd_explore_run}, {"top", cmd_top_run},       {"launch", cmd_launch_run},
    {"cts", cmd_cts_run},         {"env", cmd_env_run},       {"completion", cmd_completion_run},
    {"version", cmd_version_run}, {"help", cmd_help_run},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

enum exit_code commands_fail(enum exit_code code, struct error *error)
{
    fprintf(stderr, "gantry: %s: %s\n", error_code_name(error_code(error)),
            error_message(error, NULL));
    error_free(error);
    return code;
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

/* ---- what was meant -------------------------------------------------------------------------- */
enum { OPTION_SIZE = 32, SHOWN = 80 };

struct error *commands_unknown(const char *command, const char *argument)
{
    struct manual_option options[MANUAL_OPTIONS];
    char texts[MANUAL_OPTIONS][OPTION_SIZE], name[OPTION_SIZE];
    const char *names[MANUAL_OPTIONS];
    size_t count = manual_options(manual_find(command), options);
    for (size_t i = 0; i < count; i++) {
        snprintf(texts[i], OPTION_SIZE, "%.*s", (int)options[i].name_size, options[i].name);
        names[i] = texts[i];
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    const char *meant = *argument == '-' ? suggest(name, names, count) : NULL;
    return meant ? ERROR(INVALID_ARGUMENT,
                         "unknown argument '%.*s'; did you mean %s? See gantry "
                         "help %s",
                         SHOWN, argument, meant, command)
                 : ERROR(INVALID_ARGUMENT, "unknown argument '%.*s'; see gantry help %s", SHOWN,
                         argument, command);
}

static enum exit_code unknown_command(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *meant = suggest(name, names, COMMANDS);
    return commands_fail(
        EXIT_USAGE,
        meant ? ERROR(INVALID_ARGUMENT, "unknown command '%.*s'; did you mean gantry %s?", SHOWN,
                      name, meant)
              : ERROR(INVALID_ARGUMENT, "unknown command '%.*s'; gantry help lists the commands",
                      SHOWN, name));
}

static void print_summary(FILE *out)
{
    const struct manual *manual;
    fprintf(out, "gantry COMMAND ...\n");
    for (size_t i = 0; (manual = manual_at(i)); i++)
        fprintf(out, "  %-10s %s\n", manual->name, manual->summary);
    fprintf(out,
            "Exit status 0: success, 1: failure, 2: usage error, 3: no plugin could be loaded, "
            "4: does not fit (plan).\n");
}

/* ---- Commands without a file of their own ---------------------------------------------------- */

static enum exit_code print_text(struct text *text)
{
    char *bytes;
    struct error *error = text_finish(text, &bytes, NULL);
    if (error)
        return commands_fail(EXIT_FAILED, error);
    fputs(bytes, stdout);
    alloc_free(bytes);
    return EXIT_DONE;
}

enum exit_code cmd_help_run(int argc, char **argv)
{
    struct text page = {0};
    const struct manual *manual = argc ? manual_find(argv[0]) : NULL;
    if (argc && !strcmp(argv[0], "--man")) {
        manual_write_page(&page);
        return print_text(&page);
    }
    if (argc && !manual)
        return *argv[0] == '-' ? commands_fail(EXIT_USAGE, commands_unknown("help", argv[0]))
                               : unknown_command(argv[0]);
    if (manual)
        fputs(manual->text, stdout);
    else
        print_summary(stdout);
    return EXIT_DONE;
}

enum exit_code cmd_version_run(int argc, char **argv)
{
    if (argc)
        return commands_fail(EXIT_USAGE, commands_unknown("version", argv[0]));
    puts("gantry " GANTRY_VERSION " build " GANTRY_BUILD_ID);
    return EXIT_DONE;
}

enum exit_code cmd_completion_run(int argc, char **argv)
{
    struct text script = {0};
    if (argc && *argv[0] == '-')
        return commands_fail(EXIT_USAGE, commands_unknown("completion", argv[0]));
    if (argc == 1 && manual_write_completion(argv[0], &script))
        return print_text(&script);
    text_free(&script);
    return commands_fail(EXIT_USAGE,
                         ERROR(INVALID_ARGUMENT, "shell '%.*s'; allowed: bash, zsh or fish", SHOWN,
                               argc ? argv[0] : ""));
}

static enum exit_code run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version"))
        name = "version";
    const struct command *command = find(name);
    if (command && argc > 2 && !strcmp(argv[2], "--help"))
        return cmd_help_run(1, &argv[1]);
    if (command)
        return command->run(argc - 2, argv + 2);
    if (*name)
        return unknown_command(name);
    print_summary(stderr);
    return EXIT_USAGE;
}

/* A full disk must not look like success. What failed before the end has no errno any more. */
static struct error *flush_output(void)
{
    bool failed = ferror(stdout);
    if (fflush(stdout))
        return ERROR(RESOURCE_EXHAUSTED, "the output could not be written: %s", strerror(errno));
    return failed ? ERROR(RESOURCE_EXHAUSTED, "the output could not be written as a whole") : NULL;
}

int main(int argc, char **argv)
{
    signal(SIGCHLD, SIG_DFL); /* ignored by a parent, it would hide the ends of our children */
    enum exit_code code = run(argc, argv);
    struct error *error = flush_output();
    return error ? commands_fail(code ? code : EXIT_FAILED, error) : code;
}
