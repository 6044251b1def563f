/* cmd_top.c: gantry top: what a running process does. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/number.h"
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/top_process.h"
#include "tools/top_text.h"

#define CLEAR "\033[H\033[2J"
enum { SHOWN_PIDS = 16 };

struct top {
    long pid;        /* 0: the only one there is */
    double interval; /* seconds */
    bool as_json, once;
};

static struct error *read_interval(const char *text, double *out)
{
    return number_read_real(text, 0.1, 3600, out)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "--interval %s; allowed: 0.1 to 3600 seconds", text);
}

static struct error *read_pid(const char *text, long *out)
{
    int64_t pid;
    if (!number_read(text, 1, INT32_MAX, &pid))
        return commands_unknown("top", text);
    *out = (long)pid;
    return NULL;
}

static struct error *read_arguments(struct top *top, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        TRY(session_value("--interval", argc, argv, &i, &value));
        if (value)
            TRY(read_interval(value, &top->interval));
        else if (!strcmp(argv[i], "--json"))
            top->as_json = true;
        else if (!strcmp(argv[i], "--once"))
            top->once = true;
        else
            TRY(read_pid(argv[i], &top->pid));
    }
    return NULL;
}

/* The only process there is. */
static struct error *find(long *out)
{
    long pids[SHOWN_PIDS];
    struct text list = {0};
    size_t count = top_process_list(pids, SHOWN_PIDS);
    if (count == 1) {
        *out = pids[0];
        return NULL;
    }
    if (!count)
        return ERROR(NOT_FOUND, "no process offers reports: start one with GANTRY_TOP=1 in its "
                                "environment");
    for (size_t i = 0; i < count && i < SHOWN_PIDS; i++)
        text_add(&list, " %ld", pids[i]);
    struct error *error = ERROR(INVALID_ARGUMENT, "%zu processes offer reports; name one:%s", count,
                                list.data ? list.data : "");
    text_free(&list);
    return error;
}

static void print(const struct top *top, const cJSON *report, const cJSON *before)
{
    struct text text = {0};
    char *json = top->as_json ? cJSON_Print(report) : NULL;
    if (json)
        text_add(&text, "%s\n", json);
    else
        top_text_print(report, before, &text);
    if (!top->once && !top->as_json)
        fputs(CLEAR, stdout);
    if (text.data)
        fwrite(text.data, 1, text.size, stdout);
    fflush(stdout);
    cJSON_free(json);
    text_free(&text);
}

static struct error *show(const struct top *top)
{
    cJSON *before = NULL, *report;
    struct error *error = NULL;
    for (bool first = true; !error; first = false) {
        if (!first)
            usleep((useconds_t)(top->interval * 1e6));
        error = top_process_read(top->pid, &report);
        if (error)
            break;
        print(top, report, before);
        cJSON_Delete(before);
        before = report;
        if (top->once)
            break;
    }
    cJSON_Delete(before);
    return error;
}

enum exit_code cmd_top_run(int argc, char **argv)
{
    struct top top = {.interval = 1};
    struct error *error = read_arguments(&top, argc, argv);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    if (!isatty(STDOUT_FILENO) || top.as_json)
        top.once = true;
    if (!top.pid)
        error = find(&top.pid);
    if (!error)
        error = show(&top);
    return error ? commands_fail(EXIT_FAILED, error) : EXIT_DONE;
}
