/* rendezvous.h: the communicator (devices/communicator.h) of devices that use the host's memory:
 * the participants of an execution meet.
 *
 * Each participant runs the program on a thread of its own. At a collective it publishes the
 * addresses of its operands and results; the last of its group to arrive moves the data of the
 * whole group (collectives.h) with the thread pool, and the others sleep meanwhile. So a group
 * costs each member one wait, the work is spread over all cores however few there are, and no
 * thread spins.
 *
 * Participants in other processes do not meet here. When all members of a group that are in this
 * process have arrived, the last one exchanges data with the other processes
 * (process_collectives.h). What fails here fails in all processes.
 *
 * When a participant fails, all others end with an error that names it. A wait also ends with
 * DEADLINE_EXCEEDED, for all, when a participant has not arrived for GANTRY_COLLECTIVE_TIMEOUT
 * seconds since the last one started (or for ten times as long if not all have started).
 * Participants that arrive at different collectives get an error that names both. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_RENDEZVOUS_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_RENDEZVOUS_H

#include "compiler/program/program.h"
#include "devices/communicator.h"

/* For the num_replicas * num_partitions participants of the program. Owned:
 * communicator_release(). */
struct error *rendezvous_create(const struct communicator_setup *setup, struct communicator **out);

#endif
