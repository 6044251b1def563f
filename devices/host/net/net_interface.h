/* net_interface.h: the network interface by which the processes of a job reach each other, so that
 * no port is opened on the others: the one that routes to the job's coordinator. Only addresses are
 * used; host names are not resolved, since they may resolve to the loopback interface. Reads only
 * the system's tables; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NET_INTERFACE_H
#define GANTRY_DEVICES_HOST_NET_NET_INTERFACE_H

#include <net/if.h>
#include <stdbool.h>

/* The interface that routes to `address`: "10.0.0.1:1234", "[fe80::1]:1234", or without the port.
 * False: it is NULL or not an address, or there is no route. */
bool net_interface_to(const char *address, char out[IF_NAMESIZE]);
/* The same for the coordinator that the client's variables name (JAX_COORDINATOR_ADDRESS, or
 * MASTER_ADDR of torchrun). Also false when UCX_NET_DEVICES is set. */
bool net_interface_of_job(char out[IF_NAMESIZE]);

#endif
