/* ext_layouts.h: the Layouts extension (pjrt_c_api_layouts_extension.h). Every array of Gantry is row-major, so a
 * layout is its rank. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_LAYOUTS_H
#define GANTRY_PLUGIN_EXT_LAYOUTS_H

#include "pjrt_c_api_layouts_extension.h"

/* Static and constant: the extension's table, to be hung on PJRT_Api. */
extern PJRT_Layouts_Extension ext_layouts;

#endif
