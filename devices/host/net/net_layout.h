/* net_layout.h: checks the address of a process before UCX reads it. UCX gets an address without
 * its size and trusts the lengths in it. The layout is that of src/ucp/wireup/address.c of UCX
 * 1.13, version 1, without UCX_UNIFIED_MODE and UCX_PROTO_ENABLE. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_LAYOUT_H
#define GANTRY_DEVICES_HOST_NET_NET_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a transport reads of its part of an address, at most: it does not know the part's length. So
 * this number of zeros must follow an address that UCX is given. */
enum { NET_LAYOUT_PADDING = 256 };

/* Whether the bytes are one whole address in which no length leads outside. `no_device`: the
 * checksum of the name of the transport that has no address of a device; all others need one. */
bool net_layout_is_valid(const void *bytes, size_t size, uint16_t no_device);

#endif
