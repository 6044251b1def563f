/* ffi_pack.h: elements of 2 and 4 bits. Gantry keeps each in a byte of its own; handlers of XLA's
 * FFI get them packed, the first in the low bits. */
#ifndef GANTRY_PLUGIN_FFI_FFI_PACK_H
#define GANTRY_PLUGIN_FFI_FFI_PACK_H

#include "devices/host/custom_call.h"

/* The addresses of a call's values as handlers see them. */
struct ffi_pack {
    void **data; /* one a value; the call's own array where nothing is packed */
    bool any;    /* whether some of them are ours: freed by ffi_pack_end */
};

/* Packs operands (and results, which may share memory with them) into memory of its own. */
struct error *ffi_pack_begin(const struct custom_call *call, struct ffi_pack *out);
/* `succeeded`: results are written back. */
void ffi_pack_end(const struct custom_call *call, struct ffi_pack *pack, bool succeeded);

#endif
