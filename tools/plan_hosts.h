/* plan_hosts.h: predicts the time of a program's collectives between hosts that need not exist,
 * with the LogGP model (base/loggp.h). Each group of a collective is assumed to have one member on
 * each host, so its groups share the hosts' links; the total sizes of the arrays that it reduces,
 * gathers or divides do not change. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_HOSTS_H
#define GANTRY_TOOLS_PLAN_HOSTS_H

#include <cjson/cJSON.h>

#include "base/loggp.h"
#include "tools/plan_view.h"

struct plan_hosts {
    int count;            /* hosts; 0: the plan is not about hosts */
    double rate, latency; /* of each host's link: bytes a second, seconds */
};

/* Reads --hosts N and --link RATE[,LATENCY]: bits a second with K, M, G or T, microseconds; "25G"
 * or "100G,5". Without `link`: 10G and 10 us. INVALID_ARGUMENT names the allowed values. */
struct error *plan_hosts_read(const char *hosts, const char *link, struct plan_hosts *out);

void plan_hosts_print(const struct plan_hosts *hosts, const struct plan_view *view,
                      struct text *out);
/* Adds "hosts" to the plan. */
struct error *plan_hosts_json(const struct plan_hosts *hosts, const struct plan_view *view,
                              cJSON *plan);

#endif
