/* probe.h: queries in a child process, so that a plugin or a program that crashes or hangs does not
 * end the command. The calling process must have one thread. */
#ifndef GANTRY_TOOLS_PROBE_H
#define GANTRY_TOOLS_PROBE_H

#include <cjson/cJSON.h>

/* Runs in the child: adds what it finds to `out`, an object. */
typedef void probe_query(const void *context, cJSON *out);

/* Runs a query for at most `seconds`, and ends every process that it started and that is in its
 * process group. Returns a new object (cJSON_Delete): what the query added, or only "error" if the
 * child crashed, did not end in time, or could not be started. */
cJSON *probe_run(probe_query *query, const void *context, double seconds);

#endif
