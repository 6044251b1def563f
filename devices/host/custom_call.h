/* custom_call.h: the registry of custom call handlers, one per process. Handlers are built in
 * (builtin_calls.h), provided by libgantry_kernels.so (LAPACK), or registered here (by
 * plugin/ffi/ext_ffi.c, for clients). A handler is called on the thread that runs the program, with
 * no lock held; it may block, and may itself run programs. */
#ifndef GANTRY_DEVICES_HOST_CUSTOM_CALL_H
#define GANTRY_DEVICES_HOST_CUSTOM_CALL_H

#include <stdbool.h>

#include "base/error.h"
#include "compiler/program/program.h"

struct custom_call { /* one call; borrowed, valid until the function returns */
    const struct call_spec *spec;
    /* an address for each of spec->values: operands, then results; NULL for tokens */
    void *const *data;
    void *state; /* created by `instantiate` for this call site */
    int device_ordinal;
    int64_t run_id;
    const void *context;     /* launch.context */
    const atomic_uint *stop; /* not 0: the execution is cancelled */
};

struct custom_call_handler {
    /* Reads operands and writes results. Must be thread-safe: a call site may be executed by
     * several threads at once. */
    struct error *(*run)(const void *user, const struct custom_call *call);
    /* (optional) The same for the participants 0 .. count - 1 of a call_spec.meets, all at once. */
    struct error *(*run_together)(const void *user, const struct custom_call *calls, int count);
    /* (optional) Creates the state of a call site (owned: drop). Called before the first run. */
    struct error *(*instantiate)(const void *user, const struct call_spec *spec, void **state);
    void (*drop)(void *state);
    const void *user; /* static */
    bool foreign;     /* a client's handler, which may block: must not run on the caller's thread */
    bool synchronous; /* an execution on one device returns to the client after it has run */
};

/* Registers a copy of the handler. ALREADY_EXISTS if the name is taken, also by a handler of the
 * kernel library. Thread-safe. */
struct error *custom_call_register(const char *target, size_t size,
                                   const struct custom_call_handler *handler);

/* *out is static. Errors: UNIMPLEMENTED if no handler has the name. Thread-safe. */
struct error *custom_call_find(const char *target, size_t size,
                               const struct custom_call_handler **out);

struct custom_call_use { /* whether any handler that a program calls is so */
    bool foreign, synchronous;
};
/* Checks that all custom calls of a program have handlers. */
struct error *custom_call_check(const struct program *program, struct custom_call_use *use);

/* For handlers: returns an attribute by name, or NULL; returns its integer value (false if it is
 * not an integer). */
const struct call_attribute *custom_call_attribute(const struct call_spec *spec, const char *name);
bool custom_call_integer(const struct call_spec *spec, const char *name, int64_t *out);

#endif
