/* top_process.h: the processes that `gantry top` can attach to, and their reports
 * (report/metrics_json.h). Not thread-safe. */
#ifndef GANTRY_TOOLS_TOP_PROCESS_H
#define GANTRY_TOOLS_TOP_PROCESS_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* Writes the ids of the processes that offer reports, of all users; returns how many there are,
 * which may be more than the capacity. */
size_t top_process_list(long *out, size_t capacity);

/* Connects and reads a report: *out is owned, cJSON_Delete. NOT_FOUND: the process offers none, or
 * has ended; PERMISSION_DENIED: it is another user's; DEADLINE_EXCEEDED: it did not answer within
 * 10 seconds; INVALID_ARGUMENT: its answer is not a report. At most 64 MiB are read. */
struct error *top_process_read(long pid, cJSON **out);

#endif
