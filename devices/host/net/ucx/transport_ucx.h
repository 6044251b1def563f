/* transport_ucx.h: the whole interface of libgantry_net.so, which is opened at first use
 * (net_library.h): UCP's tagged messages of UCX as a transport. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_TRANSPORT_UCX_H
#define GANTRY_DEVICES_HOST_NET_UCX_TRANSPORT_UCX_H

#include "devices/host/net/transport.h"

const char *net_build(void);
const struct transport_ops *net_transport(void); /* static */

#endif
