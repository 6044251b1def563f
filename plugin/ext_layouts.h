/* ext_layouts.h: the Layouts extension (pjrt_c_api_layouts_extension.h). A layout is a
 * minor_to_major permutation, and tiles where the device has them; unless the client requested
 * another, it is the device's default. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_LAYOUTS_H
#define GANTRY_PLUGIN_EXT_LAYOUTS_H

#include "pjrt_c_api_layouts_extension.h"

/* Static and constant: the extension's table, to be linked into PJRT_Api's extension list. Clients
 * with later headers (such as jaxlib) read members past its end without checking its size; they
 * find NULL there, which means unsupported. */
extern struct ext_layouts_table {
    PJRT_Layouts_Extension table;
    void *absent[8];
} ext_layouts;

#endif
