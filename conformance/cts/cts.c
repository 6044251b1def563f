/* cts.c: plan, child processes, results, report. */
#include "conformance/cts/cts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "conformance/cts/digest.h"
#include "conformance/cts/rule_context.h"

enum { MAX_JOBS = 64, MAX_WAITING = 32 };

struct run {
    const struct cts_request *request;
    struct plan plan;
    struct expected expected;
    struct report *report;
    size_t started, ended; /* rules of the plan */
    int failed;
};

/* ---- One rule -------------------------------------------------------------------------------- */

struct rule_task {
    const struct rule *rule;
    const char *plugin;
    uint64_t seed;
    bool had_client;
};

static void run_rule(const void *user, struct outcome *outcome)
{
    const struct rule_task *task = user;
    struct rule_context t = {.path = task->plugin,
                             .seed = task->seed,
                             .had_client = task->had_client,
                             .outcome = outcome};
    task->rule->run(&t);
    rule_close(&t);
}

static void show_progress(const struct run *run, const struct rule *rule)
{
    enum { WIDTH = 40 };
    size_t filled = run->plan.count ? run->ended * WIDTH / run->plan.count : 0;
    if (!run->request->progress)
        return;
    fprintf(stderr, "\r\033[K[%.*s%.*s] %zu/%zu", (int)filled,
            "########################################", (int)(WIDTH - filled),
            "----------------------------------------", run->ended, run->plan.count);
    if (run->failed)
        fprintf(stderr, " \033[31m%d failed\033[0m", run->failed);
    if (run->ended < run->plan.count)
        fprintf(stderr, " %s %s", rule->id, rule->name);
    else
        fprintf(stderr, "\r\033[K");
}

static void take_answers(struct profile_answers *answers, const struct outcome *outcome)
{
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        unsigned char answer = atomic_load(&outcome->answers[i]);
        if (answers->best[i] < answer)
            answers->best[i] = answer;
    }
}

/* Notes the result of rule `i` of the plan. */
static struct error *finish_rule(struct run *run, size_t i, const struct child_end *end,
                                 const struct outcome *outcome)
{
    struct result *result = &run->report->results[i];
    TRY(result_of(run->plan.rules[i], end, outcome, result));
    if (!run->request->strict)
        result_forgive(result);
    take_answers(&run->report->answers, outcome);
    TRY(expected_apply(&run->expected, result));
    run->failed += verdict_is_failure(result->verdict);
    run->ended++;
    show_progress(run, run->plan.rules[i]);
    return NULL;
}

static struct error *skip_rule(struct run *run, size_t i)
{
    const struct rule *rule = run->plan.rules[i];
    run->ended++;
    return result_skipped(rule, &run->report->results[i], "is of PJRT 0.%d, the plugin of 0.%d",
                          rule->since, run->report->facts.minor);
}

/* Rules of the oldest version are for every plugin. */
static bool is_too_new(const struct run *run, size_t i)
{
    int since = run->plan.rules[i]->since;
    return since > OLDEST_MINOR && since > run->report->facts.minor;
}

static struct rule_task task_of(const struct run *run, size_t i)
{
    return (struct rule_task){run->plan.rules[i], run->request->plugin, run->request->seed,
                              run->report->facts.has_client};
}

static struct error *run_in_process(struct run *run)
{
    for (size_t i = 0; i < run->plan.count; i++) {
        struct outcome outcome = {0};
        struct rule_task task = task_of(run, i);
        double start = child_clock();
        if (is_too_new(run, i)) {
            TRY(skip_rule(run, i));
            continue;
        }
        run_rule(&task, &outcome);
        struct child_end end = {.how = CHILD_DONE, .seconds = child_clock() - start};
        TRY(finish_rule(run, i, &end, &outcome));
    }
    return NULL;
}

/* ---- Several rules at a time ----------------------------------------------------------------- */

struct slot {
    struct child child;
    struct rule_task task; /* of the child */
    size_t index;          /* of its rule in the plan */
};

struct slots {
    struct slot items[MAX_JOBS + MAX_WAITING];
    int jobs; /* rules that may work at a time */
};

/* Rules that run, and those of them that only wait. */
static void count_running(const struct slots *slots, int *running, int *waiting)
{
    *running = *waiting = 0;
    for (int i = 0; i < MAX_JOBS + MAX_WAITING; i++) {
        *running += slots->items[i].child.pid != 0;
        *waiting += child_is_waiting(&slots->items[i].child);
    }
}

/* One that waits, perhaps for ever, takes nothing from others, where several may run at all.
 * Measurements of speed run alone. */
static bool may_start(const struct run *run, const struct slots *slots)
{
    int running, waiting;
    count_running(slots, &running, &waiting);
    if (run->plan.rules[run->started]->area == AREA_speed)
        return !running;
    return running < slots->jobs ||
           (slots->jobs > 1 && waiting <= MAX_WAITING && running - waiting < slots->jobs);
}

static struct error *start_next(struct run *run, struct slots *slots, struct slot *slot)
{
    while (run->started < run->plan.count && is_too_new(run, run->started))
        TRY(skip_rule(run, run->started++));
    if (run->started == run->plan.count || !may_start(run, slots))
        return NULL;
    slot->index = run->started++;
    slot->task = task_of(run, slot->index);
    show_progress(run, slot->task.rule);
    return child_start(&slot->child, &(struct child_task){run_rule, &slot->task});
}

static struct error *run_slots(struct run *run, struct slots *slots)
{
    while (run->ended < run->plan.count) {
        for (int i = 0; i < MAX_JOBS + MAX_WAITING; i++) {
            struct slot *slot = &slots->items[i];
            struct child_end end;
            if (!slot->child.pid)
                TRY(start_next(run, slots, slot));
            if (slot->child.pid && child_poll(&slot->child, &end))
                TRY(finish_rule(run, slot->index, &end, slot->child.outcome));
        }
        child_wait();
    }
    return NULL;
}

static int jobs_of(const struct run *run)
{
    const struct plugin_facts *facts = &run->report->facts;
    int jobs = run->request->jobs, cores = cpu_usable_cores();
    if (!jobs)
        jobs = facts->has_client && strcasecmp(facts->platform, "cpu") ? 1 : cores < 2 ? 2 : cores;
    return jobs < MAX_JOBS ? jobs : MAX_JOBS;
}

static struct error *run_in_children(struct run *run)
{
    struct slots slots = {.jobs = jobs_of(run)};
    struct error *error = run_slots(run, &slots);
    for (int i = 0; i < MAX_JOBS + MAX_WAITING; i++)
        child_close(&slots.items[i].child);
    return error;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static struct error *run_plan(struct run *run)
{
    struct report *report = run->report;
    double start = child_clock();
    TRY(alloc_zeroed((run->plan.count + 1) * sizeof *report->results, &report->results));
    report->result_count = run->plan.count;
    TRY((run->request->in_process ? run_in_process : run_in_children)(run));
    report->seconds = child_clock() - start;
    return profile_probe(run->request->plugin, &report->answers);
}

static struct error *prepare(struct run *run)
{
    struct report *report = run->report;
    TRY(plan_make(&run->request->selection, &run->plan));
    TRY(digest_file(run->request->plugin, report->digest));
    report_read_machine(&report->machine);
    TRY(plugin_facts_read(run->request->plugin, &report->facts));
    struct expected_plugin plugin = {run->request->plugin, report->facts.minor};
    return expected_read(&plugin, run->request->expected, &run->expected);
}

/* The results of a plugin that was replaced in the meantime are partly those of another plugin. */
static struct error *check_unchanged(const struct report *report)
{
    char digest[DIGEST_TEXT];
    TRY(digest_file(report->plugin, digest));
    if (strcmp(digest, report->digest))
        return ERROR(FAILED_PRECONDITION,
                     "the plugin '%s' was replaced while it was checked: its digest was %s and is "
                     "%s; run gantry cts again",
                     report->plugin, report->digest, digest);
    return NULL;
}

struct error *cts_run(const struct cts_request *request, struct report *out)
{
    struct run run = {.request = request, .report = out};
    *out = (struct report){.plugin = request->plugin, .seed = request->seed};
    memcpy(out->demanded, request->profiles, sizeof out->demanded);
    struct error *error = prepare(&run);
    if (!error && out->facts.has_table)
        error = run_plan(&run);
    if (!error)
        error = check_unchanged(out);
    plan_free(&run.plan);
    expected_free(&run.expected);
    if (error)
        report_free(out);
    return error;
}

struct error *cts_list(const struct selection *selection, struct text *out)
{
    struct plan plan;
    TRY(plan_make(selection, &plan));
    for (size_t i = 0; i < plan.count; i++) {
        const struct rule *rule = plan.rules[i];
        text_add(out, "%-8s %-8s 0.%-4d %-44s %s\n", rule->id, rule_level_name(rule->level),
                 rule->since, rule->name, rule->sentence);
    }
    text_add(out, "%zu rules\n", plan.count);
    plan_free(&plan);
    return NULL;
}
