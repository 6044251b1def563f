/* ffi_api.h: the table that handlers get (XLA_FFI_Api), and the objects behind its handles. */
#ifndef GANTRY_PLUGIN_FFI_FFI_API_H
#define GANTRY_PLUGIN_FFI_FFI_API_H

#include "devices/host/custom_call.h"
#include "xla_ffi_c_api.h"

struct ffi_state {
    bool set;
    int64_t type_id;
    void *object;
};

struct XLA_FFI_ExecutionContext {   /* of one call of a handler */
    const struct custom_call *call; /* NULL while it is instantiated */
    struct ffi_state *states[3];    /* by stage; NULL: a stage that can set none now */
};

extern const XLA_FFI_Api ffi_api; /* static and constant */

/* Gives a state to its type's deleter. */
void ffi_api_drop_state(struct ffi_state *state);

/* Waits for a future (moved) that a handler left: its error, owned. */
struct error *ffi_api_await(XLA_FFI_Future *future);

/* An XLA_FFI_Error is a struct error. */
static inline struct error *ffi_api_error(XLA_FFI_Error *error)
{
    return (struct error *)error;
}

#endif
