#include "report/machine_json.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/pool.h"
#include "devices/host/net/network.h"
#include "memory/blocks.h"
#include "memory/machine.h"
#include "memory/prepacked.h"
#include "memory/numa.h"
#include "report/json_writer.h"

enum { MAX_POOLS = 256, MAX_CORES = 1024, MAX_LISTENS = 512 /* bytes */ };

/* A node, or null for none. */
static void node_number(struct json_writer to, const char *name, int node)
{
    if (node >= 0)
        json_number(to, name, node);
    else
        json_text(to, name, NULL);
}

/* ---- the machine ----------------------------------------------------------------------------- */
static void add_nodes(struct json_writer to, const struct machine *machine)
{
    struct json_writer nodes = json_list(to, "nodes");
    for (int i = 0; i < machine->node_count; i++) {
        const struct machine_node *node = &machine->nodes[i];
        struct json_writer at = json_item(nodes);
        json_number(at, "os_number", node->os_number);
        node_number(at, "package", node->package);
        json_number(at, "bytes", (double)node->bytes);
        json_bool(at, "has_cores", node->has_cores);
        json_bool(at, "allowed", node->allowed);
        json_bool(at, "usable", numa_usable(i));
    }
}

static void add_caches(struct json_writer to, const struct machine *machine)
{
    struct json_writer caches = json_list(to, "caches");
    for (int i = 0; i < machine->cache_count; i++) {
        struct json_writer at = json_item(caches);
        json_number(at, "level", machine->caches[i].level);
        json_number(at, "bytes", (double)machine->caches[i].bytes);
    }
}

static void add_cores(struct json_writer to, const struct machine *machine)
{
    struct json_writer cores = json_list(to, "cores"), cpus = json_list(to, "cpus");
    for (int i = 0; i < machine->core_count; i++) {
        struct json_writer at = json_item(cores);
        node_number(at, "package", machine->cores[i].package);
        node_number(at, "node", machine->cores[i].node);
        struct json_writer caches = json_list(at, "caches");
        for (int level = 0; level < MACHINE_CACHE_LEVELS; level++)
            if (machine->cores[i].caches[level] >= 0)
                json_element(caches, machine->cores[i].caches[level]);
    }
    for (int i = 0; i < machine->cpu_count; i++) {
        struct json_writer at = json_item(cpus);
        json_number(at, "os_number", machine->cpus[i].os_number);
        node_number(at, "core", machine->cpus[i].core);
        json_bool(at, "allowed", machine->cpus[i].allowed);
    }
}

static void add_machine(struct json_writer to, const struct machine *machine)
{
    struct json_writer at = json_object(to, "machine");
    json_bool(at, "recorded", machine->recorded);
    json_number(at, "bytes", (double)machine->bytes);
    json_number(at, "limit", (double)hostmem_limit());
    json_number(at, "packages", machine->package_count);
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
static void add_workers(struct json_writer to, const struct machine *machine)
{
    struct json_writer at = json_object(to, "workers");
    int cores[MAX_CORES], count = 0;
    if (!machine->recorded)
        count = pool_pinned_cores(pool_shared(), cores, MAX_CORES);
    json_number(at, "width",
                machine->recorded ? cpu_narrow_cores(allowed_count(machine))
                                  : pool_width(pool_shared()));
    struct json_writer pinned = json_list(at, "cores");
    for (int i = 0; i < count && i < MAX_CORES; i++)
        json_element(pinned, cores[i]);
}

static void add_host_memory(struct json_writer to)
{
    struct hostmem_stats stats;
    struct json_writer at = json_object(to, "host_memory");
    hostmem_stats(&stats);
    json_number(at, "mapped", (double)stats.mapped);
    json_number(at, "mapped_peak", (double)stats.mapped_peak);
    json_number(at, "prepacked", (double)prepacked_bytes());
    json_number(at, "huge", (double)stats.huge);
    json_number(at, "huge_refused", (double)stats.huge_refused);
    json_number(at, "locked", (double)stats.locked);
    json_number(at, "locked_peak", (double)stats.locked_peak);
    json_number(at, "lock_limit", (double)stats.lock_limit);
    json_number(at, "lock_refused", (double)stats.lock_refused);
    json_text(at, "lock_refusal", stats.lock_refusal);
    json_number(at, "bound", (double)stats.bound);
    json_number(at, "bind_refused", (double)stats.bind_refused);
}

static void add_place(struct json_writer to, const struct hostmem_place *place)
{
    if (place->node >= 0)
        json_number(to, "node", place->node);
    else
        json_text(to, "node", place->node == HOSTMEM_INTERLEAVED ? "interleaved" : "any");
    json_bool(to, "pinned", place->pinned);
}

static void add_pools(struct json_writer to)
{
    struct json_writer pools = json_list(to, "pools");
    struct blocks_pool pool[MAX_POOLS];
    int count = blocks_pools(pool, MAX_POOLS);
    for (int i = 0; i < count && i < MAX_POOLS; i++) {
        struct json_writer at = json_item(pools);
        add_place(at, &pool[i].place);
        json_number(at, "mapped", (double)pool[i].mapped);
        json_number(at, "cached", (double)pool[i].cached);
        json_number(at, "locked", (double)pool[i].locked);
        json_number(at, "bound", (double)pool[i].bound);
        json_number(at, "huge", (double)pool[i].huge);
    }
}

/* ---- devices --------------------------------------------------------------------------------- */
static void add_memory(struct json_writer to, const struct client_memory *memory)
{
    const struct device *device = memory->device->device;
    struct space_stats stats;
    struct json_writer at = json_item(to);
    space_stats(memory->space, &stats);
    json_text(at, "kind", memory_kind_name(memory->kind));
    add_place(at, &device->placement.memory[memory->kind]);
    json_number(at, "limit", (double)stats.limit);
    json_number(at, "in_use", (double)stats.live);
    json_number(at, "peak", (double)stats.peak);
    json_number(at, "largest_free", (double)stats.largest_free);
    json_number(at, "buffers", (double)stats.count);
    json_number(at, "borrowed", (double)stats.borrowed);
}

static void add_devices(struct json_writer to, const struct client *client)
{
    struct json_writer devices = json_list(to, "devices");
    for (int i = 0; i < client->local_count; i++) {
        const struct client_device *device = client->local_devices[i];
        struct json_writer at = json_item(devices);
        json_number(at, "id", device->device->id);
        json_text(at, "kind", device->device->kind);
        json_text(at, "name", device->device->debug_text);
        node_number(at, "node", device->device->placement.node);
        json_number(at, "first_node", device->device->placement.first);
        json_number(at, "node_count", device->device->placement.nodes);
        struct json_writer memories = json_list(at, "memories");
        for (int k = 0; k < device->device->space_count; k++)
            add_memory(memories, &device->memories[k]);
    }
}

/* ---- the other processes --------------------------------------------------------------------- */
static void add_processes(struct json_writer to, struct network *network)
{
    struct json_writer processes = json_list(to, "processes");
    for (int i = 0; i < network_count(network); i++) {
        struct network_view view;
        struct json_writer at = json_item(processes);
        network_view(network, i, &view);
        json_text(at, "host", view.host);
        json_bool(at, "near", view.is_near);
        json_bool(at, "reads_memory", view.reads);
        json_bool(at, "lost", view.is_lost);
    }
}

static void add_job(struct json_writer to, struct network *network)
{
    char listens[MAX_LISTENS];
    struct json_writer at = json_object(to, "job");
    network_listens(network, listens, sizeof listens);
    json_number(at, "process", network_process(network));
    json_text(at, "listens", listens);
    add_processes(at, network);
}

struct error *machine_json(const struct client *client, cJSON **out)
{
    struct machine machine;
    bool done = true;
    *out = NULL;
    TRY(machine_read(&machine));
    struct json_writer to = {cJSON_CreateObject(), &done};
    json_number(to, "version", 1);
    add_machine(to, &machine);
    add_workers(to, &machine);
    add_host_memory(to);
    add_pools(to);
    add_devices(to, client);
    if (client->network)
        add_job(to, client->network);
    machine_free(&machine);
    if (done)
        *out = to.at;
    else
        cJSON_Delete(to.at);
    return done ? NULL : error_out_of_memory();
}
