/* histogram.h: how long something took, many times over: counts by duration, from which percentiles
 * follow. A bucket is an eighth of a power of two wide, so a percentile is at most 6 % off. Adding
 * costs four relaxed atomic operations. Thread-safe; a reader beside writers sees each of the
 * numbers at some moment of its reading. */
#ifndef GANTRY_BASE_HISTOGRAM_H
#define GANTRY_BASE_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

enum { HISTOGRAM_STEPS = 8, HISTOGRAM_BUCKETS = 64 * HISTOGRAM_STEPS };

struct histogram { /* zeros: nothing was added */
    _Atomic(uint64_t) buckets[HISTOGRAM_BUCKETS], sum, max;
};

struct histogram_summary { /* all but the count in the unit of what was added */
    uint64_t count, sum, max;
    uint64_t p50, p90, p99; /* at least so many percent are not above; 0 where nothing was added */
};

void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_summarize(const struct histogram *histogram, struct histogram_summary *out);

#endif
