/* job_network.h: measures the network between the processes of a job with programs that the plugin
 * compiles and runs as any others: what is measured is what programs get, and a connection that
 * does not work is the error that they would get.
 *
 *   host, listens, devices   of each process
 *   all      a sum over a device of each process: every process meets every other one
 *   pairs    of processes, one at a time, from one to the other: latency, bandwidth
 *
 * One call at a time. */
#ifndef GANTRY_TOOLS_JOB_NETWORK_H
#define GANTRY_TOOLS_JOB_NETWORK_H

#include "tools/job_client.h"

enum { JOB_NETWORK_MEASURED = 16 /* processes between which pairs are measured, at most */ };

/* Every process of the job calls it; it returns in all at about the same time. In process 0, `out`
 * gets
 *
 *   processes  number, host, first process of that host, listens, devices; error: it did not report
 *   measured   the numbers of those between which pairs are measured: the first of each host, then
 *              others
 *   all        microseconds, or error
 *   pairs      from, to, latency_us (one way), bytes_per_second, by: "memory" or "tcp"; or error
 *
 * In the others it stays empty. What does not work is an `error` in there; the errors returned are
 * those of the job as a whole. */
struct error *job_network_measure(struct job_client *job, const PJRT_Api *api, PJRT_Client *client,
                                  cJSON *out);

#endif
