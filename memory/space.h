/* space.h: one memory kind of one device: its capacity, its use, and allocation of storages. The
 * bytes come from the process's block cache (blocks.h) or from a device that has memory of its own.
 * A space counts them against its capacity, which for a modeled device is the size of that device's
 * memory and not of the host's. Thread-safe. Reference-counted: every storage retains its space, so
 * a space may be released before its storages.
 *
 * A space counts what it allocates: buffers, results, temporaries. Memory that a client owns (a
 * host array used in place, a view of a client's pointer, mapped memory) does not count against the
 * capacity, since deleting its buffer frees nothing and the client already accounts for it;
 * space_stats.borrowed is its sum.
 *
 * Invariants: live <= peak, except while an allocation updates both; live <= capacity unless
 * capacity is 0; live is 0 when count is 0. */
#ifndef GANTRY_MEMORY_SPACE_H
#define GANTRY_MEMORY_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory_kind.h"
#include "memory/hostmem.h"
#include "memory/label.h"

struct block;
struct storage;
struct space;

struct space_backing { /* static; for memory that is not the host's */
    /* Sets out->bytes to the device's address of the memory. Errors: RESOURCE_EXHAUSTED. */
    struct error *(*allocate)(uint64_t size, const struct hostmem_place *place, struct block *out);
    void (*release)(const struct block *block);
};

struct space_options {
    enum memory_kind kind;
    uint64_t capacity;          /* bytes; 0: unlimited */
    struct hostmem_place place; /* a hint */
    bool modeled;               /* models an address range, with fragmentation; needs a capacity */
    const char *name;           /* for messages: "TPU_0(device)"; copied */
    /* Bytes of the host's memory, shared with other spaces; 0: not checked. All bytes from the
     * block cache count against it, each once; cached memory is released first. */
    uint64_t host_limit;
    const char *advice; /* static: what a user can do when the space is full; NULL: none */
    const struct space_backing *backing; /* NULL: the block cache */
};

struct space_stats {            /* bytes, unless stated otherwise; each value is exact by itself */
    uint64_t live, peak, limit; /* limit: the lower of capacity and host_limit; 0: unlimited */
    uint64_t largest;           /* the largest allocation so far */
    uint64_t largest_free;      /* largest request that can succeed now; UINT64_MAX: unlimited */
    int64_t count;              /* live allocations */
    int64_t total;              /* allocations so far */
    /* Of the block cache, which all spaces of the process share: bytes it has from the system, how
     * many of them no storage uses, and the limit of the latter. */
    uint64_t pool, pool_peak, cached, cached_peak, cached_limit;
    uint64_t borrowed; /* client memory in use; not part of live */
};

/* Owned: space_release. INVALID_ARGUMENT when modeled without a capacity. */
struct error *space_create(const struct space_options *options, struct space **out);
void space_retain(struct space *space);
void space_release(struct space *space); /* accepts NULL */

/* A storage of `size` bytes, aligned to 64, contents undefined; owned: storage_release, or
 * storage_drop of its write token (storage_initial_hold). `label` (may be NULL) is its purpose.
 * RESOURCE_EXHAUSTED reports the requested, used, free and allowed sizes, which spaces hold the
 * host's memory, the largest buffers and what to do; the space is then unchanged. Size 0 gives a
 * storage with a valid address. */
struct error *space_alloc_labeled(struct space *space, uint64_t size, const struct label *label,
                                  struct storage **out);
struct error *space_alloc(struct space *space, uint64_t size, struct storage **out);
/* The same, but the storage counts as `counted` bytes: those that a modeled device would use, such
 * as an array with the padding of its layout. */
struct error *space_alloc_counted(struct space *space, uint64_t size, uint64_t counted,
                                  const struct label *label, struct storage **out);
/* The same, but the storage gets its bytes only with storage_provide(): what is freed until then
 * can be reused for it. It counts from now on. */
struct error *space_alloc_deferred(struct space *space, uint64_t size, uint64_t counted,
                                   const struct label *label, struct storage **out);

/* Counts device memory whose bytes are stored elsewhere, such as a program's constants. The storage
 * has no address; in a modeled space it has an address range. Owned: storage_release. Errors as
 * above. */
struct error *space_reserve(struct space *space, uint64_t size, const struct label *label,
                            struct storage **out);
/* Counts `size` bytes of the caller's stack against the capacity and in the peak, until
 * space_uncount() with the same size. Errors as above. */
struct error *space_count(struct space *space, uint64_t size, const struct label *label);
void space_uncount(struct space *space, uint64_t size);

void space_stats(const struct space *space, struct space_stats *out);
/* Begins the space's own statistics anew: peak becomes live, largest and total become 0. */
void space_clear_stats(struct space *space);
const struct hostmem_place *space_place(const struct space *space); /* borrowed from the space */
uint64_t space_capacity(const struct space *space);                 /* space_stats.limit */
enum memory_kind space_kind(const struct space *space);
const char *
space_kind_name(enum memory_kind kind); /* static: "device", "pinned_host", "unpinned_host" */
const char *space_name(const struct space *space); /* borrowed from the space */
/* The live storages of the space; owned: live_summary_free. */
struct live_summary;
void space_live_summary(const struct space *space, struct live_summary *out);
/* Returns cached memory that no storage uses to the system, for the whole process. */
void space_trim(void);

/* ---- for storage.c ---- */
/* Allocates the bytes of a storage. */
struct error *space_fill(const struct storage *storage, struct block *out);
/* Returns such bytes that no storage has. */
void space_return(const struct space *space, const struct block *block);
/* Returns the bytes of an owned storage to the space. */
void space_free(struct storage *storage);
/* Counts a borrowed storage of `size` bytes, at its start (`begins`) and at its end. */
void space_count_borrowed(struct space *space, uint64_t size, bool begins);

#endif
