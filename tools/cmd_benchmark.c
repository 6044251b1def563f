/* cmd_benchmark.c: gantry bench: measures the running time of a program, robust against single
 * disturbed runs; on two plugins in turns, so that what disturbs one disturbs the other. */
#include <cjson/cJSON.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/number.h"
#include "tools/commands.h"
#include "tools/session.h"

enum { MAX_RUNS = 100000, MIN_RUNS = 5 };

struct bench {
    struct session sessions[2]; /* the second is of --beside */
    const char *beside;         /* its plugin; NULL: there is none */
    double seconds;
    bool json;
};

struct figures {
    double *times; /* owned: of each run, MAX_RUNS places */
    size_t runs;
    double median, deviation, min; /* wall time of a run in seconds */
    double cpu;                    /* mean CPU time of the process per run in seconds */
};

static struct error *read_arguments(struct bench *bench, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        bool taken = true;
        TRY(session_value("--seconds", argc, argv, &i, &value));
        if (value) {
            if (!number_read_real(value, 0, DBL_MAX, &bench->seconds))
                return ERROR(INVALID_ARGUMENT, "--seconds %.80s; allowed: a number >= 0", value);
            continue;
        }
        TRY(session_value("--beside", argc, argv, &i, &value));
        if (value)
            bench->beside = value;
        else if (!strcmp(argv[i], "--json"))
            bench->json = true;
        else
            TRY(session_option(&bench->sessions[0], argc, argv, &i, &taken));
        if (!taken)
            return commands_unknown("bench", argv[i]);
    }
    bench->sessions[0].fill = true;
    bench->sessions[1] = bench->sessions[0];
    bench->sessions[1].plugin_path = bench->beside;
    return bench->sessions[0].program_path
               ? NULL
               : ERROR(INVALID_ARGUMENT, "no program is given; see gantry help bench");
}

static int session_count(const struct bench *bench)
{
    return bench->beside ? 2 : 1;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median of the values; sorts them. */
static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Warms up caches, clocks and plans of the first run. */
static struct error *warm_up(struct bench *bench)
{
    double start = session_seconds();
    do
        for (int i = 0; i < session_count(bench); i++)
            TRY(session_run(&bench->sessions[i]));
    while (session_seconds() - start < session_count(bench) * bench->seconds / 10);
    return NULL;
}

static struct error *measure_run(struct session *session, struct figures *figures)
{
    double begin = session_seconds(), cpu = session_cpu_seconds();
    TRY(session_run(session));
    figures->cpu += session_cpu_seconds() - cpu;
    figures->times[figures->runs++] = session_seconds() - begin;
    return NULL;
}

static void summarize(struct figures *figures)
{
    figures->cpu /= (double)figures->runs;
    figures->median = median_of(figures->times, figures->runs);
    figures->min = figures->times[0];
    for (size_t i = 0; i < figures->runs; i++)
        figures->times[i] = fabs(figures->times[i] - figures->median);
    figures->deviation = median_of(figures->times, figures->runs);
}

/* Runs in turns until the time is over, but at least a few times. */
static struct error *measure(struct bench *bench, struct figures figures[2])
{
    TRY(warm_up(bench));
    double start = session_seconds(), seconds = session_count(bench) * bench->seconds;
    for (size_t n = 0; n < MAX_RUNS && (n < MIN_RUNS || session_seconds() - start < seconds); n++)
        for (int i = 0; i < session_count(bench); i++)
            TRY(measure_run(&bench->sessions[i], &figures[i]));
    for (int i = 0; i < session_count(bench); i++)
        summarize(&figures[i]);
    return NULL;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void add_figures(const struct session *session, const struct figures *figures, cJSON *to)
{
    cJSON_AddNumberToObject(to, "compile_seconds", session->compile_seconds);
    cJSON_AddNumberToObject(to, "compile_cpu_seconds", session->compile_cpu_seconds);
    cJSON_AddNumberToObject(to, "runs", (double)figures->runs);
    cJSON_AddNumberToObject(to, "median_seconds", figures->median);
    cJSON_AddNumberToObject(to, "deviation_seconds", figures->deviation);
    cJSON_AddNumberToObject(to, "min_seconds", figures->min);
    cJSON_AddNumberToObject(to, "cpu_seconds", figures->cpu);
}

static struct error *show_json(const struct bench *bench, const struct figures figures[2])
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", bench->sessions[0].program_path);
    add_figures(&bench->sessions[0], &figures[0], json);
    cJSON_AddNumberToObject(json, "cores", cpu_usable_cores());
    cJSON_AddStringToObject(json, "cpu_features", cpu_feature_names());
    if (bench->beside) {
        cJSON *beside = cJSON_AddObjectToObject(json, "beside");
        cJSON_AddStringToObject(beside, "plugin", bench->beside);
        add_figures(&bench->sessions[1], &figures[1], beside);
        cJSON_AddNumberToObject(json, "ratio", figures[0].median / figures[1].median);
    }
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    if (!text)
        return error_out_of_memory();
    puts(text);
    cJSON_free(text);
    return NULL;
}

/* Prints a time in a suitable unit. */
static const char *shown(double seconds, char out[32])
{
    double scale = seconds < 1e-3 ? 1e6 : seconds < 1 ? 1e3 : 1;
    snprintf(out, 32, "%.4g %s", seconds * scale, scale > 1e3 ? "us" : scale > 1 ? "ms" : "s");
    return out;
}

static void show(const struct session *session, const struct figures *figures)
{
    char wall[32], cpu[32], deviation[32], min[32];
    printf("compile  %s wall, %s CPU\n", shown(session->compile_seconds, wall),
           shown(session->compile_cpu_seconds, cpu));
    printf("run      %s wall, %s CPU  (median of %zu runs; deviation %s, minimum %s)\n",
           shown(figures->median, wall), shown(figures->cpu, cpu), figures->runs,
           shown(figures->deviation, deviation), shown(figures->min, min));
}

static void show_both(const struct bench *bench, const struct figures figures[2])
{
    show(&bench->sessions[0], &figures[0]);
    if (!bench->beside)
        return;
    printf("\nbeside   %s\n", bench->beside);
    show(&bench->sessions[1], &figures[1]);
    printf("\nratio    %.2f: the first plugin's median to the other's\n",
           figures[0].median / figures[1].median);
}

/* Both sides get the inputs of the first one, which may have made them up. */
static void share_inputs(struct bench *bench)
{
    struct session *from = &bench->sessions[0], *to = &bench->sessions[1];
    memcpy(to->inputs, from->inputs, sizeof to->inputs);
    to->input_count = from->input_count;
}

static struct error *run_all(struct bench *bench, struct figures figures[2])
{
    for (int i = 0; i < session_count(bench); i++) {
        TRY(alloc_array(MAX_RUNS, sizeof *figures[i].times, &figures[i].times));
        struct error *error = session_open(&bench->sessions[i]);
        if (error)
            return i ? error_prefix(error, "%s", bench->beside) : error;
        share_inputs(bench);
    }
    TRY(measure(bench, figures));
    if (bench->json)
        return show_json(bench, figures);
    show_both(bench, figures);
    return NULL;
}

enum exit_code cmd_benchmark_run(int argc, char **argv)
{
    static struct bench bench; /* too large for the stack */
    bench = (struct bench){.seconds = 2};
    struct figures figures[2] = {0};
    struct error *error = read_arguments(&bench, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    error = run_all(&bench, figures);
    bool loaded = bench.sessions[0].loaded && (!bench.beside || bench.sessions[1].loaded);
    for (int i = 0; i < 2; i++) {
        session_close(&bench.sessions[i]);
        alloc_free(figures[i].times);
    }
    return !error   ? EXIT_DONE
           : loaded ? commands_fail(EXIT_FAILED, error)
                    : commands_fail(EXIT_NO_PLUGIN, error);
}
