/* space.h: one memory kind of one device: how much there is, how much is used, and storage from
 * it. The bytes come from the process's block cache (blocks.h) or from a device that has memory of
 * its own; a space counts them against its capacity, which for a modelled device is that device's
 * memory and not the host's. Thread-safe; counted: every storage keeps its space, so a space may be
 * released before its storages.
 * Invariants: live <= peak; live <= capacity unless capacity is 0; live is 0 when count is 0. */
#ifndef GANTRY_MEMORY_SPACE_H
#define GANTRY_MEMORY_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory_kind.h"

struct block;
struct storage;
struct space;

struct space_backing { /* static: memory that is not the host's */
    /* block->bytes is what the device knows the memory by. RESOURCE_EXHAUSTED. */
    struct error *(*allocate)(uint64_t size, int node, struct block *out);
    void (*release)(const struct block *block);
};

struct space_options {
    enum memory_kind kind;
    uint64_t capacity; /* bytes; 0: unlimited */
    int node;          /* memory node that the bytes should be on; negative: no request */
    bool modelled;     /* needs capacity: an address range is modelled, so fragmentation counts */
    const char *name;  /* for messages: "TPU_0(device)"; copied */
    /* The capacity is the host's memory, which other spaces use, too: all bytes that come from the
     * block cache count against it, each once, and what is cached only gives way. */
    bool host_limited;
    const struct space_backing *backing; /* NULL: the block cache */
};

struct space_stats { /* bytes, unless said otherwise; one moment's figures, each exact by itself */
    uint64_t live, peak, limit; /* limit 0: unlimited */
    uint64_t largest;           /* the largest allocation so far */
    uint64_t largest_free;      /* the largest that can succeed now; UINT64_MAX when unlimited */
    int64_t count;              /* live allocations */
    int64_t total;              /* allocations so far */
};

/* Owned: space_release. INVALID_ARGUMENT when modelled without a capacity. */
struct error *space_create(const struct space_options *options, struct space **out);
void space_retain(struct space *space);
void space_release(struct space *space); /* accepts NULL */

/* A storage of `size` bytes, aligned to 64, contents undefined; owned: storage_release, or with its
 * write token (storage_first). RESOURCE_EXHAUSTED says how much was asked for, is in use and is
 * allowed, and which spaces hold the host's memory. Size 0 gives a storage with a valid address. */
struct error *space_alloc(struct space *space, uint64_t size, struct storage **out);

void space_stats(const struct space *space, struct space_stats *out);
enum memory_kind space_kind(const struct space *space);
const char *
space_kind_name(enum memory_kind kind); /* static: "device", "pinned_host", "unpinned_host" */
const char *space_name(const struct space *space); /* borrowed from the space */
/* Gives cached memory that no storage uses back to the system (the whole process's). */
void space_trim(void);

/* ---- for storage.c ---- */
/* Takes the bytes of an owned storage back and forgets them. */
void space_free(struct space *space, uint64_t size, uint32_t range_block,
                const struct block *block);

#endif
