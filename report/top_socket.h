/* top_socket.h: offers the metrics of this process (metrics_json.h) to `gantry top`, on request of
 * GANTRY_TOP=1: a socket in Linux's abstract namespace, "gantry-top-PID", so that no file is left
 * behind. Who connects gets one report, and the connection is closed. Only processes of the same
 * user, and root's, are served; a reader that does not read holds nobody up for more than a second.
 * Thread-safe. */
#ifndef GANTRY_REPORT_TOP_SOCKET_H
#define GANTRY_REPORT_TOP_SOCKET_H

#define TOP_SOCKET_NAME "gantry-top-" /* and the process id, after a NUL byte */

/* At the creation of a client: opens the socket and starts the thread that serves it, once a
 * process (a forked child is another one). Without GANTRY_TOP=1 it does nothing; what keeps it from
 * opening is logged as a warning. */
void top_socket_open(void);

#endif
