/* process_usage.h: what this process has, to find leaks. Thread-safe. */
#ifndef GANTRY_CONFORMANCE_PROCESS_USAGE_H
#define GANTRY_CONFORMANCE_PROCESS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct process_usage {
    int64_t resident_bytes;
    int threads, files; /* files: open descriptors */
};
struct process_usage process_usage(void);
/* Whether resident_bytes shows leaks: sanitizers do not return freed memory. */
bool process_usage_is_exact(void);

#endif
