/* cmd_benchmark.c: gantry bench: measures the running time of a program, robust against single
 * disturbed runs. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "tools/commands.h"
#include "tools/session.h"

enum { MAX_RUNS = 100000, MIN_RUNS = 5 };

struct bench {
    struct session session;
    double seconds;
    bool json;
};

struct figures {
    size_t runs;
    double median, deviation, min; /* wall time of a run in seconds */
    double cpu;                    /* mean CPU time of the process per run in seconds */
};

static struct error *read_arguments(struct bench *bench, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        char *end;
        bool taken = true;
        TRY(session_value("--seconds", argc, argv, &i, &value));
        if (value) {
            bench->seconds = strtod(value, &end);
            if (end == value || *end || !(bench->seconds >= 0))
                return ERROR(INVALID_ARGUMENT, "--seconds %.80s; allowed: a number >= 0", value);
        } else if (!strcmp(argv[i], "--json")) {
            bench->json = true;
        } else {
            TRY(session_option(&bench->session, argc, argv, &i, &taken));
        }
        if (!taken)
            return commands_unknown("bench", argv[i]);
    }
    return bench->session.program_path
               ? NULL
               : ERROR(INVALID_ARGUMENT, "no program is given; see gantry help bench");
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

/* Runs until the time is over, but at least a few times. */
static struct error *measure(struct bench *bench, double *times, struct figures *figures)
{
    double start = session_seconds();
    do /* warm up caches, clocks and plans of the first run */
        TRY(session_run(&bench->session));
    while (session_seconds() - start < bench->seconds / 10);

    double cpu = session_cpu_seconds(), begin = start = session_seconds();
    size_t n = 0;
    while (n < MAX_RUNS && (n < MIN_RUNS || begin - start < bench->seconds)) {
        TRY(session_run(&bench->session));
        double end = session_seconds();
        times[n++] = end - begin;
        begin = end;
    }
    figures->runs = n;
    figures->cpu = (session_cpu_seconds() - cpu) / (double)n;
    figures->median = median_of(times, n);
    figures->min = times[0];
    for (size_t i = 0; i < n; i++)
        times[i] = fabs(times[i] - figures->median);
    figures->deviation = median_of(times, n);
    return NULL;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static struct error *show_json(const struct bench *bench, const struct figures *figures)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", bench->session.program_path);
    cJSON_AddNumberToObject(json, "compile_seconds", bench->session.compile_seconds);
    cJSON_AddNumberToObject(json, "compile_cpu_seconds", bench->session.compile_cpu_seconds);
    cJSON_AddNumberToObject(json, "runs", (double)figures->runs);
    cJSON_AddNumberToObject(json, "median_seconds", figures->median);
    cJSON_AddNumberToObject(json, "deviation_seconds", figures->deviation);
    cJSON_AddNumberToObject(json, "min_seconds", figures->min);
    cJSON_AddNumberToObject(json, "cpu_seconds", figures->cpu);
    cJSON_AddNumberToObject(json, "cores", cpu_usable_cores());
    cJSON_AddStringToObject(json, "cpu_features", cpu_feature_names());
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

static void show(const struct bench *bench, const struct figures *figures)
{
    char wall[32], cpu[32], deviation[32], min[32];
    printf("compile  %s wall, %s CPU\n", shown(bench->session.compile_seconds, wall),
           shown(bench->session.compile_cpu_seconds, cpu));
    printf("run      %s wall, %s CPU  (median of %zu runs; deviation %s, minimum %s)\n",
           shown(figures->median, wall), shown(figures->cpu, cpu), figures->runs,
           shown(figures->deviation, deviation), shown(figures->min, min));
}

static struct error *work(struct bench *bench)
{
    double *times;
    struct figures figures;
    TRY(session_open(&bench->session));
    TRY(alloc_array(MAX_RUNS, sizeof *times, &times));
    struct error *error = measure(bench, times, &figures);
    alloc_free(times);
    if (error)
        return error;
    if (bench->json)
        return show_json(bench, &figures);
    show(bench, &figures);
    return NULL;
}

enum exit_code cmd_benchmark_run(int argc, char **argv)
{
    static struct bench bench; /* too large for the stack */
    bench = (struct bench){.seconds = 2};
    struct error *error = read_arguments(&bench, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    error = work(&bench);
    bool loaded = bench.session.loaded;
    session_close(&bench.session);
    return !error   ? EXIT_DONE
           : loaded ? commands_fail(EXIT_FAILED, error)
                    : commands_fail(EXIT_NO_PLUGIN, error);
}
