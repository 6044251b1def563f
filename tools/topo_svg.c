/* topo_svg.c: gantry topo as a picture: packages with their memory nodes and cores, then the
 * devices with their memories, then host memory. Widths are fixed; heights depend on the contents.
 *
 *   ┌ package ───────────────────────┐  ┌ package ─ …
 *   │ ┌ node ───────┐ ┌ node ──────┐ │
 *   │ │ ▪▪▪▪▪▪▪▪    │ │ ▪▪▪▪▪▪▪▪   │ │   a square is a core, its stripes are processors
 *   │ └─────────────┘ └────────────┘ │
 *   └────────────────────────────────┘ */
#include <stdio.h>
#include <string.h>

#include "tools/svg_shapes.h"
#include "tools/topo_view.h"

enum {
    PAGE = 1220, /* width, margins included */
    MARGIN = 32,
    GAP = 16,
    PAD = 14,
    CELL = 30, /* width of a core and its gap */
    CELL_GAP = 5,
    CELLS = 8, /* cores in a row */
    NODE = CELLS * CELL - CELL_GAP + 2 * PAD,
    HEAD = 62, /* height of the heading of a node with cores */
    BARE = 48, /* without */
    PACKAGE_HEAD = 34,
    CARD = 373, /* width of a device */
    CARD_HEAD = 50,
    ROW = 40, /* height of a memory */
};

struct canvas {
    const struct topo_view *view;
    struct text *out;
    int x, y; /* position of the next box */
};

/* ---- cores ----------------------------------------------------------------------------------- */
/* Draws a core: a square with one stripe per processor (at most four). */
static void draw_core(const struct canvas *c, const struct topo_core *core, int number, int x,
                      int y)
{
    int side = CELL - CELL_GAP, stripes = core->cpu_count < 4 ? core->cpu_count : 4, drawn = 0;
    int width = stripes ? (side - 6 - 2 * (stripes - 1)) / stripes : 0;
    text_add(c->out, "<g><title>core %d, processor %d%s</title>\n", number, core->first_cpu,
             core->allowed ? "" : ", not usable");
    svg_box(c->out, core->allowed ? "core" : "shut", x, y, side, side);
    for (int i = 0; i < c->view->cpu_count && drawn < stripes; i++) {
        const struct topo_cpu *cpu = &c->view->cpus[i];
        if (cpu->core != number)
            continue;
        svg_box(c->out,
                cpu->worker    ? "worker"
                : cpu->allowed ? "cpu"
                               : "none",
                x + 3 + drawn * (width + 2), y + 3, width, side - 6);
        drawn++;
    }
    svg_label(c->out, "number", x + side / 2, y + side / 2 + 4, 8, "%d", number);
    text_add(c->out, "</g>\n");
}

static void draw_cores(const struct canvas *c, int node, int x, int y)
{
    int drawn = 0;
    for (int i = 0; i < c->view->core_count; i++)
        if (c->view->cores[i].node == node) {
            draw_core(c, &c->view->cores[i], i, x + drawn % CELLS * CELL, y + drawn / CELLS * CELL);
            drawn++;
        }
}

/* ---- nodes and packages ---------------------------------------------------------------------- */
static int node_height(const struct topo_node *node)
{
    int rows = (node->core_count + CELLS - 1) / CELLS;
    return rows ? HEAD + rows * CELL - CELL_GAP + PAD : BARE + 8;
}

/* Prints the devices near a node, with their names if there are few. */
static void draw_near(const struct canvas *c, int node, int x, int y)
{
    char names[128] = "";
    int count = 0, size = 0;
    const cJSON *device;
    cJSON_ArrayForEach(device, cJSON_GetObjectItem(c->view->json, "devices"))
    {
        const cJSON *near = cJSON_GetObjectItem(device, "node");
        if (!cJSON_IsNumber(near) || near->valueint != node)
            continue;
        if (count++ < 3)
            size += snprintf(names + size, sizeof names - (size_t)size, "%s%.20s",
                             count > 1 ? ", " : "", topo_view_text(device, "name"));
    }
    if (count > 3)
        svg_label(c->out, "device", x, y, 40, "%d devices", count);
    else if (count)
        svg_label(c->out, "device", x, y, 64, "%s", names);
}

static void draw_node(const struct canvas *c, int number, int x, int y)
{
    const struct topo_node *node = &c->view->nodes[number];
    char size[TOPO_VIEW_SIZE], caches[TOPO_VIEW_CACHES];
    svg_box(c->out,
            !node->has_cores ? "memory"
            : node->usable   ? "node"
                             : "closed",
            x, y, NODE, node_height(node));
    svg_label(c->out, "name", x + PAD, y + 20, 30, "Node %d", number);
    draw_near(c, number, x + NODE - PAD, y + 20);
    topo_view_bytes(node->bytes, size);
    if (!node->has_cores)
        svg_label(c->out, "small", x + PAD, y + 37, 60, "%s, memory only", size);
    else
        svg_label(c->out, "small", x + PAD, y + 37, 60, "%s%s", size,
                  node->usable ? "" : ", not usable");
    svg_label(c->out, "small", x + PAD, y + 52, 60, "%s", topo_view_caches(node, caches));
    draw_cores(c, number, x + PAD, y + HEAD);
}

/* Lays out the nodes of a package in rows of two, and draws them if `draw` is true. Sets the size
 * of the box. */
static void lay_nodes(const struct canvas *c, int package, bool draw, int *width, int *height)
{
    int column = 0, row_height = 0, y = PACKAGE_HEAD, columns = 0;
    for (int i = 0; i < c->view->node_count; i++) {
        if (c->view->nodes[i].package != package)
            continue;
        if (column == 2) {
            y += row_height + GAP;
            column = row_height = 0;
        }
        if (draw)
            draw_node(c, i, c->x + PAD + column * (NODE + GAP), c->y + y);
        int height_here = node_height(&c->view->nodes[i]);
        row_height = height_here > row_height ? height_here : row_height;
        columns = ++column > columns ? column : columns;
    }
    *width = columns * (NODE + GAP) - GAP + 2 * PAD;
    *height = columns ? y + row_height + PAD : 0;
}

/* Draws one package, or the memory outside all packages (-1). */
static void draw_package(struct canvas *c, int package, int *row_height)
{
    int width, height;
    lay_nodes(c, package, false, &width, &height);
    if (!height)
        return;
    if (c->x > MARGIN && c->x + width > PAGE - MARGIN) {
        c->x = MARGIN;
        c->y += *row_height + GAP;
        *row_height = 0;
    }
    svg_box(c->out, "package", c->x, c->y, width, height);
    if (package >= 0)
        svg_label(c->out, "name", c->x + PAD, c->y + 22, 30, "Package %d", package);
    else
        svg_label(c->out, "name", c->x + PAD, c->y + 22, 30, "Beside all packages");
    lay_nodes(c, package, true, &width, &height);
    c->x += width + GAP;
    *row_height = height > *row_height ? height : *row_height;
}

static void draw_packages(struct canvas *c)
{
    int row_height = 0;
    c->x = MARGIN;
    for (int package = 0; package < c->view->package_count; package++)
        draw_package(c, package, &row_height);
    draw_package(c, -1, &row_height);
    c->x = MARGIN;
    c->y += row_height + GAP;
}

/* ---- legend ---------------------------------------------------------------------------------- */
static void draw_legend(struct canvas *c)
{
    static const struct {
        const char *class, *text;
        int width;
    } marks[] = {{"worker", "processor with a pinned worker", 208},
                 {"cpu", "processor that the process may use", 234},
                 {"none", "processor that it may not use", 200},
                 {"offline", "offline", 0}};
    int x = MARGIN;
    bool used[] = {c->view->pinned > 0, true, c->view->closed > 0, c->view->offline > 0};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (!used[i])
            continue;
        svg_box(c->out, marks[i].class, x, c->y, 13, 13);
        if (i == 3)
            svg_label(c->out, "small", x + 20, c->y + 11, 60, "%d processors offline",
                      c->view->offline);
        else
            svg_label(c->out, "small", x + 20, c->y + 11, 60, "%s", marks[i].text);
        x += marks[i].width + 26;
    }
    c->y += 13 + 2 * GAP;
}

/* ---- devices --------------------------------------------------------------------------------- */
static int share_of(double part, double whole, int width)
{
    double share = whole > 0 ? part / whole : 0;
    int pixels = (int)(width * (share < 1 ? share : 1));
    return part > 0 && pixels < 4 ? 4 : pixels; /* nonzero parts stay visible */
}

static void draw_memory(const struct canvas *c, const cJSON *memory, int y)
{
    char limit[TOPO_VIEW_SIZE], use[TOPO_VIEW_SIZE], place[TOPO_VIEW_SIZE];
    int x = c->x + PAD, width = CARD - 2 * PAD;
    double limit_bytes = topo_view_number(memory, "limit"),
           in_use = topo_view_number(memory, "in_use"), peak = topo_view_number(memory, "peak");
    svg_label(c->out, "small", x, y + 12, 60, "%s %s", topo_view_text(memory, "kind"),
              topo_view_place(memory, place));
    svg_label(c->out, "right", x + width, y + 12, 60, "%s of %s", topo_view_bytes(in_use, use),
              topo_view_bytes(limit_bytes, limit));
    svg_box(c->out, "bar", x, y + 18, width, 8);
    if (peak > in_use)
        svg_box(c->out, "peak", x, y + 18, share_of(peak, limit_bytes, width), 8);
    if (in_use > 0)
        svg_box(c->out, "use", x, y + 18, share_of(in_use, limit_bytes, width), 8);
}

static int draw_device(const struct canvas *c, const cJSON *device)
{
    const cJSON *memories = cJSON_GetObjectItem(device, "memories"), *memory;
    int height = CARD_HEAD + cJSON_GetArraySize(memories) * ROW + 2, y = c->y + CARD_HEAD;
    int nodes = (int)topo_view_number(device, "node_count");
    const cJSON *near = cJSON_GetObjectItem(device, "node");
    svg_box(c->out, "card", c->x, c->y, CARD, height);
    svg_label(c->out, "name", c->x + PAD, c->y + 22, 40, "%s", topo_view_text(device, "name"));
    if (cJSON_IsNumber(near))
        svg_label(c->out, "small", c->x + PAD, c->y + 39, 60, "%s, near node %d",
                  topo_view_text(device, "kind"), near->valueint);
    else if (nodes > 1)
        svg_label(c->out, "small", c->x + PAD, c->y + 39, 60, "%s, nodes %d to %d",
                  topo_view_text(device, "kind"), (int)topo_view_number(device, "first_node"),
                  (int)topo_view_number(device, "first_node") + nodes - 1);
    else
        svg_label(c->out, "small", c->x + PAD, c->y + 39, 60, "%s", topo_view_text(device, "kind"));
    cJSON_ArrayForEach(memory, memories)
    {
        draw_memory(c, memory, y);
        y += ROW;
    }
    return height;
}

/* Draws at most two rows, and the number of the remaining devices. */
static void draw_devices(struct canvas *c)
{
    const cJSON *list = cJSON_GetObjectItem(c->view->json, "devices"), *device = list->child;
    int count = cJSON_GetArraySize(list), height = 0, drawn = 0;
    svg_label(c->out, "name", MARGIN, c->y + 4, 40, "Devices");
    c->y += GAP;
    for (; device && drawn < 6; device = device->next, drawn++) {
        c->x = MARGIN + drawn % 3 * (CARD + GAP + 2);
        if (drawn && drawn % 3 == 0)
            c->y += height + GAP;
        height = draw_device(c, device);
    }
    c->y += height + GAP;
    if (count > drawn)
        svg_label(c->out, "small", MARGIN, c->y + 6, 60, "and %d more", count - drawn);
    c->y += count > drawn ? 2 * GAP : GAP;
}

/* ---- host memory ----------------------------------------------------------------------------- */
static void draw_host_memory(struct canvas *c)
{
    const cJSON *memory = cJSON_GetObjectItem(c->view->json, "host_memory"), *pool;
    char a[TOPO_VIEW_SIZE], b[TOPO_VIEW_SIZE], place[TOPO_VIEW_SIZE];
    svg_label(c->out, "name", MARGIN, c->y + 4, 40, "Host memory");
    c->y += 24;
    svg_label(c->out, "small", MARGIN, c->y, 120, "%s mapped, %s locked of at most %s%s%s",
              topo_view_bytes(topo_view_number(memory, "mapped"), a),
              topo_view_bytes(topo_view_number(memory, "locked"), b),
              topo_view_bytes(topo_view_number(memory, "lock_limit"), place),
              *topo_view_text(memory, "lock_refusal") ? "; not locked: " : "",
              topo_view_text(memory, "lock_refusal"));
    cJSON_ArrayForEach(pool, cJSON_GetObjectItem(c->view->json, "pools"))
    {
        c->y += 20;
        svg_label(c->out, "small", MARGIN, c->y, 120, "pool %s%s: %s mapped, %s of them cached",
                  topo_view_place(pool, place), topo_view_truth(pool, "pinned") ? ", pinned" : "",
                  topo_view_bytes(topo_view_number(pool, "mapped"), a),
                  topo_view_bytes(topo_view_number(pool, "cached"), b));
    }
    c->y += GAP + 8;
}

static void draw_title(struct canvas *c)
{
    const struct topo_view *view = c->view;
    const cJSON *machine = cJSON_GetObjectItem(view->json, "machine");
    char size[TOPO_VIEW_SIZE], limit[TOPO_VIEW_SIZE];
    svg_label(c->out, "title", MARGIN, 48, 120, "%s, %d cores",
              topo_view_bytes(topo_view_number(machine, "bytes"), size), view->core_count);
    svg_label(
        c->out, "small", MARGIN, 72, 200,
        "%d package%s, %d memory node%s, %d processors; the process may use %s; %d worker%s, %s%s",
        view->package_count, view->package_count == 1 ? "" : "s", view->node_count,
        view->node_count == 1 ? "" : "s", view->cpu_count,
        topo_view_bytes(topo_view_number(machine, "limit"), limit), view->width,
        view->width == 1 ? "" : "s", view->pinned ? "pinned" : "floating",
        topo_view_truth(machine, "recorded") ? "; a recorded machine" : "");
    c->y = 72 + GAP + 6;
}

void topo_svg_print(const struct topo_view *view, struct text *out)
{
    struct text body = {0};
    struct canvas canvas = {view, &body, MARGIN, MARGIN};
    draw_title(&canvas);
    draw_packages(&canvas);
    draw_legend(&canvas);
    draw_devices(&canvas);
    draw_host_memory(&canvas);
    svg_page(out, &body, PAGE, canvas.y);
}
