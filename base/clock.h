/* clock.h: the time for deadlines. */
#ifndef GANTRY_BASE_CLOCK_H
#define GANTRY_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_SECOND INT64_C(1000000000)

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline int64_t clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * CLOCK_SECOND + time.tv_nsec;
}

#endif
