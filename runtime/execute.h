/* execute.h: running a loaded executable. Every device has a queue (execute_queue.h). A cheap
 * program whose inputs are ready and whose queue is empty runs at once on the caller's thread;
 * others run asynchronously on the queue's thread. A program that is cheap if its loops of unknown
 * trip count end soon begins on the caller's thread, too, with a budget (kernel_limits); if that is
 * exceeded, it is queued and begins again, unless it overwrites an argument: then it is queued at
 * once. A program with Python callbacks on one device is queued, and the caller waits for it, as
 * users expect the effects of callbacks when a call returns; its failure is the call's.
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTE_H
#define GANTRY_RUNTIME_EXECUTE_H

#include "runtime/buffer.h"
#include "runtime/executable.h"
#include "runtime/execute_context.h"
#include "runtime/host_transfer.h"

struct execute_request {
    struct loaded_executable *executable; /* borrowed */
    size_t device_count;                  /* 1 with `device`, else all of the executable's */
    struct client_device *device;         /* NULL: all */
    size_t argument_count;
    struct buffer *const *const *arguments; /* [device][argument], borrowed */
    struct buffer **const *results;         /* [device][result]: receives owned buffers */
    struct event **completed;               /* [device]: receives owned events; may be NULL */
    size_t non_donatable_count;
    /* argument numbers that must not be donated; those of no argument, and repeats, have no effect
     */
    const int64_t *non_donatable;
    int64_t launch_id;
    int64_t flow; /* by which the client's profile links the launch to its own event; 0: none */
    struct execute_context *context;    /* may be NULL */
    struct host_transfer *const *hosts; /* [device], borrowed; NULL: no callbacks */
};

/* Errors known before the start are returned; then no result is created, and donated arguments are
 * unchanged. They are INVALID_ARGUMENT (number, element type, dimensions, layout or device of an
 * argument; a channel without callback), FAILED_PRECONDITION (deleted or donated buffer) and
 * RESOURCE_EXHAUSTED. Later errors are reported by the results' ready events and `completed`. */
struct error *execute(const struct execute_request *request);
/* The two halves of execute(): checks only the device of a request, its counts, and that the
 * corresponding lists are present; executes a request that has passed this check. */
struct error *execute_check(const struct execute_request *request);
struct error *execute_checked(const struct execute_request *request);

/* Deletes an executable: no further execution is accepted. Executions in flight complete, except
 * for unbounded programs (program.h), which are stopped and end with CANCELLED. */
void execute_delete(struct loaded_executable *executable);

#endif
