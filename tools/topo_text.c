/* topo_text.c: gantry topo as text. */
#include <string.h>

#include "tools/topo_view.h"

/* Prints the processors for which `member` is true, as "0-3,8". */
static void print_cpus(const struct topo_view *view,
                       bool (*member)(const struct topo_view *view, const struct topo_cpu *cpu,
                                      int argument),
                       int argument, struct text *out)
{
    const char *comma = "";
    for (int i = 0; i < view->cpu_count; i++) {
        int last = i;
        if (!member(view, &view->cpus[i], argument))
            continue;
        while (last + 1 < view->cpu_count && member(view, &view->cpus[last + 1], argument) &&
               view->cpus[last + 1].number == view->cpus[last].number + 1)
            last++;
        text_add(out, last > i ? "%s%d-%d" : "%s%d", comma, view->cpus[i].number,
                 view->cpus[last].number);
        comma = ",";
        i = last;
    }
    text_add(out, "%s", *comma ? "" : "none");
}

static bool is_of_node(const struct topo_view *view, const struct topo_cpu *cpu, int node)
{
    return cpu->core >= 0 && view->cores[cpu->core].node == node;
}

static bool is_offline(const struct topo_view *view, const struct topo_cpu *cpu, int unused)
{
    (void)view, (void)unused;
    return cpu->core < 0;
}

static bool is_allowed(const struct topo_view *view, const struct topo_cpu *cpu, int unused)
{
    (void)view, (void)unused;
    return cpu->allowed;
}

static bool is_worker(const struct topo_view *view, const struct topo_cpu *cpu, int unused)
{
    (void)view, (void)unused;
    return cpu->worker;
}

static void print_node(const struct topo_view *view, int number, struct text *out)
{
    const struct topo_node *node = &view->nodes[number];
    char size[TOPO_VIEW_SIZE], caches[TOPO_VIEW_CACHES];
    text_add(out, "  node %d: %s", number, topo_view_bytes(node->bytes, size));
    if (node->has_cores) {
        text_add(out, ", %d cores, processors ", node->core_count);
        print_cpus(view, is_of_node, number, out);
        if (*topo_view_caches(node, caches))
            text_add(out, "; %s", caches);
    } else {
        text_add(out, ", memory only");
    }
    text_add(out, "%s\n", node->usable || !node->has_cores ? "" : ", not usable");
}

static void print_package(const struct topo_view *view, int package, struct text *out)
{
    bool any = package >= 0;
    for (int i = 0; i < view->node_count && !any; i++)
        any = view->nodes[i].package == package;
    if (!any)
        return;
    if (package >= 0)
        text_add(out, "package %d\n", package);
    else
        text_add(out, "beside all packages\n");
    for (int i = 0; i < view->node_count; i++)
        if (view->nodes[i].package == package)
            print_node(view, i, out);
}

static void print_machine(const struct topo_view *view, struct text *out)
{
    const cJSON *machine = cJSON_GetObjectItem(view->json, "machine");
    char size[TOPO_VIEW_SIZE], limit[TOPO_VIEW_SIZE];
    text_add(out, "machine: %s, the process may use %s%s\n",
             topo_view_bytes(topo_view_number(machine, "bytes"), size),
             topo_view_bytes(topo_view_number(machine, "limit"), limit),
             topo_view_truth(machine, "recorded") ? " (recorded)" : "");
    for (int package = 0; package < view->package_count; package++)
        print_package(view, package, out);
    print_package(view, -1, out);
    text_add(out, "processors that the process may use: ");
    print_cpus(view, is_allowed, 0, out);
    if (view->offline) {
        text_add(out, "; offline: ");
        print_cpus(view, is_offline, 0, out);
    }
    text_add(out, "\nworkers: %d, ", view->width);
    if (view->pinned) {
        text_add(out, "pinned to ");
        print_cpus(view, is_worker, 0, out);
        text_add(out, "\n");
    } else {
        text_add(out, "floating\n");
    }
}

static void print_host_memory(const cJSON *memory, struct text *out)
{
    char a[TOPO_VIEW_SIZE], b[TOPO_VIEW_SIZE];
    text_add(out, "host memory: %s mapped, %s locked (at most %s)",
             topo_view_bytes(topo_view_number(memory, "mapped"), a),
             topo_view_bytes(topo_view_number(memory, "locked"), b),
             topo_view_bytes(topo_view_number(memory, "lock_limit"), (char[TOPO_VIEW_SIZE]){0}));
    if (*topo_view_text(memory, "lock_refusal"))
        text_add(out, ", %s not locked: %s",
                 topo_view_bytes(topo_view_number(memory, "lock_refused"), a),
                 topo_view_text(memory, "lock_refusal"));
    if (topo_view_number(memory, "prepacked") > 0)
        text_add(out, ", %s of arguments cached in library layouts",
                 topo_view_bytes(topo_view_number(memory, "prepacked"), a));
    text_add(out, "\n");
}

static void print_pools(const cJSON *pools, struct text *out)
{
    char place[TOPO_VIEW_SIZE], mapped[TOPO_VIEW_SIZE], cached[TOPO_VIEW_SIZE];
    const cJSON *pool;
    cJSON_ArrayForEach(pool, pools)
    {
        text_add(out, "  pool %s%s: %s mapped, %s of them cached\n", topo_view_place(pool, place),
                 topo_view_truth(pool, "pinned") ? ", pinned" : "",
                 topo_view_bytes(topo_view_number(pool, "mapped"), mapped),
                 topo_view_bytes(topo_view_number(pool, "cached"), cached));
    }
}

static void print_device(const cJSON *device, struct text *out)
{
    char place[TOPO_VIEW_SIZE], limit[TOPO_VIEW_SIZE], use[TOPO_VIEW_SIZE], peak[TOPO_VIEW_SIZE];
    const cJSON *memory;
    int nodes = (int)topo_view_number(device, "node_count");
    text_add(out, "device %s (%s)", topo_view_text(device, "name"), topo_view_text(device, "kind"));
    if (nodes > 1)
        text_add(out, ", %d nodes from node %d", nodes,
                 (int)topo_view_number(device, "first_node"));
    text_add(out, "\n");
    cJSON_ArrayForEach(memory, cJSON_GetObjectItem(device, "memories"))
    {
        text_add(out, "  %-14s %9s, %s in use, peak %s, %s\n", topo_view_text(memory, "kind"),
                 topo_view_bytes(topo_view_number(memory, "limit"), limit),
                 topo_view_bytes(topo_view_number(memory, "in_use"), use),
                 topo_view_bytes(topo_view_number(memory, "peak"), peak),
                 topo_view_place(memory, place));
    }
}

void topo_text_print(const struct topo_view *view, struct text *out)
{
    const cJSON *device;
    print_machine(view, out);
    print_host_memory(cJSON_GetObjectItem(view->json, "host_memory"), out);
    print_pools(cJSON_GetObjectItem(view->json, "pools"), out);
    cJSON_ArrayForEach(device, cJSON_GetObjectItem(view->json, "devices"))
    {
        print_device(device, out);
    }
}
