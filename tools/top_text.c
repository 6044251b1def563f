#include "tools/top_text.h"

#include <stdio.h>

#include "tools/topo_view.h"

enum { DEVICES = 16, BUFFERS = 4, PROGRAMS = 8 };

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* NULL for null. */
static const char *string(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

static double counter(const cJSON *report, const char *name)
{
    return number(cJSON_GetObjectItem(report, "counters"), name);
}

static double rate(const cJSON *report, const cJSON *before, const char *name)
{
    double seconds = number(report, "seconds") - number(before, "seconds");
    double count = counter(report, name) - counter(before, name);
    return seconds > 0 && count > 0 ? count / seconds : 0;
}

static const char *bytes(double value, char size[TOPO_VIEW_SIZE])
{
    return topo_view_bytes(value > 0 ? (uint64_t)value : 0, size);
}

static const char *duration(double seconds, char out[32])
{
    if (seconds < 1e-3)
        snprintf(out, 32, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(out, 32, "%.1f ms", seconds * 1e3);
    else
        snprintf(out, 32, "%.1f s", seconds);
    return out;
}

/* ---- parts ----------------------------------------------------------------------------------- */
static void print_times(const cJSON *report, const char *name, const char *what, struct text *out)
{
    const cJSON *times = cJSON_GetObjectItem(cJSON_GetObjectItem(report, "times"), name);
    char p50[32], p99[32], max[32];
    if (number(times, "count") <= 0)
        return;
    text_add(out, "%s: half within %s, 99%% within %s, at most %s\n", what,
             duration(number(times, "p50"), p50), duration(number(times, "p99"), p99),
             duration(number(times, "max"), max));
}

static void print_head(const cJSON *report, const cJSON *before, struct text *out)
{
    char in[TOPO_VIEW_SIZE], to[TOPO_VIEW_SIZE], out_rate[TOPO_VIEW_SIZE];
    text_add(out, "process %.0f, %.0f s, %s\n", number(report, "pid"), number(report, "seconds"),
             string(report, "build") ? string(report, "build") : "");
    text_add(out, "executions   %.0f, %.1f a second, %.0f failed\n", counter(report, "executions"),
             rate(report, before, "executions"), counter(report, "failed_executions"));
    text_add(out, "compilations %.0f, %.0f failed, %.0f read back from a cache\n",
             counter(report, "compilations"), counter(report, "failed_compilations"),
             counter(report, "loaded_programs"));
    text_add(out, "moved        from the host %s (%s/s), to the host %s (%s/s)\n",
             bytes(counter(report, "uploaded_bytes"), in),
             bytes(rate(report, before, "uploaded_bytes"), to),
             bytes(counter(report, "downloaded_bytes"), out_rate),
             bytes(rate(report, before, "downloaded_bytes"), (char[TOPO_VIEW_SIZE]){0}));
    print_times(report, "execute", "an execution", out);
    print_times(report, "compile", "a compilation", out);
}

static void print_memory(const cJSON *memory, struct text *out)
{
    char used[TOPO_VIEW_SIZE], peak[TOPO_VIEW_SIZE], limit[TOPO_VIEW_SIZE];
    const cJSON *buffer;
    int shown = 0;
    text_add(out, "  %-14s %s in use by %.0f buffers, peak %s",
             string(memory, "kind") ? string(memory, "kind") : "memory",
             bytes(number(memory, "in_use"), used), number(memory, "buffers"),
             bytes(number(memory, "peak"), peak));
    if (number(memory, "limit") > 0)
        text_add(out, ", of %s", bytes(number(memory, "limit"), limit));
    text_add(out, "\n");
    cJSON_ArrayForEach(buffer, cJSON_GetObjectItem(memory, "largest"))
    {
        if (shown++ == BUFFERS)
            break;
        text_add(out, "    %.0f x %s  %s\n", number(buffer, "count"),
                 bytes(number(buffer, "bytes"), used),
                 string(buffer, "label") ? string(buffer, "label") : "");
    }
}

static void print_device(const cJSON *device, struct text *out)
{
    const char *program = string(device, "program"), *step = string(device, "step");
    char time[32];
    const cJSON *memory;
    text_add(out, "\n%s: %s", string(device, "name") ? string(device, "name") : "device",
             program ? program : "idle");
    if (program)
        text_add(out, ", for %s", duration(number(device, "program_seconds"), time));
    if (number(device, "queued") > 0)
        text_add(out, "; %.0f in the queue", number(device, "queued"));
    text_add(out, "\n");
    if (step)
        text_add(out, "  at %s, for %s\n", step, duration(number(device, "step_seconds"), time));
    cJSON_ArrayForEach(memory, cJSON_GetObjectItem(device, "memories"))
    {
        if (number(memory, "in_use") > 0 || number(memory, "peak") > 0)
            print_memory(memory, out);
    }
}

static void print_devices(const cJSON *report, struct text *out)
{
    const cJSON *device, *devices = cJSON_GetObjectItem(report, "devices");
    int shown = 0;
    cJSON_ArrayForEach(device, devices)
    {
        if (shown++ == DEVICES)
            break;
        print_device(device, out);
    }
    if (cJSON_GetArraySize(devices) > DEVICES)
        text_add(out, "\n%d more devices\n", cJSON_GetArraySize(devices) - DEVICES);
}

static void print_programs(const cJSON *report, struct text *out)
{
    const cJSON *program, *programs = cJSON_GetObjectItem(report, "programs");
    char all[32], last[32];
    int shown = 0;
    if (cJSON_GetArraySize(programs))
        text_add(out, "\nprograms by compilation time\n");
    cJSON_ArrayForEach(program, programs)
    {
        if (shown++ == PROGRAMS)
            break;
        text_add(out, "  %-28s %.0f x, %s together, the last %s\n",
                 string(program, "name") ? string(program, "name") : "",
                 number(program, "compilations"), duration(number(program, "seconds"), all),
                 duration(number(program, "last_seconds"), last));
        if (string(program, "reason"))
            text_add(out, "    again because %s\n", string(program, "reason"));
    }
}

void top_text_print(const cJSON *report, const cJSON *before, struct text *out)
{
    print_head(report, before, out);
    print_devices(report, out);
    print_programs(report, out);
}
