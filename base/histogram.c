#include "base/histogram.h"

/* Values below HISTOGRAM_STEPS have a bucket each; larger ones share it with those that have the
 * same leading bits. */
static int bucket_of(uint64_t value)
{
    if (value < HISTOGRAM_STEPS)
        return (int)value;
    int power = 63 - __builtin_clzll(value);
    int step = (int)(value >> (power - 3)) - HISTOGRAM_STEPS;
    return (power - 2) * HISTOGRAM_STEPS + step;
}

/* The middle of a bucket. */
static uint64_t value_of(int bucket)
{
    if (bucket < HISTOGRAM_STEPS)
        return (uint64_t)bucket;
    int power = bucket / HISTOGRAM_STEPS + 2;
    uint64_t width = UINT64_C(1) << (power - 3);
    return (uint64_t)(HISTOGRAM_STEPS + bucket % HISTOGRAM_STEPS) * width + width / 2;
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    uint64_t max = atomic_load_explicit(&histogram->max, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->buckets[bucket_of(value)], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->sum, value, memory_order_relaxed);
    while (value > max &&
           !atomic_compare_exchange_weak_explicit(&histogram->max, &max, value,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
}

void histogram_summarize(const struct histogram *histogram, struct histogram_summary *out)
{
    static const uint64_t percents[] = {50, 90, 99};
    uint64_t counts[HISTOGRAM_BUCKETS], below = 0;
    uint64_t *const percentiles[] = {&out->p50, &out->p90, &out->p99};
    int next = 0;
    *out = (struct histogram_summary){
        .sum = atomic_load_explicit(&histogram->sum, memory_order_relaxed),
        .max = atomic_load_explicit(&histogram->max, memory_order_relaxed)};
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        counts[i] = atomic_load_explicit(&histogram->buckets[i], memory_order_relaxed);
        out->count += counts[i];
    }
    for (int i = 0; i < HISTOGRAM_BUCKETS && out->count; i++)
        for (below += counts[i]; next < 3 && below * 100 >= out->count * percents[next]; next++)
            *percentiles[next] = value_of(i) < out->max ? value_of(i) : out->max;
}
