/* top_socket.h: sends the metrics of this process (metrics_json.h) to `gantry top`, if GANTRY_TOP=1
 * asks for it, over the socket PJRT_GANTRY_TOP_SOCKET of pjrt_c_api_gantry_extension.h, which
 * leaves no file behind. A connection gets one report and is closed. Connections of other users
 * than the process's own and root are closed without one; sending ends after one second without
 * progress. Thread-safe. */
#ifndef GANTRY_REPORT_TOP_SOCKET_H
#define GANTRY_REPORT_TOP_SOCKET_H

/* At the creation of a client: opens the socket and starts the thread that accepts its
 * connections, once a process (a forked child is another one). Does nothing without GANTRY_TOP=1;
 * a failure is logged as a warning. */
void top_socket_open(void);

#endif
