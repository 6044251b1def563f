/* ext_ffi.h: the FFI extension (pjrt_c_api_ffi_extension.h): custom calls that clients register.
 * Thread-safe. */
#ifndef GANTRY_PLUGIN_FFI_EXT_FFI_H
#define GANTRY_PLUGIN_FFI_EXT_FFI_H

#include "pjrt_c_api_ffi_extension.h"

/* Static and constant: the extension's table, to be linked into PJRT_Api's extension list; padded
 * with NULL like that of ext_layouts.h. */
extern struct ext_ffi_table {
    PJRT_FFI_Extension table;
    void *absent[8];
} ext_ffi;

#endif
