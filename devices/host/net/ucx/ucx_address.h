/* ucx_address.h: the address of a process, as bytes: what identifies it on its machine, and UCX's
 * two addresses of its worker: that with all ways to reach it, and that for processes which cannot
 * share its memory. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_UCX_UCX_ADDRESS_H
#define GANTRY_DEVICES_HOST_NET_UCX_UCX_ADDRESS_H

#include <ucp/api/ucp.h>

#include "base/error.h"
#include "devices/host/net/ucx/ucx_near.h"

/* *bytes is owned (alloc_free). */
struct error *ucx_address_make(ucp_worker_h worker, void **bytes, size_t *size);
/* Whether its process and this one may read each other's memory; false for bytes without one. */
bool ucx_address_opens(const void *bytes, size_t size);
/* *out: UCX's address by which this process reaches the other one, followed by zeros
 * (net_layout.h); owned (alloc_free). INVALID_ARGUMENT for bytes without one. */
struct error *ucx_address_read(const char *bytes, size_t size, struct ucx_identity *identity,
                               void **out);

#endif
