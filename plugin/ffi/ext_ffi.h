/* ext_ffi.h: the FFI extension (pjrt_c_api_ffi_extension.h): custom calls by clients.
 * Thread-safe. */
#ifndef GANTRY_PLUGIN_FFI_EXT_FFI_H
#define GANTRY_PLUGIN_FFI_EXT_FFI_H

#include "pjrt_c_api_ffi_extension.h"

/* Static and constant: the extension's table, to be hung on PJRT_Api; with NULL behind its end, as
 * ext_layouts.h's. */
extern struct ext_ffi_table {
    PJRT_FFI_Extension table;
    void *absent[8];
} ext_ffi;

#endif
