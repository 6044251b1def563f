#include "compiler/passes/spmd/auto/auto_links.h"

static double collective(const struct auto_links *links, enum auto_collective kind, unsigned axes,
                         double bytes)
{
    return axes ? links->fixed[kind][axes] + bytes * links->each[kind][axes] : 0;
}

static double devices_of(const struct auto_links *links, unsigned axes)
{
    double devices = 1;
    for (int a = 0; axes >> a; a++)
        devices *= axes >> a & 1 ? (double)links->mesh->axis_sizes[a] : 1;
    return devices;
}

double auto_links_seconds(const struct auto_links *links, double bytes,
                          const struct auto_placement *from, unsigned partial,
                          const struct auto_placement *to)
{
    unsigned gathered = 0, exchanged = 0, sliced = 0, scattered = 0;
    double seconds = 0;
    for (int a = 0; a < links->mesh->axis_count; a++) {
        unsigned bit = 1u << a;
        bytes /= from->dims[a] >= 0 ? (double)links->mesh->axis_sizes[a] : 1;
        if (partial & bit)
            scattered |= to->dims[a] >= 0 ? bit : 0;
        else if (from->dims[a] >= 0 && to->dims[a] < 0)
            gathered |= bit;
        else if (from->dims[a] >= 0 && from->dims[a] != to->dims[a])
            exchanged |= bit;
        else if (from->dims[a] < 0 && to->dims[a] >= 0)
            sliced |= bit;
    }
    bytes /= devices_of(links, sliced);
    seconds += collective(links, AUTO_SCATTER, scattered, bytes);
    bytes /= devices_of(links, scattered);
    seconds += collective(links, AUTO_REDUCE, partial & ~scattered, bytes);
    seconds += collective(links, AUTO_EXCHANGE, exchanged, bytes);
    return seconds + collective(links, AUTO_GATHER, gathered, bytes);
}
