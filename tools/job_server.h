/* job_server.h: the server of a job's key-value store (job_store.h): a thread for each connection.
 * What it receives is checked and bounded: sizes by job_wire.h, all values together, with those
 * that are being received, and the number of connections. Thread-safe. */
#ifndef GANTRY_TOOLS_JOB_SERVER_H
#define GANTRY_TOOLS_JOB_SERVER_H

#include "base/error.h"

struct job_server;

/* Starts it on a socket that listens (moved). *out is owned: job_server_stop(). */
struct error *job_server_start(int listener, struct job_server **out);
/* Waits until its clients have ended, for at most `seconds`, and ends it; accepts NULL. */
void job_server_stop(struct job_server *server, double seconds);

#endif
