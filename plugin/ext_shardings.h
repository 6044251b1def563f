/* ext_shardings.h: the Shardings extension (pjrt_c_api_shardings_extension.h). Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_SHARDINGS_H
#define GANTRY_PLUGIN_EXT_SHARDINGS_H

#include "pjrt_c_api_shardings_extension.h"

/* Static and constant: the extension, to be linked into PJRT_Api's extension list. */
extern PJRT_Shardings_Extension ext_shardings;

#endif
