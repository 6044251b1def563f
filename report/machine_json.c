#include "report/machine_json.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/pool.h"
#include "memory/blocks.h"
#include "memory/machine.h"
#include "memory/prepacked.h"
#include "memory/numa.h"
#include "report/json_append.h"

enum { MAX_POOLS = 256, MAX_CORES = 1024 };

/* ---- members; each clears *done when memory is exhausted ------------------------------------- */
struct writer {
    cJSON *object;
    bool *done;
};

static void number(struct writer to, const char *name, double value)
{
    *to.done &= cJSON_AddNumberToObject(to.object, name, value) != NULL;
}

static void add_bool(struct writer to, const char *name, bool value)
{
    *to.done &= cJSON_AddBoolToObject(to.object, name, value) != NULL;
}

static void text(struct writer to, const char *name, const char *value)
{
    *to.done &= (value ? cJSON_AddStringToObject(to.object, name, value)
                       : cJSON_AddNullToObject(to.object, name)) != NULL;
}

static struct writer object(struct writer to, const char *name)
{
    cJSON *made = cJSON_AddObjectToObject(to.object, name);
    *to.done &= made != NULL;
    return (struct writer){made, to.done};
}

static struct writer list(struct writer to, const char *name)
{
    cJSON *made = cJSON_AddArrayToObject(to.object, name);
    *to.done &= made != NULL;
    return (struct writer){made, to.done};
}

static struct writer item(struct writer to)
{
    cJSON *made = json_append(to.object, cJSON_CreateObject());
    *to.done &= made != NULL;
    return (struct writer){made, to.done};
}

static void element(struct writer to, double value)
{
    *to.done &= json_append(to.object, cJSON_CreateNumber(value)) != NULL;
}

/* A node, or null for none. */
static void node_number(struct writer to, const char *name, int node)
{
    if (node >= 0)
        number(to, name, node);
    else
        text(to, name, NULL);
}

/* ---- the machine ----------------------------------------------------------------------------- */
static void add_nodes(struct writer to, const struct machine *machine)
{
    struct writer nodes = list(to, "nodes");
    for (int i = 0; i < machine->node_count; i++) {
        const struct machine_node *node = &machine->nodes[i];
        struct writer at = item(nodes);
        number(at, "os_number", node->os_number);
        node_number(at, "package", node->package);
        number(at, "bytes", (double)node->bytes);
        add_bool(at, "has_cores", node->has_cores);
        add_bool(at, "allowed", node->allowed);
        add_bool(at, "usable", numa_usable(i));
    }
}

static void add_caches(struct writer to, const struct machine *machine)
{
    struct writer caches = list(to, "caches");
    for (int i = 0; i < machine->cache_count; i++) {
        struct writer at = item(caches);
        number(at, "level", machine->caches[i].level);
        number(at, "bytes", (double)machine->caches[i].bytes);
    }
}

static void add_cores(struct writer to, const struct machine *machine)
{
    struct writer cores = list(to, "cores"), cpus = list(to, "cpus");
    for (int i = 0; i < machine->core_count; i++) {
        struct writer at = item(cores);
        node_number(at, "package", machine->cores[i].package);
        node_number(at, "node", machine->cores[i].node);
        struct writer caches = list(at, "caches");
        for (int level = 0; level < MACHINE_CACHE_LEVELS; level++)
            if (machine->cores[i].caches[level] >= 0)
                element(caches, machine->cores[i].caches[level]);
    }
    for (int i = 0; i < machine->cpu_count; i++) {
        struct writer at = item(cpus);
        number(at, "os_number", machine->cpus[i].os_number);
        node_number(at, "core", machine->cpus[i].core);
        add_bool(at, "allowed", machine->cpus[i].allowed);
    }
}

static void add_machine(struct writer to, const struct machine *machine)
{
    struct writer at = object(to, "machine");
    add_bool(at, "recorded", machine->recorded);
    number(at, "bytes", (double)machine->bytes);
    number(at, "limit", (double)hostmem_limit());
    number(at, "packages", machine->package_count);
    add_nodes(at, machine);
    add_caches(at, machine);
    add_cores(at, machine);
}

/* ---- workers and pools ----------------------------------------------------------------------- */
static int allowed_count(const struct machine *machine)
{
    int count = 0;
    for (int i = 0; i < machine->cpu_count; i++)
        count += machine->cpus[i].allowed;
    return count;
}

/* On a recorded machine: the workers that it would have. They are not pinned, since its load is
 * unknown. */
static void add_workers(struct writer to, const struct machine *machine)
{
    struct writer at = object(to, "workers");
    int cores[MAX_CORES], count = 0;
    if (!machine->recorded)
        count = pool_pinned_cores(pool_shared(), cores, MAX_CORES);
    number(at, "width",
           machine->recorded ? cpu_narrow_cores(allowed_count(machine))
                             : pool_width(pool_shared()));
    struct writer pinned = list(at, "cores");
    for (int i = 0; i < count && i < MAX_CORES; i++)
        element(pinned, cores[i]);
}

static void add_host_memory(struct writer to)
{
    struct hostmem_stats stats;
    struct writer at = object(to, "host_memory");
    hostmem_stats(&stats);
    number(at, "mapped", (double)stats.mapped);
    number(at, "mapped_peak", (double)stats.mapped_peak);
    number(at, "prepacked", (double)prepacked_bytes());
    number(at, "huge", (double)stats.huge);
    number(at, "huge_refused", (double)stats.huge_refused);
    number(at, "locked", (double)stats.locked);
    number(at, "locked_peak", (double)stats.locked_peak);
    number(at, "lock_limit", (double)stats.lock_limit);
    number(at, "lock_refused", (double)stats.lock_refused);
    text(at, "lock_refusal", stats.lock_refusal);
    number(at, "bound", (double)stats.bound);
    number(at, "bind_refused", (double)stats.bind_refused);
}

static void add_place(struct writer to, const struct hostmem_place *place)
{
    if (place->node >= 0)
        number(to, "node", place->node);
    else
        text(to, "node", place->node == HOSTMEM_INTERLEAVED ? "interleaved" : "any");
    add_bool(to, "pinned", place->pinned);
}

static void add_pools(struct writer to)
{
    struct writer pools = list(to, "pools");
    struct blocks_pool pool[MAX_POOLS];
    int count = blocks_pools(pool, MAX_POOLS);
    for (int i = 0; i < count && i < MAX_POOLS; i++) {
        struct writer at = item(pools);
        add_place(at, &pool[i].place);
        number(at, "mapped", (double)pool[i].mapped);
        number(at, "cached", (double)pool[i].cached);
        number(at, "locked", (double)pool[i].locked);
        number(at, "bound", (double)pool[i].bound);
        number(at, "huge", (double)pool[i].huge);
    }
}

/* ---- devices --------------------------------------------------------------------------------- */
static void add_memory(struct writer to, const struct client_memory *memory)
{
    const struct device *device = memory->device->device;
    struct space_stats stats;
    struct writer at = item(to);
    space_stats(memory->space, &stats);
    text(at, "kind", memory_kind_name(memory->kind));
    add_place(at, &device->placement.memory[memory->kind]);
    number(at, "limit", (double)stats.limit);
    number(at, "in_use", (double)stats.live);
    number(at, "peak", (double)stats.peak);
    number(at, "largest_free", (double)stats.largest_free);
    number(at, "buffers", (double)stats.count);
    number(at, "borrowed", (double)stats.borrowed);
}

static void add_devices(struct writer to, const struct client *client)
{
    struct writer devices = list(to, "devices");
    for (int i = 0; i < client->local_count; i++) {
        const struct client_device *device = client->local_devices[i];
        struct writer at = item(devices);
        number(at, "id", device->device->id);
        text(at, "kind", device->device->kind);
        text(at, "name", device->device->debug_text);
        node_number(at, "node", device->device->placement.node);
        number(at, "first_node", device->device->placement.first);
        number(at, "node_count", device->device->placement.nodes);
        struct writer memories = list(at, "memories");
        for (int k = 0; k < device->device->space_count; k++)
            add_memory(memories, &device->memories[k]);
    }
}

struct error *machine_json(const struct client *client, cJSON **out)
{
    struct machine machine;
    bool done = true;
    *out = NULL;
    TRY(machine_read(&machine));
    struct writer to = {cJSON_CreateObject(), &done};
    number(to, "version", 1);
    add_machine(to, &machine);
    add_workers(to, &machine);
    add_host_memory(to);
    add_pools(to);
    add_devices(to, client);
    machine_free(&machine);
    if (done)
        *out = to.object;
    else
        cJSON_Delete(to.object);
    return done ? NULL : error_out_of_memory();
}
