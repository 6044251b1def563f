/* clients.h: the clients that are open, for reports about the whole process. Thread-safe. */
#ifndef GANTRY_RUNTIME_CLIENTS_H
#define GANTRY_RUNTIME_CLIENTS_H

#include <stddef.h>

#include "runtime/client.h"

/* From its creation by a program until its destruction by it. */
void clients_add(struct client *client);
void clients_remove(struct client *client);

/* Writes the open clients, oldest first and retained: client_release() each. Returns how many. */
size_t clients_list(struct client **out, size_t capacity);

#endif
