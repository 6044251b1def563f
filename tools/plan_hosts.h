/* plan_hosts.h: what the collectives of a program would take between more hosts than there are, by
 * the LogGP model (base/loggp.h). Each collective is taken to have one member on each host; the
 * arrays that it reduces, gathers or divides stay as large as they are as a whole. Not
 * thread-safe. */
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
 * or "100G,5". Without `link`: 10G and 10 us. INVALID_ARGUMENT names what is allowed. */
struct error *plan_hosts_read(const char *hosts, const char *link, struct plan_hosts *out);

void plan_hosts_print(const struct plan_hosts *hosts, const struct plan_view *view,
                      struct text *out);
/* Adds "hosts" to the plan. */
struct error *plan_hosts_json(const struct plan_hosts *hosts, const struct plan_view *view,
                              cJSON *plan);

#endif
