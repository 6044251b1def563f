#include "memory/numa_placement.h"

#include "memory/numa.h"

/* The number of the usable node with index `place` among the usable ones, or -1. */
static int usable_node(int place)
{
    for (int node = 0; node < numa_count(); node++)
        if (numa_usable(node) && place-- == 0)
            return node;
    return -1;
}

static int usable_count(void)
{
    int count = 0;
    for (int node = 0; node < numa_count(); node++)
        count += numa_usable(node);
    return count;
}

/* The nodes [first, first + count) of `nodes` that device `index` of `devices` has. */
static int share(int index, int devices, int nodes, int *first)
{
    *first = (int)((int64_t)index * nodes / devices);
    int end = (int)((int64_t)(index + 1) * nodes / devices);
    return end > *first ? end - *first : 1;
}

struct numa_placement numa_placement_of(int index, int count)
{
    struct numa_placement placement = {.node = HOSTMEM_ANYWHERE, .nodes = 1, .first = 0};
    int first, usable = usable_count(), host = HOSTMEM_ANYWHERE;
    if (numa_count() > 1 && usable) {
        placement.nodes = share(index, count, usable, &first);
        placement.first = usable_node(first);
        if (placement.nodes == 1)
            placement.node = host = placement.first;
        else
            host = HOSTMEM_INTERLEAVED;
    }
    placement.memory[MEMORY_DEVICE] = (struct hostmem_place){placement.node, false};
    placement.memory[MEMORY_PINNED_HOST] = (struct hostmem_place){host, true};
    placement.memory[MEMORY_UNPINNED_HOST] = (struct hostmem_place){placement.node, false};
    return placement;
}
