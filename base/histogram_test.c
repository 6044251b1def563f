#include "base/histogram.h"

#include <criterion/criterion.h>

#include "base/thread.h"

static struct histogram histogram;

static void close_to(uint64_t got, double want)
{
    cr_assert((double)got >= 0.94 * want && (double)got <= 1.06 * want, "%llu, not %g",
              (unsigned long long)got, want);
}

Test(histogram, nothing_was_added)
{
    struct histogram_summary summary;
    histogram_summarize(&histogram, &summary);
    cr_assert(!summary.count && !summary.sum && !summary.max && !summary.p50 && !summary.p99);
}

Test(histogram, percentiles_are_close)
{
    struct histogram_summary summary;
    for (uint64_t i = 1; i <= 100000; i++)
        histogram_add(&histogram, i);
    histogram_summarize(&histogram, &summary);
    cr_assert(summary.count == 100000 && summary.max == 100000);
    cr_assert(summary.sum == UINT64_C(100000) * 100001 / 2);
    close_to(summary.p50, 50000), close_to(summary.p90, 90000), close_to(summary.p99, 99000);
}

Test(histogram, small_and_huge_values)
{
    struct histogram_summary summary;
    for (int i = 0; i < 60; i++)
        histogram_add(&histogram, 3);
    for (int i = 0; i < 35; i++)
        histogram_add(&histogram, UINT64_MAX);
    histogram_add(&histogram, 0);
    histogram_summarize(&histogram, &summary);
    cr_assert(summary.count == 96 && summary.p50 == 3 && summary.max == UINT64_MAX);
    close_to(summary.p90, (double)UINT64_MAX);
}

static void add_many(void *context, int i)
{
    (void)context;
    for (int k = 0; k < 10000; k++)
        histogram_add(&histogram, (uint64_t)(i * 10000 + k));
}

Test(histogram, many_threads)
{
    struct histogram_summary summary;
    thread_parallel("adds", 8, 8, add_many, NULL);
    histogram_summarize(&histogram, &summary);
    cr_assert(summary.count == 80000 && summary.max == 79999);
    cr_assert(summary.sum == UINT64_C(79999) * 80000 / 2);
}
