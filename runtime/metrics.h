/* metrics.h: counts compilations, executions and transfers of this process, for reports: `gantry
 * top`, the metrics of pjrt_c_api_gantry_extension.h. Counters never fall; they start with the
 * process. A counter costs one relaxed atomic operation. Executions are timed, and what a device
 * does is noted (client_device.activity), only from metrics_watch() on. Thread-safe. */
#ifndef GANTRY_RUNTIME_METRICS_H
#define GANTRY_RUNTIME_METRICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"

enum metric {
#define METRIC(name, meaning) METRIC_##name,
#include "runtime/metrics.def"
#undef METRIC
    METRIC_COUNT
};

struct metrics { /* of the process */
    _Atomic(uint64_t) counters[METRIC_COUNT];
    struct histogram compile_ns, execute_ns; /* the latter only while watched */
    atomic_bool watched;
};
extern struct metrics metrics;

const char *metric_name(enum metric metric);    /* static */
const char *metric_meaning(enum metric metric); /* static */

static inline void metrics_add(enum metric metric, uint64_t amount)
{
    atomic_fetch_add_explicit(&metrics.counters[metric], amount, memory_order_relaxed);
}
static inline uint64_t metrics_get(enum metric metric)
{
    return atomic_load_explicit(&metrics.counters[metric], memory_order_relaxed);
}

/* Executions are timed from now on, for the rest of the process. */
void metrics_watch(void);
static inline bool metrics_watched(void)
{
    return atomic_load_explicit(&metrics.watched, memory_order_relaxed);
}

/* The first client is created; seconds since then. */
void metrics_begin(void);
double metrics_uptime(void);

#endif
