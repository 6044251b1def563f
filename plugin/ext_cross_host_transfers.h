/* ext_cross_host_transfers.h: the CrossHostTransfers extension
 * (pjrt_c_api_cross_host_transfers_extension.h): sends and receives by keys (runtime/cross_host.h).
 * The older way, by descriptors, is UNIMPLEMENTED. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_CROSS_HOST_TRANSFERS_H
#define GANTRY_PLUGIN_EXT_CROSS_HOST_TRANSFERS_H

#include "pjrt_c_api_cross_host_transfers_extension.h"

/* Static and constant: the extension, to be linked into PJRT_Api's extension list. */
extern PJRT_CrossHostTransfers_Extension ext_cross_host_transfers;

#endif
