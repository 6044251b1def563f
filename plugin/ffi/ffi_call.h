/* ffi_call.h: handlers of XLA's typed FFI as custom calls of Gantry: queries their metadata, makes
 * their call frames of what the program says, and keeps their states. */
#ifndef GANTRY_PLUGIN_FFI_FFI_CALL_H
#define GANTRY_PLUGIN_FFI_FFI_CALL_H

#include "base/error.h"
#include "xla_ffi_c_api.h"

/* Registers handlers by name, for the process. All are queried for their metadata first, with a
 * call frame whose `api` is the table, so who has no other way to it finds it there. The handlers
 * are static. Errors: UNIMPLEMENTED for a handler that was built for another version or does not
 * say for which; ALREADY_EXISTS when the name is taken; INVALID_ARGUMENT for a platform that is
 * none of Gantry's. Thread-safe. */
struct error *ffi_call_register(const char *target, size_t size, const char *platform,
                                size_t platform_size, const XLA_FFI_Handler_Bundle *bundle);

#endif
