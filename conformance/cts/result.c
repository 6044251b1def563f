/* result.c: from the end of a child process to a verdict. */
#include "conformance/cts/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {
        "passed",  "failed", "crashed",          "timed out",      "leaked",
        "skipped", "warned", "expected failure", "unexpected pass"};
    return names[verdict];
}

bool verdict_is_failure(enum verdict verdict)
{
    return verdict == FAILED || verdict == CRASHED || verdict == TIMED_OUT || verdict == LEAKED;
}

bool verdict_is_pass(enum verdict verdict)
{
    return verdict == PASSED || verdict == XPASSED;
}

static enum verdict verdict_of_unsupported(enum rule_level level)
{
    return level == MUST ? FAILED : level == SHOULD ? WARNED : SKIPPED;
}

static enum verdict verdict_of(const struct rule *rule, const struct child_end *end,
                               const struct outcome *outcome)
{
    int failures = atomic_load(&outcome->failures), leaks = atomic_load(&outcome->leaks);
    if (end->how != CHILD_DONE)
        return end->how == CHILD_TIMED_OUT ? TIMED_OUT : CRASHED;
    if (failures)
        return failures == leaks ? LEAKED : FAILED;
    if (atomic_load(&outcome->skipped))
        return SKIPPED;
    return atomic_load(&outcome->unsupported) ? verdict_of_unsupported(rule->level) : PASSED;
}

/* How a process ended that did not come to its end, and what it wrote before. */
static void print_end(const struct child_end *end, const struct outcome *outcome, struct text *out)
{
    const char *call = atomic_load(&outcome->call);
    if (end->how == CHILD_TIMED_OUT)
        text_add(out, "no end after %.0f s", end->seconds);
    else if (end->signal)
        text_add(out, "ended by signal %d (%s)", end->signal, strsignal(end->signal));
    else
        text_add(out, "the process exited with status %d", end->status);
    text_add(out, "%s%s\n", call ? " in " : " outside of a call", call ? call : "");
    if (*end->output)
        text_add(out, "last output: %s\n", end->output);
}

struct error *result_of(const struct rule *rule, const struct child_end *end,
                        const struct outcome *outcome, struct result *out)
{
    struct text text = {0};
    *out = (struct result){rule, verdict_of(rule, end, outcome), end->seconds, NULL, NULL};
    text_add_bytes(&text, outcome->text, strnlen(outcome->text, OUTCOME_TEXT));
    if (end->how != CHILD_DONE)
        print_end(end, outcome, &text);
    struct error *error = text_finish(&text, &out->detail, NULL);
    text_free(&text);
    return error;
}

struct error *result_skipped(const struct rule *rule, struct result *out, const char *format, ...)
{
    struct text text = {0};
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    *out = (struct result){rule, SKIPPED, 0, NULL, NULL};
    text_add(&text, "%s\n", reason);
    struct error *error = text_finish(&text, &out->detail, NULL);
    text_free(&text);
    return error;
}

void result_forgive(struct result *result)
{
    if (result->rule->level == EXTRA && verdict_is_failure(result->verdict))
        result->verdict = WARNED;
}

void result_free(struct result *result)
{
    alloc_free(result->detail);
    alloc_free(result->expected);
    *result = (struct result){0};
}
