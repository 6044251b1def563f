/* ucx_process.h: what UCX sees of the process. UCX reads its settings from UCX_* variables when the
 * library is loaded. Those that would reach into the client's process have other defaults here: no
 * signal handlers, no hooks of memory functions, no file system of statistics. Messages go over
 * TCP, or between processes of a machine through memory that they share, less than 1 MB for each.
 * UCX does not wait while it connects (UCX_TCP_CONN_NB): otherwise it would do so with the
 * network's lock, for 7 s toward each process of a host that is silent, and once more toward one
 * whose connection was lost before UCX there had answered. It does not ask peers for signs of life
 * (UCX_KEEPALIVE_INTERVAL): the system does (ucx_near.h, ucx_sockets.h), and UCX 1.13 follows a
 * null pointer when the memory of a peer that has ended could not be opened. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_PROCESS_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_PROCESS_H

#include <stdbool.h>

/* UCX_TLS where the end of a process can be noticed (ucx_near.h), and elsewhere. */
#define UCX_PROCESS_TRANSPORTS "tcp,posix"
#define UCX_PROCESS_TCP "tcp"
/* Whether UCX_TLS is the first of these because the user has not set it. */
bool ucx_process_shares_memory(void);

#endif
