#include "compiler/frontend/hlo_groups.h"

#include "compiler/ir/sharding.h"

#define MAX_DEVICES (1 << 20)

static struct error *read_written(struct arena *arena, size_t count,
                                  Gantry__Hlo__ReplicaGroup *const *groups, struct pairs *out)
{
    size_t columns = 0;
    for (size_t i = 0; i < count; i++)
        columns = groups[i]->n_ids > columns ? groups[i]->n_ids : columns;
    if (columns && count > MAX_DEVICES / columns)
        return ERROR(INVALID_ARGUMENT, "has %zu groups of up to %zu devices", count, columns);
    int64_t *at = ARENA_ARRAY(arena, int64_t, count *columns);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < columns; k++)
            at[i * columns + k] = k < groups[i]->n_ids ? groups[i]->ids[k] : -1;
    *out = (struct pairs){(int64_t)count, (int64_t)columns, at};
    return NULL;
}

/* Devices counted over `dimensions`, then read with those in the order of `permutation`. */
static struct error *read_iota(struct arena *arena, const Gantry__Hlo__IotaGroups *iota,
                               struct pairs *out)
{
    size_t rank = iota->n_dimensions;
    int64_t total = 1, strides[TYPE_MAX_RANK], dims[TYPE_MAX_RANK], index[TYPE_MAX_RANK] = {0};
    int64_t step[TYPE_MAX_RANK], device = 0;
    bool fits = rank <= TYPE_MAX_RANK && iota->n_permutation == rank;
    for (size_t i = rank; fits && i-- > 0; total *= iota->dimensions[i]) {
        strides[i] = total;
        fits = iota->dimensions[i] >= 1 && iota->dimensions[i] <= MAX_DEVICES / total;
        if (!fits)
            break;
    }
    fits = fits && iota->groups >= 1 && iota->group_size >= 1 && iota->groups <= MAX_DEVICES &&
           iota->group_size <= MAX_DEVICES && iota->groups * iota->group_size == total;
    for (size_t i = 0; fits && i < rank; i++) {
        int32_t from = iota->permutation[i];
        fits = from >= 0 && (size_t)from < rank;
        dims[i] = fits ? iota->dimensions[from] : 1;
        step[i] = fits ? strides[from] : 0;
    }
    if (!fits)
        return ERROR(INVALID_ARGUMENT, "its groups are %lld of %lld devices over %zu dimensions",
                     (long long)iota->groups, (long long)iota->group_size, rank);
    int64_t *at = ARENA_ARRAY(arena, int64_t, (size_t)total);
    for (int64_t i = 0; i < total; i++) {
        at[i] = device;
        for (size_t d = rank; d-- > 0;) {
            device += step[d];
            if (++index[d] < dims[d])
                break;
            device -= step[d] * dims[d];
            index[d] = 0;
        }
    }
    *out = (struct pairs){iota->groups, iota->group_size, at};
    return NULL;
}

struct error *hlo_groups_read(struct arena *arena, const hlo_instruction *in, struct pairs *out)
{
    if (in->n_replica_groups || !in->devices)
        return read_written(arena, in->n_replica_groups, in->replica_groups, out);
    if (in->devices->iota && !in->devices->n_groups)
        return read_iota(arena, in->devices->iota, out);
    return read_written(arena, in->devices->n_groups, in->devices->groups, out);
}

/* ---- shardings ------------------------------------------------------------------------------- */

enum { REPLICATED, MAXIMAL, TUPLE, OTHER, MANUAL, UNKNOWN };

static const char *numbers(struct arena *arena, size_t count, const int64_t *at)
{
    const char *text = "";
    if (count > 4096) /* longer ones come as iota */
        return NULL;
    for (size_t i = 0; i < count; i++)
        text = arena_format(arena, "%s%s%lld", text, i ? "," : "", (long long)at[i]);
    return text;
}

/* "[2,1,2]<=[4]T(1,0) last_tile_dim_replicate" */
static const char *tiles(struct arena *arena, const Gantry__Hlo__Sharding *from)
{
    const char *dims = numbers(arena, from->n_tile_dimensions, from->tile_dimensions), *devices;
    const char *last = from->replicate_on_last_dimension ? " last_tile_dim_replicate" : "";
    if (from->n_iota_dimensions) {
        const char *permutation = "";
        for (size_t i = 0; from->n_iota_dimensions > 1 && i < from->n_iota_permutation && i < 64;
             i++)
            permutation = arena_format(arena, "%s%s%d", permutation, i ? "," : "T(",
                                       from->iota_permutation[i]);
        devices = numbers(arena, from->n_iota_dimensions, from->iota_dimensions);
        devices = devices ? arena_format(arena, "<=[%s]%s%s", devices, permutation,
                                         *permutation ? ")" : "")
                          : NULL;
    } else {
        devices = numbers(arena, from->n_tile_devices, from->tile_devices);
    }
    return dims && devices && !from->n_last_dimension_types
               ? arena_format(arena, "{devices=[%s]%s%s}", dims, devices, last)
               : NULL;
}

const struct sharding *hlo_groups_sharding(struct arena *arena, const Gantry__Hlo__Sharding *from,
                                           size_t leaf)
{
    const char *text = NULL;
    if (from && from->type == TUPLE)
        from = leaf < from->n_elements ? from->elements[leaf] : NULL;
    if (!from)
        return NULL;
    switch (from->type) {
    case REPLICATED: text = "{replicated}"; break;
    case MANUAL: text = "{manual}"; break;
    case OTHER: text = tiles(arena, from); break;
    case MAXIMAL:
        text = arena_format(arena, "{maximal device=%lld}",
                            from->n_tile_devices ? (long long)from->tile_devices[0] : 0);
        break;
    default: break;
    }
    struct sharding *sharding = text ? ARENA_NEW(arena, struct sharding) : NULL;
    if (sharding)
        sharding->text = text;
    return sharding;
}
