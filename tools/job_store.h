/* job_store.h: a key-value store for the processes of a job whose program is this command, as
 * JAX's and PyTorch/XLA's coordinators are for theirs. Process 0 has it, at the coordinator's
 * address; all processes are its clients, over TCP. Each key is put once. Whoever reaches the port
 * can read and put keys: as with those coordinators, the network of a job must be its own. After an
 * answer that did not come whole, or in time, all requests are UNAVAILABLE. One call at a time. */
#ifndef GANTRY_TOOLS_JOB_STORE_H
#define GANTRY_TOOLS_JOB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct job_store;

/* Connects to the store at HOST:PORT, which this process begins if `has_it`; tries for at most
 * `seconds`. *out is owned. INVALID_ARGUMENT for an address that is none; UNAVAILABLE when the
 * port cannot be used or reached, with the reason and what to check. */
struct error *job_store_open(const char *address, bool has_it, double seconds,
                             struct job_store **out);
/* Process 0 waits until the others have closed theirs, for at most `seconds`; accepts NULL. */
void job_store_close(struct job_store *store, double seconds);

/* `size` bytes at most JOB_WIRE_MAX_VALUE. ALREADY_EXISTS for a key that was put. */
struct error *job_store_put(struct job_store *store, const char *key, const void *value,
                            size_t size);
/* Waits for the key; DEADLINE_EXCEEDED after `timeout_ms`. *out is owned (alloc_free), and has a
 * NUL after its `size` bytes. */
struct error *job_store_get(struct job_store *store, const char *key, int64_t timeout_ms,
                            char **out, size_t *size);

#endif
