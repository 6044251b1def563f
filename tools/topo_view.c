#include "tools/topo_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* ---- members --------------------------------------------------------------------------------- */
const char *topo_view_caches(const struct topo_node *node, char out[TOPO_VIEW_CACHES])
{
    char size[TOPO_VIEW_SIZE];
    size_t used = 0;
    out[0] = 0;
    for (int level = 0; level < TOPO_VIEW_LEVELS; level++)
        if (node->caches[level] > 0)
            used += (size_t)snprintf(out + used, TOPO_VIEW_CACHES - used, "%s L%d %s",
                                     used ? "," : "caches", level + 1,
                                     topo_view_bytes(node->caches[level], size));
    return out;
}

double topo_view_number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

bool topo_view_truth(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(object, name));
}

const char *topo_view_text(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

const char *topo_view_bytes(double bytes, char out[TOPO_VIEW_SIZE])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++)
        bytes /= 1024;
    double tenths = bytes * 10 - floor(bytes) * 10; /* whole units are shown as such */
    const char *format = bytes < 100 && tenths >= 0.5 && tenths < 9.5 ? "%.1f %s" : "%.0f %s";
    snprintf(out, TOPO_VIEW_SIZE, format, bytes, units[unit]);
    return out;
}

const char *topo_view_place(const cJSON *object, char out[TOPO_VIEW_SIZE])
{
    const cJSON *node = cJSON_GetObjectItem(object, "node");
    if (cJSON_IsNumber(node))
        snprintf(out, TOPO_VIEW_SIZE, "on node %d", node->valueint);
    else
        snprintf(out, TOPO_VIEW_SIZE, "%s",
                 strcmp(topo_view_text(object, "node"), "any") ? "interleaved" : "on any node");
    return out;
}

/* Returns a number in [0, count), or -1, which also stands for null. */
static int index_of(const cJSON *object, const char *name, int count)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return cJSON_IsNumber(item) && item->valueint >= 0 && item->valueint < count ? item->valueint
                                                                                 : -1;
}

/* ---- reading --------------------------------------------------------------------------------- */
static void read_nodes(const cJSON *list, struct topo_view *view)
{
    int i = 0;
    for (const cJSON *at = list->child; at; at = at->next, i++)
        view->nodes[i] = (struct topo_node){.package = index_of(at, "package", view->package_count),
                                            .bytes = topo_view_number(at, "bytes"),
                                            .has_cores = topo_view_truth(at, "has_cores"),
                                            .allowed = topo_view_truth(at, "allowed"),
                                            .usable = topo_view_truth(at, "usable")};
}

/* Records the caches of a core of a node. */
static void note_caches(struct topo_node *node, const cJSON *core, const cJSON *caches)
{
    const cJSON *number;
    cJSON_ArrayForEach(number, cJSON_GetObjectItem(core, "caches"))
    {
        const cJSON *cache = cJSON_GetArrayItem(caches, number->valueint);
        double level = cache ? topo_view_number(cache, "level") : 0;
        if (level >= 1 && level <= TOPO_VIEW_LEVELS)
            node->caches[(int)level - 1] = topo_view_number(cache, "bytes");
    }
}

static void read_cores(const cJSON *list, const cJSON *caches, struct topo_view *view)
{
    int i = 0, node_before = -1;
    for (const cJSON *at = list->child; at; at = at->next, i++) {
        struct topo_core *core = &view->cores[i];
        *core = (struct topo_core){.package = index_of(at, "package", view->package_count),
                                   .node = index_of(at, "node", view->node_count),
                                   .first_cpu = -1};
        if (core->node < 0)
            continue;
        view->nodes[core->node].core_count++;
        if (core->node != node_before) /* list access is linear, so once per node */
            note_caches(&view->nodes[core->node], at, caches);
        node_before = core->node;
    }
}

static bool contains(const cJSON *list, int number)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (item->valueint == number)
            return true;
    }
    return false;
}

static void read_cpus(const cJSON *list, const cJSON *pinned, struct topo_view *view)
{
    int i = 0;
    for (const cJSON *at = list->child; at; at = at->next, i++) {
        struct topo_cpu *cpu = &view->cpus[i];
        cpu->number = (int)topo_view_number(at, "os_number");
        cpu->core = index_of(at, "core", view->core_count);
        cpu->allowed = topo_view_truth(at, "allowed");
        cpu->worker = cpu->allowed && contains(pinned, cpu->number);
        view->offline += cpu->core < 0;
        view->closed += cpu->core >= 0 && !cpu->allowed;
        if (cpu->core < 0)
            continue;
        struct topo_core *core = &view->cores[cpu->core];
        if (!core->cpu_count++)
            core->first_cpu = cpu->number;
        core->allowed += cpu->allowed;
        core->worker |= cpu->worker;
    }
}

struct error *topo_view_read(const cJSON *json, struct topo_view *out)
{
    const cJSON *machine = cJSON_GetObjectItem(json, "machine");
    const cJSON *workers = cJSON_GetObjectItem(json, "workers");
    const cJSON *nodes = cJSON_GetObjectItem(machine, "nodes");
    const cJSON *cores = cJSON_GetObjectItem(machine, "cores");
    const cJSON *cpus = cJSON_GetObjectItem(machine, "cpus");
    const cJSON *pinned = cJSON_GetObjectItem(workers, "cores");
    *out = (struct topo_view){.json = json};
    if (!cJSON_IsArray(nodes) || !cJSON_IsArray(cores) || !cJSON_IsArray(cpus) ||
        !cJSON_IsArray(pinned))
        return ERROR(INVALID_ARGUMENT,
                     "the plugin's description of the machine lacks nodes, cores, "
                     "processors or workers");
    out->package_count = (int)topo_view_number(machine, "packages");
    out->node_count = cJSON_GetArraySize(nodes);
    out->core_count = cJSON_GetArraySize(cores);
    out->cpu_count = cJSON_GetArraySize(cpus);
    out->width = (int)topo_view_number(workers, "width");
    out->pinned = cJSON_GetArraySize(pinned);
    TRY(alloc_array((size_t)out->node_count, sizeof *out->nodes, &out->nodes));
    struct error *error = alloc_array((size_t)out->core_count, sizeof *out->cores, &out->cores);
    if (!error)
        error = alloc_array((size_t)out->cpu_count, sizeof *out->cpus, &out->cpus);
    if (error) {
        topo_view_free(out);
        return error;
    }
    read_nodes(nodes, out);
    read_cores(cores, cJSON_GetObjectItem(machine, "caches"), out);
    read_cpus(cpus, pinned, out);
    return NULL;
}

void topo_view_free(struct topo_view *view)
{
    alloc_free(view->nodes);
    alloc_free(view->cores);
    alloc_free(view->cpus);
    *view = (struct topo_view){0};
}
