/* probe_test.c: queries that answer, crash, hang and end too early. */
#include "tools/probe.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/session.h"

static void answer(const void *context, cJSON *out)
{
    char *long_text = calloc(1 << 20, 1); /* more than a pipe holds */
    memset(long_text, 'x', (1 << 20) - 1);
    cJSON_AddStringToObject(out, "said", context);
    cJSON_AddStringToObject(out, "long", long_text);
    free(long_text);
}

static void crash(const void *context, cJSON *out)
{
    (void)context, (void)out;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void hang(const void *context, cJSON *out)
{
    (void)context, (void)out;
    if (!fork()) /* its child has the pipe, too */
        sleep(60);
    sleep(60);
}

static void leave(const void *context, cJSON *out)
{
    (void)context, (void)out;
    _exit(7);
}

static void expect_error(probe_query *query, double seconds, const char *message)
{
    cJSON *json = probe_run(query, NULL, seconds);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(json, "error")), message);
    cJSON_Delete(json);
}

Test(probe, answers)
{
    cJSON *json = probe_run(answer, "hello", 60);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(json, "said")), "hello");
    cr_expect_eq(strlen(cJSON_GetStringValue(cJSON_GetObjectItem(json, "long"))), (1 << 20) - 1);
    cJSON_Delete(json);
}

Test(probe, faults)
{
    double start = session_seconds();
    expect_error(crash, 60, "crashes with signal 11");
    expect_error(leave, 60, "does not answer (exit status 7)");
    expect_error(hang, 1, "does not end within 1 s");
    cr_expect_lt(session_seconds() - start, 50);
}
