/* cmd_run.c: gantry run: prints, stores or compares the results of a program. */
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "tools/commands.h"
#include "tools/file.h"
#include "tools/npy.h"
#include "tools/plan_target.h"
#include "tools/progress.h"
#include "tools/session.h"

enum { MAX_EXPECTED = 1024 };

struct run {
    struct session session;
    const char *output; /* folder, or NULL */
    const char *expected[MAX_EXPECTED];
    size_t expected_count;
    double tolerance; /* negative: the default of the type */
    int64_t repeat;
    bool json, quiet;
};

static struct error *set_output(struct run *run, const char *value)
{
    run->output = value;
    return NULL;
}

static struct error *add_expected(struct run *run, const char *value)
{
    if (run->expected_count == MAX_EXPECTED)
        return ERROR(INVALID_ARGUMENT, "more than %d files to compare with", MAX_EXPECTED);
    run->expected[run->expected_count++] = value;
    return NULL;
}

static struct error *set_tolerance(struct run *run, const char *value)
{
    return number_read_real(value, 0, DBL_MAX, &run->tolerance)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "--tolerance %.80s; allowed: a number >= 0", value);
}

static struct error *set_repeat(struct run *run, const char *value)
{
    return number_read(value, 1, INT64_MAX, &run->repeat)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "--repeat %.80s; allowed: a whole number >= 1", value);
}

static const struct {
    const char *name;
    struct error *(*set)(struct run *run, const char *value);
} options[] = {{"--output", set_output},
               {"--expect", add_expected},
               {"--tolerance", set_tolerance},
               {"--repeat", set_repeat}};

/* Consumes one option of this subcommand; `*taken`: whether it was one. */
static struct error *take(struct run *run, int argc, char **argv, int *i, bool *taken)
{
    *taken = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value;
        TRY(session_value(options[k].name, argc, argv, i, &value));
        if (value)
            return options[k].set(run, value);
    }
    if (!strcmp(argv[*i], "--json"))
        run->json = true;
    else if (!strcmp(argv[*i], "--quiet"))
        run->quiet = true;
    else
        *taken = false;
    return NULL;
}

static struct error *read_arguments(struct run *run, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        bool taken;
        TRY(take(run, argc, argv, &i, &taken));
        if (!taken)
            TRY(session_option(&run->session, argc, argv, &i, &taken));
        if (!taken)
            return commands_unknown("run", argv[i]);
    }
    if (run->json && (run->quiet || run->output))
        return ERROR(INVALID_ARGUMENT, "--json prints the results; omit %s",
                     run->quiet ? "--quiet" : "--output");
    return run->session.program_path
               ? NULL
               : ERROR(INVALID_ARGUMENT, "no program is given; see gantry help run");
}

/* One line a result; with --json they are the elements of a list. */
static struct error *print(const struct run *run, const struct tensor *tensor, size_t i)
{
    struct text text = {0};
    char *shown;
    if (run->json) {
        text_add(&text, "%s", i ? "," : "");
        tensor_print_json(tensor, &text);
    } else {
        text_add(&text, "%zu: ", i);
        tensor_print_type(tensor, &text);
        text_add(&text, tensor->rank > 1 ? " =\n" : " = ");
        tensor_print(tensor, &text);
    }
    TRY(text_finish(&text, &shown, NULL));
    puts(shown);
    alloc_free(shown);
    return NULL;
}

static struct error *store(const struct run *run, const struct tensor *tensor, size_t i)
{
    const char *folder = run->output;
    struct text text = {0};
    char *path;
    if (mkdir(folder, 0777) && errno != EEXIST)
        return file_error(folder, errno);
    text_add(&text, "%s/%zu.npy", folder, i);
    TRY(text_finish(&text, &path, NULL));
    struct error *error = npy_write(path, tensor);
    if (!error && !run->quiet &&
        (tensor->dtype == DTYPE_BF16 || dtype_info(tensor->dtype)->bits < 8 ||
         (dtype_info(tensor->dtype)->class == CLASS_FLOAT && dtype_bytes(tensor->dtype) == 1)))
        printf("%s: %s as raw bytes\n", path, dtype_name(tensor->dtype));
    alloc_free(path);
    return error;
}

static struct error *compare(const struct tensor *tensor, const char *path, double tolerance)
{
    struct tensor want;
    TRY(npy_read(path, tensor->dtype, &want));
    struct error *error = tensor_compare(tensor, &want, tolerance);
    tensor_free(&want);
    return error_prefix(error, "%s", path);
}

/* Prints, stores or compares a result, as the command line requests. */
static struct error *treat(struct run *run, size_t i)
{
    struct tensor tensor;
    TRY(session_output(&run->session, i, &tensor));
    struct error *error = NULL;
    if (run->output)
        error = store(run, &tensor, i);
    else if (run->json || (!run->expected_count && !run->quiet))
        error = print(run, &tensor, i);
    if (!error && i < run->expected_count)
        error = compare(&tensor, run->expected[i], run->tolerance);
    tensor_free(&tensor);
    return error_prefix(error, "result %zu", i);
}

static double expected_seconds(void *context)
{
    const struct run *run = context;
    return (double)run->repeat * plan_target_seconds(&run->session);
}

/* Runs the program --repeat times; a terminal shows how far it is. */
static struct error *execute(struct run *run)
{
    struct progress progress = {.what = "running",
                                .expected = expected_seconds,
                                .context = run,
                                .file = progress_terminal(),
                                .delay = 1,
                                .interval = 0.5};
    struct error *error = NULL;
    progress_begin(&progress);
    for (int64_t n = 0; n < run->repeat && !error; n++)
        error = session_run(&run->session);
    progress_end(&progress);
    return error;
}

static struct error *work(struct run *run)
{
    run->session.describe = true;
    TRY(session_open(&run->session));
    if (run->session.description) {
        puts(run->session.description);
        return NULL;
    }
    size_t outputs = run->session.output_count;
    if (run->expected_count > outputs)
        return ERROR(INVALID_ARGUMENT, "%zu files to compare with %zu results", run->expected_count,
                     outputs);
    TRY(execute(run));
    if (run->json)
        printf("{\"compile_seconds\":%.6f,\"results\":[\n", run->session.compile_seconds);
    for (size_t i = 0; i < outputs; i++)
        TRY(treat(run, i));
    if (run->json)
        puts("]}");
    return NULL;
}

enum exit_code cmd_run_run(int argc, char **argv)
{
    static struct run run; /* too large for the stack */
    run = (struct run){.tolerance = -1, .repeat = 1};
    struct error *error = read_arguments(&run, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    error = work(&run);
    bool loaded = run.session.loaded;
    session_close(&run.session);
    return !error   ? EXIT_DONE
           : loaded ? commands_fail(EXIT_FAILED, error)
                    : commands_fail(EXIT_NO_PLUGIN, error);
}
