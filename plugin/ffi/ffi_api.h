/* ffi_api.h: the tables passed to handlers (XLA_FFI_Api), one for each version
 * of XLA's FFI, and the objects behind its handles. */
#ifndef GANTRY_PLUGIN_FFI_FFI_API_H
#define GANTRY_PLUGIN_FFI_FFI_API_H

#include "devices/host/custom_call.h"
#include "plugin/ffi/ffi_state.h"
#include "xla_ffi_c_api.h"

struct XLA_FFI_InvokeContext {      /* of one call of a handler */
    const struct custom_call *call; /* NULL during the instantiate stage */
    struct ffi_state *states[3];    /* by stage; NULL: no state can be set for it now */
};

/* The table for handlers that were built for `version` of XLA's FFI; static and constant. NULL for
 * a version outside of 0.1 to XLA_FFI_API_MAJOR.XLA_FFI_API_MINOR. */
const XLA_FFI_Api *ffi_api_table(const XLA_FFI_Api_Version *version);

/* Waits for a future (moved) that a handler returned; returns its error, owned. */
struct error *ffi_api_await(XLA_FFI_Future *future);

/* An XLA_FFI_Error is a struct error. */
static inline struct error *ffi_api_error(XLA_FFI_Error *error)
{
    return (struct error *)error;
}
static inline XLA_FFI_Error *ffi_api_wrap(struct error *error /* moved */)
{
    return (XLA_FFI_Error *)error;
}

#endif
