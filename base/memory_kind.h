/* memory_kind.h: the kinds of memory a device can reach, as JAX names them. */
#ifndef GANTRY_BASE_MEMORY_KIND_H
#define GANTRY_BASE_MEMORY_KIND_H

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED_HOST, MEMORY_UNPINNED_HOST, MEMORY_KIND_COUNT };

/* "device", "pinned_host", "unpinned_host": static. */
static inline const char *memory_kind_name(enum memory_kind kind)
{
    static const char *const names[] = {"device", "pinned_host", "unpinned_host"};
    return names[kind];
}

#endif
