#include "runtime/metrics.h"

#include "base/clock.h"

struct metrics metrics;

static const struct {
    const char *name, *meaning;
} rows[] = {
#define METRIC(name, meaning) {#name, meaning},
#include "runtime/metrics.def"
#undef METRIC
};

static _Atomic(int64_t) started; /* 0: not yet */

const char *metric_name(enum metric metric)
{
    return rows[metric].name;
}

const char *metric_meaning(enum metric metric)
{
    return rows[metric].meaning;
}

void metrics_watch(void)
{
    atomic_store_explicit(&metrics.watched, true, memory_order_relaxed);
}

void metrics_begin(void)
{
    int64_t none = 0;
    atomic_compare_exchange_strong(&started, &none, clock_now());
}

double metrics_uptime(void)
{
    int64_t since = atomic_load(&started);
    return since ? (double)(clock_now() - since) * 1e-9 : 0;
}
