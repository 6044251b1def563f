/* ffi_call.h: runs handlers of XLA's typed FFI as custom calls of Gantry: queries their metadata,
 * builds their call frames, and stores their states. */
#ifndef GANTRY_PLUGIN_FFI_FFI_CALL_H
#define GANTRY_PLUGIN_FFI_FFI_CALL_H

#include "base/error.h"
#include "xla_ffi_c_api.h"

/* Registers handlers by name, for the process. First queries all of them for their metadata, with a
 * call frame that passes the newest table in `api`; later frames pass the table of the version that
 * the handler reported. The handlers must be static. What is refused is logged as well
 * (GANTRY_LOG=info; a name that is taken: debug). Errors: UNIMPLEMENTED for a handler that was
 * built for another API version or does not report one; ALREADY_EXISTS when the name is taken;
 * INVALID_ARGUMENT for an unknown platform. Thread-safe. */
struct error *ffi_call_register(const char *target, size_t size, const char *platform,
                                size_t platform_size, const XLA_FFI_Handler_Bundle *bundle);

#endif
