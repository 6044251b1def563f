/* mapped.h: the ranges of host memory that a client has made known for direct transfers. Devices
 * here read all of the host's memory anyway, so nothing is done to the ranges; the list only
 * checks that calls match. Thread-safe. */
#ifndef GANTRY_RUNTIME_MAPPED_H
#define GANTRY_RUNTIME_MAPPED_H

#include <stddef.h>

#include "base/error.h"

struct mapped { /* guarded by fork_lock_of() it */
    struct mapped_range {
        const char *start, *end;
    } *ranges; /* owned; they do not overlap */
    size_t count;
};

void mapped_init(struct mapped *mapped);
void mapped_destroy(struct mapped *mapped);
/* INVALID_ARGUMENT for an empty range, ALREADY_EXISTS when it overlaps one that is there. */
struct error *mapped_add(struct mapped *mapped, const void *data, size_t size);
/* NOT_FOUND when no range starts there. */
struct error *mapped_remove(struct mapped *mapped, const void *data);

#endif
