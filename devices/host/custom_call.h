/* custom_call.h: the functions that custom calls name. One registry a process, of three kinds:
 * what is known from the start (builtin_calls.h), what libgantry_kernels.so brings (LAPACK), and
 * what others register here (plugin/ffi/ext_ffi.c does, for clients). A function is called on the
 * thread that runs the program, with no lock held; it may block, and may itself run programs. */
#ifndef GANTRY_DEVICES_HOST_CUSTOM_CALL_H
#define GANTRY_DEVICES_HOST_CUSTOM_CALL_H

#include <stdbool.h>

#include "base/error.h"
#include "compiler/program/program.h"

struct custom_call { /* one call; borrowed, valid until the function returns */
    const struct call_spec *spec;
    /* an address for each of spec->values: operands, then results; NULL for tokens */
    void *const *data;
    void *state; /* of this place in this program, as `instantiate` made it */
    int device_ordinal;
    int64_t run_id;
    const void *context; /* struct launch's */
};

struct custom_call_handler {
    /* Reads operands, writes results. Thread-safe: one place in a program may be called by many
     * threads. */
    struct error *(*run)(const void *user, const struct custom_call *call);
    /* (optional) Makes what a place in a program keeps (owned: drop). Called before the first
     * run. */
    struct error *(*instantiate)(const void *user, const struct call_spec *spec, void **state);
    void (*drop)(void *state);
    const void *user; /* static */
    bool foreign;     /* not ours: it may block, so that a caller's thread is not lent to it */
};

/* Copies the handler. ALREADY_EXISTS when another has the name, in the kernels' library, too.
 * Thread-safe. */
struct error *custom_call_register(const char *target, size_t size,
                                   const struct custom_call_handler *handler);

/* *out is static. Errors: UNIMPLEMENTED when no handler has the name. Thread-safe. */
struct error *custom_call_find(const char *target, size_t size,
                               const struct custom_call_handler **out);

/* Checks that all functions a program calls are known; *foreign: whether one of them is. */
struct error *custom_call_check(const struct program *program, bool *foreign);

/* For functions: an attribute by name or NULL; its value as an integer (false when it is none). */
const struct call_attribute *custom_call_attribute(const struct call_spec *spec, const char *name);
bool custom_call_integer(const struct call_spec *spec, const char *name, int64_t *out);

#endif
