/* ext_custom_partitioner.h: the CustomPartitioner extension
 * (pjrt_c_api_custom_partitioner_extension.h): a client's functions become partitioners of the
 * compiler (compiler/driver/custom_partitioner.h), and run on the thread that compiles. Thread-
 * safe.
 *
 * With the first of them, JAX's custom call InspectSharding is answered, too: its backend_config is
 * the address of a function and of its argument. Since a program must not choose what code runs,
 * only addresses in the library of the registered functions are called. */
#ifndef GANTRY_PLUGIN_EXT_CUSTOM_PARTITIONER_H
#define GANTRY_PLUGIN_EXT_CUSTOM_PARTITIONER_H

#include "pjrt_c_api_custom_partitioner_extension.h"

/* Static and constant: the extension's table, to be linked into PJRT_Api's extension list. */
extern PJRT_Custom_Partitioner_Extension ext_custom_partitioner;

#endif
