/* near_memory.h: reads the memory of another process on this machine, with one copy by the system
 * (process_vm_readv(2)). The system allows it to processes of one user, unless a security module
 * forbids it (Yama: ptrace_scope of 1 or more). Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NEAR_MEMORY_H
#define GANTRY_DEVICES_HOST_NET_NEAR_MEMORY_H

#include "devices/host/net/net_offer.h"

enum near_memory { NEAR_MEMORY_READ, NEAR_MEMORY_FORBIDDEN, NEAR_MEMORY_FAILED };

/* Writes the `total` bytes of a checked offer to pieces of as many bytes. FORBIDDEN: nor can other
 * bytes of the process be read; it has ended, or its number is not known here (containers). FAILED:
 * it no longer offers these. What was written then means nothing. */
enum near_memory near_memory_read(const struct net_offer *offer, const struct net_piece *to,
                                  uint64_t total);

#endif
