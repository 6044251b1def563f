/* topo_job_svg.c: a job as a picture: hosts, each with its processes and their devices, along the
 * lines of the network that connects them.
 *
 *   ┌ host ──────────────────────────┐  ┌ host ─ …
 *   │ ┌ process ────┐ ┌ process ───┐ │
 *   │ │ ▪▪▪▪        │ │ ▪▪▪▪       │ │   a square is a device
 *   │ └─────────────┘ └────────────┘ │
 *   └───────────────┬────────────────┘
 *  ─────────────────┴─────────────────────── … */
#include "tools/svg_shapes.h"
#include "tools/topo_job.h"
#include "tools/topo_view.h"

enum {
    PAGE = 1220, /* width, margins included */
    MARGIN = 32,
    GAP = 16,
    PAD = 14,
    COLUMNS = 2, /* hosts in a row, and processes in a row of a host */
    HOST = (PAGE - 2 * MARGIN - GAP) / COLUMNS,
    HOST_HEAD = 52,
    PROCESS = (HOST - 2 * PAD - GAP) / COLUMNS,
    PROCESS_HEAD = 48,
    CELL = 30, /* width of a device and its gap */
    CELL_GAP = 5,
    CELLS = (PROCESS - 2 * PAD + CELL_GAP) / CELL, /* in a row */
    MAX_CELLS = 4 * CELLS,                         /* that are drawn of a process */
    MAX_DRAWN = 64,                                /* processes of a host that are drawn */
    STEM = 18                                      /* from a host to the line of its row */
};

struct place {
    struct text *out;
    int x, y;
};

static int drawn_cells(const struct topo_process *p)
{
    return p->devices < MAX_CELLS ? p->devices : MAX_CELLS;
}

static int process_height(const struct topo_process *p)
{
    return PROCESS_HEAD + (drawn_cells(p) + CELLS - 1) / CELLS * CELL - CELL_GAP + PAD;
}

static void draw_process(struct place at, const struct topo_process *p, int number, int height)
{
    svg_box(at.out, "node", at.x, at.y, PROCESS, height);
    svg_label(at.out, "name", at.x + PAD, at.y + 20, 30, "Process %d", number);
    svg_label(at.out, "right", at.x + PROCESS - PAD, at.y + 20, 20, "%d device%s", p->devices,
              p->devices == 1 ? "" : "s");
    svg_label(at.out, "small", at.x + PAD, at.y + 37, 36, "%s",
              p->machine ? p->listens : "did not report");
    for (int i = 0; i < drawn_cells(p); i++) {
        int side = CELL - CELL_GAP, x = at.x + PAD + i % CELLS * CELL,
            y = at.y + PROCESS_HEAD + i / CELLS * CELL;
        svg_box(at.out, "core", x, y, side, side);
        svg_label(at.out, "number", x + side / 2, y + side / 2 + 4, 8, "%d", p->first_device + i);
    }
}

/* Draws the processes of a host from at.y on, where `out` is not NULL; returns the height. */
static int lay_processes(const struct topo_job *job, int host, struct place at)
{
    int column = 0, row = 0, height = 0, drawn = 0;
    for (int i = 0; i < job->process_count && drawn < MAX_DRAWN; i++) {
        const struct topo_process *p = &job->processes[i];
        if (p->host != host)
            continue;
        if (column == COLUMNS) {
            height += row + GAP;
            column = row = 0;
        }
        struct place here = {at.out, at.x + column++ * (PROCESS + GAP), at.y + height};
        if (at.out)
            draw_process(here, p, i, process_height(p));
        row = process_height(p) > row ? process_height(p) : row;
        drawn++;
    }
    return height + row;
}

static int host_height(const struct topo_job *job, int host)
{
    return HOST_HEAD + lay_processes(job, host, (struct place){0}) + PAD;
}

static void draw_host(const struct topo_job *job, int number, struct place at)
{
    const struct topo_host *host = &job->hosts[number];
    char size[TOPO_VIEW_SIZE];
    svg_box(at.out, "package", at.x, at.y, HOST, host_height(job, number));
    svg_label(at.out, "name", at.x + PAD, at.y + 22, 60, "%s", host->name);
    svg_label(at.out, "small", at.x + PAD, at.y + 40, 90, "%d cores, %s, %d process%s%s",
              host->cores, topo_view_bytes(host->bytes, size), host->process_count,
              host->process_count == 1 ? "" : "es",
              host->process_count > MAX_DRAWN ? ", of which 64 are drawn" : "");
    lay_processes(job, number, (struct place){at.out, at.x + PAD, at.y + HOST_HEAD});
}

/* A row of hosts on a line of the network; returns its height. */
static int draw_row(const struct topo_job *job, int first, struct place at)
{
    int height = 0, end = first + COLUMNS < job->host_count ? first + COLUMNS : job->host_count;
    for (int h = first; h < end; h++)
        height = host_height(job, h) > height ? host_height(job, h) : height;
    for (int h = first; h < end; h++) {
        int x = at.x + (h - first) * (HOST + GAP), middle = x + HOST / 2;
        draw_host(job, h, (struct place){at.out, x, at.y});
        if (job->host_count > 1)
            svg_line(at.out, middle, at.y + host_height(job, h), middle, at.y + height + STEM);
    }
    if (job->host_count > 1)
        svg_line(at.out, MARGIN / 2, at.y + height + STEM, PAGE - MARGIN, at.y + height + STEM);
    return height + STEM;
}

void topo_job_svg(const struct topo_job *job, struct text *out)
{
    struct text shapes = {0};
    struct place at = {&shapes, MARGIN, 72 + GAP + 6};
    int first_line = 0, last_line = 0;
    svg_label(&shapes, "title", MARGIN, 48, 120, "%d processes on %d host%s", job->process_count,
              job->host_count, job->host_count == 1 ? "" : "s");
    svg_label(&shapes, "small", MARGIN, 72, 120, "coordinator %s", job->coordinator);
    for (int first = 0; first < job->host_count; first += COLUMNS) {
        last_line = at.y + draw_row(job, first, at);
        first_line = first_line ? first_line : last_line;
        at.y = last_line + GAP;
    }
    if (job->host_count > COLUMNS)
        svg_line(&shapes, MARGIN / 2, first_line, MARGIN / 2, last_line);
    svg_page(out, &shapes, PAGE, at.y + GAP);
}
