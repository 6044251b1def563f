/* ext_gantry.h: Gantry's own extension (pjrt_c_api_gantry_extension.h), for `gantry topo` and
 * similar tools. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_GANTRY_H
#define GANTRY_PLUGIN_EXT_GANTRY_H

#include "pjrt_c_api_gantry_extension.h"

/* Static and constant: the extension, to be linked into PJRT_Api's extension list. */
extern PJRT_Gantry_Extension ext_gantry;

#endif
