/* ffi_pack.h: elements of 2 and 4 bits. Gantry stores each in a byte; handlers of XLA's FFI receive
 * them packed, the first in the low bits. */
#ifndef GANTRY_PLUGIN_FFI_FFI_PACK_H
#define GANTRY_PLUGIN_FFI_FFI_PACK_H

#include "devices/host/custom_call.h"

/* The addresses of a call's values as handlers see them. */
struct ffi_pack {
    void **data; /* one per value; the call's own array if nothing is packed */
    bool any;    /* whether something is packed, which ffi_pack_end frees */
};

/* Packs operands, and results that may share memory with them, into newly allocated memory. */
struct error *ffi_pack_begin(const struct custom_call *call, struct ffi_pack *out);
/* Frees that memory. If `succeeded`, unpacks the results first. */
void ffi_pack_end(const struct custom_call *call, struct ffi_pack *pack, bool succeeded);

#endif
