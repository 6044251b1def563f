/* ext_memory_descriptions.h: the MemoryDescriptions extension
 * (pjrt_c_api_memory_descriptions_extension.h): the memory kinds of devices that are described
 * without a client. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_MEMORY_DESCRIPTIONS_H
#define GANTRY_PLUGIN_EXT_MEMORY_DESCRIPTIONS_H

#include "pjrt_c_api_memory_descriptions_extension.h"

/* Static and constant: the extension's table, to be linked into PJRT_Api's extension list. */
extern PJRT_MemoryDescriptions_Extension ext_memory_descriptions;

#endif
