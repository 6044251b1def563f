/* machine_json.h: the machine, the workers, the pools of host memory and a client's devices, as
 * JSON for ext_gantry. Bytes and counts are numbers; references to list entries are indices from 0.
 *
 *   machine   recorded, bytes, limit (that the process may use), packages; nodes, caches, cores,
 *             cpus: lists as in memory/machine.h
 *   workers   width; cores: those that workers are pinned to, empty when they float
 *   host_memory  what the system granted and refused (memory/hostmem.h); prepacked: how many of the
 *             bytes are arguments kept as a library reads them (memory/prepacked.h)
 *   pools     memory/blocks.h; node: a number, "any" or "interleaved"
 *   devices   id, kind, node (null: several, or one on the whole machine), first_node, node_count;
 *             memories with their limits, counters and places
 *   job       of a client of several processes: process, its own number; listens, the addresses at
 *             which it accepts connections; processes, by number: host, near (on this machine),
 *             reads_memory (of this process), lost
 *
 * Thread-safe. */
#ifndef GANTRY_REPORT_MACHINE_JSON_H
#define GANTRY_REPORT_MACHINE_JSON_H

#include <cjson/cJSON.h>

#include "runtime/client.h"

/* Owned: cJSON_Delete. RESOURCE_EXHAUSTED; INTERNAL when the machine cannot be read. */
struct error *machine_json(const struct client *client, cJSON **out);

#endif
