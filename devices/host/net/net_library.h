/* net_library.h: opens libgantry_net.so, next to libgantry.so, for the first client of several
 * processes and never before. It holds UCX. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_LIBRARY_H
#define GANTRY_DEVICES_HOST_NET_NET_LIBRARY_H

#include "devices/host/net/transport.h"

/* *out is static. Errors: those of library_open(). */
struct error *net_library(const struct transport_ops **out);

#endif
