#include "tools/job_network.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/job_machine.h"
#include "tools/job_program.h"
#include "tools/session.h"

enum {
    BULK = 1 << 20, /* elements of f32 by which bandwidth is measured: 4 MiB */
    TIMES = 5,      /* executions of which the fastest counts */
    BULK_TIMES = 3,
    /* seconds: for what the processes report when their clients exist; process 0's plan; a pair */
    MACHINE_WAIT = 10,
    PLAN_WAIT = 90,
    PAIR_WAIT = 45,
    NAME = 32
};

struct measure {
    struct job_client *job;
    const PJRT_Api *api;
    PJRT_Client *client;
    cJSON *out;                  /* of process 0 */
    int *ids;                    /* [job->count] of a device of each process; owned */
    bool *is_gone, *is_measured; /* [job->count] it did not report; of process 0: chosen; owned */
    int measured[JOB_NETWORK_MEASURED], measured_count;
};

static void add_error(cJSON *to, struct error *error /* moved, not NULL */)
{
    cJSON_AddStringToObject(to, "error", error_message(error, NULL));
    error_free(error);
}

/* ---- the processes --------------------------------------------------------------------------- */
/* Process 0: what process `i` reports within so many seconds, for the report of all. */
static void add_process(struct measure *m, int i, double seconds, cJSON *list, cJSON *ids)
{
    cJSON *item = cJSON_CreateObject(), *machine = NULL;
    cJSON_AddItemToArray(list, item);
    cJSON_AddNumberToObject(item, "number", i);
    struct error *error = job_client_get(m->job, "machine", i, seconds, &machine);
    if (error)
        add_error(item, error);
    cJSON_AddStringToObject(item, "host", job_machine_host(machine, i));
    cJSON_AddStringToObject(item, "listens", job_machine_listens(machine));
    cJSON_AddNumberToObject(item, "devices", job_machine_devices(machine));
    cJSON_AddNumberToObject(item, "first_here", job_machine_first_near(machine, i));
    cJSON_AddItemToArray(ids, cJSON_CreateNumber(job_machine_device(machine)));
    cJSON_Delete(machine);
}

/* Marks those between which pairs are measured: the first processes of hosts, then others. */
static void choose(const cJSON *processes, bool *chosen)
{
    int count = 0, i;
    for (int firsts = 1; firsts >= 0; firsts--) {
        const cJSON *process;
        i = 0;
        cJSON_ArrayForEach(process, processes)
        {
            int first = (int)cJSON_GetNumberValue(cJSON_GetObjectItem(process, "first_here"));
            if ((first == i) == (firsts == 1) && count < JOB_NETWORK_MEASURED) {
                chosen[i] = true;
                count++;
            }
            i++;
        }
    }
}

static struct error *put_plan(struct measure *m)
{
    cJSON *plan = cJSON_CreateObject(), *ids = cJSON_AddArrayToObject(plan, "ids");
    cJSON *processes = cJSON_AddArrayToObject(m->out, "processes");
    cJSON *measured = cJSON_AddArrayToObject(m->out, "measured");
    double end = session_seconds() + MACHINE_WAIT;
    for (int i = 0; i < m->job->count; i++)
        add_process(m, i, end - session_seconds(), processes, ids);
    choose(processes, m->is_measured);
    for (int i = 0; i < m->job->count; i++)
        if (m->is_measured[i])
            cJSON_AddItemToArray(measured, cJSON_CreateNumber(i));
    cJSON_AddItemToObject(plan, "measured", cJSON_Duplicate(measured, true));
    struct error *error = job_client_put(m->job, "plan", plan);
    cJSON_Delete(plan);
    return error;
}

static struct error *read_plan(struct measure *m)
{
    cJSON *plan;
    const cJSON *at;
    int count = 0;
    TRY(job_client_get(m->job, "plan", 0, PLAN_WAIT, &plan));
    cJSON_ArrayForEach(at, cJSON_GetObjectItem(plan, "ids")) if (count < m->job->count)
        m->ids[count++] = at->valueint;
    cJSON_ArrayForEach(at, cJSON_GetObjectItem(plan, "measured"))
    {
        bool is_one = at->valueint >= 0 && at->valueint < m->job->count;
        if (is_one && m->measured_count < JOB_NETWORK_MEASURED)
            m->measured[m->measured_count++] = at->valueint;
    }
    cJSON_Delete(plan);
    return count == m->job->count ? NULL : ERROR(INVALID_ARGUMENT, "process 0's plan is damaged");
}

static struct error *introduce(struct measure *m)
{
    cJSON *machine;
    TRY(job_machine_read(m->api, m->client, &machine));
    struct error *error = job_client_put(m->job, "machine", machine);
    cJSON_Delete(machine);
    if (!error && !m->job->process)
        error = put_plan(m);
    return error ? error : read_plan(m);
}

/* ---- programs -------------------------------------------------------------------------------- */
struct trial { /* a program, and what its result must be */
    enum job_program_kind kind;
    const int *ids;
    int count, times;
    int64_t elements;
    float value, expected;
};

static struct error *run(const struct measure *m, const struct trial *trial, double *seconds)
{
    struct job_program program;
    float first = 0;
    TRY(job_program_open(m->api, m->client, trial->kind, trial->ids, trial->count, trial->elements,
                         trial->value, &program));
    struct error *error = job_program_time(&program, trial->times, seconds, &first);
    job_program_close(&program);
    if (error || first == trial->expected)
        return error;
    return ERROR(DATA_LOSS, "a wrong result: %g in place of %g", (double)first,
                 (double)trial->expected);
}

static void measure_all(struct measure *m)
{
    int count = m->job->count;
    struct trial sum = {JOB_SUM, m->ids, count, TIMES, 1, 1, (float)count};
    double seconds;
    struct error *error = run(m, &sum, &seconds);
    cJSON *all = m->job->process ? NULL : cJSON_AddObjectToObject(m->out, "all");
    if (!error && all)
        cJSON_AddNumberToObject(all, "microseconds", 1e6 * seconds);
    if (error && all)
        add_error(all, error);
    else
        error_free(error);
}

/* Of the first process of the pair, on which the results are checked. */
static struct error *time_pair(const struct measure *m, const int ids[2], bool is_first,
                               double *latency, double *rate)
{
    float value = (float)(ids[0] + 1), expected = is_first ? value : 0;
    struct trial turns = {JOB_TURNS, ids, 2, TIMES, 1, value, expected},
                 small = {JOB_SEND, ids, 2, TIMES, 1, value, expected},
                 bulk = {JOB_SEND, ids, 2, BULK_TIMES, BULK, value, expected};
    double there_and_back, small_took, bulk_took;
    TRY(run(m, &turns, &there_and_back));
    TRY(run(m, &small, &small_took));
    TRY(run(m, &bulk, &bulk_took));
    *latency = there_and_back / (2 * JOB_TURNS_COUNT);
    *rate = BULK * sizeof(float) / (bulk_took > small_took ? bulk_took - small_took : bulk_took);
    return NULL;
}

static const char *means_of(const struct measure *m, int to)
{
    cJSON *machine;
    struct error *error = job_machine_read(m->api, m->client, &machine);
    bool reads = !error && job_machine_reads(machine, to);
    error_free(error);
    cJSON_Delete(machine);
    return reads ? "memory" : "tcp";
}

static cJSON *measure_pair(struct measure *m, int from, int to)
{
    cJSON *pair = cJSON_CreateObject();
    const int ids[2] = {m->ids[from], m->ids[to]};
    double latency, rate;
    struct error *error = time_pair(m, ids, m->job->process == from, &latency, &rate);
    cJSON_AddNumberToObject(pair, "from", from);
    cJSON_AddNumberToObject(pair, "to", to);
    if (error) {
        add_error(pair, error);
        return pair;
    }
    cJSON_AddNumberToObject(pair, "latency_us", 1e6 * latency);
    cJSON_AddNumberToObject(pair, "bytes_per_second", rate);
    cJSON_AddStringToObject(pair, "by", means_of(m, to));
    return pair;
}

static cJSON *silent_pair(int from, int to)
{
    cJSON *pair = cJSON_CreateObject();
    cJSON_AddNumberToObject(pair, "from", from);
    cJSON_AddNumberToObject(pair, "to", to);
    add_error(pair,
              ERROR(DEADLINE_EXCEEDED, "process %d has ended, or hangs: it did not report", from));
    return pair;
}

/* All wait for what the first process of the pair reports, so that pairs are measured one at a time
 * and all leave out the processes that do not report. */
static struct error *do_pair(struct measure *m, int from, int to, cJSON *pairs)
{
    char name[NAME];
    cJSON *pair = NULL;
    struct error *error = NULL;
    snprintf(name, sizeof name, "pair/%d", to);
    if (m->job->process == from || m->job->process == to)
        pair = measure_pair(m, from, to);
    if (m->job->process == from)
        error = job_client_put(m->job, name, pair);
    cJSON_Delete(pair);
    if (error)
        return error;
    error = job_client_get(m->job, name, from, PAIR_WAIT, &pair);
    if (error && error_code(error) == PJRT_Error_Code_DEADLINE_EXCEEDED) {
        m->is_gone[from] = true;
        error_free(error);
        error = NULL;
        pair = silent_pair(from, to);
    }
    if (pair && pairs)
        cJSON_AddItemToArray(pairs, pair);
    else
        cJSON_Delete(pair);
    return error;
}

static struct error *measure_pairs(struct measure *m)
{
    cJSON *pairs = m->job->process ? NULL : cJSON_AddArrayToObject(m->out, "pairs");
    for (int i = 0; i < m->measured_count; i++)
        for (int k = 0; k < m->measured_count; k++) {
            int from = m->measured[i], to = m->measured[k];
            if (i != k && !m->is_gone[from] && !m->is_gone[to])
                TRY(do_pair(m, from, to, pairs));
        }
    return NULL;
}

struct error *job_network_measure(struct job_client *job, const PJRT_Api *api, PJRT_Client *client,
                                  cJSON *out)
{
    struct measure m = {.job = job, .api = api, .client = client, .out = out};
    struct error *error = alloc_array((size_t)job->count, sizeof *m.ids, &m.ids);
    if (!error)
        error = alloc_array((size_t)job->count, sizeof *m.is_gone, &m.is_gone);
    if (!error)
        error = alloc_array((size_t)job->count, sizeof *m.is_measured, &m.is_measured);
    if (!error)
        error = introduce(&m);
    if (!error) {
        measure_all(&m);
        error = measure_pairs(&m);
    }
    alloc_free(m.ids);
    alloc_free(m.is_gone);
    alloc_free(m.is_measured);
    return error;
}
