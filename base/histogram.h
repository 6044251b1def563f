/* histogram.h: a histogram of durations, for percentiles. A bucket is an eighth of a power of two
 * wide, so the error of a percentile is at most 6 %. Adding costs four relaxed atomic operations.
 * Thread-safe; a concurrent reader gets a consistent value of each number, but not of all
 * together. */
#ifndef GANTRY_BASE_HISTOGRAM_H
#define GANTRY_BASE_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

enum { HISTOGRAM_STEPS = 8, HISTOGRAM_BUCKETS = 64 * HISTOGRAM_STEPS };

struct histogram { /* zeros: nothing was added */
    _Atomic(uint64_t) buckets[HISTOGRAM_BUCKETS], sum, max;
};

struct histogram_summary { /* all but the count in the unit of the values added */
    uint64_t count, sum, max;
    uint64_t p50, p90, p99; /* percentiles; 0 if nothing was added */
};

void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_summarize(const struct histogram *histogram, struct histogram_summary *out);

#endif
