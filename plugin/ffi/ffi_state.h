/* ffi_state.h: the states of handlers: XLA_FFI_State_Set and XLA_FFI_State_Get, for each version of
 * XLA's FFI. Their structs changed twice: version 0.1 names no stage and passes the state's deleter
 * itself, 0.2 has neither, 0.3 names the stage. The struct of 0.1 is as long as that of 0.3, so the
 * size does not identify a version: each version has its own functions. */
#ifndef GANTRY_PLUGIN_FFI_FFI_STATE_H
#define GANTRY_PLUGIN_FFI_FFI_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "xla_ffi_c_api.h"

struct ffi_state {
    bool set;
    int64_t type_id;
    void *object;
    void (*deleter)(void *object); /* NULL: that of the type, if any */
};

/* Return an error of the struct, owned, or store or load a state of args->ctx. Versions 0.1 and 0.2
 * only know the state of the stage INSTANTIATE. Errors: INVALID_ARGUMENT for a short struct, a
 * stage that can have no state, or a state of another type; ALREADY_EXISTS when the stage has one;
 * NOT_FOUND when it has none. Not thread-safe: a context belongs to one call. */
XLA_FFI_State_Set ffi_state_set, ffi_state_set_0_1, ffi_state_set_0_2;
XLA_FFI_State_Get ffi_state_get, ffi_state_get_0_2; /* 0.1 and 0.2 have the same struct */

/* Calls the deleter of the state or of its type; the state is unset then. */
void ffi_state_drop(struct ffi_state *state);

#endif
