/* ucx_guard.h: UCX ends the process when one of its assertions fails. A client's process must not
 * end because of what a peer did, so here control returns to the caller instead, and the assertion
 * goes to the log. What UCX was doing stays half done: a worker that failed inside of
 * ucx_guard_run() must not be used again.
 *
 * One assertion is wrong in UCX 1.13 (https://github.com/openucx/ucx/pull/8175 removed it): it
 * fails when a peer ends while it is being answered for the first time. It is passed over, where
 * UCX gives up the messages to such a peer; the worker works on.
 *
 * Thread-safe: a guard belongs to its thread. A failure in UCX's own thread, which only accepts
 * connections, still ends the process; processes that share memory (ucx_near.h) do not connect. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_GUARD_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_GUARD_H

#include <stdbool.h>

/* Calls work(context), which calls UCX. False: an assertion failed, and `work` did not return. */
bool ucx_guard_run(void (*work)(void *context), void *context);

#endif
