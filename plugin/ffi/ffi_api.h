/* ffi_api.h: the table passed to handlers (XLA_FFI_Api), and the objects behind its handles. */
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
    const struct custom_call *call; /* NULL during the instantiate stage */
    struct ffi_state *states[3];    /* by stage; NULL: no state can be set for it now */
};

extern const XLA_FFI_Api ffi_api; /* static and constant */

/* Calls the deleter of the state's type. */
void ffi_api_drop_state(struct ffi_state *state);

/* Waits for a future (moved) that a handler returned; returns its error, owned. */
struct error *ffi_api_await(XLA_FFI_Future *future);

/* An XLA_FFI_Error is a struct error. */
static inline struct error *ffi_api_error(XLA_FFI_Error *error)
{
    return (struct error *)error;
}

#endif
