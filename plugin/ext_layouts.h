/* ext_layouts.h: the Layouts extension (pjrt_c_api_layouts_extension.h). A layout is an
 * order of dimensions, row-major unless the client asked for another. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_LAYOUTS_H
#define GANTRY_PLUGIN_EXT_LAYOUTS_H

#include "pjrt_c_api_layouts_extension.h"

/* Static and constant: the extension's table, to be hung on PJRT_Api. Clients with later headers
 * read members behind its end without asking for its size (jaxlib does): there they find NULL,
 * which means unsupported. */
extern struct ext_layouts_table {
    PJRT_Layouts_Extension table;
    void *absent[8];
} ext_layouts;

#endif
