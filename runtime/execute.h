/* execute.h: running a loaded executable. Every device has a queue: programs run in the order they
 * were submitted. A cheap program whose inputs are ready and whose queue is empty runs at once on
 * the caller's thread; others on the queue's thread, so the caller goes on. Thread-safe. */
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
    const int64_t *non_donatable; /* argument numbers that must not be donated */
    int64_t launch_id;
    struct execute_context *context;    /* may be NULL */
    struct host_transfer *const *hosts; /* [device], borrowed; NULL: no callbacks */
};

/* Errors known before the start (INVALID_ARGUMENT: number, element type, dimensions, layout or
 * device of an argument, a channel without callback; FAILED_PRECONDITION: deleted or donated
 * buffer; RESOURCE_EXHAUSTED) are returned, no result is made, and donated arguments are as before.
 * Later ones come through the results' ready events and `completed`. */
struct error *execute(const struct execute_request *request);
/* Only checks the counts of a request and the lists that they say are there. */
struct error *execute_check(const struct execute_request *request);

/* Deletes an executable: no execution is accepted any more. Those that are in flight complete, but
 * for unbounded programs (program.h): they are stopped and end with CANCELLED. */
void execute_delete(struct loaded_executable *executable);

#endif
