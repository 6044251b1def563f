/* memory_kind.h: the kinds of memory that a device can access, with JAX's names. */
#ifndef GANTRY_BASE_MEMORY_KIND_H
#define GANTRY_BASE_MEMORY_KIND_H

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED_HOST, MEMORY_UNPINNED_HOST, MEMORY_KIND_COUNT };
enum { MEMORY_KINDS_ALL = (1 << MEMORY_KIND_COUNT) - 1 }; /* as a bit set of 1 << kind */

/* "device", "pinned_host", "unpinned_host": static. */
static inline const char *memory_kind_name(enum memory_kind kind)
{
    static const char *const names[] = {"device", "pinned_host", "unpinned_host"};
    return names[kind];
}

#endif
