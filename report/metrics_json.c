#include "report/metrics_json.h"

#include <unistd.h>

#include "base/alloc.h"
#include "report/json_writer.h"
#include "report/live_json.h"
#include "runtime/clients.h"
#include "runtime/compile_history.h"
#include "runtime/execute_queue.h"
#include "runtime/metrics.h"

enum { MAX_CLIENTS = 64, MAX_PROGRAMS = 64 };

static void add_counters(struct json_writer to)
{
    struct json_writer counters = json_object(to, "counters");
    for (enum metric metric = 0; metric < METRIC_COUNT; metric++)
        json_number(counters, metric_name(metric), (double)metrics_get(metric));
}

static void add_times(struct json_writer to, const char *name, const struct histogram *histogram)
{
    struct histogram_summary summary;
    struct json_writer times = json_object(to, name);
    histogram_summarize(histogram, &summary);
    json_number(times, "count", (double)summary.count);
    json_number(times, "seconds", (double)summary.sum * 1e-9);
    json_number(times, "p50", (double)summary.p50 * 1e-9);
    json_number(times, "p90", (double)summary.p90 * 1e-9);
    json_number(times, "p99", (double)summary.p99 * 1e-9);
    json_number(times, "max", (double)summary.max * 1e-9);
}

static struct error *add_programs(struct json_writer to)
{
    struct compile_history_entry *entries;
    TRY(alloc_array(MAX_PROGRAMS, sizeof *entries, &entries));
    struct json_writer programs = json_list(to, "programs");
    size_t count = compile_history_read(entries, MAX_PROGRAMS);
    for (size_t i = 0; i < count; i++) {
        struct json_writer item = json_item(programs);
        json_text(item, "name", entries[i].name);
        json_number(item, "compilations", (double)entries[i].compilations);
        json_number(item, "seconds", (double)entries[i].total_ns * 1e-9);
        json_number(item, "last_seconds", (double)entries[i].last_ns * 1e-9);
        json_text(item, "reason", *entries[i].reason ? entries[i].reason : NULL);
    }
    alloc_free(entries);
    return NULL;
}

/* ---- devices --------------------------------------------------------------------------------- */
static void add_activity(struct json_writer to, const struct client_device *device)
{
    struct activity_view view;
    activity_read(&device->activity, &view);
    json_text(to, "program", *view.program ? view.program : NULL);
    json_number(to, "program_seconds", view.program_seconds);
    json_text(to, "step", *view.step ? view.step : NULL);
    json_number(to, "step_seconds", view.step_seconds);
}

/* Moves the list of live_json() into the device, with what the spaces say besides. */
static struct error *add_memories(struct json_writer to, const struct client_device *device)
{
    cJSON *live, *item;
    int i = 0;
    TRY(live_json(device, &live));
    cJSON *list = cJSON_DetachItemFromObject(live, "memories");
    cJSON_Delete(live);
    cJSON_ArrayForEach(item, list)
    {
        struct space_stats stats;
        space_stats(device->memories[i++].space, &stats);
        json_number((struct json_writer){item, to.done}, "limit", (double)stats.limit);
        json_number((struct json_writer){item, to.done}, "peak", (double)stats.peak);
    }
    if (!cJSON_AddItemToObject(to.at, "memories", list)) {
        cJSON_Delete(list);
        *to.done = false;
    }
    return NULL;
}

static struct error *add_device(struct json_writer devices, const struct client_device *device)
{
    struct json_writer to = json_item(devices);
    json_text(to, "name", device->device->debug_text);
    json_number(to, "queued", execute_queue_pending(device->queue));
    add_activity(to, device);
    return add_memories(to, device);
}

static struct error *add_devices(struct json_writer to)
{
    struct client *clients[MAX_CLIENTS];
    struct error *error = NULL;
    size_t count = clients_list(clients, MAX_CLIENTS);
    struct json_writer devices = json_list(to, "devices");
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < clients[i]->local_count && !error; k++)
            error = add_device(devices, clients[i]->local_devices[k]);
        client_release(clients[i]);
    }
    return error;
}

struct error *metrics_json(cJSON **out)
{
    bool done = true;
    struct json_writer to = {cJSON_CreateObject(), &done};
    metrics_watch();
    json_number(to, "version", 1);
    json_number(to, "pid", getpid());
    json_text(to, "build", client_platform_version());
    json_number(to, "seconds", metrics_uptime());
    add_counters(to);
    struct json_writer times = json_object(to, "times");
    add_times(times, "compile", &metrics.compile_ns);
    add_times(times, "execute", &metrics.execute_ns);
    struct error *error = add_programs(to);
    if (!error)
        error = add_devices(to);
    if (!error && !done)
        error = error_out_of_memory();
    *out = error ? NULL : to.at;
    if (error)
        cJSON_Delete(to.at);
    return error;
}
