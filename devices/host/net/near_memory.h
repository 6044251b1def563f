/* near_memory.h: reads the memory of another process on this machine, with one copy by the system
 * (process_vm_readv(2)). The system allows it to processes of one user, unless a security module
 * forbids it (Yama: ptrace_scope of 1 or more). Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NEAR_MEMORY_H
#define GANTRY_DEVICES_HOST_NET_NEAR_MEMORY_H

#include <stdbool.h>

#include "devices/host/net/net_offer.h"

enum near_memory { NEAR_MEMORY_READ, NEAR_MEMORY_FORBIDDEN, NEAR_MEMORY_FAILED };

/* Allows others to read this process's memory where Yama's ptrace_scope is 1: the descendants of
 * its parent, or all processes of its user; replaces what the process allowed before
 * (PR_SET_PTRACER). False: the system has no such rule, or refuses, or the parent is in another
 * namespace of processes. */
enum near_reader { NEAR_READER_LAUNCHER = 1, NEAR_READER_ANY };
bool near_memory_allow(enum near_reader reader);

/* Writes the `total` bytes of a checked offer to pieces of as many bytes. FORBIDDEN: nor can other
 * bytes of the process be read; it has ended, or its number is not known here (containers). FAILED:
 * it no longer offers these. What was written then means nothing. */
enum near_memory near_memory_read(const struct net_offer *offer, const struct net_piece *to,
                                  uint64_t total);

#endif
