/* plan_hosts.c: see plan_hosts.h. */
#include "tools/plan_hosts.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "tools/topo_view.h"

enum { MAX_HOSTS = 1 << 20, SHOWN = 12 };

/* ---- arguments ------------------------------------------------------------------------------- */
static struct error *wrong_link(const char *link)
{
    return ERROR(INVALID_ARGUMENT,
                 "--link %s; allowed: bits a second and, after a comma, microseconds of latency, "
                 "like 25G or 100G,5",
                 link);
}

static struct error *read_link(const char *link, struct plan_hosts *out)
{
    static const char scales[] = "KMGT";
    const char *at = link;
    double bits, microseconds;
    if (!number_take_real(&at, &bits))
        return wrong_link(link);
    const char *scale = *at ? strchr(scales, *at) : NULL;
    if (scale) {
        bits *= pow(1000, (double)(scale - scales + 1));
        at++;
    }
    if (!(bits >= 1) || bits > 1e18)
        return wrong_link(link);
    out->rate = bits / 8;
    if (!*at)
        return NULL;
    if (*at != ',' || !number_read_real(at + 1, 0, 1e6, &microseconds))
        return wrong_link(link);
    out->latency = microseconds * 1e-6;
    return NULL;
}

struct error *plan_hosts_read(const char *hosts, const char *link, struct plan_hosts *out)
{
    int64_t count = 0;
    *out = (struct plan_hosts){.rate = 10e9 / 8, .latency = 10e-6};
    if (!hosts && link)
        return ERROR(INVALID_ARGUMENT, "--link needs --hosts");
    if (hosts && !number_read(hosts, 2, MAX_HOSTS, &count))
        return ERROR(INVALID_ARGUMENT, "--hosts %s; allowed: 2 to %d", hosts, MAX_HOSTS);
    out->count = (int)count;
    return link ? read_link(link, out) : NULL;
}

/* ---- the model ------------------------------------------------------------------------------- */
/* Seconds of one execution of a collective, and how it communicates. Its groups, of which each has
 * a member on each host, share the hosts' links. */
static double seconds_of(const struct plan_hosts *hosts, const struct plan_collective *at,
                         const char **way)
{
    struct loggp link = loggp_of_link(hosts->rate, hosts->latency);
    double groups = fmax(at->group_count, 1), bytes = groups * at->bytes;
    double n = hosts->count, others = n - 1, messages = groups * others;
    *way = "each to each";
    if (!strcmp(at->kind, "all-reduce")) {
        enum loggp_way chosen =
            loggp_choose(&link, &(struct loggp_sum){hosts->count, bytes, bytes, bytes});
        *way = loggp_name(chosen);
        return loggp_all_reduce(&link, chosen, hosts->count, bytes);
    }
    if (!strcmp(at->kind, "all-gather"))
        return loggp_exchange(&link, messages, others / n * bytes * at->group_size);
    if (!strcmp(at->kind, "reduce-scatter"))
        return loggp_exchange(&link, messages, others / n * bytes) + bytes * link.combine;
    if (!strcmp(at->kind, "all-to-all"))
        return loggp_exchange(&link, messages, others / n * bytes);
    *way = "one message";
    if (!strcmp(at->kind, "collective-broadcast")) {
        *way = "one to each";
        return loggp_exchange(&link, messages, others * bytes);
    }
    return strcmp(at->kind, "recv") ? loggp_exchange(&link, groups, bytes) : 0;
}

static double times_of(const struct plan_collective *at)
{
    return at->count * (at->trips < 0 ? 1 : at->trips);
}

static double all_seconds(const struct plan_hosts *hosts, const struct plan_view *view)
{
    const char *way;
    double seconds = 0;
    for (size_t i = 0; i < view->collective_count; i++)
        seconds += times_of(&view->collectives[i]) * seconds_of(hosts, &view->collectives[i], &way);
    return seconds;
}

/* ---- output ---------------------------------------------------------------------------------- */
void plan_hosts_print(const struct plan_hosts *hosts, const struct plan_view *view,
                      struct text *out)
{
    char bytes[TOPO_VIEW_SIZE];
    const char *way;
    text_add(out,
             "\nCommunication between %d hosts by %g Gbit/s and %g us, as computed: %.4g ms in one "
             "execution\n  %11s  %11s  %-20s  %s\n",
             hosts->count, hosts->rate * 8e-9, hosts->latency * 1e6, 1e3 * all_seconds(hosts, view),
             "ms", "operands", "kind", "times, how, operands");
    for (size_t i = 0; i < view->collective_count && i < SHOWN; i++) {
        const struct plan_collective *at = &view->collectives[i];
        double seconds = seconds_of(hosts, at, &way);
        text_add(out, "  %11.4g  %11s  %-20s  %s%.0f times, %s, %s\n", 1e3 * seconds * times_of(at),
                 topo_view_bytes(at->bytes, bytes), at->kind, at->trips < 0 ? "at least " : "",
                 times_of(at), way, at->contents);
    }
    if (view->collective_count > SHOWN)
        text_add(out, "  %zu more\n", view->collective_count - SHOWN);
}

struct error *plan_hosts_json(const struct plan_hosts *hosts, const struct plan_view *view,
                              cJSON *plan)
{
    cJSON *object = cJSON_AddObjectToObject(plan, "hosts");
    bool fits = object && cJSON_AddNumberToObject(object, "count", hosts->count) &&
                cJSON_AddNumberToObject(object, "bytes_per_second", hosts->rate) &&
                cJSON_AddNumberToObject(object, "latency_seconds", hosts->latency) &&
                cJSON_AddNumberToObject(object, "communication_seconds", all_seconds(hosts, view));
    return fits ? NULL : ERROR(RESOURCE_EXHAUSTED, "out of memory");
}
