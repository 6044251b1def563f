/* cmd_cts.c: gantry cts: the arguments of the conformance suite. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/number.h"
#include "conformance/cts/cts.h"
#include "tools/abi.h"
#include "tools/commands.h"
#include "tools/file.h"
#include "tools/session.h"

struct cts {
    struct cts_request request;
    report_printer *print; /* NULL: for the terminal */
    const char *output;    /* a file; NULL: stdout */
    bool list;
};

static struct error *read_number(const char *option, const char *text, int64_t least, int64_t most,
                                 int64_t *out)
{
    return number_read(text, least, most, out)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s %s; allowed: a number from %lld to %lld", option, text,
                       (long long)least, (long long)most);
}

static struct error *add_word(const char *word, const char **words, size_t *count)
{
    if (*count == PLAN_MAX_PATTERNS)
        return ERROR(INVALID_ARGUMENT, "more than %d of one option", PLAN_MAX_PATTERNS);
    words[(*count)++] = word;
    return NULL;
}

static struct error *set_level(struct cts *cts, const char *value)
{
    for (int level = MUST; level <= EXTRA; level++)
        if (!strcmp(value, rule_level_name((enum rule_level)level))) {
            cts->request.selection.level = (enum rule_level)level;
            cts->request.selection.has_level = true;
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT, "--level %s; allowed: must, should, optional or extra", value);
}

static struct error *set_profile(struct cts *cts, const char *value)
{
    enum profile_name profile = profile_find(value);
    if (profile == PROFILE_COUNT)
        return ERROR(INVALID_ARGUMENT, "--profile %s; allowed: jax, torch, go or rust", value);
    cts->request.profiles[profile] = true;
    return NULL;
}

static struct error *set_format(struct cts *cts, const char *value)
{
    bool terminal = !strcmp(value, "terminal");
    cts->print = terminal ? NULL : report_find(value);
    if (!terminal && !cts->print)
        return ERROR(INVALID_ARGUMENT,
                     "--format %s; allowed: terminal, json, tap, junit, md or html", value);
    return NULL;
}

static struct error *set_only(struct cts *cts, const char *value)
{
    return add_word(value, cts->request.selection.patterns, &cts->request.selection.pattern_count);
}

static struct error *set_area(struct cts *cts, const char *value)
{
    return add_word(value, cts->request.selection.areas, &cts->request.selection.area_count);
}

static struct error *set_seed(struct cts *cts, const char *value)
{
    int64_t seed;
    TRY(read_number("--seed", value, 0, INT64_MAX, &seed));
    cts->request.seed = (uint64_t)seed;
    return NULL;
}

static struct error *set_jobs(struct cts *cts, const char *value)
{
    int64_t jobs;
    TRY(read_number("--jobs", value, 1, 64, &jobs));
    cts->request.jobs = (int)jobs;
    return NULL;
}

static struct error *set_expected(struct cts *cts, const char *value)
{
    cts->request.expected = value;
    return NULL;
}

static struct error *set_output(struct cts *cts, const char *value)
{
    cts->output = value;
    return NULL;
}

static const struct {
    const char *name;
    struct error *(*set)(struct cts *cts, const char *value);
} options[] = {
    {"--only", set_only},         {"--area", set_area},     {"--level", set_level},
    {"--profile", set_profile},   {"--seed", set_seed},     {"--jobs", set_jobs},
    {"--expected", set_expected}, {"--format", set_format}, {"--output", set_output},
};

/* Takes an option with a value; `*taken`: whether argv[*i] is one. */
static struct error *read_option(struct cts *cts, int argc, char **argv, int *i, bool *taken)
{
    const char *value = NULL;
    *taken = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        TRY(session_value(options[k].name, argc, argv, i, &value));
        if (value)
            return options[k].set(cts, value);
    }
    *taken = false;
    return NULL;
}

static struct error *read_arguments(struct cts *cts, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        bool taken;
        TRY(read_option(cts, argc, argv, &i, &taken));
        if (taken)
            continue;
        if (!strcmp(argv[i], "--list"))
            cts->list = true;
        else if (!strcmp(argv[i], "--in-process"))
            cts->request.in_process = true;
        else if (!strcmp(argv[i], "--strict"))
            cts->request.strict = true;
        else if (*argv[i] == '-' || cts->request.plugin)
            return commands_unknown("cts", argv[i]);
        else
            cts->request.plugin = argv[i];
    }
    if (!cts->request.plugin && !cts->list)
        return ERROR(INVALID_ARGUMENT, "no plugin; usage: gantry cts PLUGIN.so");
    return NULL;
}

/* ---- Running --------------------------------------------------------------------------------- */

static struct error *write_text(const struct cts *cts, struct text *text)
{
    char *bytes = NULL;
    size_t size;
    struct error *error = text_finish(text, &bytes, &size);
    if (!error && cts->output)
        error = file_write(cts->output, bytes, size);
    else if (!error)
        fwrite(bytes, 1, size, stdout);
    alloc_free(bytes);
    return error;
}

static struct error *list(const struct cts *cts)
{
    struct text text = {0};
    struct error *error = cts_list(&cts->request.selection, &text);
    if (!error)
        error = write_text(cts, &text);
    text_free(&text);
    return error;
}

/* A report in a file is followed by its counts on stdout. */
static struct error *print(const struct cts *cts, const struct report *report)
{
    struct text text = {0};
    struct report_counts counts = report_count(report);
    bool color = !cts->output && isatty(STDOUT_FILENO);
    report_printer *form = cts->print ? cts->print
                           : color    ? report_print_color
                                      : report_print_terminal;
    form(report, &text);
    struct error *error = write_text(cts, &text);
    if (!error && cts->output)
        printf("%d passed, %d failed, %d skipped\n", counts.passed, counts.failed, counts.skipped);
    text_free(&text);
    return error;
}

static enum exit_code run(struct cts *cts)
{
    struct report report;
    cts->request.progress = isatty(STDERR_FILENO);
    struct error *error = cts_run(&cts->request, &report);
    if (error)
        return commands_fail(error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT ? EXIT_USAGE
                                                                                   : EXIT_NO_PLUGIN,
                             error);
    if (report.facts.has_table)
        error = print(cts, &report);
    else
        error = ERROR(NOT_FOUND, "%s: %s", report.plugin, report.facts.problem);
    enum exit_code code = !report.facts.has_table                 ? EXIT_NO_PLUGIN
                          : error || report_count(&report).failed ? EXIT_FAILED
                                                                  : EXIT_DONE;
    report_free(&report);
    return error ? commands_fail(code, error) : code;
}

enum exit_code cmd_cts_run(int argc, char **argv)
{
    struct cts cts = {.request = {.seed = 1}};
    char here[ABI_PATH_SIZE];
    struct error *error = read_arguments(&cts, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    if (cts.request.plugin)
        cts.request.plugin = abi_path(cts.request.plugin, here);
    if (!cts.list)
        return run(&cts);
    error = list(&cts);
    return error ? commands_fail(EXIT_USAGE, error) : EXIT_DONE;
}
